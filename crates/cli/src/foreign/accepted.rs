//! Options of perf in the tables of the commands.

use clap::{Arg, ArgAction};

/// Options, by all their names, with what to use in place of them.
pub type Instead = &'static [(&'static [&'static str], &'static str)];

/// An option of perf that changes nothing here, because the command does the same without it.
pub struct Accepted {
    pub short: Option<char>,
    pub long: &'static str,
    pub value: Takes,
}

/// The value that an option takes.
pub enum Takes {
    Nothing,
    Value,
    /// One of these.
    One(&'static [&'static str]),
    /// A value may follow a `=`.
    Optional,
}

impl Accepted {
    pub const fn flag(short: char, long: &'static str) -> Accepted {
        Accepted { short: Some(short), long, value: Takes::Nothing }
    }

    pub const fn long(long: &'static str) -> Accepted {
        Accepted { short: None, long, value: Takes::Nothing }
    }

    pub const fn value(long: &'static str, value: Takes) -> Accepted {
        Accepted { short: None, long, value }
    }

    pub fn arg(&self) -> Arg {
        let arg = Arg::new(self.long).short(self.short).long(self.long).hide(true);
        match self.value {
            Takes::Nothing => arg.action(ArgAction::Count),
            Takes::Value => arg.action(ArgAction::Append),
            Takes::One(values) => arg.action(ArgAction::Append).value_parser(values.to_vec()),
            Takes::Optional => arg.action(ArgAction::Append).num_args(0..=1).require_equals(true),
        }
    }
}
