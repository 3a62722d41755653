//! The shares of equal programs that are found different, and of different ones that are not.

use crate::noise::{Drift, Noise};
use counterpoint_compare::{Comparison, Verdict, verdicts};

const TRIES: usize = 1000;

/// The kinds of events that are compared together.
const EVENTS: usize = 4;

/// The order in which two programs are run.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// In turn, with one noise of the machine.
    Turns,
    /// One after the other, each with its own noise.
    Apart,
}

/// The values of runs of two programs: a time with drift and a long tail, a rare count, a steady one, and one that is rounded.
fn rounds(
    noise: &mut Noise,
    order: Order,
    runs: usize,
    factor: f64,
) -> [(Vec<f64>, Vec<f64>); EVENTS] {
    let mut drifts = [Drift::new(noise, 0.8), Drift::new(noise, 0.8)];
    let mut events: [(Vec<f64>, Vec<f64>); EVENTS] = Default::default();
    for _ in 0..runs {
        let mut run = |side: usize, factor: f64| {
            let slow = drifts[if order == Order::Turns { 0 } else { side }].next(noise);
            let time = 12.0 * factor * (0.05 * slow + 0.05 * noise.normal()).exp();
            let rare = (noise.normal() - 1.0).max(0.0).round();
            let steady = 1000.0 * factor + noise.normal();
            let rounded = (50.0 * factor + 1.1 * noise.normal()).round();
            [time, rare, steady, rounded]
        };
        let (base, other) = (run(0, 1.0), run(1, factor));
        for (event, (base, other)) in events.iter_mut().zip(base.into_iter().zip(other)) {
            event.0.push(base);
            event.1.push(other);
        }
    }
    events
}

/// The share of tries in which `is_found` holds for the verdicts.
fn share(
    order: Order,
    runs: usize,
    factor: f64,
    compare: fn(&[f64], &[f64]) -> Option<Comparison>,
    is_found: fn(&[Verdict]) -> bool,
) -> f64 {
    let mut noise = Noise::new(20_261_123);
    let found = (0..TRIES).filter(|_| {
        let events = rounds(&mut noise, order, runs, factor);
        let all: Vec<Comparison> =
            events.iter().map(|(base, other)| compare(base, other).unwrap()).collect();
        is_found(&verdicts(&all))
    });
    found.count() as f64 / TRIES as f64
}

fn is_any(verdicts: &[Verdict]) -> bool {
    verdicts.iter().any(|verdict| matches!(verdict, Verdict::More | Verdict::Less))
}

/// In 95 of 100 tries nothing is found; the share of 1000 tries varies by 0.007.
#[test]
fn equal_programs_in_turn_are_not_found_different() {
    for runs in [5, 10, 20, 40, 100] {
        for compare in [Comparison::of_rounds, Comparison::of_samples] {
            let found = share(Order::Turns, runs, 1.0, compare, is_any);
            assert!(found < 0.06, "{runs} runs: in {found} of the tries a difference is found");
        }
    }
}

/// Of few runs it cannot be known how slowly the noise changes.
#[test]
fn equal_programs_apart_are_seldom_found_different_with_many_runs() {
    for (runs, most) in [(5, 0.15), (10, 0.18), (20, 0.13), (40, 0.11), (100, 0.09)] {
        let found = share(Order::Apart, runs, 1.0, Comparison::of_samples, is_any);
        assert!(found < most, "{runs} runs: in {found} of the tries a difference is found");
    }
}

#[test]
fn two_percent_more_are_found() {
    let is_steady = |verdicts: &[Verdict]| verdicts[2] == Verdict::More;
    assert!(share(Order::Turns, 10, 1.02, Comparison::of_rounds, is_steady) > 0.99);
    let is_time = |verdicts: &[Verdict]| verdicts[0] == Verdict::More;
    let (paired, apart) = (
        share(Order::Turns, 150, 1.02, Comparison::of_rounds, is_time),
        share(Order::Turns, 150, 1.02, Comparison::of_samples, is_time),
    );
    assert!(paired > 0.6, "in {paired} of the tries");
    assert!(paired > 1.2 * apart, "turns find it in {paired} of the tries, samples in {apart}");
}

/// The interval of the ratio covers the true one in 95 of 100 tries.
#[test]
fn intervals_cover_the_ratio() {
    let mut noise = Noise::new(7);
    for (runs, least) in [(10, 0.92), (50, 0.93)] {
        let covered = (0..TRIES).filter(|_| {
            let events = rounds(&mut noise, Order::Turns, runs, 1.1);
            let (base, other) = &events[0];
            let ratio = Comparison::of_rounds(base, other).unwrap().ratio.unwrap();
            ratio.low <= 1.1 && 1.1 <= ratio.high
        });
        let share = covered.count() as f64 / TRIES as f64;
        assert!(share > least, "{runs} runs: {share}");
    }
}

/// The samples of functions in runs that took turns: their times vary together by a tenth, and samples are taken by chance.
fn sampled(noise: &mut Noise, runs: usize, rate: f64, factor: f64) -> [Vec<(f64, f64)>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    for _ in 0..runs {
        let machine = (0.1 * noise.normal()).exp();
        for (side, factor) in sides.iter_mut().zip([1.0, factor]) {
            let rest = 1000.0 * machine;
            let mean = rate * factor * machine * (0.01 * noise.normal()).exp();
            // Nearly a Poisson distribution, also of few.
            let count = (mean + mean.sqrt() * noise.normal()).round().max(0.0);
            side.push((count, count + rest.floor()));
        }
    }
    sides
}

#[test]
fn functions_of_equal_programs_are_not_found_different_and_others_are() {
    for (rate, factor, least) in [(1.0, 20.0, 0.9), (20.0, 2.0, 0.95), (400.0, 1.2, 0.95)] {
        let mut noise = Noise::new(20_261_129);
        let mut found = |factor: f64| {
            let is_found = |_: &usize| {
                let [base, other] = sampled(&mut noise, 10, rate, factor);
                let comparison = Comparison::of_sampled_rounds(&base, &other).unwrap();
                comparison.p < 0.05
            };
            (0..TRIES).filter(is_found).count() as f64 / TRIES as f64
        };
        let equal = found(1.0);
        assert!(equal < 0.06, "rate {rate}: in {equal} of the tries a difference is found");
        let different = found(factor);
        assert!(different > least, "rate {rate}: a factor of {factor} is found in {different}");
    }
}

/// The interval of the difference has the true one in 95 of 100 tries.
#[test]
fn the_interval_of_a_function_has_its_true_difference() {
    let mut noise = Noise::new(7);
    let is_inside = |_: &usize| {
        let [base, other] = sampled(&mut noise, 10, 300.0, 1.1);
        let difference = Comparison::of_sampled_rounds(&base, &other).unwrap().difference;
        // The mean of the machine's noise is not 1.
        let truth = 30.0 * (0.1_f64.powi(2) / 2.0).exp();
        difference.low <= truth && truth <= difference.high
    };
    let inside = (0..TRIES).filter(is_inside).count() as f64 / TRIES as f64;
    assert!((0.93..=0.99).contains(&inside), "{inside}");
}
