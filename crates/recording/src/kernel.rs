//! The kernels of recordings.

use super::file::{BuildId, Facts, build_id_of_notes};
use super::limit::KERNEL;
use super::remark::Remark;
use counterpoint::perf::Host;
use counterpoint::perf::records::Mmap;
use counterpoint::profile::{KernelSymbols, UNKNOWN_KERNEL};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

const SYMBOLS: &[u8] = b"[kernel.kallsyms]";

/// The kernels of several recordings, which are one in a profile if they are the same at the same addresses.
#[derive(Default)]
pub(crate) struct Kernels {
    first: Option<First>,
    /// Of each recording, whether its kernel is another one than that which runs here, or cannot be told.
    are_other: Vec<bool>,
    /// Some are not the first.
    are_mixed: bool,
}

/// The kernel of the first recording that has one.
struct First {
    known: Option<(String, u64)>,
    release: String,
    build_id: Option<Vec<u8>>,
    symbols: KernelSymbols,
    is_other: bool,
}

impl Kernels {
    /// The symbols for the samples of the next recording, and the remark on its kernel.
    pub(crate) fn add(
        &mut self,
        texts: Texts,
        host: &Host,
        facts: &Facts,
    ) -> (KernelSymbols, Option<Remark>) {
        let build_id = build_id(facts).map(<[u8]>::to_vec);
        let Some(first) = &self.first else {
            let (known, has_text) = (texts.known.clone(), !texts.ranges.is_empty());
            let (symbols, is_other) = texts.symbols(host, facts);
            self.are_other.push(is_other);
            let release = facts.os_release.clone();
            let first = First { known, release, build_id, symbols: symbols.clone(), is_other };
            self.first = Some(first).filter(|_| has_text);
            return (symbols, is_other.then_some(Remark::OtherKernel));
        };
        let is_same = texts.ranges.is_empty()
            || (&texts.known, &facts.os_release, &build_id)
                == (&first.known, &first.release, &first.build_id);
        self.are_mixed |= !is_same;
        self.are_other.push(!is_same || first.is_other);
        let remark = match (is_same, first.is_other) {
            (false, _) => Some(Remark::Kernels),
            (true, true) => Some(Remark::OtherKernel),
            (true, false) => None,
        };
        (first.symbols.clone(), remark)
    }

    /// Returns true if the kernel of a recording is another one than that which runs here, or cannot be told.
    pub(crate) fn is_other(&self, recording: usize) -> bool {
        self.are_other.get(recording).copied().unwrap_or(false)
    }

    /// The symbols of a profile with samples of several kernels, which have no names.
    pub(crate) fn without_names(&self) -> Option<KernelSymbols> {
        let first = self.first.as_ref().filter(|_| self.are_mixed)?;
        Some(KernelSymbols::default().with_texts(first.symbols.texts().to_vec()))
    }
}

/// The text of the kernel and its modules.
#[derive(Default)]
pub(crate) struct Texts {
    ranges: Vec<(String, Range<u64>)>,
    /// A function of the kernel with its address, which tells whether it is the one that runs here.
    known: Option<(String, u64)>,
}

impl Texts {
    /// Takes a mapping of the kernel; returns whether it is one.
    pub(crate) fn take(&mut self, map: &Mmap<'_>) -> bool {
        if map.pid != KERNEL {
            return false;
        }
        let path = map.path.as_os_str().as_bytes();
        let (name, start) = match path.strip_prefix(SYMBOLS) {
            Some(symbol) => {
                self.known = Some((String::from_utf8_lossy(symbol).into_owned(), map.offset));
                // perf before 4.0 wrote anything below the function.
                ("[kernel]".to_string(), map.start.max(map.offset & !(LARGE_PAGE - 1)))
            }
            None => (module(map.path), map.start),
        };
        // Thousands of modules would be too many for any machine.
        let last = if start < 1 << 32 { 1 << 32 } else { UNKNOWN_KERNEL };
        let range = start..map.range().end.min(last);
        if self.ranges.len() < MOST_TEXTS && !range.is_empty() {
            self.ranges.push((name, range));
        }
        true
    }

    /// The symbols, without names if the kernel is not the one that runs here; and whether it is another one, or cannot be told.
    pub(crate) fn symbols(mut self, host: &Host, facts: &Facts) -> (KernelSymbols, bool) {
        let here = |(name, address): &(String, u64)| {
            let symbols = KernelSymbols::read(host);
            (is_running(host, facts) && symbols.address(name) == Some(*address)).then_some(symbols)
        };
        let here = self.known.as_ref().and_then(here);
        let is_other = here.is_none() && !self.ranges.is_empty();
        // The kernel's text may reach over those of its modules, and beyond the last address.
        self.ranges.sort_by_key(|(_, range)| range.start);
        for next in 1..self.ranges.len() {
            let start = self.ranges[next].1.start;
            let (_, range) = &mut self.ranges[next - 1];
            range.end = range.end.min(start);
        }
        self.ranges.retain(|(_, range)| !range.is_empty());
        (here.unwrap_or_default().with_texts(self.ranges), is_other)
    }
}

