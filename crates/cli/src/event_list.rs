//! Lists of events in options.

use std::convert::Infallible;
use std::str::FromStr;

/// The events of a list, such as `cpu/event=1,umask=2/,page-faults`: the commas between slashes are those of an event.
#[derive(Clone, Debug, Default)]
pub struct EventList(pub Vec<String>);

impl FromStr for EventList {
    type Err = Infallible;

    fn from_str(list: &str) -> Result<EventList, Infallible> {
        let mut is_inside = false;
        let is_between = |character: char| {
            is_inside ^= character == '/';
            character == ',' && !is_inside
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
