//! The explanation as JSON lines.

use super::explanation::{Kind, Why};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// A part of the difference in time.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Part<'a> {
    /// The version of the format: 1.
    pub schema: u32,
    /// `state` of threads, `slots` of the processor, CPU time of a `function`, or `waiting` in one; each splits the whole time.
    pub why: &'static str,
    /// The state, the metric, or the function.
    pub part: &'a str,
    /// The file that contains the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<&'a str>,
    /// What a run of B takes more than one of A in this part, in seconds.
    pub difference_s: f64,
    /// The lower bound of its 95 % interval.
    pub difference_low_s: Option<f64>,
    /// The upper bound.
    pub difference_high_s: Option<f64>,
    /// The difference in percent of the elapsed time of A.
    pub points: f64,
    /// `more`, `less`, `uncertain` or `no-difference`, corrected for the number of parts of all kinds that were measured in the same runs.
    pub verdict: &'static str,
}

/// A line for each part that was compared.
pub fn lines(why: &Why) -> impl Iterator<Item = Part<'_>> {
    why.parts.iter().map(|part| Part {
        schema: 1,
        why: match part.kind {
            Kind::State => "state",
            Kind::Slots => "slots",
            Kind::Function => "function",
            Kind::Waiting => "waiting",
        },
        part: &part.name,
        module: part.module.as_deref(),
        difference_s: part.difference.estimate,
        difference_low_s: finite(part.difference.low),
        difference_high_s: finite(part.difference.high),
        points: why.points(part.difference.estimate),
        verdict: part.verdict.name(),
    })
}

fn finite(bound: f64) -> Option<f64> {
    Some(bound).filter(|bound| bound.is_finite())
}
