use super::metrics::{Operand, Source};
use counterpoint_catalog24x7::Catalog;
use counterpoint_catalog24x7::data::{Counters, Elapsed};
use counterpoint_formula::Number;

/// The values of a formula's operands between two results of the hypervisor, for [`Metrics::evaluate`](super::Metrics::evaluate).
#[derive(Clone, Copy, Debug)]
pub struct Measured<'c> {
    catalog: &'c Catalog,
    grown: &'c Counters,
    elapsed: Elapsed,
    timebase_hz: f64,
}

impl<'c> Measured<'c> {
    /// Takes the growth of each counter of a catalog between the results ([`Counters::since`]), and the frequency of the timebase ([`Elapsed::TIMEBASE_HZ`] on POWER8 and later).
    pub fn new(catalog: &'c Catalog, grown: &'c Counters, timebase_hz: f64) -> Measured<'c> {
        Measured { catalog, grown, elapsed: grown.elapsed(catalog), timebase_hz }
    }

    /// The value of an operand; events are summed over chips or cores. Returns `None` if it was not measured.
    pub fn value(&self, operand: &Operand) -> Option<Number> {
        let sum = |sum: u128| i128::try_from(sum).ok().map(Number::Int);
        match (operand.source, operand.name.as_str()) {
            (Source::Event(event), _) => sum(self.grown.sum(self.catalog.events.get(event)?)?),
            (Source::Elapsed, "delta-timebase") => self.elapsed.timebase.map(Number::from),
            (Source::Elapsed, "delta-cycles") => sum(self.elapsed.cycles?),
            (Source::Elapsed, "delta-instructions") => sum(self.elapsed.instructions?),
            (Source::Elapsed, "delta-seconds") => {
                self.elapsed.seconds(self.timebase_hz).map(Number::Real)
            }
            _ => None,
        }
    }
}
