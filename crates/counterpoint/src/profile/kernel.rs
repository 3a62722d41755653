//! The addresses of the kernel's code, if this user may know them.

use counterpoint_perf::Host;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The text ranges of the kernel and its modules, read once for all profiles of a set.
#[derive(Clone, Debug, Default)]
pub(crate) struct KernelTexts(Arc<OnceLock<Vec<KernelText>>>);

/// The name of the kernel or of a module, in brackets, and the addresses of its code.
type KernelText = (String, Range<u64>);

impl KernelTexts {
    /// Sets those of a recording, if they are not known yet.
    pub(crate) fn set(&self, texts: Vec<KernelText>) {
        let _ = self.0.set(texts);
    }

    pub(crate) fn of(&self, host: &Host) -> &[KernelText] {
        self.0.get_or_init(|| kernel_texts(host))
    }
}

/// The addresses of the kernel's code as `[kernel]`, followed by those of its modules as `[name]`, without overlaps; none if this user may not know them.
pub fn kernel_texts(host: &Host) -> Vec<KernelText> {
    let kernel = own(host).map(|range| ("[kernel]".to_string(), range));
    kernel.into_iter().chain(modules(host)).collect()
}

fn own(host: &Host) -> Option<Range<u64>> {
    let symbols = host.bytes("/proc/kallsyms").ok()?;
    // Each line is `ADDRESS TYPE NAME`, and the lines are by address.
    let mut lines = symbols.split(|byte| *byte == b'\n');
    let mut address = |name: &[u8]| {
        let line = lines.find(|line| line.ends_with(name))?;
        let digits = line.split(|byte| *byte == b' ').next()?;
        u64::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
    };
    let range = address(b" _stext")?..address(b" _etext")?;
    (range.start < range.end).then_some(range)
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
