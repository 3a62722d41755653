//! Laws that hold for any samples.

use counterpoint_compare::{Comparison, Verdict, outliers, verdicts};
use proptest::prelude::*;

fn samples() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    (2_usize..40).prop_flat_map(|runs| {
        let values = || prop::collection::vec(0.0..1e6, runs);
        (values(), values())
    })
}

proptest! {
    #[test]
    fn intervals_contain_their_estimates((base, other) in samples()) {
        for comparison in [Comparison::of_rounds(&base, &other), Comparison::of_samples(&base, &other)] {
            let comparison = comparison.unwrap();
            for interval in comparison.ratio.into_iter().chain([comparison.difference]) {
                prop_assert!(interval.low <= interval.estimate && interval.estimate <= interval.high);
            }
            prop_assert!((0.0..=1.0).contains(&comparison.p));
        }
    }

    /// The interval of the ratio excludes 1, and that of the difference 0, if and only if p is below 0.05.
    #[test]
    fn intervals_and_probability_agree((base, other) in samples()) {
        for comparison in [Comparison::of_rounds(&base, &other), Comparison::of_samples(&base, &other)] {
            let Comparison { ratio, difference, p, .. } = comparison.unwrap();
            if (p - 0.05).abs() > 1e-6 {
                prop_assert_eq!(p < 0.05, difference.low > 0.0 || difference.high < 0.0);
                if let Some(ratio) = ratio {
                    prop_assert_eq!(p < 0.05, ratio.low > 1.0 || ratio.high < 1.0);
                }
            }
        }
    }

    #[test]
    fn units_do_not_matter((base, other) in samples(), factor in 1e-3..1e3) {
        let scale = |values: &[f64]| values.iter().map(|value| value * factor).collect::<Vec<_>>();
        let plain = Comparison::of_rounds(&base, &other).unwrap();
        let scaled = Comparison::of_rounds(&scale(&base), &scale(&other)).unwrap();
        prop_assert!((plain.p - scaled.p).abs() < 1e-6);
        prop_assert_eq!(outliers(&base), outliers(&scale(&base)));
    }

    #[test]
    fn exchanged_programs_have_the_opposite_verdict((base, other) in samples()) {
        let one = verdicts(&[Comparison::of_samples(&base, &other).unwrap()])[0];
        let two = verdicts(&[Comparison::of_samples(&other, &base).unwrap()])[0];
        let opposite = match one {
            Verdict::More => Verdict::Less,
            Verdict::Less => Verdict::More,
            same => same,
        };
        prop_assert_eq!(two, opposite);
    }

    #[test]
    fn any_numbers_are_answered(base in prop::collection::vec(any::<f64>(), 0..9), other in prop::collection::vec(any::<f64>(), 0..9)) {
        let comparisons = [Comparison::of_rounds(&base, &other), Comparison::of_samples(&base, &other)];
        for comparison in comparisons.into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&comparison.p), "{:?}", comparison);
        }
        prop_assert!(outliers(&base).len() <= base.len());
    }
}
