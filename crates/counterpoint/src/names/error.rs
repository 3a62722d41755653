//! Errors in looking up names.

use crate::report::hint::Hint;
use counterpoint_definitions::Definition;
use counterpoint_perf::Hint as PerfHint;

/// The reason why a name stands for nothing that can be counted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NameError {
    #[error("no event is called `{name}` here")]
    UnknownEvent { name: String, similar: Vec<String> },
    #[error("no event here matches `{pattern}`")]
    NoMatch { pattern: String, similar: Vec<String> },
    #[error("`{event}` is not a tracepoint, and only tracepoints are filtered")]
    NoFilter { event: String },
    #[error("{number} events match `{pattern}`, and at most {most} are counted")]
    TooMany { pattern: String, number: usize, most: usize },
    #[error("no metric and no group of metrics is called `{name}` here")]
    UnknownMetric { name: String, similar: Vec<String> },
    #[error("`{name}` is an event of {}, but not of a PMU of the machine", some(pmus))]
    EventOfOthers { text: String, name: String, pmus: Vec<&'static str>, similar: Vec<String> },
    #[error("`{name}` is {elsewhere}")]
    DefinitionOfOthers { name: String, pmu: String, elsewhere: String },
    #[error("the definition of `{name}` in {place} has an error, so that no event is called so")]
    UnreadableDefinition { name: String, place: String },
    #[error("unknown component `{name}`: only PMUs and files that Linux shows are supported")]
    UnknownComponent { name: String },
    #[error("`{letters}` is not a valid modifier for `{name}`")]
    UnknownModifier { name: String, letters: String },
    #[error("`{letters}` is not a valid modifier for `{name}`")]
    NoModifiers { name: String, letters: String },
    #[error("`{name}` is the latency of samples, which is not counted")]
    RetireLatency { name: String },
    #[error("no PMU is called `{name}` on the machine")]
    UnknownPmu { name: String, similar: Vec<String>, known: Vec<String> },
    #[error("`{name}` cannot be counted here: {why}")]
    UnknownBox { name: String, why: String, similar: Vec<String> },
    #[error("`{name}` cannot be counted: {why}")]
    NoProbe { name: String, why: String, help: Option<String> },
    #[error("the tracepoints cannot be read, so `{name}` cannot be looked up")]
    NoTracefs { name: String },
}

impl NameError {
    /// The error of a definition that applies to other PMUs.
    pub(crate) fn of_others(definition: &Definition) -> NameError {
        let first = definition.pmus().into_iter().flatten().next();
        let (name, pmu) = (definition.name().to_string(), first.unwrap_or_default().to_string());
        NameError::DefinitionOfOthers { name, pmu, elsewhere: elsewhere(definition) }
    }

    /// Returns true if a name was not found.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(
            self,
            NameError::UnknownEvent { .. }
                | NameError::NoMatch { .. }
                | NameError::UnknownMetric { .. }
                | NameError::UnknownPmu { .. }
                | NameError::UnknownBox { .. }
                | NameError::UnknownComponent { .. }
                | NameError::DefinitionOfOthers { .. }
                | NameError::UnreadableDefinition { .. }
                | NameError::EventOfOthers { .. }
        )
    }

    /// Names similar to the one that was not found, best first.
    pub(crate) fn similar(&self) -> &[String] {
        match self {
            NameError::UnknownEvent { similar, .. }
            | NameError::NoMatch { similar, .. }
            | NameError::UnknownMetric { similar, .. }
            | NameError::UnknownPmu { similar, .. }
            | NameError::UnknownBox { similar, .. }
            | NameError::EventOfOthers { similar, .. } => similar,
            _ => &[],
        }
    }

    /// The hint for the user; `None` if nothing can be done.
    pub(crate) fn help(&self) -> Option<Hint> {
        Hint::did_you_mean(self.similar()).or_else(|| self.other_help())
    }

    /// The hint for the user if no name is similar.
    fn other_help(&self) -> Option<Hint> {
        Some(match self {
            NameError::EventOfOthers { text, pmus, .. } => {
                Hint::OtherPmu { pmu: pmus[0], event: text.clone() }
            }
            NameError::DefinitionOfOthers { name, pmu, .. } => {
                Hint::DefinedFor { pmu: pmu.clone(), name: name.clone() }
            }
            NameError::UnknownComponent { .. } => Hint::KnownComponents,
            NameError::RetireLatency { name } => Hint::Text(format!(
                "measure it with `perf record -W -e {}:P`",
                name.rsplit_once(':').map_or(name.as_str(), |(event, _)| event)
            )),
            NameError::UnknownEvent { .. }
            | NameError::NoMatch { .. }
            | NameError::TooMany { .. } => Hint::ListEvents,
            NameError::UnknownMetric { .. } => Hint::ListMetrics,
            NameError::UnknownPmu { known, .. } => Hint::KnownPmus(known.clone()),
            NameError::UnknownModifier { name, .. } => Hint::KnownModifiers { event: name.clone() },
            NameError::NoModifiers { name, .. } => {
                Hint::Text(format!("write `{name}`: it is not counted by privilege level"))
            }
            NameError::NoProbe { help, .. } => return help.clone().map(Hint::Text),
            NameError::NoTracefs { .. } => PerfHint::MountTracefs.into(),
            NameError::UnreadableDefinition { .. }
            | NameError::UnknownBox { .. }
            | NameError::NoFilter { .. } => return None,
        })
    }
}

/// The PMUs to which a definition applies that does not apply to this machine.
pub(crate) fn elsewhere(definition: &Definition) -> String {
    let pmus: Vec<&str> =
        definition.pmus().into_iter().flatten().filter(|pmu| !pmu.is_empty()).collect();
    if pmus.is_empty() {
        return "defined below a CPU line that names no PMU".to_string();
    }
    format!("defined for {}, but not for a PMU of the machine", some(&pmus))
}

/// The first names, and the number of the others.
fn some(names: &[&str]) -> String {
    const SHOWN: usize = 4;
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 1 => format!("{} and {more} more PMUs", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}
