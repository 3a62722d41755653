//! The parts that are missing of a recording that was read.

use super::file::Problem;
use std::fmt;

/// The parts that are missing of a recording that was read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Remark {
    /// The file is damaged, or parts of it are not understood.
    File(Problem),
    /// So many records cannot be decoded.
    Undecoded {
        /// The number of records.
        records: u64,
        /// The offset of the first in the file.
        first: u64,
    },
    /// So many mappings of code are left out, because they are at impossible addresses, or there are more than 65536.
    Mappings(u64),
    /// None of so many samples is one of those asked for.
    NoneAsked(u64),
    /// It was recorded with another kernel, or this user may not read the addresses of this one, so that functions of the kernel have no names.
    OtherKernel,
    /// Its kernel is not that of the recordings that were read before, or is at other addresses, so that functions of the kernel have no names.
    Kernels,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::File(problem) => problem.fmt(f),
            Remark::Undecoded { records, first } => {
                write!(f, "{records} records cannot be decoded, the first at byte {first}")
            }
            Remark::Mappings(count) => write!(
                f,
                "{count} mappings of code are left out, because they are at impossible addresses, or there are more than 65536"
            ),
            Remark::NoneAsked(all) => {
                write!(f, "none of its {all} samples is one of those asked for")
            }
            Remark::OtherKernel => f.write_str(
                "it was recorded with another kernel, or this user may not read the addresses of this one: its functions have no names",
            ),
            Remark::Kernels => f.write_str(
                "its kernel is another one than that of the recordings before it, or at other addresses: functions of the kernel have no names",
            ),
        }
    }
}
