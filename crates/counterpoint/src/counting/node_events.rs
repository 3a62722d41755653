/// The process that counts events of the whole node when several processes of a parallel job count on it.
///
/// Events of PMUs that count for whole packages, such as energies, are of the node, and so are all events of a [`Target`](crate::Target) of CPUs.
/// If each process counted them, the sum over the processes would have them several times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeEvents {
    /// Each process counts those of its target; those of packages need a target of CPUs.
    #[default]
    OfTarget,
    /// This process counts them, those of packages also beside a target of processes.
    Here,
    /// Like [`NodeEvents::Here`], in each process, because it is not known which of them is the first: their values have [`Note::OfNode`](crate::Note::OfNode).
    Everywhere,
    /// Another process counts them: they are not opened, and have [`Reason::CountedElsewhere`](crate::Reason::CountedElsewhere).
    Elsewhere,
}
