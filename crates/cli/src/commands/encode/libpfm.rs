//! Strings of libpfm's, encoded.

use super::answer::{Answer, Outcome, Refused};
use super::perf_syntax::needs_none;
use crate::hints;
use counterpoint::Machine;
use counterpoint::pmu::{Context, EncodeErrorKind, Privilege, encode};

/// The answer to `input`; `plain` is the string without a component that stands before it.
pub fn answer(input: &str, plain: &str, context: &Context, machine: &Machine) -> Answer {
    let outcome = match encode(plain, context) {
        Ok(encoding) => {
            let again = encode(&encoding.fully_qualified, context);
            let is_full_the_same = again.is_ok_and(|again| again.codes == encoding.codes);
            Outcome::Libpfm { encoding: Box::new(encoding), is_full_the_same }
        }
        Err(error) => {
            let start = input.len() - plain.len();
            let (mut message, mut help) = (error.to_string(), Some(error.help()));
            // PAPI's name of a source has its component in the place of a PMU: `io:::rchar`.
            if plain.contains(":::")
                && let Some(outcome) = of_source(input, plain, machine)
            {
                return Answer { input: input.to_string(), outcome };
            }
            if let EncodeErrorKind::UnknownEvent { pmu: None, .. } = error.kind {
                if let Some(outcome) = of_source(input, plain, machine) {
                    return Answer { input: input.to_string(), outcome };
                }
                // Other PMUs than the machine's may have the event, or perf's syntax.
                (message, help) = match machine.resolve(plain) {
                    Ok(_) => (message, Some(PERF_SYNTAX.to_string())),
                    Err(error) => (error.to_string(), error.help().as_ref().map(hints::help)),
                };
            }
            Outcome::Refused(Refused {
                code: error.code(),
                message,
                span: start + error.span.start..start + error.span.end,
                help,
                similar: error.similar().into_iter().map(str::to_string).collect(),
            })
        }
    };
    Answer { input: input.to_string(), outcome }
}

/// The answer for a source, which has no encoding; `None` if it is none.
fn of_source(input: &str, plain: &str, machine: &Machine) -> Option<Outcome> {
    let resolved = machine.resolve(plain).ok()?;
    resolved.sources().next().map(|(event, _)| needs_none(input, event))
}

const PERF_SYNTAX: &str = "write --perf-syntax to encode what `stat -e` takes";

/// A mask with other bits than those of levels is refused before the string is read, as in libpfm.
pub fn no_levels(input: &str, plm: u32) -> Answer {
    let all = Privilege::ALL.bits();
    let outcome = Outcome::Refused(Refused {
        code: "INVAL",
        message: format!("{plm:#x} is not a set of privilege levels"),
        span: 0..input.len(),
        help: Some(format!("write a mask from 0 to {all:#x}, or letters of k 1 2 u h")),
        similar: Vec::new(),
    });
    Answer { input: input.to_string(), outcome }
}
