//! The lines of one table.

use super::super::hash::{hash, of_mask};
use super::line::Line;

/// More lines than a place among them, of 16 bits, can tell apart.
const TOO_MANY: usize = 0xffff;

/// The events of a table and their unit masks, with what their names hash to.
#[derive(Default)]
pub(super) struct Table<'a> {
    pub(super) events: Vec<Line<'a>>,
    pub(super) event_hashes: Vec<u32>,
    pub(super) masks: Vec<Line<'a>>,
    pub(super) mask_hashes: Vec<u32>,
    /// The first unit mask of each event, and where those of the last one end.
    pub(super) firsts: Vec<u64>,
}

impl<'a> Table<'a> {
    pub(super) fn read(text: &'a str) -> Result<Table<'a>, String> {
        let mut table = Table::default();
        for (number, line) in (1..).zip(text.lines()) {
            match line.strip_prefix('\t') {
                Some(mask) => table.add_mask(Line::read(mask, number)?)?,
                None if line.starts_with('#') || line.is_empty() => {}
                None => table.add_event(Line::read(line, number)?)?,
            }
        }
        table.firsts.push(table.masks.len() as u64);
        Ok(table)
    }

    fn add_event(&mut self, event: Line<'a>) -> Result<(), String> {
        let letters = |name: &'a str| name.bytes().map(|byte| byte.to_ascii_uppercase());
        if let Some(before) = self.events.last()
            && letters(before.name).gt(letters(event.name))
        {
            return Err(event.wrong(&format!(
                "events are in the order of their names: move it before {}",
                before.name
            )));
        }
        self.firsts.push(self.masks.len() as u64);
        self.event_hashes.push(hash(event.name));
        add(event, &mut self.events)
    }

    fn add_mask(&mut self, mask: Line<'a>) -> Result<(), String> {
        let Some(event) = self.events.last_mut() else {
            return Err(mask.wrong("the event of this unit mask is missing above"));
        };
        event.words.has_precise_masks |= mask.words.has("pebs");
        self.mask_hashes.push(of_mask(hash(mask.name), self.events.len() - 1));
        add(mask, &mut self.masks)
    }

    /// The names of the events.
    pub(super) fn events(&self) -> impl Iterator<Item = &'a str> {
        self.events.iter().map(|event| event.name)
    }

    /// The names of the unit masks, each with its event.
    pub(super) fn masks(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.events.iter().zip(self.firsts.windows(2)).flat_map(|(event, numbers)| {
            let masks = &self.masks[numbers[0] as usize..numbers[1] as usize];
            masks.iter().map(|mask| (event.name, mask.name))
        })
    }
}

fn add<'a>(line: Line<'a>, lines: &mut Vec<Line<'a>>) -> Result<(), String> {
    if lines.len() + 1 == TOO_MANY {
        return Err(
            line.wrong("a table has at most 65534 events, and as many unit masks: split it")
        );
    }
    lines.push(line);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_masks_belong_to_the_event_above() {
        let table = Table::read("# Words\nA 1\nb 0x2\n\tX 1\n\tY 2 pebs\nB 3\n\tX 1\n").unwrap();
        assert!(table.events().eq(["A", "b", "B"]));
        assert!(table.masks().eq([("b", "X"), ("b", "Y"), ("B", "X")]));
        assert_eq!(table.firsts, [0, 0, 2, 3]);
        let precise = table.events.iter().map(|event| event.words.has_precise_masks);
        assert!(precise.eq([false, true, false]));
    }

    #[test]
    fn what_is_out_of_order_is_named() {
        let error = |text: &str| Table::read(text).err().unwrap_or_default();
        let order = "3: events are in the order of their names: move it before B: A 2";
        assert_eq!(error("B 1\n\tX 1\nA 2\n"), order);
        assert_eq!(error("\tX 1\n"), "1: the event of this unit mask is missing above: X 1");
        let many = |count: usize| "A 1\n".repeat(count);
        assert_eq!(error(&many(0xfffe)), "");
        assert!(error(&many(0xffff)).starts_with("65535: a table has at most 65534 events"));
    }
}
