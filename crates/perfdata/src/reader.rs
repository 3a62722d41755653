use crate::facts::Fields;
use crate::layout::{HEADER, MAGIC, RECORD, SECTION, feature, kind};
use crate::{Event, Facts};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;

/// Reads a file from its beginning as often as asked.
#[derive(Debug)]
pub struct Reader<R> {
    source: BufReader<R>,
    events: Vec<Event>,
    facts: Facts,
    data: Range<u64>,
    problems: Vec<Problem>,
}

/// What is wrong with a file, or not read of it.
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
    /// It was written to a pipe.
    #[error("it was recorded as a stream, to a pipe, which is not read: record with -o FILE")]
    Pipe,
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
        /// Where its records should end.
        expected: u64,
    },
    /// Records that were compressed.
    #[error("{0} compressed records are not read: record without -z")]
    Compressed(u64),
}

/// A record, not decoded.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a> {
    /// Its offset in the file.
    pub offset: u64,
    /// Its type, `PERF_RECORD_…`.
    pub kind: u32,
    /// All of its bytes, with the header.
    pub bytes: &'a [u8],
}

/// The most events of a file; perf opens far fewer.
const MOST_EVENTS: u64 = 4096;
/// The most bytes of a section that is read: of ids, and of facts.
const MOST_SECTION: u64 = 16 << 20;
const BUFFER: usize = 1 << 18;

impl<R: Read + Seek> Reader<R> {
    /// Reads the header, the events and the facts.
    ///
    /// # Errors
    /// Returns a problem without which nothing could be read; others are in [`problems`](Reader::problems).
    pub fn open(source: R) -> Result<Reader<R>, Problem> {
        let mut source = BufReader::with_capacity(BUFFER, source);
        let end = source.seek(SeekFrom::End(0))?;
        source.seek(SeekFrom::Start(0))?;
        let bytes = all(&mut source, HEADER.min(end))?;
        let mut fields = Fields(&bytes);
        match fields.word() {
            Some(MAGIC) => {}
            Some(other) if other == MAGIC.swap_bytes() => return Err(Problem::ForeignOrder),
            _ => return Err(Problem::NotPerfData),
        }
        let damaged = |offset, what| Problem::Damaged { offset, what };
        let cut = || damaged(end, "the header is cut off");
        let mut word = || fields.word().ok_or_else(cut);
        match word()? {
            16 => return Err(Problem::Pipe),
            HEADER => {}
            _ => return Err(damaged(8, "the header has an unknown size")),
        }
        let entry = word()?;
        let (attrs, data) = ((word()?, word()?), (word()?, word()?));
        let (_, _) = (word()?, word()?);
        let flags = [word()?, word()?, word()?, word()?];
        let mut reader = Reader {
            source,
            events: Vec::new(),
            facts: Facts::default(),
            data: data.0..data.0.checked_add(data.1).ok_or(damaged(40, "no such size"))?,
            problems: Vec::new(),
        };
        reader.read_events(entry, attrs, end)?;
        if data.0 > end {
            return Err(damaged(40, "the records begin behind the end of the file"));
        }
        if data.1 == 0 {
            reader.problems.push(Problem::BrokenOff);
            reader.data.end = end;
        } else if reader.data.end > end {
            reader.problems.push(Problem::CutOff { end, expected: reader.data.end });
            reader.data.end = end;
        } else {
            reader.read_facts(flags, end)?;
        }
        Ok(reader)
    }

    fn read_events(&mut self, entry: u64, at: (u64, u64), end: u64) -> Result<(), Problem> {
        let damaged = |offset, what| Problem::Damaged { offset, what };
        if !(64 + SECTION..=4096).contains(&entry) {
            return Err(damaged(16, "the attributes have an unknown size"));
        }
        let count = at.1 / entry;
        if count == 0 || count > MOST_EVENTS || at.0.checked_add(at.1).is_none_or(|to| to > end) {
            return Err(damaged(24, "there are no events, or not where the header says"));
        }
        // Several events may claim the same bytes.
        let mut left = end;
        for index in 0..count {
            let offset = at.0 + index * entry;
            self.source.seek(SeekFrom::Start(offset))?;
            let mut bytes = all(&mut self.source, entry)?;
            let section = bytes.split_off((entry - SECTION) as usize);
            let mut fields = Fields(&section);
            let place = fields.word().zip(fields.word());
            let ids = place.filter(|(_, size)| *size <= left.min(MOST_SECTION));
            let ids =
                ids.filter(|(start, size)| start.checked_add(*size).is_some_and(|e| e <= end));
            let Some((start, size)) = ids else {
                return Err(damaged(offset, "the ids of an event are not in the file"));
            };
            left -= size;
            self.source.seek(SeekFrom::Start(start))?;
            let ids = all(&mut self.source, size)?;
            let mut fields = Fields(&ids);
            let ids = std::iter::from_fn(|| fields.word()).collect();
            self.events.push(Event { name: String::new(), attr: bytes, ids });
        }
        Ok(())
    }

