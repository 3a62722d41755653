//! Reads jitdump, the files in which run-time compilers such as V8 and CPython keep the names and the code of their functions (`tools/perf/Documentation/jitdump-specification.txt` of Linux).

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;

/// The first number of a file, in the byte order of the machine.
const MAGIC: u32 = 0x4a69_5444;
/// The size of the header as far as it is known here, and the offset of its own size.
const HEADER: usize = 40;
const HEADER_SIZE: usize = 8;
/// The size of a record's header.
const RECORD: usize = 16;
const CODE_LOAD: u32 = 0;
const CODE_MOVE: u32 = 1;
/// The numbers before the name of a function.
const LOAD: usize = 40;
/// The most bytes of a name.
const LONGEST: usize = 4096;
/// The most functions.
const MOST: usize = 1 << 20;

/// The functions of a file in the order in which they were made, up to the first record that cannot be read.
pub(crate) fn functions(path: &Path) -> io::Result<Vec<(Range<u64>, String)>> {
    let mut source = BufReader::new(File::open(path)?);
    let mut functions = Vec::new();
    let mut header = [0; HEADER];
    source.read_exact(&mut header)?;
    if half(&header, 0) != MAGIC {
        return Ok(functions);
    }
    skip(&mut source, u64::from(half(&header, HEADER_SIZE)).saturating_sub(HEADER as u64))?;
    // The names by the numbers of functions, which may move.
    let mut names: HashMap<u64, String> = HashMap::new();
    let mut record = [0; RECORD];
    let mut body = vec![0; LOAD + LONGEST];
    while functions.len() < MOST && source.read_exact(&mut record).is_ok() {
        let (kind, size) = (half(&record, 0), half(&record, 4));
        let Some(left) = (size as usize).checked_sub(RECORD) else { break };
        let known = if matches!(kind, CODE_LOAD | CODE_MOVE) { left.min(body.len()) } else { 0 };
        let bytes = &mut body[..known];
        if source.read_exact(bytes).is_err() {
            break;
        }
        match kind {
            CODE_LOAD if known > LOAD => {
                let name = bytes[LOAD..].split(|byte| *byte == 0).next().unwrap_or_default();
                let name = String::from_utf8_lossy(name).into_owned();
                let (start, length, number) = (word(bytes, 16), word(bytes, 24), word(bytes, 32));
                functions.push((start..start.saturating_add(length), name.clone()));
                names.insert(number, name);
            }
            CODE_MOVE if known >= LOAD + 8 => {
                let (start, length, number) = (word(bytes, 24), word(bytes, 32), word(bytes, 40));
                if let Some(name) = names.get(&number) {
                    functions.push((start..start.saturating_add(length), name.clone()));
                }
            }
            _ => {}
        }
        if skip(&mut source, (left - known) as u64).is_err() {
            break;
        }
    }
    Ok(functions)
}

fn skip(source: &mut BufReader<File>, bytes: u64) -> io::Result<()> {
    source.seek_relative(bytes.cast_signed())
}

fn half(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |half| u32::from_ne_bytes(*half))
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_ne_bytes(*word))
}
