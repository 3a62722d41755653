//! Lists of events in options.

use counterpoint::pmu::syntax::probe_length;
use std::convert::Infallible;
use std::str::FromStr;

/// The events of a list, such as `cpu/event=1,umask=2/,net/lo/rx_bytes/,page-faults`, or the conditions on events: the commas between two slashes are those of an event, but none is right behind a slash, or behind the `>` or `<` of a condition; those of a probe are in parentheses or quotes.
#[derive(Clone, Debug, Default)]
pub struct EventList(pub Vec<String>);

impl FromStr for EventList {
    type Err = Infallible;

    fn from_str(list: &str) -> Result<EventList, Infallible> {
        let (mut events, mut rest) = (Vec::new(), list);
        loop {
            let end = match probe_length(rest) {
                Some(length) => rest[length..].find(',').map(|comma| length + comma),
                None => end_of_event(rest),
            };
            let Some(end) = end else { break };
            events.push(rest[..end].to_string());
            rest = &rest[end + 1..];
        }
        events.push(rest.to_string());
        Ok(EventList(events))
    }
}

/// The comma behind the first event of a list, which is no probe.
fn end_of_event(list: &str) -> Option<usize> {
    let (mut is_inside, mut before) = (false, ' ');
    list.find(|character: char| {
        let is_end = character == ',' && (!is_inside || before == '/');
        match character {
            '/' => is_inside = !is_inside,
            '>' | '<' => is_inside = false,
            _ => {}
        }
        before = character;
        is_end
    })
}

#[cfg(test)]
mod tests {
    use super::EventList;

    #[test]
    fn the_commas_of_an_event_stay() {
        for (list, events) in [
            ("", &[""][..]),
            ("cycles,page-faults:u", &["cycles", "page-faults:u"]),
            ("cpu/event=1,umask=2/u,cycles", &["cpu/event=1,umask=2/u", "cycles"]),
            ("net/lo/rx_bytes/,irq/*/LOC/,cycles", &["net/lo/rx_bytes/", "irq/*/LOC/", "cycles"]),
            (
                "net/lo/rx_bytes/>1%,cpu/event=1,umask=2/<5",
                &["net/lo/rx_bytes/>1%", "cpu/event=1,umask=2/<5"],
            ),
            (
                "uprobe:./a:work,uretprobe:'./a,b':f(int, int)>1%,page-faults",
                &["uprobe:./a:work", "uretprobe:'./a,b':f(int, int)>1%", "page-faults"],
            ),
            (
                "a,arm_spe_0/load_filter=1,jitter=1/>1%",
                &["a", "arm_spe_0/load_filter=1,jitter=1/>1%"],
            ),
        ] {
            let EventList(found) = list.parse().unwrap();
            assert_eq!(found, events);
        }
    }
}
