//! Sets of CPUs.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A set of CPU numbers, in the kernel's notation: `0-3,8`.
///
/// ```
/// use counterpoint_perf::CpuSet;
/// let cpus: CpuSet = "0-2,8".parse()?;
/// assert_eq!(cpus.iter().collect::<Vec<_>>(), [0, 1, 2, 8]);
/// assert_eq!(cpus.to_string(), "0-2,8");
/// # Ok::<(), counterpoint_perf::CpuListError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CpuSet(BTreeSet<u32>);

/// A Linux kernel supports at most 8,192 CPUs; a higher number than this is a typing error.
const MAX_CPU: u32 = 65_535;

impl CpuSet {
    /// The CPUs in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().copied()
    }

    /// The number of CPUs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the set contains `cpu`.
    pub fn contains(&self, cpu: u32) -> bool {
        self.0.contains(&cpu)
    }

    /// The CPUs that are in both sets.
    pub fn intersection(&self, other: &CpuSet) -> CpuSet {
        CpuSet(self.0.intersection(&other.0).copied().collect())
    }
}

impl FromIterator<u32> for CpuSet {
    fn from_iter<I: IntoIterator<Item = u32>>(cpus: I) -> CpuSet {
        CpuSet(cpus.into_iter().collect())
    }
}

impl FromStr for CpuSet {
    type Err = CpuListError;

    fn from_str(list: &str) -> Result<CpuSet, CpuListError> {
        let error = |item: &str| CpuListError { item: item.to_string() };
        let mut cpus = BTreeSet::new();
        for item in list.trim().split(',').map(str::trim).filter(|_| !list.trim().is_empty()) {
            let (first, last) = item.split_once('-').unwrap_or((item, item));
            let number = |text: &str| -> Option<u32> {
                // `parse` accepts a sign, but the kernel does not.
                text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
            };
            let first = number(first).ok_or_else(|| error(item))?;
            let last = number(last).ok_or_else(|| error(item))?;
            if first > last || last > MAX_CPU {
                return Err(error(item));
            }
            cpus.extend(first..=last);
        }
        Ok(CpuSet(cpus))
    }
}

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cpus = self.iter().peekable();
        let mut separator = "";
        while let Some(first) = cpus.next() {
            let mut last = first;
            while let Some(next) = cpus.next_if(|next| *next == last + 1) {
                last = next;
            }
            write!(f, "{separator}{first}")?;
            if last > first {
                write!(f, "-{last}")?;
            }
            separator = ",";
        }
        Ok(())
    }
}

/// An invalid list of CPUs.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{item}` is not a CPU, and not a range from a lower to a higher one; write a list such as 0-3,8"
)]
pub struct CpuListError {
    /// The invalid part of the list.
    pub item: String,
}

/// The sentence, as a `main` that returns the error prints it; `{:#?}` has the fields.
impl fmt::Debug for CpuListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.debug_struct("CpuListError").field("item", &self.item).finish();
        }
        fmt::Display::fmt(self, f)
    }
}
