//! The file of a command: whether it can be measured, and why it does not start.

use crate::failure::Failure;
use counterpoint::perf::Host;
use counterpoint::perf::process::{Held, Running};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Returns an error if the command does not exist, or if the kernel would remove its events when it starts.
pub fn check(command: &[OsString], host: &Host) -> Result<(), Failure> {
    match command.first() {
        Some(program) if !exists(program) => Err(refused(command, &ErrorKind::NotFound.into())),
        Some(program) if escapes(program) && !host.access().is_privileged() => {
            let text = format!(
                "{} runs with other privileges, so the kernel stops counting it when it starts",
                program.display()
            );
            Err(Failure::new(text).help("measure it as root: sudo counterpoint …"))
        }
        _ => Ok(()),
    }
}

/// Lets a command run; 127 if there is none of this name, 126 if it cannot be executed, as shells have it.
pub fn start(held: Held, command: &[OsString]) -> Result<Running, Failure> {
    held.exec().map_err(|error| refused(command, &error))
}

fn refused(command: &[OsString], error: &io::Error) -> Failure {
    let name = command.first().map(|name| name.to_string_lossy()).unwrap_or_default();
    match error.kind() {
        ErrorKind::NotFound => {
            match command.first().and_then(|program| missing_interpreter(program)) {
                Some(missing) => Failure::new(format!("{name}: {missing}")).code(126),
                None => Failure::new(format!("{name}: command not found")).code(127),
            }
        }
        _ => Failure::new(format!("{name}: {error}")).code(126),
    }
}

/// Returns true if the kernel takes an unprivileged user's events away when the program starts: it is set-user or set-group, or may not be read.
///
/// The counts up to that point would look complete (see `execve(2)` on set-user programs, and on those that may not be dumped).
fn escapes(program: &OsStr) -> bool {
    let Some((path, metadata)) = find(program) else { return false };
    let sets = metadata.mode() & 0o6000 != 0;
    sets || File::open(path).is_err_and(|e| e.kind() == ErrorKind::PermissionDenied)
}

/// Returns why a program that exists is not found: the interpreter of a script, or the loader, is missing.
fn missing_interpreter(program: &OsStr) -> Option<String> {
    /// The kernel reads no more of a script's first line.
    const LONGEST: usize = 256;
    let (path, _) = find(program)?;
    let mut start = [0; LONGEST];
    let length = File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    let line =
        start[..length].strip_prefix(b"#!").and_then(|line| line.split(|b| *b == b'\n').next());
    Some(match line {
        Some(line) => {
            let line = String::from_utf8_lossy(line);
            let blank = [' ', '\t'];
            // A carriage return from another system is part of the name, and often the mistake in it.
            let interpreter =
                line.trim_start_matches(blank).split(blank).next().unwrap_or_default();
            format!("its interpreter `{interpreter}` does not exist")
        }
        None => "the loader that it needs does not exist".to_string(),
    })
}

/// Returns true if there is a file of this name, which may not be executable.
fn exists(program: &OsStr) -> bool {
    named(program).any(|path| path.exists())
}

/// The file that `execvp(3)` would run.
fn find(program: &OsStr) -> Option<(PathBuf, Metadata)> {
    named(program).find_map(|path| {
        let metadata = path.metadata().ok()?;
        (metadata.is_file() && metadata.mode() & 0o111 != 0).then_some((path, metadata))
    })
}

/// The paths at which a program may be: its own, or those in the folders of PATH.
fn named(program: &OsStr) -> Box<dyn Iterator<Item = PathBuf>> {
    if Path::new(program).components().count() > 1 {
        return Box::new(std::iter::once(PathBuf::from(program)));
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let program = program.to_os_string();
    Box::new(folders.into_iter().map(move |folder| folder.join(&program)))
}