/// The kernel begins at such an address.
const LARGE_PAGE: u64 = 2 << 20;

/// Returns true if the kernel of a recording runs here: by its build id, or else by its release.
fn is_running(host: &Host, facts: &Facts) -> bool {
    match build_id(facts) {
        Some(recorded) => {
            let notes = host.bytes("/sys/kernel/notes").unwrap_or_default();
            build_id_of_notes(&notes) == Some(recorded)
        }
        None => {
            let release = host.text("/proc/sys/kernel/osrelease").unwrap_or_default();
            !facts.os_release.is_empty() && facts.os_release == release.trim_end()
        }
    }
}

/// The build id of the kernel of a recording.
fn build_id(facts: &Facts) -> Option<&[u8]> {
    let is_it = |of: &&BuildId| of.is_kernel && of.path.starts_with(b"[kernel");
    facts.build_ids.iter().find(is_it).map(|of| &*of.id)
}

const MOST_TEXTS: usize = 4096;

/// The name of a module: that of its file without endings, in brackets.
fn module(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_matches(['[', ']']).split('.').next().unwrap_or_default();
    format!("[{}]", name.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::{KERNEL, Texts};
    use crate::file::{BuildId, Facts};
    use counterpoint::perf::Host;
    use counterpoint::perf::records::Mmap;
    use counterpoint_fixtures::FakeKernel;
    use std::ops::Range;
    use std::path::Path;

    const RECORDED: Range<u64> = 0xffff_ffff_8100_0000..0xffff_ffff_8180_0000;

    fn host() -> Host {
        let list = "ffffffff81000000 T _stext\nffffffff82000000 T _etext\n";
        let notes = [4, 4, 3].map(u32::to_ne_bytes).concat();
        let notes = [&notes[..], b"GNU\0", &[1, 2, 3, 4]].concat();
        let kernel = FakeKernel::new().file("/proc/kallsyms", list);
        let kernel = kernel.file("/proc/sys/kernel/osrelease", "6.1\n");
        Host::with_kernel(kernel.file("/sys/kernel/notes", notes))
    }

    /// The name of the first function, and whether the kernel is another one.
    fn names(known: Option<(&str, u64)>, facts: &Facts) -> (Option<String>, bool) {
        let known = known.map(|(name, address)| (name.to_string(), address));
        let ranges = vec![("[kernel]".to_string(), RECORDED)];
        let (symbols, is_other) = Texts { ranges: ranges.clone(), known }.symbols(&host(), facts);
        assert_eq!(symbols.texts(), ranges);
        (symbols.function(RECORDED.start).map(|(name, _)| name.to_string()), is_other)
    }

    #[test]
    fn names_are_of_the_kernel_that_was_recorded_or_there_are_none() {
        let (this, none) = ((Some("_stext".to_string()), false), (None, true));
        let start = ("_stext", RECORDED.start);
        let release = |text: &str| Facts { os_release: text.to_string(), ..Facts::default() };
        assert_eq!(names(Some(start), &release("6.1")), this);
        assert_eq!(names(Some(("_stext", RECORDED.start + 4096)), &release("6.1")), none);
        assert_eq!(names(Some(("_text", RECORDED.start)), &release("6.1")), none);
        assert_eq!(names(None, &release("6.1")), none);
        // Without KASLR, every kernel begins at one address.
        assert_eq!(names(Some(start), &release("4.14")), none);
        assert_eq!(names(Some(start), &release("")), none);
        let id = |id: &[u8]| BuildId {
            path: b"[kernel.kallsyms]".to_vec(),
            id: id.to_vec(),
            is_kernel: true,
        };
        let built = |bytes: &[u8]| Facts { build_ids: vec![id(bytes)], ..release("6.1") };
        assert_eq!(names(Some(start), &built(&[1, 2, 3, 4])), this);
        assert_eq!(names(Some(start), &built(&[9, 2, 3, 4])), none);
        assert!(!Texts::default().symbols(&host(), &release("6.1")).1);
    }

    /// As perf 3.4 and 3.8 wrote it.
    #[test]
    fn a_text_that_claims_too_much_is_cut_at_the_function_and_at_the_modules() {
        for start in [0, 0x35c0_0000] {
            let mut texts = Texts::default();
            let map = |start, length, offset, path| Mmap {
                pid: KERNEL,
                tid: 0,
                start,
                length,
                offset,
                executable: true,
                shared: false,
                path: Path::new(path),
                file: None,
                time: None,
            };
            let end = 0xffff_ffff_a000_0000_u64;
            assert!(texts.take(&map(end, 0x6000, 0, "/lib/modules/3.4.0/joydev.ko")));
            let kernel = "[kernel.kallsyms]_stext";
            assert!(texts.take(&map(start, u64::MAX - start, RECORDED.start + 0x190, kernel)));
            let (symbols, _) = texts.symbols(&host(), &Facts::default());
            let kernel = ("[kernel]".to_string(), RECORDED.start..end);
            let module = ("[joydev]".to_string(), end..end + 0x6000);
            assert_eq!(symbols.texts(), [kernel, module]);
        }
    }
}
