//! What the events of a list come to on one machine.

use super::tool::ToolEvent;
use crate::names::ids::EventId;
use crate::names::native::Native;
use crate::report::note::Note;
use crate::report::values::Reason;
use counterpoint_definitions::Definition;
use counterpoint_formula::Formula;

/// The events of a list on one machine: the native events to open, their groups, and the metrics to report.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    pub(crate) metrics: Vec<Metric>,
    pub(crate) natives: Vec<Native>,
    pub(crate) groups: Vec<Group>,
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
    /// Whether the user asked for the group, and not only for its events.
    pub(crate) fn is_braces(&self) -> bool {
        matches!(self.origin, GroupOrigin::Braces | GroupOrigin::SplitBraces)
    }
}

impl Resolved {
    /// The events to open, each once.
    pub fn natives(&self) -> &[Native] {
        &self.natives
    }

    /// The texts that requested events, in order.
    pub fn names(&self) -> Vec<String> {
        self.metrics.iter().map(|metric| metric.event.clone()).collect()
    }

    /// The requested events of the kernel and of PMUs, without definitions, each with the text that requested it.
    pub fn events(&self) -> impl Iterator<Item = (&str, &Native)> {
        let native = |metric: &Metric| Some(&self.natives[metric.native()?]);
        self.metrics.iter().filter_map(move |metric| Some((metric.event.as_str(), native(metric)?)))
    }

    /// The requested times, for which no event is opened, each with the text that requested it.
    pub fn tools(&self) -> impl Iterator<Item = (&str, ToolEvent)> {
        self.metrics.iter().filter_map(|metric| match metric.rule {
            Rule::Tool(tool) => Some((metric.event.as_str(), tool)),
            _ => None,
        })
    }

    /// The metrics that were requested by this text, or else those with this usual name; each once, however often it was requested.
    ///
    /// Several are those of the kinds of cores of a hybrid machine.
    pub(crate) fn called(&self, event: &str) -> Vec<&Metric> {
        let mut called: Vec<&Metric> = self.metrics.iter().filter(|m| m.event == event).collect();
        if called.is_empty() {
            called.extend(self.metrics.iter().filter(|m| m.id.to_string() == event));
        }
        let mut once = Vec::<&Metric>::new();
        for metric in called {
            if !once.iter().any(|known| known.rule == metric.rule) {
                once.push(metric);
            }
        }
        once
    }

    /// The usual names of what was requested, each with the reason if it cannot be counted here.
    pub fn ids(&self) -> impl Iterator<Item = (&EventId, Option<&Reason>)> {
        self.metrics.iter().map(|metric| match &metric.rule {
            Rule::Unavailable(reason) => (&metric.id, Some(reason)),
            _ => (&metric.id, None),
        })
    }

    /// The texts that cannot be counted here, such as a preset for which this processor has no event, each with the reason.
    pub fn unavailable(&self) -> impl Iterator<Item = (&str, &Reason)> {
        self.metrics.iter().filter_map(|metric| match &metric.rule {
            Rule::Unavailable(reason) => Some((metric.event.as_str(), reason)),
            _ => None,
        })
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
    /// Whether the events are counted at the same time if they fit.
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
    /// A time, for which no event is opened.
    Tool(ToolEvent),
    Unavailable(Reason),
}

/// The source of an input of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Input {
    Native(usize),
    /// A time that is measured beside the events.
    Tool(ToolEvent),
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

    /// The times on which the value depends.
    pub(crate) fn tools(&self) -> impl Iterator<Item = ToolEvent> {
        let own = match self.rule {
            Rule::Tool(tool) => Some(tool),
            _ => None,
        };
        let of_formula = self.inputs().iter().filter_map(|input| match input {
            Input::Tool(tool) => Some(*tool),
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

    /// Whether the value is a time, for which no event is opened.
    pub(crate) fn is_tool(&self) -> bool {
        matches!(self.rule, Rule::Tool(_))
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
