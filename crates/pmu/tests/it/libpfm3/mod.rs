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

#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../../../cli/src/commands/dispatch/answer.rs"]
mod answer;
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../../../cli/src/commands/dispatch/event.rs"]
mod event;
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../../../cli/src/commands/dispatch/input.rs"]
mod input;
#[path = "../../../../cli/src/commands/dispatch/reader.rs"]
mod reader;
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../../../cli/src/commands/dispatch/request.rs"]
mod request;
