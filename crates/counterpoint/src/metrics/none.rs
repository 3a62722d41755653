//! Without the feature `definitions` there are no metrics.

use crate::machine::pmus::Machine;
use counterpoint_definitions::Library;

/// The metrics of a machine: none.
#[derive(Debug)]
pub struct Metrics;

impl Metrics {
    pub(crate) fn new(_: &Machine, _: &[Library]) -> Metrics {
        Metrics
    }

    /// The metrics with a name, or of a group: none.
    pub fn find(&self, _: &str) -> &[String] {
        &[]
    }
}

pub(crate) mod resolving {
    use super::Metrics;
    use crate::counting::builder::Builder;
    use crate::counting::target::Target;
    use crate::error::Error;
    use crate::names::error::NameError;

    /// Returns the error that there is no metric of the first name.
    pub(crate) fn resolve(
        _: &mut Builder<'_>,
        _: &Metrics,
        names: &[String],
        _: &Target,
    ) -> Result<(), Error> {
        let name = names.first().cloned().unwrap_or_default();
        Err(Error::from(NameError::UnknownMetric { name, similar: Vec::new() }))
    }
}
