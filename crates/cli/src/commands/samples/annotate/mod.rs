//! The samples within a function: by its source lines, and by its instructions.

#[cfg(feature = "annotate")]
mod disassembly;
mod instruction;
pub mod json;
#[cfg(not(feature = "annotate"))]
mod left_out;
pub mod text;

use super::source::{self, Row};
use counterpoint::profil::write::{self as profile_writer, Profile, Share};
use counterpoint::profil::{Bucket, RegionSnapshot, Snapshot};
use counterpoint::profile::{CodePlace, Function, Symbols};
use counterpoint::symbols::Binary;
#[cfg(feature = "annotate")]
use disassembly::instructions as decoded;
use instruction::Reference;
#[cfg(not(feature = "annotate"))]
use left_out::instructions as decoded;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;

/// The function and the parts of it that were asked for.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub symbol: &'a str,
    pub parts: Parts,
}

/// The parts of a function that are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    Source,
    Instructions,
    Both,
}

/// The samples within a function.
pub struct Annotation {
    function: Function,
    /// Of all samples.
    share: Share,
    lines: Vec<Lines>,
    instructions: Vec<Instruction>,
    /// Sentences about what is not shown.
    notes: Vec<String>,
}

/// The lines of a file, whose shares are those of the function's samples.
struct Lines {
    file: String,
    rows: Vec<Row>,
}

/// An instruction, with its share of the function's samples.
struct Instruction {
    address: u64,
    text: String,
    /// The source file and the line, if they are known.
    line: Option<(String, u32)>,
    share: Option<Share>,
}

/// Those of these functions that have samples, the one with the most first.
pub fn annotations(
    profile: &Profile<'_>,
    symbols: &Symbols<'_>,
    wanted: &BTreeSet<&str>,
    parts: Parts,
) -> Vec<Annotation> {
    let mut found: Vec<(Function, Vec<&Bucket>)> = Vec::new();
    for bucket in profile.placed() {
        match found.iter_mut().find(|(of, _)| of.addresses.contains(&bucket.first)) {
            Some((_, buckets)) => buckets.push(bucket),
            None => match symbols.function(bucket.first) {
                Some(function) if wanted.contains(&*function.name) => {
                    found.push((function, vec![bucket]));
                }
                _ => {}
            },
        }
    }
    let mut annotations: Vec<Annotation> = found
        .into_iter()
        .map(|(function, buckets)| {
            let share = profile.share(buckets);
            annotation(function, share, profile, symbols, parts)
        })
        .collect();
    annotations.sort_by_key(|of| std::cmp::Reverse(of.share.count));
    annotations
}

/// The lines with samples that are shown of a function.
const LINES: usize = 1000;

fn annotation(
    function: Function,
    share: Share,
    profile: &Profile<'_>,
    symbols: &Symbols<'_>,
    parts: Parts,
) -> Annotation {
    let snapshot = within(profile.snapshot, &function);
    let own = Profile { snapshot: &snapshot, ..*profile };
    let mut notes = Vec::new();
    let sources = source::sources(&own);
    let has_lines = !sources.is_empty();
    let mut lines = Vec::new();
    if !has_lines {
        let module = function.module.display();
        notes.push(format!("{module} has no debug information of lines for this function"));
    }
    if parts != Parts::Instructions {
        for source in &sources {
            match source.rows(LINES, symbols) {
                Ok(rows) => lines.push(Lines { file: source.file.clone(), rows }),
                Err(error) => {
                    let problem = match error.kind() {
                        io::ErrorKind::NotFound => "it is not on this machine".to_string(),
                        _ => error.to_string(),
                    };
                    notes.push(format!("the source file {} is not shown: {problem}", source.file));
                    lines.push(Lines { file: source.file.clone(), rows: without_code(source) });
                }
            }
        }
    }
    let of_lines: u64 = sources.iter().map(|source| source.samples).sum();
    if has_lines && of_lines < share.count {
        let (missing, unit) = (share.count - of_lines, profile.unit());
        notes.push(format!("{missing} {unit} are at instructions without a line"));
    }
    let mut instructions = Vec::new();
    if parts != Parts::Source || !has_lines {
        match self::instructions(&function, &own, symbols) {
            Ok(all) => instructions = all,
            Err(why) => {
                let module = function.module.display();
                notes.push(format!("the instructions of {module} are not shown: {why}"));
            }
        }
    }
    Annotation { function, share, lines, instructions, notes }
}

