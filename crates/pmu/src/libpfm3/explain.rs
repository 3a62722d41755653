//! The reason for an error of a request: the fewest of its events that give it, and a sentence.

use std::fmt;

use super::dispatch::{MOST_EVENTS, dispatch};
use super::error::{DispatchError, ErrorKind};
use super::model::Model;
use super::request::{EventRequest, Request};

/// Up to so many events the smallest conflict is found. Of more, one of two events at most is found, or else
/// one from which none can be left out.
const MOST_TRIED: usize = 12;

/// Pairs are tried of so many events.
const MOST_PAIRED: usize = 64;

/// Events that cannot be dispatched together, though any of them could be without the others.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// The events, as positions in the request; none if the request is refused whatever its events are.
    pub events: Vec<usize>,
    /// The kind of conflict: [`ErrorKind::EventTwice`] if one of them is there twice, and the error of an event that
    /// is refused by itself.
    pub kind: ErrorKind,
    /// The reason, in a sentence without a full stop.
    pub sentence: String,
}

/// The events of a request that conflict, and the reason; `None` if it can be dispatched.
///
/// It tries subsets of the events, so it takes up to some milliseconds.
///
/// ```
/// use counterpoint_pmu::Privilege;
/// use counterpoint_pmu::libpfm3::{ErrorKind, EventRequest, Model, Request, explain};
///
/// let model = Model::find("i386_p6").unwrap();
/// let mut request = Request::new(Privilege::USER);
/// for name in ["FP_ASSIST", "MUL"] {
///     request.events.push(EventRequest::new(model.resolve(name).unwrap().0));
/// }
/// let conflict = explain(model, &request).unwrap();
/// assert_eq!((conflict.events, conflict.kind), (vec![0, 1], ErrorKind::NoAssign));
/// assert_eq!(conflict.sentence, "FP_ASSIST and MUL need 2 counters, and only 1 can hold them: 1");
/// ```
pub fn explain(model: &Model, request: &Request) -> Option<Conflict> {
    let error = dispatch(model, request).err()?;
    let search = Search { model, request, error: &error };
    // So many events are refused whatever they are, so that the others explain nothing.
    let all: Vec<usize> = (0..request.events.len().min(MOST_EVENTS)).collect();
    let events = if all.len() <= MOST_TRIED {
        search.smallest(&all)
    } else {
        search.few(&all).unwrap_or_else(|| search.reduced(all))
    };
    let own = search.refusal(&events).unwrap_or_else(|| error.clone());
    let kind = match (error.kind(), own.kind()) {
        (ErrorKind::NoAssign, ErrorKind::NoAssign) if has_twice(request, &events) => {
            ErrorKind::EventTwice
        }
        (kind, ErrorKind::NoAssign | ErrorKind::TooMany) => kind,
        (_, kind) => kind,
    };
    let sentence = sentence(model, request, &events, &own);
    Some(Conflict { events, kind, sentence })
}

struct Search<'a> {
    model: &'a Model,
    request: &'a Request,
    error: &'a DispatchError,
}

impl Search<'_> {
    /// The refusal of these events alone, if it is for the same reason. Where the events are in each other's way,
    /// an event that is wrong by itself is one as well.
    fn refusal(&self, events: &[usize]) -> Option<DispatchError> {
        let mut part = self.request.clone();
        part.events = events.iter().map(|event| self.request.events[*event].clone()).collect();
        let error = dispatch(self.model, &part).err()?;
        let conflict = |kind| matches!(kind, ErrorKind::NoAssign | ErrorKind::TooMany);
        let same = error.kind() == self.error.kind() && error.reason() == self.error.reason()
            || conflict(self.error.kind()) && (conflict(error.kind()) || error.event().is_some());
        same.then_some(error)
    }

    /// The first of the smallest refused subsets.
    fn smallest(&self, all: &[usize]) -> Vec<usize> {
        let mut sets: Vec<u32> = (0..1 << all.len()).collect();
        sets.sort_by_key(|set| (set.count_ones(), set.reverse_bits() ^ u32::MAX));
        let events = |set: u32| -> Vec<usize> {
            all.iter().copied().filter(|event| set >> event & 1 != 0).collect()
        };
        let refused = |set: &u32| self.refusal(&events(*set)).is_some();
        sets.into_iter().find(refused).map_or_else(|| all.to_vec(), events)
    }

    /// The first refused subset of two events at most, so that an event which is refused alone blames no others.
    fn few(&self, all: &[usize]) -> Option<Vec<usize>> {
        let none = std::iter::once(Vec::new());
        let single = all.iter().map(|event| vec![*event]);
        let paired = &all[..all.len().min(MOST_PAIRED)];
        let pairs = paired.iter().enumerate().flat_map(|(place, first)| {
            paired[place + 1..].iter().map(|second| vec![*first, *second])
        });
        none.chain(single).chain(pairs).find(|events| self.refusal(events).is_some())
    }

    /// The events that remain when every event without which it is still refused has been left out.
    fn reduced(&self, mut events: Vec<usize>) -> Vec<usize> {
        loop {
            let count = events.len();
            for place in (0..count).rev() {
                let left_out = events.remove(place);
                if self.refusal(&events).is_none() {
                    events.insert(place, left_out);
                }
            }
            // Without the others, one that had to stay may be left out after all.
            if events.len() == count {
                return events;
            }
        }
    }
}

fn has_twice(request: &Request, events: &[usize]) -> bool {
    let same = |a: &EventRequest, b: &EventRequest| a.event == b.event && a.masks == b.masks;
    let known = |place: usize| &request.events[events[place]];
    (1..events.len()).any(|later| (0..later).any(|first| same(known(first), known(later))))
}

fn sentence(model: &Model, request: &Request, events: &[usize], error: &DispatchError) -> String {
    let names = Names { model, request, events };
    let counters = events.iter().fold(0, |all, event| all | model.counters_for(request, *event));
    let need = events.len();
    let enough = counters.count_ones() as usize >= need;
    if events.is_empty() || enough || error.kind() != ErrorKind::NoAssign {
        let reason = error.reason();
        return if events.is_empty() { reason.to_owned() } else { format!("{names}: {reason}") };
    }
    let numbers: Vec<String> =
        (0..64).filter(|counter| counters >> counter & 1 != 0).map(|c| c.to_string()).collect();
    match (need, numbers.len()) {
        (_, 0) => format!("no counter that can hold {names} is available"),
        (_, count) => format!(
            "{names} need {need} counters, and only {count} can hold them: {}",
            numbers.join(", ")
        ),
    }
}

/// The names of events, between commas and an `and`.
struct Names<'a> {
    model: &'a Model,
    request: &'a Request,
    events: &'a [usize],
}

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, position) in self.events.iter().enumerate() {
            let between = match place {
                0 => "",
                _ if place + 1 == self.events.len() => " and ",
                _ => ", ",
            };
            f.write_str(between)?;
            let event = &self.request.events[*position];
            match self.model.event_name(event.event) {
                Some(name) => f.write_str(name)?,
                None => write!(f, "event {}", event.event)?,
            }
            let names: Vec<&str> = self.model.mask_names(event.event).collect();
            for mask in event.masks.iter().filter_map(|mask| names.get(*mask)) {
                write!(f, ":{mask}")?;
            }
        }
        Ok(())
    }
}
