//! Descriptions of tracepoints: where the fields of each are in its samples.

use super::fields::Fields;
use std::ops::Range;

/// Descriptions of tracepoints, and of what is around their fields in the kernel's own buffers, which other programs want to have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracing {
    /// The text of the file `header_page`.
    pub page: String,
    /// The text of the file `header_event`.
    pub event: String,
    /// The tracepoints that were recorded.
    pub tracepoints: Vec<Tracepoint>,
}

/// The description of a tracepoint, as the kernel gives it in tracefs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracepoint {
    /// The subsystem, such as `sched`.
    pub system: String,
    /// The text of the file `format`.
    pub format: String,
}

/// The first bytes of the section, with the version of its form.
const MAGIC: &[u8] = b"\x17\x08\x44tracing0.6\0";
const MAGIC_WITHOUT_VERSION: usize = 10;
/// The size of the pages of those buffers, of which none are here.
const PAGE: u32 = 4096;
/// The most descriptions that are read; perf writes one for each event.
const MOST: u32 = 4096;

impl Tracepoint {
    /// The number of the tracepoint, which is the code of its event.
    pub fn id(&self) -> Option<u64> {
        self.format.lines().find_map(|line| line.strip_prefix("ID:")?.trim().parse().ok())
    }

    /// The place of a field among the bytes of a sample that are its fields (`PERF_SAMPLE_RAW`); `None` if it has no such field.
    pub fn field(&self, name: &str) -> Option<Range<usize>> {
        let place = |line: &str| {
            let mut parts = line.trim().strip_prefix("field:")?.split(';');
            let declared = parts.next()?.rsplit([' ', '*']).next()?;
            if declared.split('[').next() != Some(name) {
                return None;
            }
            let mut number =
                |key: &str| parts.next()?.trim().strip_prefix(key)?.parse::<usize>().ok();
            let (offset, size) = (number("offset:")?, number("size:")?);
            Some(offset..offset.checked_add(size)?)
        };
        self.format.lines().find_map(place)
    }
}

impl Tracing {
    /// The section of these descriptions; empty without.
    pub(super) fn section(&self) -> Vec<u8> {
        if self.tracepoints.is_empty() {
            return Vec::new();
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend([u8::from(cfg!(target_endian = "big")), size_of::<usize>() as u8]);
        bytes.extend(PAGE.to_ne_bytes());
        let heads = [(&b"header_page\0"[..], &self.page), (b"header_event\0", &self.event)];
        for (name, text) in heads {
            bytes.extend(name);
            bytes.extend(sized(text));
        }
        bytes.extend(0_u32.to_ne_bytes());
        bytes.extend((self.tracepoints.len() as u32).to_ne_bytes());
        for Tracepoint { system, format } in &self.tracepoints {
            bytes.extend(system.bytes());
            bytes.push(0);
            bytes.extend(1_u32.to_ne_bytes());
            bytes.extend(sized(format));
        }
        // Neither symbols of the kernel, nor its texts, nor names of threads.
        bytes.extend([0; 4 + 4 + 8]);
        bytes
    }

    /// The descriptions of a section; `None` if it is cut off or has another form.
    pub(super) fn read(bytes: &[u8]) -> Option<Tracing> {
        let mut fields = Fields(bytes.strip_prefix(&MAGIC[..MAGIC_WITHOUT_VERSION])?);
        fields.name()?;
        fields.take(2)?;
        fields.half()?;
        let mut head = || {
            fields.name()?;
            fields.sized()
        };
        let mut tracing = Tracing { page: head()?, event: head()?, ..Tracing::default() };
        for _ in 0..fields.half()?.min(MOST) {
            fields.sized()?;
        }
        for _ in 0..fields.half()?.min(MOST) {
            let system = fields.name()?;
            for _ in 0..fields.half()?.min(MOST) {
                let (system, format) = (system.clone(), fields.sized()?);
                tracing.tracepoints.push(Tracepoint { system, format });
            }
        }
        Some(tracing)
    }
}

/// A text behind its length.
fn sized(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_ne_bytes()[..], text.as_bytes()].concat()
}
