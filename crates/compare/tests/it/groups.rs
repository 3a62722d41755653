//! Values with two peaks are told from those with one.

use crate::noise::Noise;
use counterpoint_compare::{groups, outliers};

const TRIES: usize = 1000;

/// The share of samples that are said to have two groups.
fn share(seed: u64, mut sample: impl FnMut(&mut Noise) -> Vec<f64>) -> f64 {
    let mut noise = Noise::new(seed);
    let found = (0..TRIES).filter(|_| groups(&sample(&mut noise)).is_some()).count();
    found as f64 / TRIES as f64
}

#[test]
fn one_peak_is_one_group() {
    for (runs, most) in [(8, 0.03), (10, 0.02), (20, 0.01), (100, 0.001)] {
        let normal = |noise: &mut Noise| (0..runs).map(|_| noise.normal()).collect();
        let tail = |noise: &mut Noise| (0..runs).map(|_| noise.normal().exp()).collect();
        let (normal, tail) = (share(1, normal), share(2, tail));
        assert!(normal <= most && tail <= most, "{runs} runs: {normal} and {tail}");
    }
}

#[test]
fn two_peaks_are_two_groups() {
    for (runs, distance, least) in [(10, 20.0, 0.9), (20, 10.0, 0.9), (100, 8.0, 0.9)] {
        let two = |noise: &mut Noise| {
            let peak = |run: usize| if run % 5 < 2 { distance } else { 0.0 };
            (0..runs).map(|run| peak(run) + noise.normal()).collect()
        };
        let share = share(3, two);
        assert!(share >= least, "{runs} runs {distance} apart: {share}");
    }
}

/// The slow runs of half of the series were once named as outliers.
#[test]
fn many_outliers_are_a_group() {
    let values = [0.61, 3.5, 0.60, 3.6, 0.62, 0.61, 3.5, 0.60, 0.61, 3.6];
    assert_eq!(outliers(&values), [] as [usize; 0]);
    let [low, high] = groups(&values).unwrap();
    assert_eq!((low.count, high.count), (6, 4));
    assert!((high.mean - 3.55).abs() < 1e-9, "{}", high.mean);
    let one = [0.61, 3.5, 0.60, 0.62, 0.61, 0.60, 0.61, 0.62];
    assert_eq!((outliers(&one), groups(&one)), (vec![1], None));
    assert_eq!(groups(&[f64::NAN; 8]), None);
    assert_eq!(groups(&[1.0; 9]), None);
    assert!(groups(&[1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]).is_some());
}
