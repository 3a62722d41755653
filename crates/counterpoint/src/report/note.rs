/// A difference from the request in how an event is counted, without which it could not be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// In user space only: this user may not count the kernel.
    UserOnly,
    /// At every privilege level: its PMU does not distinguish them.
    EveryLevel,
    /// Split from its group, in which there was no room.
    Split,
    /// Split from events that fit with it on the counters, because the kernel or other users of counters prevent it.
    PlanSplit,
    /// A preset counted by an event of the kernel: the tables have no definition for this processor.
    Generic,
    /// Computed with 0 for boxes, such as memory controllers, that the formula names and this machine does not have.
    MissingBoxes,
    /// Computed with retire latencies that were not measured: the defaults of the vendor's files.
    DefaultLatencies,
    /// Without children and threads that start later: this kernel does not include their values in samples.
    NoChildren,
    /// By every process of the node that counts it, so that their values are not to be added up.
    OfNode,
    /// For the whole machine, and not for the target alone.
    WholeMachine,
    /// For the whole cgroup of the target.
    WholeCgroup,
    /// For the whole process of the thread.
    WholeProcess,
    /// In the thread that was in the region alone, while other threads of its process ran.
    OtherThreads,
    /// For the whole process by each of several threads that were in the region.
    ByEachThread,
    /// With the visits of the region themselves, which take 1 % of the time in it or more.
    Visits,
    /// Over the point where the counter wrapped around.
    Wrapped,
    /// Without what the counter had counted since the last reading when it was reset.
    Reset,
    /// From when its instance, such as an interface, appeared.
    Appeared,
    /// Until its instance, such as an interface, vanished.
    Vanished,
}

impl Note {
    /// Describes several notes, as one sentence without its end; `None` if there are none.
    pub fn sentence(notes: &[Note]) -> Option<String> {
        let texts: Vec<&str> = notes.iter().map(|note| note.text()).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    /// Adds the note to others, unless it is among them.
    pub(crate) fn join(self, notes: &mut Vec<Note>) {
        if !notes.contains(&self) {
            notes.push(self);
        }
    }

    /// Returns true if it may be true of one reading and not of another.
    pub(crate) fn is_of_reading(self) -> bool {
        matches!(self, Note::Wrapped | Note::Reset | Note::Appeared | Note::Vanished)
    }

    /// Describes the note, as a sentence without its end.
    pub fn text(self) -> &'static str {
        match self {
            Note::UserOnly => "counted in user space only, as this user may not count the kernel",
            Note::EveryLevel => {
                "counted at every privilege level, as its PMU does not distinguish them"
            }
            Note::NoChildren => {
                "without children and threads that started later, whose values this kernel does not include in samples"
            }
            Note::OfNode => {
                "counted by every rank of this node, as they have no local rank, so that the values of ranks do not add up"
            }
            Note::WholeMachine => "counted for the whole machine, not for the target alone",
            Note::WholeCgroup => "counted for the whole cgroup of the target",
            Note::WholeProcess => "counted for the whole process of the thread",
            Note::OtherThreads => {
                "counted in this thread alone, while other threads of the process ran"
            }
            Note::ByEachThread => {
                "counted for the whole process by each thread in the region, more than once while several were in it"
            }
            Note::Visits => {
                "counted with entering and leaving the region, which takes 1 % of the time or more"
            }
            Note::Wrapped => "counted on where the counter wrapped around",
            Note::Reset => {
                "counted without what came between the last reading and a reset of the counter"
            }
            Note::Appeared => "counted from when it appeared",
            Note::Vanished => "counted until it vanished",
            Note::Split => "split from its group, in which it did not fit",
            Note::PlanSplit => {
                "not counted together with all events that it fits with, as other counters are in use"
            }
            Note::MissingBoxes => {
                "computed with 0 for boxes above the last one of this machine, which the formula names"
            }
            Note::DefaultLatencies => {
                "computed with the retire latencies that the vendor's files have as defaults, which were not measured here"
            }
            Note::Generic => {
                "counted by an event of the kernel, as the tables have no definition for this processor"
            }
        }
    }
}
