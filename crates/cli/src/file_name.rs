//! Placeholders in the names of files, so that each process of a job writes one of its own.

use crate::failure::Failure;
use counterpoint::Reporter;
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The placeholders, as the help of `-o` and the error for an unknown one list them.
pub const KNOWN: &str = "%p is the process id of counterpoint, %h the host, %q{VARIABLE} an environment variable, {rank} the rank in a parallel job, {job} the id of the job in the batch system, %% a percent sign, and {{ an opening brace";

/// Replaces the placeholders in the name of a file.
pub fn expand(name: &Path, process: &Reporter) -> Result<PathBuf, Failure> {
    let mut rest = name.as_os_str().as_bytes();
    let mut out = Vec::with_capacity(rest.len());
    while let Some(at) = rest.iter().position(|byte| b"%{".contains(byte)) {
        let (plain, from) = rest.split_at(at);
        out.extend_from_slice(plain);
        let (value, after) = placeholder(from, process).map_err(|failure| Failure {
            text: format!("-o {}: {}", name.display(), failure.text),
            ..failure
        })?;
        out.extend_from_slice(value.as_bytes());
        rest = after;
    }
    out.extend_from_slice(rest);
    Ok(PathBuf::from(OsString::from_vec(out)))
}

/// Returns true if each rank writes a file of its own.
pub fn is_of_rank(name: &Path) -> bool {
    let name = name.as_os_str().as_bytes();
    let has = |placeholder: &[u8]| name.windows(placeholder.len()).any(|part| part == placeholder);
    has(b"{rank}") || has(b"%p") || has(b"%q{")
}

/// The value of the placeholder at the start of the text, and the text after it.
fn placeholder<'t>(text: &'t [u8], process: &Reporter) -> Result<(OsString, &'t [u8]), Failure> {
    Ok(match text {
        [b'%', b'p', rest @ ..] => (process.pid.to_string().into(), rest),
        [b'%', b'h', rest @ ..] => (process.host.clone().into(), rest),
        [b'%', b'%', rest @ ..] => ("%".into(), rest),
        [b'%', b'q', from @ ..] => match word(from) {
            Some((variable, rest)) => (of_environment(variable)?, rest),
            None => return Err(unknown("%q")),
        },
        [b'%', from @ ..] => {
            let next = String::from_utf8_lossy(from).chars().next();
            return Err(unknown(
                &["%".to_string(), next.map_or(String::new(), String::from)].concat(),
            ));
        }
        [b'{', b'{', rest @ ..] => ("{".into(), rest),
        _ => match word(text) {
            Some((b"rank", rest)) => (rank(process)?.to_string().into(), rest),
            Some((b"job", rest)) => (job(process)?.into(), rest),
            Some((other, _)) if other.iter().all(u8::is_ascii_alphabetic) && !other.is_empty() => {
                return Err(unknown(&format!("{{{}}}", String::from_utf8_lossy(other))));
            }
            // A brace that nothing could be meant by.
            _ => ("{".into(), text.get(1..).unwrap_or_default()),
        },
    })
}

/// The word in braces at the start of the text, and the text after it.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = text.strip_prefix(b"{")?;
    let end = inside.iter().position(|byte| *byte == b'}')?;
    Some((&inside[..end], &inside[end + 1..]))
}

fn of_environment(variable: &[u8]) -> Result<OsString, Failure> {
    env::var_os(OsStr::from_bytes(variable)).filter(|_| !variable.is_empty()).ok_or_else(|| {
        let name = String::from_utf8_lossy(variable);
        Failure::new(format!("the environment variable `{name}` is not set"))
    })
}

fn rank(process: &Reporter) -> Result<u32, Failure> {
    process.rank.ok_or_else(|| {
        let variables = Reporter::RANK_VARIABLES.join(", ");
        Failure::new(format!("this process has no rank: none of {variables} is set"))
            .help("start it with the launcher of a parallel job, or write %p for the process id")
    })
}

fn job(process: &Reporter) -> Result<String, Failure> {
    process.job.clone().ok_or_else(|| {
        let variables = Reporter::JOB_VARIABLES.join(", ");
        Failure::new(format!("this process is not in a job: none of {variables} is set"))
            .help("start it from the script of a batch job, or leave {job} out")
    })
}

fn unknown(placeholder: &str) -> Failure {
    Failure::new(format!("`{placeholder}` is not a placeholder")).help(KNOWN)
}
