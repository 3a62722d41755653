//! Reads a recording from its beginning as often as asked.

use super::compressed;
use super::event::Event;
use super::facts::Facts;
use super::fields::Fields;
use super::layout::{
    HEADER, MAGIC, MOST_EVENTS, MOST_SECTION, PIPE_HEADER, SECTION, feature, kind,
};
use super::problem::Problem;
use super::record::{Raw, RawRecords, following};
use super::spe::Spe;
use super::stream::{self, Stream};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::mem::discriminant;
use std::ops::{ControlFlow, Range};

/// Reads a file from its beginning as often as asked.
#[derive(Debug)]
pub struct Reader<R> {
    source: BufReader<R>,
    events: Vec<Event>,
    facts: Facts,
    data: Range<u64>,
    problems: Vec<Problem>,
    spe: Option<Spe>,
}

const BUFFER: usize = 1 << 18;

/// The records that are wanted.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    All,
    /// Others than samples.
    ButSamples,
}

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
            PIPE_HEADER => return Reader::open_stream(source, end),
            HEADER => {}
            _ => return Err(damaged(8, "the header has an unknown size")),
        }
        let entry = word()?;
        let (attrs, data) = ((word()?, word()?), (word()?, word()?));
        let (_, _) = (word()?, word()?);
        let flags = [word()?, word()?, word()?, word()?];
        let data_end = data.0.checked_add(data.1).ok_or(damaged(40, "no such size"))?;
        let mut reader = Reader::of(source, data.0..data_end);
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
        reader.find_spe(flags[0] & 1 << feature::AUXTRACE != 0)?;
        Ok(reader)
    }

    fn of(source: BufReader<R>, data: Range<u64>) -> Reader<R> {
        let (events, facts, problems) = (Vec::new(), Facts::default(), Vec::new());
        Reader { source, events, facts, data, problems, spe: None }
    }

    /// Reads what `perf record -o -` wrote: the events and facts are records among the others.
    fn open_stream(source: BufReader<R>, end: u64) -> Result<Reader<R>, Problem> {
        let mut reader = Reader::of(source, PIPE_HEADER..end);
        let mut stream = Stream::default();
        reader.walk(Which::All, |raw| {
            stream.take(&raw);
            ControlFlow::Continue(())
        })?;
        let Stream { events, facts, .. } = stream;
        if events.is_empty() {
            let what = "the stream has no events";
            return Err(Problem::Damaged { offset: PIPE_HEADER, what });
        }
        (reader.events, reader.facts) = (events, facts);
        reader.find_spe(true)?;
        Ok(reader)
    }

    /// Adds the events whose samples are made of the data of SPE, which perf announces before the first record of the kernel, unless it was asked to write such records last; `has_aux` if there may be such data behind it.
    fn find_spe(&mut self, has_aux: bool) -> Result<(), Problem> {
        let (mut found, events) = (None, std::mem::take(&mut self.events));
        let cpuid = self.facts.cpuid.clone();
        self.walk(Which::ButSamples, |raw| match raw.kind {
            kind::AUXTRACE_INFO => {
                found = Spe::of(&raw, &events, &cpuid);
                ControlFlow::Break(())
            }
            kind if kind < kind::FIRST && !has_aux => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })?;
        self.events = events;
        let Some(mut spe) = found else { return Ok(()) };
        let (mut is_compressed, mut learn) = (false, |raw: Raw<'_>| {
            spe.learn(&raw);
            ControlFlow::Continue(())
        });
        self.walk(Which::ButSamples, |raw| {
            is_compressed |= matches!(raw.kind, kind::COMPRESSED | kind::COMPRESSED2);
            learn(raw)
        })?;
        if is_compressed {
            self.compressed(learn)?;
        }
        spe.join(&mut self.events);
        self.spe = Some(spe);
        Ok(())
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

    /// Returns true if an event has no samples of its own: it is there for other records, or for the data of a tracer.
    #[cfg(feature = "profile")]
    pub(crate) fn is_carrier(&self, index: usize, event: &Event) -> bool {
        let is_traced = |spe: &Spe| spe.is_carrier(index, event);
        event.is_dummy() || self.spe.as_ref().is_some_and(is_traced)
    }

    /// The facts.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The problems, once the records have been read.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// The faults of the parts that have been read so far.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Calls `each` for every record of the kernel, from the first one; those that were compressed come last.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read; what is wrong in it is in [`problems`](Reader::problems), once however often it is read.
    pub fn records(&mut self, mut each: impl FnMut(Raw<'_>)) -> io::Result<()> {
        self.records_until(|raw| {
            each(raw);
            ControlFlow::Continue(())
        })
    }

    /// Calls `each` as [`records`](Reader::records) does, but for no samples, so that none are made of the data of a tracer.
    ///
    /// # Errors
    /// As [`records`](Reader::records).
    pub fn records_but_samples(&mut self, mut each: impl FnMut(Raw<'_>)) -> io::Result<()> {
        self.records_of(Which::ButSamples, |raw| {
            if raw.kind != kind::SAMPLE {
                each(raw);
            }
            ControlFlow::Continue(())
        })
    }

    /// Calls `each` as [`records`](Reader::records) does, until it says that the rest is not wanted.
    ///
    /// # Errors
    /// As [`records`](Reader::records).
    pub fn records_until(
        &mut self,
        each: impl FnMut(Raw<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        self.records_of(Which::All, each)
    }

    fn records_of(
        &mut self,
        which: Which,
        mut each: impl FnMut(Raw<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let (mut is_compressed, mut is_over) = (false, false);
        let (mut tracer, mut aux) = ("of an unknown tracer", 0_u64);
        self.spe.iter_mut().for_each(Spe::restart);
        self.walk(which, |raw| {
            match raw.kind {
                kind::COMPRESSED | kind::COMPRESSED2 => is_compressed = true,
                kind::AUXTRACE_INFO => tracer = stream::tracer(&raw).unwrap_or(tracer),
                kind::AUXTRACE => aux = aux.saturating_add(following(&raw)),
                kind if kind >= kind::FIRST => {}
                _ => {
                    let flow = each(raw);
                    is_over = flow.is_break();
                    return flow;
                }
            }
            ControlFlow::Continue(())
        })?;
        let of_spe: Option<Vec<Problem>> = self.spe.as_ref().map(|spe| spe.problems().collect());
        let undecoded =
            (of_spe.is_none() && aux > 0).then_some(Problem::Aux { tracer, bytes: aux });
        of_spe.into_iter().flatten().chain(undecoded).for_each(|problem| self.found(problem));
        if is_compressed && !is_over {
            self.compressed(each)?;
        }
        Ok(())
    }

    /// Calls `each` for every record that was compressed.
    fn compressed(&mut self, each: impl FnMut(Raw<'_>) -> ControlFlow<()>) -> io::Result<()> {
        let data = self.data.clone();
        if let Some(what) = compressed::records(&mut self.source, data.clone(), each)? {
            self.found(Problem::Damaged { offset: data.end, what });
        }
        Ok(())
    }

    /// Calls `each` for every record, those that perf adds included, and for the samples that are made of the data of SPE, if they are wanted.
    fn walk(
        &mut self,
        which: Which,
        mut each: impl FnMut(Raw<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let (mut offset, end) = (self.data.start, self.data.end);
        self.source.seek(SeekFrom::Start(offset))?;
        let mut records = RawRecords::new(self.source.get_mut());
        let mut damaged = None;
        while offset < end {
            let raw = match records.next(offset, end - offset)? {
                Ok(raw) => raw,
                Err(what) => {
                    damaged = Some(Problem::Damaged { offset, what });
                    break;
                }
            };
            let following = following(&raw);
            let is_made = which == Which::All && raw.kind == kind::AUXTRACE;
            let mut spe = self.spe.as_mut().filter(|_| is_made);
            spe.iter_mut().for_each(|spe| spe.begin(&raw));
            offset += raw.bytes.len() as u64;
            if each(raw).is_break() {
                break;
            }
            let left = following.min(end.saturating_sub(offset));
            if left < following
                && !self.problems.iter().any(|of| matches!(of, Problem::CutOff { .. }))
            {
                let what = "the data of a tracer are longer than the rest of the file";
                damaged = Some(Problem::Damaged { offset, what });
            }
            offset = offset.saturating_add(following);
            if let Some(spe) = spe {
                if records.pieces(left, |bytes| spe.take(bytes, &mut each))?.is_break() {
                    break;
                }
            } else if left > 0 && offset < end {
                records.skip(left)?;
            }
        }
        damaged.into_iter().for_each(|problem| self.found(problem));
        Ok(())
    }

    /// Keeps a problem, once.
    fn found(&mut self, problem: Problem) {
        let is_same = |known: &Problem| match (known, &problem) {
            (Problem::Damaged { offset: a, .. }, Problem::Damaged { offset: b, .. }) => a == b,
            _ => discriminant(known) == discriminant(&problem),
        };
        if !self.problems.iter().any(is_same) {
            self.problems.push(problem);
        }
    }
}

fn is_known(bit: u32) -> bool {
    use feature::{
        ARCH, BUILD_ID, COMMAND_LINE, CPUID, CPUS, EVENTS, HOSTNAME, MEM_TOPOLOGY, NUMA_TOPOLOGY,
        OS_RELEASE, RANK, SAMPLE_TIME, TRACING_DATA, VERSION,
    };
    let of_machine =
        [BUILD_ID, HOSTNAME, OS_RELEASE, VERSION, ARCH, CPUS, CPUID, NUMA_TOPOLOGY, MEM_TOPOLOGY];
    let of_recording = [COMMAND_LINE, EVENTS, SAMPLE_TIME, RANK, TRACING_DATA];
    of_machine.contains(&bit) || of_recording.contains(&bit)
}

/// This many bytes, which the caller has checked to be in the file.
fn all(source: &mut impl Read, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}
