//! Unit masks that exclude or complete each other: an event has groups of them, and of a group that is
//! not named the default counts.

use crate::encode::error::{EncodeError, EncodeErrorKind};
use crate::encode::request::{Asked, Request};
use crate::modifier::Modifiers;
use crate::pmu::Event;
use crate::tables::row::{Marks, Mask};

/// The groups of an event while its unit masks are gone through.
pub(super) struct Groups {
    /// All groups that the event has, a bit for each.
    all: u16,
    /// The groups of the unit masks so far.
    pub(super) seen: u16,
    /// Those that need another group, and which.
    required: u16,
    counts: [u8; 16],
    alone: u16,
    last: Option<u8>,
    /// No group after this one can be used.
    pub(super) most: Option<u8>,
    /// Only this group and the first can be used.
    only: Option<u8>,
}

impl Groups {
    pub(super) fn new(event: &Event) -> Groups {
        Groups {
            all: ((1u32 << event.row.group.min(16)) - 1) as u16,
            seen: 0,
            required: 0,
            counts: [0; 16],
            alone: 0,
            last: None,
            most: None,
            only: None,
        }
    }

    /// A unit mask by its code stands for all groups.
    pub(super) fn raw(&mut self) {
        self.seen = self.all;
    }

    /// One more unit mask.
    pub(super) fn take(
        &mut self,
        event: &Event,
        mask: &Mask,
        asked: &Asked,
    ) -> Result<(), EncodeError> {
        let group = mask.row.group;
        let refused = |why| {
            let kind = EncodeErrorKind::Combination { umask: mask.row.name.to_owned(), why };
            Err(EncodeError { span: asked.span.clone(), kind })
        };
        let exclusive = event.row.marks.has(Marks::GRP_EXCL);
        if exclusive && self.last.is_some_and(|last| last != group) {
            return refused("the event takes unit masks of one group only");
        }
        self.last = Some(group);
        if mask.has(Marks::EXCL_GRP_GT) {
            self.most = Some(group);
        }
        if mask.has(Marks::EXCL_GRP_BUT_0) {
            self.only = Some(group);
        }
        let place = usize::from(group & 0xf);
        self.counts[place] += 1;
        let bit = 1 << place;
        if mask.has(Marks::GRP_REQ) {
            self.required |= 1 << (mask.row.with_group & 0xf);
        }
        if mask.has(Marks::NCOMBO) {
            self.alone |= bit;
        }
        if self.counts[place] > 1 && self.alone & bit != 0 {
            return refused("one of them counts alone in its group");
        }
        self.seen |= bit;
        Ok(())
    }

    /// The groups that others need have been named.
    pub(super) fn check_required(&self, event: &Event) -> Result<(), EncodeError> {
        match self.required & !self.seen {
            0 => Ok(()),
            _ => refused(event, "a unit mask needs one of another group"),
        }
    }

    /// Some groups are missing, or all of them.
    pub(super) fn incomplete(&self, event: &Event) -> bool {
        self.seen == 0 || self.seen != self.all && !event.row.marks.has(Marks::GRP_EXCL)
    }

    /// The defaults of the groups that are missing, which are added to the request too.
    pub(super) fn defaults(
        &mut self,
        event: &Event,
        request: &mut Request,
    ) -> Result<Vec<Mask>, EncodeError> {
        let mut added = Vec::new();
        for group in (0..16u8).filter(|group| (self.seen ^ self.all) >> group & 1 != 0) {
            let before = added.len();
            for mask in event.defaults(group) {
                if self.leaves_out(&mask) {
                    continue;
                }
                added.push(mask);
                request.add_default(mask);
                if event.row.marks.has(Marks::GRP_EXCL) {
                    return Ok(added);
                }
                if mask.has(Marks::EXCL_GRP_GT) {
                    if self.most.is_some() {
                        return Err(missing(event, group));
                    }
                    self.most = Some(group);
                }
            }
            let mut all = event.group(group);
            if added.len() == before && !all.any(|mask| self.leaves_out(&mask)) {
                return Err(missing(event, group));
            }
        }
        Ok(added)
    }

    /// The group needs no default because of this unit mask.
    fn leaves_out(&self, mask: &Mask) -> bool {
        self.most.is_some_and(|most| mask.row.group > most)
            || mask.has(Marks::GRP_DFL_NONE)
            || self.only.is_some_and(|only| ![0, only.into()].contains(&numbered(mask)))
    }

    /// Nothing was named of a group that another group excludes.
    pub(super) fn check_excluded(
        &self,
        event: &Event,
        request: &Request,
        most: Option<u8>,
    ) -> Result<(), EncodeError> {
        if let Some(only) = self.only {
            let others = self.seen & !1 & !(1 << only);
            if others != 0 {
                return refused(event, "a unit mask excludes the other groups");
            }
        }
        let Some(most) = most else { return Ok(()) };
        let beyond = request.masks().any(|mask| numbered(mask) > u16::from(most));
        if beyond {
            refused(event, "a unit mask excludes the groups after its own")
        } else {
            Ok(())
        }
    }
}

/// Its group and the one that it needs, as libpfm compares them.
fn numbered(mask: &Mask) -> u16 {
    u16::from(mask.row.with_group) << 8 | u16::from(mask.row.group)
}

fn refused(event: &Event, why: &'static str) -> Result<(), EncodeError> {
    Err(EncodeError::of_event(EncodeErrorKind::Combination { umask: event.name.to_owned(), why }))
}

/// Nothing of a group is named and nothing of it is the default.
pub(super) fn missing(event: &Event, group: u8) -> EncodeError {
    let choices = event.group(group).map(|mask| mask.row.name).collect();
    EncodeError::of_event(EncodeErrorKind::MissingUmask { event: event.name.to_owned(), choices })
}

/// The modifiers that the event or its unit masks need are not those that were written.
pub(super) fn needs(event: &Event, modifiers: Modifiers, needed: u32) -> EncodeError {
    let modifiers = modifiers.of_set(needed).map(|modifier| modifier.name).collect();
    let event = event.name.to_owned();
    EncodeError::of_event(EncodeErrorKind::NeedsModifiers { event, modifiers })
}

/// No unit mask was named of an event that needs one.
pub(super) fn no_umask(event: &Event) -> EncodeError {
    let choices = event.masks().map(|mask| mask.row.name).collect();
    EncodeError::of_event(EncodeErrorKind::NoUmask { event: event.name.to_owned(), choices })
}
