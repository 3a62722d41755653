//! Files that define events and metrics.

use std::env;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use counterpoint::{EventSet, read_definitions};

use crate::failure::{COUNTERPOINT_ERROR_FILE, Failure};

/// The variables that name files, several separated by `:`; the first is PAPI's.
const VARIABLES: [&str; 2] = ["PAPI_USER_EVENTS_FILE", "COUNTERPOINT_EVENTS"];

/// The largest file that is read.
const MOST: u64 = 256 << 20;

/// Adds the definitions of the environment, and then those of a file.
pub(crate) fn define(mut set: EventSet, file: Option<&str>) -> Result<EventSet, Failure> {
    for variable in VARIABLES {
        let Some(files) = env::var_os(variable) else { continue };
        for file in env::split_paths(&files).filter(|file| !file.as_os_str().is_empty()) {
            set = set.define(read_definitions(&file, &text(&file)?));
        }
    }
    match file.map(Path::new) {
        Some(file) => Ok(set.define(read_definitions(file, &text(file)?))),
        None => Ok(set),
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    let failed = |problem: String| {
        Failure::new(COUNTERPOINT_ERROR_FILE, format!("{}: {problem}", path.display()))
    };
    let file = File::open(path).map_err(|error| failed(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
    if bytes.len() as u64 > MOST {
        return Err(failed("the file is larger than 256 MiB".to_owned()));
    }
    // A byte that is not UTF-8 costs its line, which the reader reports and skips.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
