//! The lines of the text tables: a name, a code, `key=value` and marks, between single blanks.

use crate::pmu::Pmu;

/// What the marks of a line say, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Marks(pub(crate) u32);

impl Marks {
    pub(crate) const NCOMBO: Marks = Marks(0x1);
    pub(crate) const PEBS: Marks = Marks(0x4);
    pub(crate) const DEFAULT: Marks = Marks(0x8);
    pub(crate) const GRP_EXCL: Marks = Marks(0x10);
    pub(crate) const OFFCORE: Marks = Marks(0x20);
    pub(crate) const EXCL_GRP_GT: Marks = Marks(0x40);
    pub(crate) const CODE_OVERRIDE: Marks = Marks(0x200);
    pub(crate) const LDLAT: Marks = Marks(0x400);
    pub(crate) const GRP_DFL_NONE: Marks = Marks(0x800);
    pub(crate) const FRONTEND: Marks = Marks(0x1000);
    pub(crate) const FETHR: Marks = Marks(0x2000);
    pub(crate) const EXCL_GRP_BUT_0: Marks = Marks(0x4000);
    pub(crate) const GRP_REQ: Marks = Marks(0x8000);
    pub(crate) const FORCE_FILT0: Marks = Marks(0x2_0000);
    pub(crate) const SPEC: Marks = Marks(0x4_0000);
    pub(crate) const DEPRECATED: Marks = Marks(0x8_0000);
    pub(crate) const NO_MODS: Marks = Marks(0x20_0000);
    pub(crate) const IBS_FETCH: Marks = Marks(0x40_0000);
    pub(crate) const IBS_OP: Marks = Marks(0x80_0000);
    pub(crate) const OMIT: Marks = Marks(0x100_0000);

    pub(crate) fn has(self, marks: Marks) -> bool {
        self.0 & marks.0 != 0
    }

    /// Marks that say nothing about an encoding are 0: `fixed`, `fallback-gen`, `code-dup`,
    /// `no-autoencode` and `filt-umask`.
    fn of(word: &str) -> Marks {
        match word {
            "ncombo" => Marks::NCOMBO,
            "pebs" => Marks::PEBS,
            "default" => Marks::DEFAULT,
            "grp-excl" => Marks::GRP_EXCL,
            "offcore" => Marks::OFFCORE,
            "excl-grp-gt" => Marks::EXCL_GRP_GT,
            "code-override" => Marks::CODE_OVERRIDE,
            "ldlat" => Marks::LDLAT,
            "grp-dfl-none" => Marks::GRP_DFL_NONE,
            "frontend" => Marks::FRONTEND,
            "fethr" => Marks::FETHR,
            "excl-grp-but-0" => Marks::EXCL_GRP_BUT_0,
            "grp-req" => Marks::GRP_REQ,
            "force-filt0" => Marks::FORCE_FILT0,
            "spec" => Marks::SPEC,
            "deprecated" => Marks::DEPRECATED,
            "no-mods" => Marks::NO_MODS,
            "ibs-fetch" => Marks::IBS_FETCH,
            "ibs-op" => Marks::IBS_OP,
            "omit" => Marks::OMIT,
            _ => Marks(0),
        }
    }
}

impl std::ops::BitOr for Marks {
    type Output = Marks;

    fn bitor(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

/// A line: an event's, or a unit mask's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) code: u64,
    pub(crate) marks: Marks,
    /// Of an event: how many groups its unit masks have. Of a unit mask: its group.
    pub(crate) group: u8,
    /// The group that this unit mask needs another of.
    pub(crate) with_group: u8,
    /// The modifiers that an event takes, a bit for each.
    pub(crate) modifiers: u32,
    /// The modifiers that must be given with it.
    pub(crate) needs: u32,
    /// The modifiers that a unit mask's code sets.
    pub(crate) wired: u32,
    /// The words of filter registers: what to set below, what to clear above.
    pub(crate) filters: [u64; 2],
    /// The counters that may count it; 0 when that is not known.
    pub(crate) counters: u64,
    /// Netburst: the number that the kernel has for the event, and the bits of its mask that it keeps.
    pub(crate) perf_code: u64,
    pub(crate) keep: Option<u64>,
    pub(crate) alias: Option<&'static str>,
    pub(crate) only: Option<&'static str>,
    pub(crate) revisions: Option<(u8, u8)>,
}

impl Row {
    /// The line that begins at `start`.
    pub(crate) fn parse(text: &'static str, start: usize) -> Row {
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default();
        let code = number(words.next().unwrap_or_default());
        let mut row = Row { name, code, ..Row::default() };
        for word in words {
            row.add(word);
        }
        row
    }

    fn add(&mut self, word: &'static str) {
        let Some((key, value)) = word.split_once('=') else {
            self.marks = self.marks | Marks::of(word);
            return;
        };
        match key {
            "groups" | "group" => self.group = number(value) as u8,
            "with-group" => self.with_group = number(value) as u8,
            "mods" => self.modifiers = number(value) as u32,
            "needs" => self.needs = number(value) as u32,
            "wired" => self.wired = number(value) as u32,
            "filter0" => self.filters[0] = number(value),
            "filter1" => self.filters[1] = number(value),
            "counters" => self.counters = number(value),
            "perf" => self.perf_code = number(value),
            "keep" => self.keep = Some(number(value)),
            "alias" => self.alias = Some(value),
            "only" => self.only = Some(value),
            "rev" => {
                let (from, till) = value.split_once('-').unwrap_or((value, value));
                let till = if till.is_empty() { u8::MAX } else { number(till) as u8 };
                self.revisions = Some((number(from) as u8, till));
            }
            _ => {}
        }
    }

    /// This PMU of those that share the table has it.
    pub(crate) fn is_for(&self, pmu: &Pmu) -> bool {
        self.only.is_none_or(|only| only == pmu.name)
            && self.revisions.is_none_or(|(from, till)| (from..=till).contains(&pmu.revision))
    }
}

/// A unit mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mask {
    pub(crate) name: &'static str,
    /// Its number among those of its event, which those have too that other PMUs leave out.
    pub(crate) number: u16,
    pub(crate) row: Row,
}

impl Mask {
    pub(crate) fn parse(text: &'static str, start: usize, number: u16) -> Mask {
        // A tab stands before the name.
        let row = Row::parse(text, start + 1);
        Mask { name: row.name, number, row }
    }

    pub(crate) fn has(&self, marks: Marks) -> bool {
        self.row.marks.has(marks)
    }
}

/// The first word of the line that begins at `start`.
pub(super) fn word_at(text: &'static str, start: usize) -> &'static str {
    text.get(start..).and_then(|rest| rest.split(' ').next()).unwrap_or_default()
}

/// A number of the tables, `0x…` or decimal.
fn number(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap_or(0),
        None => text.parse().unwrap_or(0),
    }
}
