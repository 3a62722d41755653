//! The first of several events that can be counted, for programs that run on machines with and without a PMU.

use super::availability::Availability;
use crate::error::Error;
use crate::error::set::SetError;
use std::fmt;

/// The event that was chosen from a list such as `instructions|task-clock`.
///
/// It prints as words: the event, and why those before it were not chosen.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// The first event or metric that can be counted.
    pub event: String,
    /// True if it is a metric: [`EventSet::chosen`](crate::EventSet::chosen) adds either.
    pub is_metric: bool,
    /// The events before it, each with the reason why it cannot be counted.
    pub passed_over: Vec<(String, String)>,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.event)?;
        for (index, (event, reason)) in self.passed_over.iter().enumerate() {
            let before = if index == 0 { ", because" } else { ";" };
            write!(f, "{before} {event} cannot be counted: {reason}")?;
        }
        Ok(())
    }
}

/// Chooses from events with `|` between them. `availability` also says if a name is that of a metric.
pub(crate) fn choose(
    choices: &str,
    availability: impl Fn(&str) -> Result<(Vec<Availability>, bool), Error>,
) -> Result<Choice, Error> {
    let mut passed_over = Vec::new();
    for event in choices.split('|').map(str::trim).filter(|event| !event.is_empty()) {
        let reason = match availability(event) {
            Ok((all, is_metric)) => match all.into_iter().find_map(reason) {
                None => return Ok(Choice { event: event.to_owned(), is_metric, passed_over }),
                Some(reason) => reason,
            },
            Err(error) => error.to_string(),
        };
        passed_over.push((event.to_owned(), reason));
    }
    let reasons: Vec<String> =
        passed_over.iter().map(|(event, reason)| format!("{event}: {reason}")).collect();
    Err(Error::from(match reasons.as_slice() {
        [] => SetError::NoEvents,
        _ => SetError::NoChoice { reasons: reasons.join("; ") },
    }))
}

/// The reason why an event cannot be counted.
fn reason(availability: Availability) -> Option<String> {
    match availability {
        Availability::Available | Availability::UserOnly => None,
        Availability::Unavailable(reason) => Some(reason.to_string()),
        Availability::Needs(parameters) => Some(format!("it needs {}", parameters.join(", "))),
        Availability::NotRecorded | Availability::NotTested => {
            Some("the machine is recorded, and its events cannot be counted".to_owned())
        }
    }
}
