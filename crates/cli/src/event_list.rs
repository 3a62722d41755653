//! Lists of events in options.

use std::convert::Infallible;
use std::str::FromStr;

/// The events of a list, such as `cpu/event=1,umask=2/,net/lo/rx_bytes/,page-faults`, or the conditions on events: the commas between two slashes are those of an event, but none is right behind a slash, or behind the `>` or `<` of a condition.
#[derive(Clone, Debug, Default)]
pub struct EventList(pub Vec<String>);

impl FromStr for EventList {
    type Err = Infallible;

    fn from_str(list: &str) -> Result<EventList, Infallible> {
        let (mut is_inside, mut before) = (false, ' ');
        let is_between = |character: char| {
            let is_end = character == ',' && (!is_inside || before == '/');
            match character {
                '/' => is_inside = !is_inside,
                '>' | '<' => is_inside = false,
                _ if is_end => is_inside = false,
                _ => {}
            }
            before = character;
            is_end
        };
        Ok(EventList(list.split(is_between).map(str::to_string).collect()))
    }
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
                "a,arm_spe_0/load_filter=1,jitter=1/>1%",
                &["a", "arm_spe_0/load_filter=1,jitter=1/>1%"],
            ),
        ] {
            let EventList(found) = list.parse().unwrap();
            assert_eq!(found, events);
        }
    }
}
