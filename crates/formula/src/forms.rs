//! The code for steps of one operation, and of several.

use crate::form::{self, Compiled};
#[cfg(feature = "fast")]
use crate::fused;
use crate::step::{Second, Step};

/// The code for a step; `None` if no form exists for its combination of operations.
pub(crate) fn compiled<C: Compiled>(step: &Step) -> Option<C> {
    match step.second {
        Second::None => Some(form::compiled(step)),
        #[cfg(feature = "fast")]
        _ => fused::compiled(step),
        #[cfg(not(feature = "fast"))]
        _ => None,
    }
}
