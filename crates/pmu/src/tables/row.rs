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
    pub(crate) const OPTIONAL: Marks = Marks(0x200_0000);

    pub(crate) fn has(self, marks: Marks) -> bool {
        self.0 & marks.0 != 0
    }

    /// Marks that say nothing about an encoding are 0: `fixed`, `fallback-gen`, `code-dup`,
    /// `no-autoencode` and `filt-umask`.
    fn of(word: &[u8]) -> Marks {
        match word {
            b"ncombo" => Marks::NCOMBO,
            b"pebs" => Marks::PEBS,
            b"default" => Marks::DEFAULT,
            b"grp-excl" => Marks::GRP_EXCL,
            b"offcore" => Marks::OFFCORE,
            b"excl-grp-gt" => Marks::EXCL_GRP_GT,
            b"code-override" => Marks::CODE_OVERRIDE,
            b"ldlat" => Marks::LDLAT,
            b"grp-dfl-none" => Marks::GRP_DFL_NONE,
            b"frontend" => Marks::FRONTEND,
            b"fethr" => Marks::FETHR,
            b"excl-grp-but-0" => Marks::EXCL_GRP_BUT_0,
            b"grp-req" => Marks::GRP_REQ,
            b"force-filt0" => Marks::FORCE_FILT0,
            b"spec" => Marks::SPEC,
            b"deprecated" => Marks::DEPRECATED,
            b"no-mods" => Marks::NO_MODS,
            b"ibs-fetch" => Marks::IBS_FETCH,
            b"ibs-op" => Marks::IBS_OP,
            b"omit" => Marks::OMIT,
            b"optional" => Marks::OPTIONAL,
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
    pub(crate) perf_code: u8,
    pub(crate) keep: Option<u16>,
    pub(crate) alias: Option<&'static str>,
    /// The models of processors that have it; optional events are left out where the model is not known.
    pub(crate) models: Option<&'static str>,
    pub(crate) only: Option<&'static str>,
    pub(crate) revisions: Option<(u8, u8)>,
}

impl Row {
    /// The line that begins at `start` with a name of this length.
    pub(super) fn parse(text: &'static str, start: usize, length: usize) -> Row {
        let name = text.get(start..start + length).unwrap_or_default();
        let mut row = Row { name, ..Row::default() };
        let mut words = Words { rest: text.get(start + length + 1..).unwrap_or_default() };
        row.code = words.number();
        while let Some((key, has_value)) = words.key() {
            if has_value {
                row.add(key, &mut words);
            } else {
                row.marks = row.marks | Marks::of(key);
            }
        }
        row
    }

    fn add(&mut self, key: &[u8], words: &mut Words) {
        match key {
            b"groups" | b"group" => self.group = words.number() as u8,
            b"mods" => self.modifiers = words.number() as u32,
            b"counters" => self.counters = words.number(),
            b"with-group" => self.with_group = words.number() as u8,
            b"needs" => self.needs = words.number() as u32,
            b"wired" => self.wired = words.number() as u32,
            b"filter0" => self.filters[0] = words.number(),
            b"filter1" => self.filters[1] = words.number(),
            b"perf" => self.perf_code = words.number() as u8,
            b"keep" => self.keep = Some(words.number() as u16),
            b"alias" => self.alias = Some(words.text()),
            b"models" => self.models = Some(words.text()),
            b"only" => self.only = Some(words.text()),
            b"rev" => {
                let (from, till) = words.text().split_once('-').unwrap_or_default();
                let from = from.parse().unwrap_or(0);
                self.revisions = Some((from, till.parse().unwrap_or(u8::MAX)));
            }
            _ => _ = words.text(),
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
    pub(super) fn parse(text: &'static str, start: usize, length: usize, number: u16) -> Mask {
        let row = Row::parse(text, start, length);
        Mask { name: row.name, number, row }
    }

    pub(crate) fn has(&self, marks: Marks) -> bool {
        self.row.marks.has(marks)
    }
}

/// The words of a line, one after another.
struct Words {
    /// What has not been read: at first a value, then what stands after one.
    rest: &'static str,
}

impl Words {
    /// The next word up to its `=`, and whether it has one; nothing at the end of the line.
    fn key(&mut self) -> Option<(&'static [u8], bool)> {
        let after = self.rest.strip_prefix(' ')?;
        let bytes = after.as_bytes();
        let is_end = |byte: &u8| matches!(byte, b'=' | b' ' | b'\n');
        let length = bytes.iter().position(is_end).unwrap_or(bytes.len());
        let has_value = bytes.get(length) == Some(&b'=');
        self.rest = after.get(length + usize::from(has_value)..).unwrap_or_default();
        Some((&bytes[..length], has_value))
    }

    /// A number, `0x…` or decimal.
    fn number(&mut self) -> u64 {
        let mut number = 0u64;
        let mut length = 0;
        if let Some(digits) = self.rest.strip_prefix("0x") {
            length = 2;
            for byte in digits.bytes() {
                let digit = match byte {
                    b'0'..=b'9' => byte - b'0',
                    b'a'..=b'f' => byte - b'a' + 10,
                    _ => break,
                };
                number = number << 4 | u64::from(digit);
                length += 1;
            }
        } else {
            for byte in self.rest.bytes().take_while(u8::is_ascii_digit) {
                number = number * 10 + u64::from(byte - b'0');
                length += 1;
            }
        }
        self.rest = self.rest.get(length..).unwrap_or_default();
        number
    }

    /// The rest of the word.
    fn text(&mut self) -> &'static str {
        let (text, rest) = self.rest.split_at(word_length(self.rest));
        self.rest = rest;
        text
    }
}

/// How far it is to the end of the word.
pub(super) fn word_length(text: &str) -> usize {
    text.bytes().position(|byte| matches!(byte, b' ' | b'\n')).unwrap_or(text.len())
}
