//! This program, which is called again.

use crate::failure::Failure;
use std::env;
use std::path::PathBuf;

/// This file, which is also the program `counterpoint`.
pub fn this_program() -> Result<PathBuf, Failure> {
    env::current_exe().map_err(|error| Failure::new(format!("the program itself: {error}")))
}
