//! The event select register of Nehalem's uncore.
//! Source: Intel SDM volume 3, "Uncore Performance Event Configuration Facility".

use crate::libpfm3::error::{DispatchError, ErrorKind};
use crate::libpfm3::perfevtsel::{EDGE, ENABLE, INT, INVERT, flags, threshold};
use crate::libpfm3::request::CounterOptions;

const RESET_OCCUPANCY: u64 = 1 << 17;

/// The register for an event code and its unit masks, which may hold filters at their places.
pub(crate) fn event_select(
    code: u64,
    masks: u64,
    options: &CounterOptions,
) -> Result<u64, DispatchError> {
    if options.flags & CounterOptions::ANY_THREAD != 0 {
        let reason = "the uncore knows no threads";
        return Err(DispatchError::new(ErrorKind::Invalid, reason));
    }
    let event = code | masks << 8;
    let filters = event & (RESET_OCCUPANCY | EDGE | INVERT | 0xff << 24);
    let reset = options.flags & CounterOptions::RESET_OCCUPANCY != 0;
    let reset = if reset { RESET_OCCUPANCY } else { 0 };
    let threshold = if filters >> 24 == 0 { threshold(options)? } else { 0 };
    Ok(event & 0xffff | INT | ENABLE | filters | reset | threshold | flags(options))
}
