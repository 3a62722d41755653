//! The place in which a machine value is looked up, and the answer.

use crate::counting::target::Target;
use counterpoint_perf::Host;

/// The number and its source, or what was looked at in vain.
pub(super) type Found = Result<(f64, String), String>;

/// The host and the target for which a value is looked up.
pub(super) struct Place<'p> {
    pub(super) host: &'p Host,
    pub(super) target: &'p Target,
}

/// 1 or 0.
pub(super) fn flag(is: bool, source: impl Into<String>) -> Found {
    Ok((f64::from(u8::from(is)), source.into()))
}
