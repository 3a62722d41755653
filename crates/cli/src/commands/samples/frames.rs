//! The call stacks of the samples of a recording, with the addresses of each event.

use counterpoint::profil::Stacks;
use counterpoint_recording::LocatedSample;
use std::collections::HashMap;

/// The stacks of samples; addresses are numbers of [`Frames::addresses`].
pub struct Frames {
    pub stacks: Stacks,
    /// The addresses, each with its event.
    pub addresses: Vec<(usize, u64)>,
    known: HashMap<(usize, u64), u64>,
    frames: Vec<u64>,
}

/// The most different frames that are kept, in some 80 MB.
const MOST_FRAMES: usize = 1 << 20;

impl Default for Frames {
    fn default() -> Frames {
        Frames {
            stacks: Stacks::with_limit(MOST_FRAMES),
            addresses: Vec::new(),
            known: HashMap::new(),
            frames: Vec::new(),
        }
    }
}

impl Frames {
    /// The number of the stack of a sample: that of its innermost frame, or of one beyond all if there is no room.
    pub fn stack(&mut self, of: &LocatedSample<'_>) -> u32 {
        self.frames.clear();
        let one = [address(of)];
        let stack = &of.located.stack;
        for address in if stack.is_empty() { &one[..] } else { stack } {
            let next = self.addresses.len() as u64;
            let number = *self.known.entry((of.event, *address)).or_insert(next);
            if number == next {
                self.addresses.push((of.event, *address));
            }
            self.frames.push(number);
        }
        self.stacks.add(&self.frames, 0, 0).map_or(u32::MAX, |frame| frame as u32)
    }

    /// The number of the address of the sample whose stack was the last.
    pub fn innermost(&self) -> u32 {
        self.frames.first().map_or(u32::MAX, |number| *number as u32)
    }
}

fn address(of: &LocatedSample<'_>) -> u64 {
    of.located.address.unwrap_or(counterpoint::profile::UNKNOWN)
}
