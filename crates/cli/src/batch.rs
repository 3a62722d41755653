//! Lines in, an answer for each out.

use crate::failure::Failure;
use crate::input;
use crate::show::{json, stdout};
use serde::Serialize;
use std::io::{BufReader, Write, stdin};

/// One answer of JSON for each line, whatever is wrong with it; nothing but the newline is taken off a line.
pub fn batch<A: Serialize>(answer: impl Fn(&[u8]) -> A) -> Result<u8, Failure> {
    let mut out = stdout();
    let mut input = BufReader::with_capacity(1 << 16, stdin().lock());
    let mut line = Vec::new();
    while input::next_line(&mut input, &mut line)? {
        json(&mut out, &answer(&line))?;
        // A program may wait for the answer before it writes the next request.
        if input.buffer().is_empty() {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(0)
}
