//! The content of a line of a table: a name, a code, and facts.

use std::ops::Deref;

/// The marks of a line, as bits.
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
    /// Not a mark of the text: its name is an alias.
    pub(crate) const ALIAS: Marks = Marks(0x400_0000);
    /// Not a mark of the text either: a unit mask of the event, though perhaps not on every PMU, is `pebs`.
    pub(crate) const PEBS_MASKS: Marks = Marks(0x800_0000);

    pub(crate) fn has(self, marks: Marks) -> bool {
        self.0 & marks.0 != 0
    }
}

impl std::ops::BitOr for Marks {
    type Output = Marks;

    fn bitor(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

/// The content of a line besides its name and its code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Facts {
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
    /// The words of filter registers: bits to set in the lower half, bits to clear in the upper.
    pub(crate) filters: [u64; 2],
    /// The counters that may count it; 0 when that is not known.
    pub(crate) counters: u64,
    /// Netburst: the number that the kernel has for the event, and the bits of its mask that it keeps.
    pub(crate) perf_code: u8,
    pub(crate) keep: u16,
    /// The models of processors that have it; optional events are left out where the model is not known.
    pub(crate) models: &'static str,
    /// Of the PMUs that share the table the one that has it, and their revisions that have it.
    pub(crate) only: &'static str,
    pub(crate) revisions: (u8, u8),
}

impl Facts {
    pub(crate) const NONE: Facts = Facts {
        marks: Marks(0),
        group: 0,
        with_group: 0,
        modifiers: 0,
        needs: 0,
        wired: 0,
        filters: [0; 2],
        counters: 0,
        perf_code: 0,
        keep: u16::MAX,
        models: "",
        only: "",
        revisions: (0, u8::MAX),
    };

    /// This PMU of those that share the table has the line.
    pub(crate) fn is_for(&self, variant: Variant) -> bool {
        let (from, till) = self.revisions;
        (from..=till).contains(&variant.revision)
            && (self.only.is_empty() || self.only == variant.pmu)
    }
}

/// A line: an event's, or a unit mask's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) code: u64,
    pub(crate) facts: &'static Facts,
}

impl Deref for Row {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        self.facts
    }
}

/// A PMU among those that share a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Variant {
    pub(crate) pmu: &'static str,
    pub(crate) revision: u8,
}

/// A unit mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mask {
    /// Its number among those of its event, which those have too that other PMUs leave out.
    pub(crate) number: u16,
    pub(crate) row: Row,
}

impl Mask {
    pub(crate) fn has(&self, marks: Marks) -> bool {
        self.row.marks.has(marks)
    }
}
