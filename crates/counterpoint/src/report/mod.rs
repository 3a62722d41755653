//! Reports: from counts to the values of events.

pub(crate) mod benchmark;
mod evaluation;
pub(crate) mod form;
pub(crate) mod hint;
pub(crate) mod labels;
pub(crate) mod limit;
pub(crate) mod no_cpu_time;
pub(crate) mod note;
pub mod numbers;
pub(crate) mod record;
pub(crate) mod reporter;
pub(crate) mod rows;
pub(crate) mod source_total;
pub(crate) mod spread;
pub(crate) mod totals;
pub(crate) mod values;
