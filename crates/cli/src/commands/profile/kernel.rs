use counterpoint::perf::Host;
use std::ops::Range;

/// The functions of the kernel, from `/proc/kallsyms`, by address.
#[derive(Default)]
pub struct Kernel {
    functions: Vec<(u64, String)>,
}

impl Kernel {
    /// Those that this user may see: none where the kernel hides its addresses.
    pub fn read() -> Kernel {
        let text = Host::local().text("/proc/kallsyms").unwrap_or_default();
        let mut functions: Vec<(u64, String)> = text.lines().filter_map(line).collect();
        functions.sort();
        Kernel { functions }
    }

    /// The address of a function; `None` if this user may not know it.
    pub fn address(&self, name: &str) -> Option<u64> {
        self.functions.iter().find(|(_, other)| other == name).map(|(address, _)| *address)
    }

    /// The name of the function at an address, which reaches to the next one, and its addresses.
    pub fn function(&self, address: u64) -> Option<(&str, Range<u64>)> {
        let after = self.functions.partition_point(|(start, _)| *start <= address);
        let (start, name) = self.functions[..after].last()?;
        let end = self.functions.get(after).map_or(u64::MAX, |(next, _)| *next);
        Some((name, *start..end))
    }
}

/// `ADDRESS TYPE NAME`, with a type of `t` or `T` for code.
fn line(line: &str) -> Option<(u64, String)> {
    let mut fields = line.split_ascii_whitespace();
    let address = u64::from_str_radix(fields.next()?, 16).ok().filter(|address| *address > 0)?;
    let kind = fields.next()?;
    let name = fields.next()?;
    matches!(kind, "t" | "T").then(|| (address, name.to_string()))
}
