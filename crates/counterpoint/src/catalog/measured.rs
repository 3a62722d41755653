use super::data::{Counters, Elapsed};
use super::{Catalog, Operand, Source};
use crate::formula::Number;

/// What two results of the hypervisor say of a formula's operands: for [`Metrics::evaluate`](super::Metrics::evaluate).
#[derive(Clone, Copy, Debug)]
pub struct Measured<'c> {
    /// The catalog of both.
    pub catalog: &'c Catalog,
    /// How much each counter grew between them ([`Counters::since`]).
    pub grown: &'c Counters,
    /// The ticks of the timebase in a second; [`Elapsed::TIMEBASE_HZ`] on POWER8 and later.
    pub timebase_hz: f64,
}

impl Measured<'_> {
    /// The value of an operand, an event's summed over chips or cores; nothing if it was not measured.
    pub fn value(&self, operand: &Operand) -> Option<Number> {
        let sum = |sum: u128| i128::try_from(sum).ok().map(Number::Int);
        let elapsed = || -> Elapsed { self.grown.elapsed(self.catalog) };
        match (operand.source, operand.name.as_str()) {
            (Source::Event(event), _) => sum(self.grown.sum(self.catalog.events.get(event)?)?),
            (Source::Elapsed, "delta-timebase") => elapsed().timebase.map(Number::from),
            (Source::Elapsed, "delta-cycles") => sum(elapsed().cycles?),
            (Source::Elapsed, "delta-instructions") => sum(elapsed().instructions?),
            (Source::Elapsed, "delta-seconds") => {
                elapsed().seconds(self.timebase_hz).map(Number::Real)
            }
            _ => None,
        }
    }
}
