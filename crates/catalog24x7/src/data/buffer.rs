//! A buffer of either direction: its version, its size, and what is checked in both.

use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::page0::Section;

/// The largest buffer that the hypervisor accepts; a buffer must not cross an address that is a multiple of this size either.
pub const BUFFER: usize = 4096;

/// The version of the hypervisor's interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum InterfaceVersion {
    /// POWER8.
    V1,
    /// POWER9 and later: requests and elements include a thread group.
    V2,
}

impl InterfaceVersion {
    /// The version with this number.
    pub fn from_number(number: u8) -> Option<InterfaceVersion> {
        match number {
            1 => Some(InterfaceVersion::V1),
            2 => Some(InterfaceVersion::V2),
            _ => None,
        }
    }

    /// 1 or 2.
    pub fn number(self) -> u8 {
        match self {
            InterfaceVersion::V1 => 1,
            InterfaceVersion::V2 => 2,
        }
    }
}

/// The result of decoding a buffer: the readable parts and the errors found.
#[derive(Clone, Debug)]
pub struct DecodedBuffer<B> {
    /// The parts that could be read; `None` if the buffer is shorter than its header, or its version is unknown.
    pub buffer: Option<B>,
    /// The errors: at most 128 findings, and one that counts any others.
    pub diagnostics: Vec<Diagnostic>,
}

/// The findings in one kind of buffer.
pub(super) struct Checker {
    section: Section,
    pub(super) findings: Findings,
}

impl Checker {
    pub(super) fn new(section: Section) -> Checker {
        Checker { section, findings: Findings::default() }
    }

    pub(super) fn add<M: Into<String>>(
        &mut self,
        code: Code,
        index: Option<usize>,
        offset: usize,
        field: &'static str,
        message: impl FnOnce() -> M,
    ) {
        let section = self.section;
        self.findings.add(|| Diagnostic::new(code, section, index, offset, field, message()));
    }

    pub(super) fn reserved(&mut self, index: Option<usize>, offset: usize, bytes: &[u8]) {
        if bytes.iter().any(|byte| *byte != 0) {
            self.add(Code::Reserved, index, offset, "reserved", || "reserved bytes are not zero");
        }
    }

    /// The version of a buffer that has a complete header; otherwise adds the error.
    pub(super) fn version(&mut self, bytes: &[u8], header: usize) -> Option<InterfaceVersion> {
        let found = bytes.len();
        if found < header {
            self.add(Code::NoHeader, None, 0, "header", || {
                format!("the buffer has {found} bytes, but its header needs {header}")
            });
            return None;
        }
        if found > BUFFER {
            self.add(Code::BufferLength, None, BUFFER, "length", || {
                format!("the buffer has {found} bytes, but the hypervisor accepts at most {BUFFER}")
            });
        }
        let number = *bytes.first()?;
        let version = InterfaceVersion::from_number(number);
        if version.is_none() {
            self.add(Code::Interface, None, 0, "interface_version", || {
                format!("the interface version is {number}; supported versions are 1 and 2")
            });
        }
        version
    }

    pub(super) fn data_size(&mut self, index: usize, offset: usize, size: u16) {
        if size == 0 || !size.is_multiple_of(8) {
            self.add(Code::DataSize, Some(index), offset, "data_size", || {
                format!("the data size is {size}, which is not a positive multiple of 8")
            });
        }
    }

    /// Checks the bytes after the last request or result, which ends at `used`.
    pub(super) fn tail(&mut self, bytes: &[u8], used: usize) {
        let tail = bytes.get(used..).unwrap_or_default();
        if let Some(first) = tail.iter().position(|byte| *byte != 0) {
            let what = self.section;
            self.add(Code::Tail, None, used + first, "tail", || {
                format!("the last {what}, which ends at {used:#x}, is followed by data")
            });
        }
    }

    pub(super) fn finish<B>(self, buffer: Option<B>) -> DecodedBuffer<B> {
        DecodedBuffer { buffer, diagnostics: self.findings.finish() }
    }
}
