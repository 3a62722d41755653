//! A sample of a recording with its place.

use super::growth::Growth;
use counterpoint::perf::records::Sample;
use counterpoint::profile::Located;

/// A sample, and the place of the code that ran.
#[derive(Debug)]
#[non_exhaustive]
pub struct LocatedSample<'a> {
    /// The index of its event in [`Samples::events`](crate::Samples::events).
    pub event: usize,
    /// The sample as it was recorded; `time` is `None` in a file without times.
    pub sample: &'a Sample<'a>,
    /// The name of its thread when it was taken.
    pub comm: Option<&'a str>,
    /// Its addresses in the modules of its event, [`Samples::modules`](crate::Samples::modules).
    pub located: Located,
    /// By how much the counts of its group have grown, if [`Samples::each_counted`](crate::Samples::each_counted) reads it and it has counts.
    pub growth: Option<&'a Growth>,
}
