//! The groups of metrics of top-down analysis, by the names that vendors give them.

use counterpoint::EventSet;

/// The groups of levels, without their number: of Intel and Arm, and of AMD.
const LEVELS: [&str; 2] = ["TopdownL", "PipelineL"];

/// The stacks of cycles for each instruction, which POWER has in place of the levels: the project's, and that of IBM.
const STACKS: [&str; 2] = ["cpi_stack", "cpi_breakdown"];

/// The groups of a machine down to a level.
pub enum Groups {
    /// Of levels, by the name of a level without its number: as many as there are, but at least the first.
    Levels(&'static str, u8),
    /// A stack of cycles.
    Stack(&'static str),
}

impl Groups {
    /// The groups of all levels down to this one that the machine has; the first level in any case.
    pub fn of(level: u8, set: &EventSet) -> Groups {
        let metrics = set.metrics();
        let has = |group: &str| !metrics.find(group).is_empty();
        let has_levels = |name: &&&str| has(&format!("{name}1"));
        let levels = LEVELS.iter().find(has_levels);
        let stack = STACKS.into_iter().find(|stack| has(stack));
        match (levels, stack) {
            (None, Some(stack)) => Groups::Stack(stack),
            (levels, _) => {
                let name = levels.unwrap_or(&LEVELS[0]);
                let deeper = (2..=level).take_while(|level| has(&format!("{name}{level}")));
                Groups::Levels(name, 1 + deeper.count() as u8)
            }
        }
    }

    pub fn names(&self) -> Vec<String> {
        match self {
            Groups::Levels(name, level) => (1..=*level).map(|of| format!("{name}{of}")).collect(),
            Groups::Stack(stack) => vec![(*stack).to_string()],
        }
    }
}

/// The groups that an option requests.
pub fn groups(level: Option<u8>, set: &EventSet) -> Vec<String> {
    level.map(|level| Groups::of(level, set).names()).unwrap_or_default()
}