    fn read_facts(&mut self, flags: [u64; 4], end: u64) -> Result<(), Problem> {
        let set = |bit: &u32| flags[*bit as usize / 64] & 1 << (bit % 64) != 0;
        let mut place = self.data.end;
        for bit in (0..feature::COUNT).filter(set) {
            let offset = place;
            place = place.saturating_add(SECTION);
            let lost = "a section of facts is not in the file";
            if place > end {
                self.problems.push(Problem::Damaged { offset, what: lost });
                break;
            }
            self.source.seek(SeekFrom::Start(offset))?;
            let section = all(&mut self.source, SECTION)?;
            let mut fields = Fields(&section);
            let (start, size) = fields.word().zip(fields.word()).unwrap_or_default();
            if start.checked_add(size).is_none_or(|to| to > end) {
                self.problems.push(Problem::Damaged { offset, what: lost });
            } else if is_known(bit) && size <= MOST_SECTION {
                self.source.seek(SeekFrom::Start(start))?;
                let bytes = all(&mut self.source, size)?;
                if self.facts.take(bit, &bytes, &mut self.events).is_none() {
                    let what = "a section of facts is cut off";
                    self.problems.push(Problem::Damaged { offset: start, what });
                }
            }
        }
        Ok(())
    }

    /// The events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The facts.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// What is wrong with the parts that have been read so far.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Calls `each` for every record of the kernel, from the first one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read; what is wrong in it is in [`problems`](Reader::problems), once however often it is read.
    pub fn records(&mut self, mut each: impl FnMut(Raw<'_>)) -> io::Result<()> {
        let mut offset = self.data.start;
        self.source.seek(SeekFrom::Start(offset))?;
        let mut bytes = vec![0; usize::from(u16::MAX)];
        let mut compressed = 0_u64;
        let mut damaged = None;
        while offset < self.data.end {
            let left = self.data.end - offset;
            let (header, rest) = bytes.split_at_mut(RECORD);
            if left < RECORD as u64 || !full(&mut self.source, header)? {
                damaged = Some("the last record is cut off");
                break;
            }
            let mut fields = Fields(header);
            let (kind, sizes) = fields.half().zip(fields.half()).unwrap_or_default();
            let [_, _, low, high] = sizes.to_ne_bytes();
            let size = usize::from(u16::from_ne_bytes([low, high]));
            if size < RECORD {
                damaged = Some("a record is shorter than its header: what follows is not read");
                break;
            }
            if size as u64 > left || !full(&mut self.source, &mut rest[..size - RECORD])? {
                damaged = Some("the last record is cut off");
                break;
            }
            let mut skipped = 0;
            match kind {
                kind::COMPRESSED | kind::COMPRESSED2 => compressed += 1,
                kind::AUXTRACE => skipped = Fields(&bytes[RECORD..size]).word().unwrap_or(0),
                kind if kind >= kind::FIRST => {}
                kind => each(Raw { offset, kind, bytes: &bytes[..size] }),
            }
            offset += size as u64;
            if skipped > 0 {
                offset = offset.saturating_add(skipped);
                if offset < self.data.end {
                    self.source.seek(SeekFrom::Start(offset))?;
                }
            }
        }
        let said = |problem: &Problem| match problem {
            Problem::Damaged { offset: at, .. } => *at == offset,
            Problem::Compressed(_) => compressed > 0,
            _ => false,
        };
        if !self.problems.iter().any(said) {
            let damaged = damaged.map(|what| Problem::Damaged { offset, what });
            let compressed = (compressed > 0).then_some(Problem::Compressed(compressed));
            self.problems.extend(damaged.into_iter().chain(compressed));
        }
        Ok(())
    }
}

fn is_known(bit: u32) -> bool {
    use feature::{
        ARCH, BUILD_ID, COMMAND_LINE, CPUS, EVENTS, HOSTNAME, OS_RELEASE, SAMPLE_TIME, VERSION,
    };
    [BUILD_ID, HOSTNAME, OS_RELEASE, VERSION, ARCH, CPUS, COMMAND_LINE, EVENTS, SAMPLE_TIME]
        .contains(&bit)
}

/// This many bytes, which the caller has checked to be in the file.
fn all(source: &mut impl Read, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Fills the buffer; false at the end of the file, which may have become shorter.
fn full(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match source.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
