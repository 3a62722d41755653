//! The tables of the commands.

use clap::Arg;

/// Headings, each with the ids of the options below it; options in no row are under "Options".
pub type Headings = &'static [(&'static str, &'static [&'static str])];

/// The ids of the options that are used most, in this order, each with few words.
pub type Most = &'static [(&'static str, &'static str)];

/// The option with its heading, unless it has one.
pub fn placed(arg: Arg, headings: Headings) -> Arg {
    let id = arg.get_id().as_str();
    let heading = headings.iter().find(|(_, ids)| ids.contains(&id));
    match heading.filter(|_| arg.get_help_heading().is_none()) {
        Some((heading, _)) => arg.help_heading(*heading),
        None => arg,
    }
}
