//! What is wrong with a file.

use std::io;

/// A fault of a file, or a part of it that is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("it is not a file of perf record: it does not begin with PERFILE2")]
    NotPerfData,
    /// It is one of another machine.
    #[error("it was recorded on a machine of the other byte order, which is not read")]
    ForeignOrder,
    /// A length or an offset is impossible.
    #[error("at byte {offset}: {what}")]
    Damaged {
        /// The offset in the file.
        offset: u64,
        /// A sentence.
        what: &'static str,
    },
    /// The recording was broken off.
    #[error(
        "the recording was not ended properly: the size of its records is missing, and they are read to the end of the file"
    )]
    BrokenOff,
    /// The file is shorter than it says.
    #[error("the file ends at byte {end}, and its records at byte {expected}: the rest is missing")]
    CutOff {
        /// The size of the file.
        end: u64,
        /// The place where its records should end.
        expected: u64,
    },
    /// Data of a processor's tracer, which only a decoder for that tracer can read.
    #[error("{bytes} bytes of AUX data ({tracer}) are not decoded")]
    Aux {
        /// The tracer.
        tracer: &'static str,
        /// The size of its data.
        bytes: u64,
    },
    /// Data of Arm's SPE that are no packets.
    #[error("AUX data (Arm SPE) are damaged, so that operations are missing: {}", count(*bytes, "byte"))]
    AuxDamaged {
        /// The number of bytes.
        bytes: u64,
    },
    /// Data of Arm's SPE that were not written.
    #[error("the buffer of AUX data (Arm SPE) was full, so that operations are missing: {}", count(*times, "time"))]
    AuxTruncated {
        /// How often that was.
        times: u64,
    },
    /// Operations that Arm's SPE has not sampled, because the last one was not finished.
    #[error("AUX data (Arm SPE) lack operations that were to be sampled before the last one was finished, which longer periods prevent: {} of the data", count(*times, "part"))]
    AuxCollided {
        /// In how many parts of the data that was.
        times: u64,
    },
}

/// A number of things.
fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
