//! Register dispatch: libpfm-3's answers, and what is valid by the tables.

mod any_request;
mod checker;
mod properties;
mod resolve;
mod rules;
mod sets;
mod vectors;
mod wrong;

use counterpoint_pmu as pmu;

#[path = "../../../../cli/src/commands/dispatch/answer.rs"]
mod answer;
#[path = "../../../../cli/src/commands/dispatch/request.rs"]
mod request;
