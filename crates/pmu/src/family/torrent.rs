//! The Torrent interconnect of POWER7. Its table has modifiers, which libpfm does not list.

use super::plain::PLAIN;
use crate::pmu::Family;

pub(crate) static FAMILY: Family = Family { ..PLAIN };
