/// How an event is counted otherwise than asked for, so that it is counted at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// In user space only: this user may not count the kernel.
    UserOnly,
    /// At every privilege level: its PMU does not tell them apart.
    EveryLevel,
    /// Apart from its group, into which it did not fit.
    Split,
    /// Not together with all events that it fits with, because the kernel, or others who hold counters, did not let them.
    PlanSplit,
    /// A preset, by an event of the kernel: no table says how this processor counts it.
    Generic,
    /// Without the children and threads that started later: this kernel does not give their values with samples.
    NoChildren,
}

impl Note {
    /// What several of them mean, as one sentence without its end; nothing if there are none.
    pub fn sentence(notes: &[Note]) -> Option<String> {
        let texts: Vec<&str> = notes.iter().map(|note| note.text()).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    /// Adds a note to others, once.
    pub(crate) fn join(self, notes: &mut Vec<Note>) {
        if !notes.contains(&self) {
            notes.push(self);
        }
    }

    /// What it means, as a sentence without its end.
    pub fn text(self) -> &'static str {
        match self {
            Note::UserOnly => "counted in user space only, as this user may not count the kernel",
            Note::EveryLevel => {
                "counted at every privilege level, as its PMU does not tell them apart"
            }
            Note::NoChildren => {
                "without children and threads that started later, whose values this kernel does not give with samples"
            }
            Note::Split => "counted apart from its group, into which it did not fit",
            Note::PlanSplit => {
                "not counted together with all events that it would fit with, as others hold counters"
            }
            Note::Generic => {
                "counted by the kernel's own event, as no table says how this processor counts it"
            }
        }
    }
}
