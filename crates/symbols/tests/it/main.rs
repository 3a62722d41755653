//! Files of code, as a caller gives them.

#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

mod damaged;
mod entry;
mod roots;
mod scopes;
mod short_names;
