//! `counterpoint catalog`: 24x7 catalogs of POWER firmware.

mod args;
pub mod check;
pub mod data;
pub mod dump;
pub mod events;
mod file;
pub mod formula;
mod named;
mod request;
mod schema;
mod table;
mod words;

pub use args::Command;

use crate::failure::Failure;

pub fn run(command: &Command) -> Result<u8, Failure> {
    match command {
        Command::Dump(args) => dump::run(args),
        Command::Check(args) => check::run(args),
        Command::Events(args) => events::run(args),
        Command::Data(args) => data::run(args),
        Command::Request(args) => request::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Formula(args) => formula::run(args),
    }
}
