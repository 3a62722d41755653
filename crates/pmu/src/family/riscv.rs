//! RISC-V's core PMUs: the firmware takes the event's number, and the kernel sets the levels.

use super::plain::PLAIN;
use crate::pmu::Family;

pub(crate) static FAMILY: Family = Family { ..PLAIN };
