use counterpoint::perf::Host;
use std::ops::Range;

/// The functions of the kernel, from `/proc/kallsyms`, by address.
#[derive(Default)]
pub struct Kernel {
    text: Vec<u8>,
    /// The address of each function, and where its name begins in the text: a string for each of a hundred thousand would take longer than to read them.
    functions: Vec<(u64, usize)>,
}

impl Kernel {
    /// Those that this user may see: none where the kernel hides its addresses.
    pub fn read() -> Kernel {
        let text = Host::local().bytes("/proc/kallsyms").unwrap_or_default();
        let mut functions = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let line = &text[start..];
            if let Some((address, name)) = function(line) {
                functions.push((address, start + name));
            }
            start += line.iter().position(|byte| *byte == b'\n').map_or(line.len(), |end| end + 1);
        }
        let mut kernel = Kernel { text, functions: Vec::new() };
        // The kernel lists most of them by address, but several at one address in any order.
        functions
            .sort_by(|a, b| a.0.cmp(&b.0).then_with(|| kernel.name(a.1).cmp(kernel.name(b.1))));
        kernel.functions = functions;
        kernel
    }

    /// The address of a function; `None` if this user may not know it.
    pub fn address(&self, name: &str) -> Option<u64> {
        let mut functions = self.functions.iter();
        functions.find(|(_, at)| self.name(*at) == name).map(|(address, _)| *address)
    }

    /// The name of the function at an address, which reaches to the next one, and its addresses.
    pub fn function(&self, address: u64) -> Option<(&str, Range<u64>)> {
        let after = self.functions.partition_point(|(start, _)| *start <= address);
        let (start, at) = self.functions[..after].last()?;
        let end = self.functions.get(after).map_or(u64::MAX, |(next, _)| *next);
        Some((self.name(*at), *start..end))
    }

    /// The name that begins at a place of the text.
    fn name(&self, at: usize) -> &str {
        let rest = &self.text[at..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        str::from_utf8(&rest[..end]).unwrap_or("[unknown]")
    }
}

/// Of `ADDRESS TYPE NAME`, with a type of `t` or `T` for code: the address, and where the name begins.
fn function(line: &[u8]) -> Option<(u64, usize)> {
    // An address has at most 16 digits.
    let digits = line.iter().take(17).position(|byte| *byte == b' ')?;
    let [b' ', b't' | b'T', b' ', ..] = line[digits..] else { return None };
    let address = line[..digits].iter().try_fold(0_u64, |address, digit| {
        Some(address << 4 | u64::from(char::from(*digit).to_digit(16)?))
    })?;
    (address > 0).then_some((address, digits + 3))
}
