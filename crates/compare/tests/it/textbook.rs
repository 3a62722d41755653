//! Samples whose results are in textbooks.

use counterpoint_compare::{Comparison, Verdict, outliers, verdicts};

/// The hours of sleep gained with two drugs by ten patients (Student, "The probable error of a mean", 1908), in an order in which neighbours do not resemble each other.
const SLEEP: [(f64, f64); 10] = [
    (0.7, 1.9),
    (3.7, 5.5),
    (-1.6, 0.8),
    (3.4, 4.4),
    (-1.2, 0.1),
    (2.0, 3.4),
    (-0.2, 1.1),
    (0.8, 1.6),
    (-0.1, -0.1),
    (0.0, 4.6),
];

fn sleep() -> (Vec<f64>, Vec<f64>) {
    SLEEP.into_iter().unzip()
}

fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 5e-4 * expected.abs().max(0.1), "{value} is not {expected}");
}

/// R's `t.test(extra ~ group)`: t = -1.8608, df = 17.776, p = 0.07939, −3.3654832 to 0.2054832.
#[test]
fn samples_are_compared_as_by_welch() {
    let (base, other) = sleep();
    let comparison = Comparison::of_samples(&base, &other).unwrap();
    assert_near(comparison.p, 0.07939);
    assert_near(comparison.difference.estimate, 1.58);
    assert_near(comparison.difference.low, -0.205_483);
    assert_near(comparison.difference.high, 3.365_483);
    assert_eq!(verdicts(&[comparison]), [Verdict::NoDifference]);
}

/// R's `t.test(…, paired = TRUE)`: t = -4.0621, df = 9, p = 0.002833, 0.7001142 to 2.4598858.
#[test]
fn rounds_are_compared_in_pairs() {
    let (base, other) = sleep();
    let comparison = Comparison::of_rounds(&base, &other).unwrap();
    assert_near(comparison.p, 0.002_833);
    assert_near(comparison.difference.low, 0.700_114);
    assert_near(comparison.difference.high, 2.459_886);
    assert_eq!(verdicts(&[comparison]), [Verdict::More]);
    // The mean of the base is 0.75 with an error of 0.57, so that no ratio has bounds.
    assert_eq!(comparison.ratio, None);
}

#[test]
fn values_that_are_always_the_same_need_some_runs() {
    let (base, other) = ([50.0; 6], [51.0; 6]);
    // 2 of 32 ways to choose the signs, and 2 of 20 ways to choose three runs of six.
    let few = [
        Comparison::of_rounds(&base[..5], &other[..5]).unwrap(),
        Comparison::of_samples(&base[..3], &other[..3]).unwrap(),
    ];
    for (comparison, p) in few.into_iter().zip([0.0625, 0.1]) {
        assert_near(comparison.p, p);
        assert_eq!((comparison.ratio, comparison.difference.high), (None, f64::INFINITY));
        assert_eq!(verdicts(&[comparison]), [Verdict::Uncertain]);
    }
    let enough = [
        Comparison::of_rounds(&base, &other).unwrap(),
        Comparison::of_samples(&base[..4], &other[..4]).unwrap(),
    ];
    for comparison in enough {
        assert_near(comparison.ratio.unwrap().margin(), 0.0);
        assert_eq!(verdicts(&[comparison]), [Verdict::More]);
    }
}

#[test]
fn what_cannot_be_compared_is_not() {
    let one = [1.0];
    assert_eq!(Comparison::of_samples(&one, &[1.0, 2.0]), None);
    assert_eq!(Comparison::of_rounds(&[1.0, 2.0], &[1.0, 2.0, 3.0]), None);
    assert_eq!(Comparison::of_rounds(&[1.0, f64::NAN], &[1.0, 2.0]), None);
    assert_eq!(Comparison::of_samples(&[1.0, f64::MAX], &[1.0, 2.0]), None);
    let none = Comparison::of_samples(&[0.0; 6], &[0.0; 6]).unwrap();
    assert_eq!((none.ratio, none.p), (None, 1.0));
}

#[test]
fn outliers_do_not_hide_each_other() {
    let mut values: Vec<f64> = (0..20).map(|i| 100.0 + f64::from(i % 5)).collect();
    (values[3], values[7]) = (180.0, 190.0);
    assert_eq!(outliers(&values), [3, 7]);
    assert_eq!(outliers(&[5.0, 5.0, 5.0, 5.0, 5.0, 9.0, 5.0, 5.0]), [] as [usize; 0]);
    assert_eq!(outliers(&[5.0, 5.1, 5.2, 9.0, 5.0, 5.1, 5.2]), [] as [usize; 0]);
    assert_eq!(outliers(&[]), [] as [usize; 0]);
}
