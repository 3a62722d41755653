use counterpoint::perf::Host;

/// The functions of the kernel, from `/proc/kallsyms`, by address.
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

    pub fn name(&self, address: u64) -> Option<&str> {
        let after = self.functions.partition_point(|(start, _)| *start <= address);
        self.functions[..after].last().map(|(_, name)| name.as_str())
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
