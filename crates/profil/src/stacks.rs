//! Counts of call stacks.

use std::collections::HashMap;

/// Call stacks with their counts, as a tree: stacks that begin with the same callers share them.
///
/// ```
/// use counterpoint_profil::Stacks;
/// let mut stacks = Stacks::with_limit(1000);
/// // The innermost frame is the first.
/// stacks.record(&[0x30, 0x20, 0x10], 1);
/// stacks.record(&[0x31, 0x20, 0x10], 1);
/// assert_eq!(stacks.frames().len(), 4);
/// assert_eq!(stacks.frames()[3].count, 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    frames: Vec<StackFrame>,
    /// The frames by caller and address.
    known: HashMap<(u32, u64), u32>,
    limit: usize,
    /// The addresses and the frames of the stack recorded last, the outermost first: the next one often has the same callers.
    last: Vec<(u64, u32)>,
    beyond: u64,
    beyond_squares: u64,
}

/// A frame of a tree of stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StackFrame {
    /// The index of its caller, which is less than its own; `None` if it is the outermost one.
    pub caller: Option<usize>,
    /// The address: of the instruction that ran, or one within the instruction that called.
    pub address: u64,
    /// The samples whose innermost frame this is, weighted if samples are.
    pub count: u64,
    /// The sum of the squared weights.
    pub squares: u64,
}

/// The caller of outermost frames in the table of known frames.
const NONE: u32 = u32::MAX;

impl Stacks {
    /// No stacks yet, and room for `limit` different frames, of which each takes at most 80 bytes.
    pub fn with_limit(limit: usize) -> Stacks {
        Stacks { limit: limit.min(NONE as usize), ..Stacks::default() }
    }

    /// Counts a stack, given with the innermost frame first.
    ///
    /// A stack for which there is no room is counted in [`beyond`](Stacks::beyond).
    pub fn record(&mut self, frames: &[u64], weight: u64) {
        self.add(frames, weight, weight.saturating_mul(weight));
    }

    /// Counts several samples of one stack: the sum of their weights, and that of the squared weights.
    ///
    /// Returns the index of its innermost frame, or `None` if there is no room for it.
    pub fn add(&mut self, frames: &[u64], weights: u64, squared: u64) -> Option<usize> {
        let addresses = frames.iter().rev();
        let known = addresses.clone().zip(&self.last).take_while(|(one, (other, _))| *one == other);
        self.last.truncate(known.count());
        let mut caller = self.last.last().map_or(NONE, |(_, frame)| *frame);
        for address in addresses.skip(self.last.len()) {
            let Some(frame) = self.frame(caller, *address) else {
                caller = NONE;
                break;
            };
            self.last.push((*address, frame));
            caller = frame;
        }
        let (count, squares) = match self.frames.get_mut(caller as usize) {
            Some(frame) => (&mut frame.count, &mut frame.squares),
            None => (&mut self.beyond, &mut self.beyond_squares),
        };
        *count = count.saturating_add(weights);
        *squares = squares.saturating_add(squared);
        (caller != NONE).then_some(caller as usize)
    }

    /// The index of a known or new frame; `None` if there is no room for a new one.
    fn frame(&mut self, caller: u32, address: u64) -> Option<u32> {
        if let Some(frame) = self.known.get(&(caller, address)) {
            return Some(*frame);
        }
        if self.frames.len() >= self.limit {
            return None;
        }
        let frame = self.frames.len() as u32;
        let caller_index = (caller != NONE).then_some(caller as usize);
        self.frames.push(StackFrame { caller: caller_index, address, count: 0, squares: 0 });
        self.known.insert((caller, address), frame);
        Some(frame)
    }

    /// The frames of the stack whose innermost frame has this index, the innermost first; none if there is no such frame.
    ///
    /// ```
    /// use counterpoint_profil::Stacks;
    /// let mut stacks = Stacks::with_limit(1000);
    /// let innermost = stacks.add(&[0x30, 0x20, 0x10], 1, 1).unwrap();
    /// let addresses: Vec<u64> = stacks.stack(innermost).map(|frame| frame.address).collect();
    /// assert_eq!(addresses, [0x30, 0x20, 0x10]);
    /// ```
    pub fn stack(&self, innermost: usize) -> impl Iterator<Item = &StackFrame> {
        let frame = |index: usize| self.frames.get(index);
        std::iter::successors(frame(innermost), move |of| frame(of.caller?))
    }

    /// All frames, each after its caller.
    pub fn frames(&self) -> &[StackFrame] {
        &self.frames
    }

    /// The count of stacks for which there was no room, and its squared weights.
    pub fn beyond(&self) -> (u64, u64) {
        (self.beyond, self.beyond_squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The counts by whole stacks.
    fn counted(stacks: &Stacks) -> BTreeMap<Vec<u64>, u64> {
        let mut all = BTreeMap::new();
        for frame in stacks.frames().iter().filter(|frame| frame.count > 0) {
            let mut stack = vec![frame.address];
            let mut caller = frame.caller;
            while let Some(index) = caller {
                stack.push(stacks.frames()[index].address);
                caller = stacks.frames()[index].caller;
            }
            all.insert(stack, frame.count);
        }
        all
    }

    proptest! {
        #[test]
        fn every_stack_keeps_its_own_count(
            recorded in prop::collection::vec(prop::collection::vec(0_u64..4, 1..6), 0..60),
        ) {
            let mut stacks = Stacks::with_limit(1 << 20);
            let mut expected: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
            for stack in &recorded {
                stacks.record(stack, 1);
                *expected.entry(stack.clone()).or_default() += 1;
            }
            prop_assert_eq!(counted(&stacks), expected);
            prop_assert_eq!(stacks.beyond(), (0, 0));
        }

        #[test]
        fn without_room_nothing_is_lost_but_the_stack(
            recorded in prop::collection::vec(prop::collection::vec(0_u64..9, 1..6), 0..60),
            limit in 0..20_usize,
        ) {
            let mut stacks = Stacks::with_limit(limit);
            recorded.iter().for_each(|stack| stacks.record(stack, 1));
            prop_assert!(stacks.frames().len() <= limit);
            let kept: u64 = stacks.frames().iter().map(|frame| frame.count).sum();
            prop_assert_eq!(kept + stacks.beyond().0, recorded.len() as u64);
        }
    }
}
