//! The facts that an x86 processor says of itself, as its recording keeps it.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The registers that the instruction `CPUID` returns for a leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cpuid {
    /// EAX.
    pub eax: u32,
    /// EBX.
    pub ebx: u32,
    /// ECX.
    pub ecx: u32,
    /// EDX.
    pub edx: u32,
}

/// The leaves of a recording: the highest leaf and the vendor, the rate of the time-stamp counter, and the base frequency.
pub(crate) const RECORDED: [u32; 3] = [0, 0x15, 0x16];

const HEADER: &str = "leaf\teax\tebx\tecx\tedx";

/// The contents of `cpuid.tsv` for these leaves.
pub(crate) fn print(leaves: impl IntoIterator<Item = (u32, Cpuid)>) -> String {
    let mut text = format!("{HEADER}\n");
    for (leaf, Cpuid { eax, ebx, ecx, edx }) in leaves {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{leaf:#x}\t{eax:#x}\t{ebx:#x}\t{ecx:#x}\t{edx:#x}");
    }
    text
}

/// Parses the contents of `cpuid.tsv`; of two lines for the same leaf, the last applies.
///
/// The error is the number of the first invalid line and what is wrong with it.
pub(crate) fn parse(bytes: &[u8]) -> Result<BTreeMap<u32, Cpuid>, (usize, String)> {
    let mut leaves = BTreeMap::new();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        match std::str::from_utf8(line).ok().and_then(parse_line) {
            Some((leaf, registers)) => drop(leaves.insert(leaf, registers)),
            // The header, which may be missing.
            None if number == 0 => {}
            None => {
                let expected = HEADER.replace('\t', " ");
                let problem = format!("not of the form `{expected}`, in hexadecimal");
                return Err((number + 1, problem));
            }
        }
    }
    Ok(leaves)
}

fn parse_line(line: &str) -> Option<(u32, Cpuid)> {
    let hex = |text: &str| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    let fields: Option<Vec<u32>> = line.split('\t').map(hex).collect();
    let &[leaf, eax, ebx, ecx, edx] = fields?.as_slice() else { return None };
    Some((leaf, Cpuid { eax, ebx, ecx, edx }))
}
