//! The kernel of a recording.

use super::limit::KERNEL;
use counterpoint::perf::Host;
use counterpoint::perf::records::Mmap;
use counterpoint::profile::KernelSymbols;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

const SYMBOLS: &[u8] = b"[kernel.kallsyms]";

/// The text of the kernel and its modules.
#[derive(Default)]
pub struct Texts {
    ranges: Vec<(String, Range<u64>)>,
    /// A function of the kernel with its address, which tells whether it is the one that runs here.
    known: Option<(String, u64)>,
}

impl Texts {
    /// Takes a mapping of the kernel; returns whether it is one.
    pub fn take(&mut self, map: &Mmap<'_>) -> bool {
        if map.pid != KERNEL {
            return false;
        }
        let path = map.path.as_os_str().as_bytes();
        let name = match path.strip_prefix(SYMBOLS) {
            Some(symbol) => {
                self.known = Some((String::from_utf8_lossy(symbol).into_owned(), map.offset));
                "[kernel]".to_string()
            }
            None => module(map.path),
        };
        // Thousands of modules would be too many for any machine.
        if self.ranges.len() < MOST_TEXTS {
            self.ranges.push((name, map.range()));
        }
        true
    }

    /// The symbols, without names if the kernel is not the one that runs here; and whether it is another one, or cannot be told.
    pub fn symbols(self, host: &Host) -> (KernelSymbols, bool) {
        let here = |(name, address): &(String, u64)| {
            let symbols = KernelSymbols::read(host);
            (symbols.address(name) == Some(*address)).then_some(symbols)
        };
        let here = self.known.as_ref().and_then(here);
        let is_other = here.is_none() && !self.ranges.is_empty();
        (here.unwrap_or_default().with_texts(self.ranges), is_other)
    }
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
    use super::Texts;
    use counterpoint::perf::Host;
    use counterpoint_fixtures::FakeKernel;

    #[test]
    fn names_are_of_the_kernel_that_was_recorded_or_there_are_none() {
        let list = "ffffffff81000000 T _stext\nffffffff82000000 T _etext\n";
        let host = Host::with_kernel(FakeKernel::new().file("/proc/kallsyms", list));
        let recorded = 0xffff_ffff_8100_0000_u64..0xffff_ffff_8180_0000;
        let symbols = |known: Option<(&str, u64)>| {
            let known = known.map(|(name, address)| (name.to_string(), address));
            let ranges = vec![("[kernel]".to_string(), recorded.clone())];
            let (symbols, is_other) = Texts { ranges: ranges.clone(), known }.symbols(&host);
            assert_eq!(symbols.texts(), ranges);
            (symbols.function(recorded.start).map(|(name, _)| name.to_string()), is_other)
        };
        assert_eq!(symbols(Some(("_stext", recorded.start))), (Some("_stext".to_string()), false));
        assert_eq!(symbols(Some(("_stext", recorded.start + 4096))), (None, true));
        assert_eq!(symbols(Some(("_text", recorded.start))), (None, true));
        assert_eq!(symbols(None), (None, true));
        assert!(!Texts::default().symbols(&host).1);
    }
}
