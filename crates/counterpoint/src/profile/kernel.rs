//! The kernel's code: where it is, and the names of its functions.

use super::places::UNKNOWN_KERNEL;
use counterpoint_perf::Host;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The addresses of the kernel's code and of its modules, and the names of their functions, as far as this user may know them.
///
/// They are those of `/proc/kallsyms` and `/proc/modules`, which the kernel takes some 40 ms to write.
/// Clones share one table, which takes some 10 MB.
///
/// ```
/// use counterpoint::perf::Host;
/// use counterpoint::profile::KernelSymbols;
///
/// let symbols = KernelSymbols::read(&Host::local());
/// match symbols.address("schedule") {
///     Some(address) => assert_eq!(symbols.function(address).unwrap().1.start, address),
///     None => println!("this user may not know it"),
/// }
/// ```
#[derive(Clone, Default)]
pub struct KernelSymbols(Arc<Table>);

#[derive(Clone, Default)]
struct Table {
    texts: Vec<(String, Range<u64>)>,
    /// `/proc/kallsyms`.
    list: Vec<u8>,
    /// The address of each function, and where its name begins in the list: a string for each of a hundred thousand would take longer than to read them.
    functions: Vec<(u64, usize)>,
}

impl KernelSymbols {
    /// Reads those of a machine; none if this user may not know them.
    pub fn read(host: &Host) -> KernelSymbols {
        let (mut table, text) = Table::parse(host.bytes("/proc/kallsyms").unwrap_or_default());
        table.texts.extend(text.map(|range| ("[kernel]".to_string(), range)));
        table.texts.extend(modules(host));
        KernelSymbols(Arc::new(table))
    }

    /// The same functions, with the addresses of the code as a recording has them.
    #[must_use]
    pub fn with_texts(mut self, texts: Vec<(String, Range<u64>)>) -> KernelSymbols {
        Arc::make_mut(&mut self.0).texts = texts;
        self
    }

    /// The addresses of the kernel's code as `[kernel]`, followed by those of its modules as `[name]`, without overlaps.
    pub fn texts(&self) -> &[(String, Range<u64>)] {
        &self.0.texts
    }

    /// The address of a function; `None` if this user may not know it.
    pub fn address(&self, name: &str) -> Option<u64> {
        let mut functions = self.0.functions.iter();
        functions.find(|(_, at)| self.0.name(*at) == name.as_bytes()).map(|(address, _)| *address)
    }

    /// The name of the function at an address, which reaches to the next one, and its addresses.
    pub fn function(&self, address: u64) -> Option<(&str, Range<u64>)> {
        if address >= UNKNOWN_KERNEL {
            return None;
        }
        let functions = &self.0.functions;
        let after = functions.partition_point(|(start, _)| *start <= address);
        let (start, at) = functions[..after].last()?;
        let end = functions.get(after).map_or(u64::MAX, |(next, _)| *next);
        Some((str::from_utf8(self.0.name(*at)).unwrap_or("[unknown]"), *start..end))
    }
}

impl fmt::Debug for KernelSymbols {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("KernelSymbols");
        shown.field("texts", &self.0.texts).field("functions", &self.0.functions.len()).finish()
    }
}

impl Table {
    /// Reads lines of `ADDRESS TYPE NAME`, and of those of modules also `\t[MODULE]`; returns the addresses of the kernel's own code, too.
    fn parse(list: Vec<u8>) -> (Table, Option<Range<u64>>) {
        let mut functions = Vec::new();
        let (mut start, mut end) = (None, None);
        let mut at = 0;
        while at < list.len() {
            let rest = &list[at..];
            let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            let line = &rest[..length];
            if let Some((address, kind, name)) = symbol(line) {
                match &line[name..] {
                    b"_stext" => start = Some(address),
                    b"_etext" => end = Some(address),
                    _ => {}
                }
                if matches!(kind, b't' | b'T') {
                    functions.push((address, at + name));
                }
            }
            at += length + 1;
        }
        let mut table = Table { texts: Vec::new(), list, functions: Vec::new() };
        // The kernel lists most of them by address, but several at one address in any order.
        functions.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| table.name(a.1).cmp(table.name(b.1))));
        table.functions = functions;
        let text = start.zip(end).map(|(start, end)| start..end);
        (table, text.filter(|text| !text.is_empty()))
    }

    /// The name that begins at a place of the list.
    fn name(&self, at: usize) -> &[u8] {
        let rest = &self.list[at..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        &rest[..end]
    }
}

/// The address, the type, and where the name begins; `None` for an address that this user may not know.
fn symbol(line: &[u8]) -> Option<(u64, u8, usize)> {
    // An address has at most 16 digits.
    let digits = line.iter().take(17).position(|byte| *byte == b' ')?;
    let [b' ', kind, b' ', ..] = line[digits..] else { return None };
    let address = line[..digits].iter().try_fold(0_u64, |address, digit| {
        Some(address << 4 | u64::from(char::from(*digit).to_digit(16)?))
    })?;
    (address > 0).then_some((address, kind, digits + 3))
}

/// Each line is `NAME SIZE USERS NEEDED STATE ADDRESS`; the address is 0 if this user may not know it.
fn modules(host: &Host) -> Vec<(String, Range<u64>)> {
    let text = host.text("/proc/modules").unwrap_or_default();
    let module = |line: &str| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let &[name, size, _, _, _, address, ..] = fields.as_slice() else { return None };
        let start = u64::from_str_radix(address.strip_prefix("0x")?, 16).ok()?;
        let end = start.checked_add(size.parse().ok()?)?;
        (start > 0 && start < end).then(|| (format!("[{name}]"), start..end))
    };
    let mut modules: Vec<_> = text.lines().filter_map(module).collect();
    modules.sort_by_key(|(_, range)| range.start);
    modules.dedup_by_key(|(_, range)| range.start);
    // The size includes data, which may be elsewhere, so a range must not extend into the code of the next module.
    for next in 1..modules.len() {
        let start = modules[next].1.start;
        let (_, range) = &mut modules[next - 1];
        range.end = range.end.min(start);
    }
    modules
}

/// The symbols of a machine, read once for all profiles of a set, when one of them has a sample of the kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kernel(Arc<OnceLock<KernelSymbols>>);

impl Kernel {
    /// Sets those of a recording, if they are not known yet.
    pub(crate) fn set(&self, symbols: KernelSymbols) {
        let _ = self.0.set(symbols);
    }

    pub(crate) fn symbols(&self, host: &Host) -> &KernelSymbols {
        self.0.get_or_init(|| KernelSymbols::read(host))
    }

    /// Those that are known; none if they have neither been read nor been set.
    pub(crate) fn known(&self) -> KernelSymbols {
        self.0.get().cloned().unwrap_or_default()
    }
}
