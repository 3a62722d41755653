//! The stack of a sample before its addresses are those of the profile.

#[cfg(feature = "unwind")]
use super::copies::UserStack;
use super::request::CallGraph;
use counterpoint_perf::records::{Level, Sample};

/// The stack of a sample as its record has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawStack {
    /// The addresses, the innermost first: of all code, or of the kernel's only.
    pub(super) chain: Vec<u64>,
    /// The number of them that are of the kernel.
    pub(super) kernel: usize,
    #[cfg(feature = "unwind")]
    pub(super) user: Option<Box<UserStack>>,
}

impl RawStack {
    /// Becomes the stack of a sample that was taken for such a call graph.
    pub(crate) fn read(&mut self, sample: &Sample<'_>, graph: &CallGraph) {
        let RawStack { chain, kernel, .. } = self;
        let callchain = sample.callchain.filter(|_| !matches!(graph, CallGraph::Innermost));
        let addresses = callchain.into_iter().flat_map(|chain| chain.iter());
        let known = addresses.filter(|(level, _)| matches!(level, Level::Kernel | Level::User));
        chain.clear();
        *kernel = 0;
        chain.extend(known.map(|(level, address)| {
            *kernel += usize::from(level == Level::Kernel);
            address
        }));
        if let CallGraph::CallRecords = graph {
            let mut calls = sample.branches.into_iter().flat_map(|branches| branches.iter());
            let first = calls.next();
            chain.extend(match sample.level {
                Level::User => sample.ip,
                _ => first.map(|(_, to)| to),
            });
            // Those of a chain are behind the call, and these are that of the call.
            chain.extend(first.into_iter().chain(calls).map(|(from, _)| from.saturating_add(1)));
        }
        #[cfg(feature = "unwind")]
        UserStack::read(&mut self.user, sample);
    }

    /// Returns true if there are functions of the kernel in it.
    pub(crate) fn has_kernel(&self) -> bool {
        self.kernel > 0
    }

    /// The bytes that it takes.
    pub(crate) fn size(&self) -> usize {
        #[cfg(feature = "unwind")]
        let copied = self.user.as_ref().map_or(0, |user| user.size());
        #[cfg(not(feature = "unwind"))]
        let copied = 0;
        size_of::<RawStack>() + self.chain.len() * size_of::<u64>() + copied
    }
}
