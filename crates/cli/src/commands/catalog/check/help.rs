//! Advice on a finding, with the options of this program.

use counterpoint::catalog::{Code, Diagnostic};
use std::borrow::Cow;

/// What to write or do instead, with the option that chooses how indexes are read.
pub fn help(found: &Diagnostic) -> Cow<'static, str> {
    let help = found.help();
    match found.code {
        Code::ReadingsDiffer | Code::NoPrimaryGroup | Code::NoEvent => {
            format!("{help}; --reading chooses it").into()
        }
        _ => help.into(),
    }
}
