//! `--own-cost`: what measuring adds to a command, by runs that are not measured, in turn with those that are.

use crate::show::to_margin;
use crate::supervisor::Outcome;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// The rounds without `-r`.
pub const ROUNDS: u32 = 10;
/// What measuring adds, in percent, from which on times are misleading.
const MUCH: f64 = 1.0;

/// The times of rounds, each with a run that was not measured and one that was.
#[derive(Clone, Default)]
pub struct OwnCost {
    elapsed: Pairs,
    cpu: Pairs,
    /// The runs in which the command failed.
    failed: [usize; 2],
}

/// Seconds without and with measuring, by round.
type Pairs = [Vec<f64>; 2];

impl OwnCost {
    /// Adds a round: the run that was not measured, and the one that was.
    pub fn add(&mut self, without: &Outcome, with: &Outcome) {
        for (side, outcome) in [without, with].into_iter().enumerate() {
            self.elapsed[side].push(outcome.elapsed.as_secs_f64());
            let cpu = outcome.times.map(|(user, system)| (user + system).as_secs_f64());
            self.cpu[side].extend(cpu);
            self.failed[side] += usize::from(outcome.exit_code() != 0);
        }
    }

    /// For programs.
    pub fn record(&self) -> AddedTimes {
        AddedTimes {
            rounds: self.elapsed[0].len(),
            elapsed_percent: added(&self.elapsed),
            cpu_percent: added(&self.cpu),
        }
    }

    /// For people; `measuring` is what was done, such as `counting`, and `less` what makes it cost less.
    pub fn sentence(&self, measuring: &str, less: &str) -> String {
        let AddedTimes { rounds, elapsed_percent, cpu_percent } = self.record();
        let times = [(elapsed_percent, "elapsed time"), (cpu_percent, "CPU time")];
        let (known, unknown): (Vec<_>, Vec<_>) = times.iter().partition(|(of, _)| of.is_some());
        let added: Vec<String> = known
            .iter()
            .filter_map(|(added, time)| Some(format!("{} to the {time}", (*added)?.words())))
            .collect();
        let mut sentences = Vec::new();
        if !added.is_empty() {
            let runs = format!("{rounds} runs with it and {rounds} without, in turn");
            sentences.push(format!("{measuring} added {} of a run ({runs})", added.join(" and ")));
        }
        let s = if rounds == 1 { "" } else { "s" };
        sentences.extend(unknown.iter().map(|(_, time)| {
            format!("what {measuring} added to the {time} is not known after {rounds} round{s}")
        }));
        if self.failed[0] != self.failed[1] {
            let [without, with] = self.failed;
            sentences
                .push(format!("the command failed in {with} runs with it and {without} without"));
        }
        if known.iter().any(|(added, _)| added.is_some_and(|added| added.low > MUCH)) {
            sentences.push(less.to_string());
        }
        sentences.join("; ")
    }
}

/// What measuring a command adds to its runs, by as many runs that are not measured.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct AddedTimes {
    /// The runs that were measured, and those that were not.
    rounds: usize,
    /// What is added to the elapsed time, in percent; `null` if it has no bounds.
    elapsed_percent: Option<Added>,
    /// What is added to the user and system time, in percent; `null` if it has no bounds.
    cpu_percent: Option<Added>,
}

/// An addition in percent, with the bounds of its 95 % interval.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Added {
    /// The estimate.
    estimate: f64,
    /// The lower bound.
    low: f64,
    /// The upper bound.
    high: f64,
}

impl Added {
    /// With the margin, or of less than the noise, the most that it can be.
    fn words(self) -> String {
        let Added { estimate, low, high } = self;
        let margin = (high - estimate).max(estimate - low);
        match () {
            () if high <= 0.0 => "nothing".to_string(),
            () if low <= 0.0 => format!("at most {} %", to_margin(high, high)),
            () if margin >= estimate => {
                format!("{} % to {} %", to_margin(low, low), to_margin(high, high))
            }
            () => format!("{} % ± {} %", to_margin(estimate, margin), to_margin(margin, margin)),
        }
    }
}

fn added([without, with]: &Pairs) -> Option<Added> {
    let ratio = counterpoint_compare::Comparison::of_rounds(without, with)?.ratio?;
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    let [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high].map(percent);
    Some(Added { estimate, low, high })
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint::perf::process::Ended;
    use std::time::Duration;

    fn own_cost(with: [u64; 4]) -> OwnCost {
        let mut own_cost = OwnCost::default();
        for (without, with) in [100_000, 100_100, 99_900, 100_000].into_iter().zip(with) {
            let run = |micros| Outcome {
                elapsed: Duration::from_micros(micros),
                ended: Some(Ended::Exited(0)),
                left: None,
                times: Some((Duration::from_micros(micros), Duration::ZERO)),
                is_interrupted: false,
                #[cfg(feature = "top")]
                interrupt: None,
            };
            own_cost.add(&run(without), &run(with));
        }
        own_cost
    }

    #[test]
    fn what_is_more_than_noise_has_a_margin_and_advice() {
        let sentence =
            own_cost([105_000, 105_050, 104_950, 105_010]).sentence("counting", "count less");
        assert!(sentence.starts_with("counting added 5.002 % ± 0."), "{sentence}");
        assert!(sentence.contains("to the elapsed time and 5.002 %"), "{sentence}");
        assert!(
            sentence.ends_with("(4 runs with it and 4 without, in turn); count less"),
            "{sentence}"
        );
    }

    #[test]
    fn noise_has_a_bound_only() {
        let sentence =
            own_cost([100_050, 99_980, 100_000, 99_990]).sentence("counting", "count less");
        assert!(sentence.starts_with("counting added at most 0.16 %"), "{sentence}");
        assert!(sentence.ends_with("in turn)"), "{sentence}");
    }

    #[test]
    fn one_round_says_nothing() {
        let mut own_cost = own_cost([100_000; 4]);
        own_cost.elapsed.iter_mut().chain(&mut own_cost.cpu).for_each(|times| times.truncate(1));
        let sentence = own_cost.sentence("counting", "count less");
        assert_eq!(
            sentence,
            "what counting added to the elapsed time is not known after 1 round; what counting added to the CPU time is not known after 1 round"
        );
    }
}