/// The numbers of the lines, whose file is not there.
fn without_code(source: &source::Source) -> Vec<Row> {
    let row = |of: &profile_writer::LineCount| Row {
        first: of.lines.first,
        last: of.lines.last,
        code: String::new(),
        share: Some(Share { count: of.count, percent: of.percent, error: of.error }),
    };
    let mut rows: Vec<Row> = source.lines.iter().map(row).collect();
    rows.sort_by_key(|row| (row.first, row.last));
    rows
}

/// The samples of a function alone.
fn within(snapshot: &Snapshot, function: &Function) -> Snapshot {
    let mut own = Snapshot::default();
    for region in &snapshot.regions {
        let is_in = |bucket: &&Bucket| function.addresses.contains(&bucket.first);
        let buckets: Vec<Bucket> = region.buckets.iter().filter(is_in).copied().collect();
        if !buckets.is_empty() && !region.region.is_catch_all() {
            let mut of: RegionSnapshot = region.clone();
            of.buckets = buckets;
            own.regions.push(of);
        }
    }
    own
}

fn instructions(
    function: &Function,
    own: &Profile<'_>,
    symbols: &Symbols<'_>,
) -> Result<Vec<Instruction>, String> {
    let linked = match &function.code {
        CodePlace::File(linked) => linked,
        CodePlace::Kernel => {
            return Err(
                "the kernel changes its code while it runs, and does not let it be read".into()
            );
        }
        CodePlace::Memory => return Err("it was made at run time, and is in no file".into()),
    };
    let binary = symbols.binary(function.addresses.start);
    let binary = binary.ok_or("the file is not on this machine any more")?;
    let code = binary.code(linked.clone()).map_err(|error| error.to_string())?;
    let decoded = decoded(&code, linked.start, binary.architecture())?;
    let names = Names::of(binary);
    let buckets: Vec<&Bucket> = own.snapshot.regions.iter().flat_map(|of| &of.buckets).collect();
    let start = |of: &instruction::Instruction| of.address.wrapping_sub(linked.start);
    let length = function.addresses.end - function.addresses.start;
    let mut instructions = Vec::with_capacity(decoded.len());
    for (index, of) in decoded.iter().enumerate() {
        let from = function.addresses.start + start(of);
        let to = decoded.get(index + 1).map_or(length, start) + function.addresses.start;
        let first = buckets.partition_point(|bucket| bucket.first < from);
        let last = buckets.partition_point(|bucket| bucket.first < to);
        let counted = &buckets[first..last];
        let line = symbols.symbol(from).and_then(|symbol| symbol.file.zip(symbol.line));
        instructions.push(Instruction {
            address: of.address,
            text: names.added(of),
            line,
            share: (!counted.is_empty()).then(|| own.share(counted.iter().copied())),
        });
    }
    Ok(instructions)
}

/// The names of what instructions refer to.
struct Names<'a> {
    binary: &'a Binary,
    data: Vec<(Range<u64>, String)>,
}

impl<'a> Names<'a> {
    fn of(binary: &'a Binary) -> Names<'a> {
        Names { binary, data: binary.data() }
    }

    /// The text of an instruction with the name of the address to which it refers, if it has one.
    fn added(&self, of: &instruction::Instruction) -> String {
        let (address, mark) = match of.refers_to {
            Some(Reference::Branch(address)) => (address, ""),
            Some(Reference::Memory(address)) => (address, "# "),
            None => return of.text.clone(),
        };
        match self.name(address) {
            Some(name) if mark.is_empty() => format!("{} <{name}>", of.text),
            Some(name) => format!("{} {mark}{address:#x} <{name}>", of.text),
            None if mark.is_empty() => of.text.clone(),
            None => format!("{} {mark}{address:#x}", of.text),
        }
    }

    /// The function or the data at an address, and how far behind its beginning that is.
    fn name(&self, address: u64) -> Option<String> {
        let of_data = || {
            let after = self.data.partition_point(|(range, _)| range.start <= address);
            let (range, name) = self.data[..after].last()?;
            range.contains(&address).then_some((name.as_str(), range.start))
        };
        let of_code = self.binary.function(address).map(|(name, range)| (name, range.start));
        let (name, start) = of_code.or_else(of_data)?;
        Some(if address == start {
            name.to_string()
        } else {
            format!("{name}+{:#x}", address - start)
        })
    }
}
