use counterpoint_pmu::syntax::Modifiers;
use std::fmt;

/// The term that gives an event a name in results: `cpu/cycles,name=MINE/`.
pub(crate) const NAME_TERM: &str = "name";

/// The usual name of an event: its PMU if several have the event, its name, and its modifiers.
///
/// `Display` writes it in the form that [`EventSet::event`](crate::EventSet::event) reads.
///
/// ```
/// use counterpoint::{EventSet, Target};
/// let resolved = EventSet::new(Target::ThisThread).event("perf::TASK-CLOCK:u").resolve()?;
/// let id = &resolved.natives()[0].id;
/// assert_eq!((id.name.as_str(), id.modifiers.user), ("task-clock", true));
/// assert_eq!(id.to_string(), "task-clock:u");
/// # Ok::<(), counterpoint::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EventId {
    /// The PMU, if the name alone does not determine it.
    pub pmu: Option<String>,
    /// The name; for an event of the tables, with its attributes; for an event of sysfs, the terms.
    pub name: String,
    /// The modifiers that perf writes after the name.
    pub modifiers: Modifiers,
    form: Form,
}

/// The form in which the PMU and the name are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Form {
    /// `name:u`, `pmu::name:u`
    #[default]
    Name,
    /// `pmu/terms/u`
    Terms,
}

impl EventId {
    /// The event with another name on the same PMU, with the same modifiers.
    pub fn beside(&self, name: &str) -> EventId {
        EventId { name: name.to_string(), ..self.clone() }
    }

    /// An event with this name on every PMU that has it.
    pub(crate) fn name(name: &str) -> EventId {
        EventId { name: name.to_string(), ..EventId::default() }
    }

    /// `pmu/terms/`
    pub(crate) fn terms(pmu: &str, terms: &str) -> EventId {
        let (pmu, name) = (Some(pmu.to_string()), terms.to_string());
        EventId { pmu, name, form: Form::Terms, ..EventId::default() }
    }

    /// A libpfm string: `pmu::EVENT:ATTRIBUTES`.
    pub(crate) fn of_table(string: &str) -> EventId {
        match string.split_once("::") {
            Some((pmu, name)) => EventId { pmu: Some(pmu.to_string()), ..EventId::name(name) },
            None => EventId::name(string),
        }
    }

    /// The same terms on one box of the PMU; `None` if the name is not one of terms.
    pub(crate) fn on_box(&self, pmu: &str) -> Option<EventId> {
        (self.form == Form::Terms).then(|| EventId { pmu: Some(pmu.to_string()), ..self.clone() })
    }

    /// The same event with more modifiers.
    pub(crate) fn with(self, modifiers: Modifiers) -> EventId {
        EventId { modifiers: self.modifiers.with(modifiers), ..self }
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = letters(self.modifiers);
        match (&self.pmu, self.form) {
            (pmu, Form::Terms) => {
                return write!(f, "{}/{}/{letters}", pmu.as_deref().unwrap_or_default(), self.name);
            }
            (Some(pmu), Form::Name) => write!(f, "{pmu}::{}", self.name)?,
            (None, Form::Name) => f.write_str(&self.name)?,
        }
        if letters.is_empty() { Ok(()) } else { write!(f, ":{letters}") }
    }
}

/// The modifiers as they are written.
fn letters(m: Modifiers) -> String {
    let flags = [
        (m.user, "u"),
        (m.kernel, "k"),
        (m.hypervisor, "h"),
        (m.host, "H"),
        (m.guest, "G"),
        (m.exclude_idle, "I"),
        (m.precise > 0, &"ppp"[..usize::from(m.precise.min(3))]),
        (m.precise_max, "P"),
        (m.pinned, "D"),
        (m.exclusive, "e"),
        (m.weak, "W"),
        (m.sample_read, "S"),
    ];
    flags.iter().filter(|(on, _)| *on).map(|(_, letter)| *letter).collect()
}
