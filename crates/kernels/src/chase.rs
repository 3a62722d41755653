//! Kernels that miss caches and TLBs: they follow addresses in a random order, so that no processor knows the next one before it has loaded it.

use crate::Kernel;
#[cfg(assembly)]
use crate::{Quantity, isa, memory::Memory, memory::page};
#[cfg(assembly)]
use std::io;

/// A data or unified cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// Its level, from 1.
    pub level: u8,
    /// Its size in bytes.
    pub bytes: u64,
    /// The size of a line in bytes.
    pub line: u32,
}

/// Most of the memory that a kernel takes.
const MOST: u64 = 1 << 30;
/// More pages than any TLB has entries.
const PAGES: usize = 1 << 14;
const TURNS: u64 = 50_000;

const PREFETCH: (f64, &str) = (
    0.25,
    "a processor may load the neighbour of a line too, and walks of page tables are loads on some",
);

#[cfg(not(assembly))]
pub(crate) fn kernels(_: &[Cache]) -> Vec<Kernel> {
    Vec::new()
}

/// A kernel for each cache, and one for the TLBs.
#[cfg(assembly)]
pub(crate) fn kernels(caches: &[Cache]) -> Vec<Kernel> {
    let last = caches.iter().map(|cache| cache.level).max();
    let mut kernels: Vec<Kernel> = caches
        .iter()
        .filter_map(|cache| {
            let above = caches.iter().find(|other| other.level == cache.level + 1);
            beyond(cache, above, Some(cache.level) == last)
        })
        .collect();
    kernels.push(tlb());
    kernels
}

/// A kernel that misses a cache, and hits the one above it if there is one.
#[cfg(assembly)]
fn beyond(cache: &Cache, above: Option<&Cache>, is_last: bool) -> Option<Kernel> {
    // Much more than the cache, because no cache replaces exactly the oldest line, and much less than the next one.
    let bytes = match above {
        Some(above) => (cache.bytes * 4).min(above.bytes / 2),
        None => (cache.bytes * 4).min(MOST),
    };
    if bytes < cache.bytes * 2 || cache.line < 8 {
        return None;
    }
    let (name, about) = match cache.level {
        1 => ("beyond-l1", "loads from more lines than the L1 cache has"),
        2 => ("beyond-l2", "loads from more lines than the L2 cache has"),
        3 => ("beyond-l3", "loads from more lines than the L3 cache has"),
        _ => return None,
    };
    let line = usize::try_from(cache.line).ok()?;
    let lines = usize::try_from(bytes).ok()? / line;
    let kernel = Kernel::new(name, about, TURNS, chasing(move || Ring::new(lines, line, 0)));
    let of_level =
        loads(kernel).expects_about(Quantity::CacheMisses(cache.level), 1, PREFETCH.0, PREFETCH.1);
    Some(if is_last {
        of_level.expects_about(Quantity::LastLevelMisses, 1, PREFETCH.0, PREFETCH.1)
    } else {
        of_level
    })
}

/// One line of each page, at ever other places, so that they are not all in the same set of a cache.
#[cfg(assembly)]
fn tlb() -> Kernel {
    const LINE: usize = 64;
    let about = "loads from more pages than TLBs have entries";
    let kernel = Kernel::new("pages", about, TURNS, chasing(|| Ring::new(PAGES, page(), LINE)));
    let why = "a processor may walk the tables for pages that it does not need";
    loads(kernel).expects_about(Quantity::TlbMisses, 1, 0.1, why)
}

#[cfg(assembly)]
fn loads(kernel: Kernel) -> Kernel {
    let why = "some processors count the return from an interrupt as an instruction";
    kernel.expects_about(Quantity::Instructions, 3, 0.0001, why).expects_about(
        Quantity::Loads,
        1,
        0.02,
        "some processors count loads that are repeated",
    )
}

/// Memory whose words are the addresses of others, in a circle.
#[cfg(assembly)]
struct Ring {
    /// Where the next run begins.
    at: usize,
    _memory: Memory,
}

/// Follows a ring that is made when it is first followed.
#[cfg(assembly)]
fn chasing(new: impl Fn() -> io::Result<Ring> + 'static) -> impl FnMut(u64) -> io::Result<()> {
    let mut ring = None;
    move |turns| {
        let ring = match &mut ring {
            Some(ring) => ring,
            none => none.insert(new()?),
        };
        ring.follow(turns);
        Ok(())
    }
}

#[cfg(assembly)]
#[allow(unsafe_code, reason = "addresses in memory are followed")]
impl Ring {
    /// So many places, which are `stride` bytes apart, and each `shift` bytes further than the one before as long as it fits the stride.
    fn new(places: usize, stride: usize, shift: usize) -> io::Result<Ring> {
        let mut memory = Memory::new(places * stride)?;
        let words = memory.words();
        let first = words.as_mut_ptr().expose_provenance();
        let shifts = stride.checked_div(shift).unwrap_or(1);
        let place = |index: usize| (index * stride + index % shifts * shift) / size_of::<usize>();
        // Sattolo's algorithm: a random order that is one circle.
        let mut order: Vec<usize> = (0..places).collect();
        let mut random = 1_u64;
        for index in (1..places).rev() {
            random = random.wrapping_mul(isa::RANDOM.0).wrapping_add(isa::RANDOM.1);
            order.swap(index, (random >> 33) as usize % index);
        }
        for (index, next) in order.iter().enumerate() {
            words[place(index)] = first + place(*next) * size_of::<usize>();
        }
        Ok(Ring { at: first, _memory: memory })
    }

    fn follow(&mut self, turns: u64) {
        // SAFETY: each place has the address of another place of the same memory, which is alive as long as the ring.
        self.at = unsafe { isa::chase(turns, self.at) };
    }
}
