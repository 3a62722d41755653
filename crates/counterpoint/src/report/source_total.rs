//! The value of a source at a placement: its counts are added up over CPUs, and of levels there is the mean.

use super::values::Reason;
use crate::sources::marks::Marks;
use crate::sources::source::{Factor, Measure, Reading};
use counterpoint_formula::Number;

/// The value of a source at a placement, in the numbers that the kernel shows.
#[derive(Clone, Debug)]
pub(crate) struct SourceTotal {
    pub number: Number,
    /// The least and the greatest value of a level.
    pub extremes: Option<Extremes>,
    pub marks: Marks,
}

/// The least and the greatest value of a level, such as a temperature, while it was counted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Extremes {
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub greatest: f64,
    /// The last value that was read.
    pub last: f64,
}

/// The value of a reading; of that of CPUs, the ones that `is_here` picks.
pub(super) fn of(reading: &Reading, is_here: impl Fn(u32) -> bool) -> Result<SourceTotal, Reason> {
    let Ok(Measure::Cpus(cpus)) = reading else { return one(reading) };
    let (mut sum, mut number) = (None::<SourceTotal>, 0);
    let mut why = None;
    for (_, reading) in cpus.iter().filter(|(cpu, _)| is_here(*cpu)) {
        match one(reading) {
            Ok(total) => {
                sum = Some(match sum {
                    Some(sum) => sum.plus(&total),
                    None => total,
                });
                number += 1;
            }
            Err(reason) => why = Some(reason),
        }
    }
    let sum = sum.ok_or_else(|| why.unwrap_or(Reason::NeverRan))?;
    // Temperatures and frequencies of several CPUs are no amounts.
    Ok(if sum.extremes.is_some() { sum.over(number) } else { sum })
}

fn one(reading: &Reading) -> Result<SourceTotal, Reason> {
    if let Ok(Measure::Count(_, marks) | Measure::Level(_, marks)) = reading
        && let Some(reason) = marks.absent()
    {
        return Err(reason.clone());
    }
    let (number, extremes, marks) = match reading.as_ref().map_err(Reason::clone)? {
        Measure::Count(count, marks) => (Number::Int(i128::from(*count)), None, marks.clone()),
        Measure::State(state) => (Number::Int(i128::from(*state)), None, Marks::default()),
        Measure::Level(level, _) if !level.is_known() => return Err(Reason::NeverRan),
        Measure::Level(level, marks) if level.is_peak() => {
            (Number::Int(level.range().1), None, marks.clone())
        }
        Measure::Level(level, marks) => {
            let (least, greatest) = level.range();
            let (least, greatest, last) = (least as f64, greatest as f64, level.last() as f64);
            let extremes = Extremes { least, greatest, last };
            // Rounding does not put the mean beside them.
            let mean = level.mean().clamp(extremes.least, extremes.greatest);
            (Number::Real(mean), Some(extremes), marks.clone())
        }
        Measure::Cpus(_) => return Err(Reason::NeverRan),
    };
    Ok(SourceTotal { number, extremes, marks })
}

impl SourceTotal {
    pub(super) fn plus(self, other: &SourceTotal) -> SourceTotal {
        let number = match (self.number, other.number) {
            (Number::Int(own), Number::Int(other)) => Number::Int(own.saturating_add(other)),
            (own, other) => Number::Real(own.as_f64() + other.as_f64()),
        };
        let extremes = match (self.extremes, other.extremes) {
            (Some(own), Some(other)) => Some(Extremes {
                least: own.least.min(other.least),
                greatest: own.greatest.max(other.greatest),
                last: other.last,
            }),
            (own, other) => own.or(other),
        };
        SourceTotal { number, extremes, marks: self.marks.with(&other.marks, u32::saturating_add) }
    }

    /// The mean of several that were added up.
    pub(super) fn over(self, number: u32) -> SourceTotal {
        match number {
            0 | 1 => self,
            _ => SourceTotal {
                number: Number::Real(self.number.as_f64() / f64::from(number)),
                ..self
            },
        }
    }

    /// The value in the unit of the source.
    pub(crate) fn scaled(self, factor: Factor) -> SourceTotal {
        let real = |value: f64| match factor {
            Factor::Times(times) => value * f64::from(times),
            Factor::Over(divisor) => value / f64::from(divisor),
        };
        let number = match (self.number, factor) {
            (Number::Int(whole), Factor::Times(times)) => {
                Number::Int(whole.saturating_mul(i128::from(times)))
            }
            (number, _) => Number::Real(real(number.as_f64())),
        };
        let extremes = self.extremes.map(|of| Extremes {
            least: real(of.least),
            greatest: real(of.greatest),
            last: real(of.last),
        });
        SourceTotal { number, extremes, ..self }
    }
}
