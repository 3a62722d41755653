//! The parts of the elapsed time of each run.

use super::super::side::{ELAPSED, Side};
use crate::topdown::Groups;
use counterpoint::EventSet;

/// The events of the states in which threads run.
pub const RUNNING: [&str; 2] = ["user_time", "system_time"];
/// The rows of the states of threads.
pub const STATES: [&str; 3] = [RUNNING[0], RUNNING[1], OFF];
const OFF: &str = "time off the CPU";
/// The beginning of the name of a part by top-down analysis, before the metric.
const IN: &str = "time in ";
/// The level of top-down analysis that is counted, if there is one: the first that tells memory from the core.
const LEVEL: u8 = 2;
/// How much more CPU time than elapsed time a program of one thread may have, as a share and in seconds: what its process did before the program began, and a tick of the clock by which the kernel may count.
const BEFORE: (f64, f64) = (1.02, 0.004);

/// Adds to a side the time of each run in which no thread ran, and the parts by metrics of top-down analysis.
pub fn add(side: &mut Side, slots: &[String]) {
    let values = |event: &str| -> Option<Vec<Option<f64>>> {
        let series = side.series.iter().find(|series| series.event == event)?;
        let seconds = if series.unit.as_deref() == Some("ns") { 1e-9 } else { 1.0 };
        Some(series.values.iter().map(|value| Some(seconds * (*value)?)).collect())
    };
    let Some(elapsed) = values(ELAPSED) else { return };
    let mut parts: Vec<(String, Vec<Option<f64>>)> = Vec::new();
    if let (Some(user), Some(system)) = (values(RUNNING[0]), values(RUNNING[1])) {
        let off = elapsed.iter().zip(user).zip(system);
        let off: Option<Vec<f64>> =
            off.map(|((all, user), system)| off_the_cpu((*all)?, user? + system?)).collect();
        parts.extend(off.map(|off| (OFF.to_string(), off.into_iter().map(Some).collect())));
    }
    for metric in slots {
        let Some(percent) = values(metric) else { continue };
        let times = percent.into_iter().zip(&elapsed);
        let times = times.map(|(percent, all)| Some(percent? / 100.0 * (*all)?));
        parts.push((format!("{IN}{metric}"), times.collect()));
    }
    parts.into_iter().for_each(|(name, values)| side.add_time(&name, values));
}

/// `None` of several threads, of which those that run hide those that do not.
fn off_the_cpu(elapsed: f64, cpu: f64) -> Option<f64> {
    (cpu <= BEFORE.0 * elapsed + BEFORE.1).then(|| (elapsed - cpu).max(0.0))
}

/// Returns true for the name of a part by top-down analysis.
pub fn is_slots(name: &str) -> bool {
    name != ELAPSED && name.starts_with(IN)
}

/// The metrics that split all slots of the processor, as deep as it can; none without a hardware PMU.
pub fn slots(set: &EventSet) -> Vec<String> {
    if set.machine().core_pmus().is_empty() {
        return Vec::new();
    }
    let Groups::Levels(name, level) = Groups::of(LEVEL, set) else { return Vec::new() };
    let metrics = set.metrics();
    metrics
        .find(&format!("{name}{level}"))
        .iter()
        .map(|metric| metric.definition.name().to_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A side with two runs of 2 and 4 seconds, with so many seconds of user time.
    fn side(user: [f64; 2]) -> Side {
        let mut side = Side::new("side".to_string(), None);
        let values = |values: [f64; 2]| values.map(Some).to_vec();
        side.add_time(ELAPSED, values([2.0, 4.0]));
        side.add_time("user_time", values(user));
        side.add_time("system_time", values([0.5, 0.5]));
        side.add_time("tma_memory_bound", values([25.0, 50.0]));
        side
    }

    fn values<'s>(side: &'s Side, event: &str) -> Option<&'s [Option<f64>]> {
        side.series.iter().find(|series| series.event == event).map(|series| &*series.values)
    }

    #[test]
    fn a_run_is_split_over_states_and_slots() {
        let mut alone = side([1.0, 3.51]);
        add(&mut alone, &["tma_memory_bound".to_string(), "tma_not_counted".to_string()]);
        assert_eq!(values(&alone, OFF), Some(&[Some(0.5), Some(0.0)][..]));
        assert_eq!(values(&alone, "time in tma_memory_bound"), Some(&[Some(0.5), Some(2.0)][..]));
        assert_eq!(values(&alone, "time in tma_not_counted"), None);
        // Two threads that run together: nobody knows for how long neither did.
        let mut parallel = side([1.0, 7.0]);
        add(&mut parallel, &[]);
        assert_eq!(values(&parallel, OFF), None);
    }
}
