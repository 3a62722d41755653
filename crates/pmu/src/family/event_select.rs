//! The modifiers that the event-select registers of Intel and AMD have in common (Intel SDM volume 3, "Architectural
//! Performance Monitoring"; AMD64 Architecture Programmer's Manual volume 2, "Performance Event-Select Registers").

use crate::field::{CMASK, EDGE, INV, OS, USR};
use crate::modifier::{Modifier, integer, switch};
use crate::privilege::Privilege;

pub(super) const IN_KERNEL: Modifier =
    switch("k", OS, "Count in the kernel").level(Privilege::KERNEL);
pub(super) const IN_USER_SPACE: Modifier =
    switch("u", USR, "Count in user space").level(Privilege::USER);
pub(super) const ON_EDGE: Modifier =
    switch("e", EDGE, "Count how often the condition begins, not how long it lasts");
pub(super) const BELOW_MASK: Modifier =
    switch("i", INV, "Count cycles below the counter mask instead of those at or above it");
pub(super) const COUNTER_MASK: Modifier =
    integer("c", CMASK, (0, 255), "Count cycles with at least so many occurrences, 0 to 255");
