//! The text tables of `tables/libpfm3` (its README documents them), read into the facts that all models have.

use super::assignment::Register;

/// The registers and events of a model.
pub(crate) struct Table {
    pub(crate) events: Vec<Row>,
    pub(crate) masks: Vec<Row>,
    /// Address and alternate address by number, of those that there are.
    pmcs: Vec<Option<(u64, u64)>>,
    pmds: Vec<Option<(u64, u64)>>,
    /// Further lines at the head, for the family.
    pub(crate) head: Vec<Words>,
}

/// A line: an event, or one of its unit masks.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) code: u64,
    pub(crate) words: Words,
    /// The model's revision of the processor has it.
    pub(crate) supported: bool,
    /// Of an event, the positions of its unit masks in [`Table::masks`].
    first: u32,
    count: u32,
}

impl Table {
    /// Reads the table as this revision of the processor sees it (0 where there is only one);
    /// what the crate's own tests would find wrong is left out.
    pub(crate) fn parse(text: &'static str, revision: u64) -> Table {
        let (events, masks) = (Vec::new(), Vec::new());
        let mut table =
            Table { events, masks, pmcs: Vec::new(), pmds: Vec::new(), head: Vec::new() };
        for line in text.lines() {
            if let Some(head) = line.strip_prefix('@') {
                table.head(Words(head));
            } else if let Some(mask) = line.strip_prefix('\t') {
                table.masks.extend(Row::parse(mask, 0, revision));
                if let Some(event) = table.events.last_mut() {
                    event.count = table.masks.len() as u32 - event.first;
                }
            } else if !line.starts_with('#') {
                table.events.extend(Row::parse(line, table.masks.len(), revision));
            }
        }
        table
    }

    fn head(&mut self, line: Words) {
        let mut words = line.all();
        let registers = match words.next() {
            Some("pmc") => &mut self.pmcs,
            Some("pmd") => &mut self.pmds,
            _ => return self.head.push(line),
        };
        let mut numbers = words.map(|word| number(word).unwrap_or(0));
        let index = numbers.next().unwrap_or(0) as usize;
        if registers.len() <= index {
            registers.resize(index + 1, None);
        }
        registers[index] = Some((numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)));
    }

    /// The unit masks of an event of the table.
    pub(crate) fn masks(&self, event: &Row) -> &[Row] {
        let first = event.first as usize;
        self.masks.get(first..first + event.count as usize).unwrap_or_default()
    }

    /// All codes of unit masks of an event, put together.
    pub(crate) fn mask_codes(&self, event: &Row, masks: &[usize]) -> u64 {
        let known = self.masks(event);
        masks.iter().filter_map(|mask| known.get(*mask)).fold(0, |all, mask| all | mask.code)
    }

    /// The marks of every event, and of every unit mask, as bits in the order of these names.
    pub(crate) fn marks(&self, names: &[&str]) -> Marks {
        let marks = |rows: &[Row]| rows.iter().map(|row| row.words.marks(names)).collect();
        Marks { events: marks(&self.events), masks: marks(&self.masks) }
    }

    /// The numbers of the configuration registers.
    pub(crate) fn pmc_numbers(&self) -> impl Iterator<Item = u32> {
        numbers(&self.pmcs)
    }

    /// The numbers of the registers to read.
    pub(crate) fn pmd_numbers(&self) -> impl Iterator<Item = u32> {
        numbers(&self.pmds)
    }

    /// The configuration register of this number, to be written.
    pub(crate) fn pmc(&self, number: u32, value: u64) -> Register {
        let (address, alternate) = address(&self.pmcs, number);
        Register { number, value, address, alternate }
    }

    /// The register of this number, to be read.
    pub(crate) fn pmd(&self, number: u32) -> Register {
        let (address, alternate) = address(&self.pmds, number);
        Register { number, value: 0, address, alternate }
    }
}

/// The numbers of the registers that there are.
fn numbers(registers: &[Option<(u64, u64)>]) -> impl Iterator<Item = u32> {
    let known = registers.iter().enumerate().filter(|(_, register)| register.is_some());
    known.map(|(number, _)| number as u32)
}

/// Address and alternate address of a register; 0 for one without.
fn address(registers: &[Option<(u64, u64)>], number: u32) -> (u64, u64) {
    registers.get(number as usize).copied().flatten().unwrap_or_default()
}

impl Row {
    fn parse(line: &'static str, first: usize, revision: u64) -> Option<Row> {
        let (name, rest) = line.split_once(' ')?;
        let (code, words) = rest.split_once(' ').unwrap_or((rest, ""));
        let (code, words) = (number(code)?, Words(words));
        let supported = words.get("rev").is_none_or(|range| within(range, revision));
        Some(Row { name, code, words, supported, first: first as u32, count: 0 })
    }

    /// The number of unit masks that can be asked for: none of an event that is not supported.
    pub(crate) fn mask_count(&self) -> usize {
        if self.supported { self.count as usize } else { 0 }
    }
}

/// The marks that a family looks at.
pub(crate) struct Marks {
    events: Vec<u32>,
    masks: Vec<u32>,
}

impl Marks {
    /// Those of an event itself.
    pub(crate) fn of_event(&self, event: usize) -> u32 {
        self.events.get(event).copied().unwrap_or(0)
    }

    /// Those of each of an event's unit masks that are given.
    pub(crate) fn of_masks<'a>(
        &'a self,
        table: &Table,
        event: usize,
        masks: &'a [usize],
    ) -> impl Iterator<Item = u32> + use<'a> {
        let first = table.events.get(event).map_or(0, |event| event.first as usize);
        masks.iter().map(move |mask| self.masks.get(first + mask).copied().unwrap_or(0))
    }
}

/// Words between single blanks: marks, and `key=value`.
#[derive(Clone, Copy)]
pub(crate) struct Words(pub(crate) &'static str);

impl Words {
    pub(crate) fn all(self) -> impl Iterator<Item = &'static str> {
        self.0.split(' ').filter(|word| !word.is_empty())
    }

    /// Returns true if the mark is there.
    pub(crate) fn has(self, mark: &str) -> bool {
        self.all().any(|word| word == mark)
    }

    /// The marks that are there, as bits in the order of these names.
    pub(crate) fn marks(self, names: &[&str]) -> u32 {
        let bit = |word| names.iter().position(|name| *name == word).map_or(0, |bit| 1 << bit);
        self.all().fold(0, |marks, word| marks | bit(word))
    }

    /// The value of a key.
    pub(crate) fn get(self, key: &str) -> Option<&'static str> {
        self.all().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    /// The value of a key as whole numbers between commas; those below 0 are ignored.
    pub(crate) fn list(self, key: &str) -> impl Iterator<Item = u64> {
        let list = self.get(key).unwrap_or("").split(',');
        list.filter_map(number)
    }

    /// The value of a key as a number; 0 if it is not there.
    pub(crate) fn number(self, key: &str) -> u64 {
        self.get(key).and_then(number).unwrap_or(0)
    }
}

/// `A-B`, or `A-` without an end.
fn within(range: &str, revision: u64) -> bool {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    number(first).is_none_or(|first| first <= revision)
        && number(last).is_none_or(|last| revision <= last)
}

/// Decimal, or `0x` and hexadecimal.
pub(crate) fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => word.parse().ok(),
    }
}
