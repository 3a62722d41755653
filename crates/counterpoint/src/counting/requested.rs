//! The metrics that a list of events requests, and the native events that they need.

use crate::names::ids::EventId;
use crate::names::native::Native;
use crate::report::note::Note;
use crate::report::values::Reason;
use crate::sources::source::Source;
use counterpoint_definitions::Definition;
use counterpoint_formula::Formula;

/// The metrics to report, the native events to open for them, each once, and the groups of these events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requested {
    pub metrics: Vec<Metric>,
    pub natives: Vec<Native>,
    /// The sources that are read beside the events, each once.
    pub sources: Vec<Source>,
    pub groups: Vec<Group>,
}

/// Native events that are opened together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The indexes of the events; the first one is the leader.
    pub members: Vec<usize>,
    pub origin: GroupOrigin,
}

/// The reason why events are in one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupOrigin {
    /// They are in braces.
    Braces,
    /// They are in braces with events of other CPUs, from which they are split.
    SplitBraces,
    /// A single hardware event outside braces, which may share a group with others.
    Ungrouped,
    /// They share a pass of a plan.
    Planned,
    /// Software events outside braces: such a group always fits, and is read at once.
    Software,
    /// A pinned or exclusive event outside braces, which must lead its group.
    Leader,
}

impl Group {
    /// Returns true if the user asked for the group, and not only for its events.
    pub(crate) fn is_braces(&self) -> bool {
        matches!(self.origin, GroupOrigin::Braces | GroupOrigin::SplitBraces)
    }
}

/// A metric of the report: an event, or a formula over several events.
#[derive(Clone, Debug)]
pub(crate) struct Metric {
    /// The text that requested it.
    pub event: String,
    pub id: EventId,
    pub unit: Option<String>,
    pub rule: Rule,
    pub note: Option<Note>,
    /// The definition of a metric that was requested as such.
    pub definition: Option<Definition>,
    /// The number by which the value is multiplied when it is reported.
    pub factor: f64,
    /// The condition under which the value is worth a look.
    pub limit: Option<Limit>,
    /// True if the events are counted at the same time if they fit.
    pub is_together: bool,
}

/// A condition over metrics.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Limit {
    pub formula: Formula,
    /// The metric of each input.
    pub metrics: Vec<LimitMetric>,
}

/// A metric in a condition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LimitMetric {
    /// One that was requested, by its index.
    Requested(usize),
    /// Another one whose events are counted.
    Other(Box<(Formula, Vec<Input>)>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rule {
    Native(usize),
    /// One box of an event.
    Box {
        native: usize,
        /// Its index among the boxes of the event.
        number: usize,
    },
    Derived {
        formula: Formula,
        inputs: Vec<Input>,
    },
    /// A source, for which no event is opened.
    Source(usize),
    Unavailable(Reason),
}

/// The source of an input of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Input {
    Native(usize),
    /// A source that is read beside the events.
    Source(usize),
    /// A machine value, by its usual name.
    Machine(&'static str),
}

impl Metric {
    /// A value as it is counted or computed.
    pub(crate) fn new(event: String, id: EventId, unit: Option<String>, rule: Rule) -> Metric {
        Metric {
            event,
            id,
            unit,
            rule,
            note: None,
            definition: None,
            factor: 1.0,
            limit: None,
            is_together: true,
        }
    }

    /// The inputs, if the metric is a formula.
    fn inputs(&self) -> &[Input] {
        match &self.rule {
            Rule::Derived { inputs, .. } => inputs,
            _ => &[],
        }
    }

    /// The names of the machine values on which the value depends.
    pub(crate) fn machine_values(&self) -> impl Iterator<Item = &'static str> {
        self.inputs().iter().filter_map(|input| match input {
            Input::Machine(name) => Some(*name),
            _ => None,
        })
    }

    /// The sources on which the value depends.
    pub(crate) fn sources(&self) -> impl Iterator<Item = usize> {
        let own = match self.rule {
            Rule::Source(source) => Some(source),
            _ => None,
        };
        let of_formula = self.inputs().iter().filter_map(|input| match input {
            Input::Source(source) => Some(*source),
            _ => None,
        });
        own.into_iter().chain(of_formula)
    }

    /// The event, if the metric is not a formula.
    pub(crate) fn native(&self) -> Option<usize> {
        match self.rule {
            Rule::Native(native) | Rule::Box { native, .. } => Some(native),
            _ => None,
        }
    }

    /// The box of the event, if its boxes are reported apart.
    pub(crate) fn box_number(&self) -> Option<usize> {
        match self.rule {
            Rule::Box { number, .. } => Some(number),
            _ => None,
        }
    }

    /// The text that requested it, and the reason if it cannot be counted.
    pub(crate) fn unavailable(&self) -> Option<(&str, &Reason)> {
        match &self.rule {
            Rule::Unavailable(reason) => Some((&self.event, reason)),
            _ => None,
        }
    }

    /// Returns true if the value is that of a source, for which no event is opened.
    pub(crate) fn is_source(&self) -> bool {
        matches!(self.rule, Rule::Source(_))
    }

    /// All events on which the value depends.
    pub(crate) fn natives(&self) -> impl Iterator<Item = usize> {
        let of_formula = self.inputs().iter().filter_map(|input| match input {
            Input::Native(native) => Some(*native),
            _ => None,
        });
        self.native().into_iter().chain(of_formula)
    }
}
