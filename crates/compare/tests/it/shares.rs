//! Shares of samples: against published examples, and against chance.

use counterpoint_compare::{Comparison, Verdict, verdicts};

fn near(one: f64, two: f64, by: f64) -> bool {
    (one - two).abs() <= by
}

/// Newcombe, 1998, table II: examples (a) 56/70 and 48/80, (c) 10/10 and 0/10 by method 10.
#[test]
fn intervals_are_those_of_newcombe() {
    let of = |base, other| Comparison::of_shares(base, other).unwrap().difference;
    let a = of((48.0, 80.0), (56.0, 70.0));
    assert!(near(a.low, 0.0524, 1e-4) && near(a.high, 0.3339, 1e-4), "{a:?}");
    let h = of((0.0, 10.0), (10.0, 10.0));
    assert!(near(h.low, 0.6075, 1e-4) && near(h.high, 1.0, 1e-4), "{h:?}");
}

/// Fisher's tea: 3 of 4 and 1 of 4 has a p of 0.4857; all right has 0.0286.
#[test]
fn small_counts_are_tested_exactly() {
    let p = |base, other| Comparison::of_shares(base, other).unwrap().p;
    assert!(near(p((3.0, 4.0), (1.0, 4.0)), 0.485714, 1e-6));
    assert!(near(p((4.0, 4.0), (0.0, 4.0)), 0.028571, 1e-6));
    assert_eq!(p((0.0, 100.0), (0.0, 50.0)), 1.0);
    assert_eq!(p((7.0, 7.0), (9.0, 9.0)), 1.0);
    // 300 of 1000 and 350 of 1000: z is 2.3870 (pooled).
    assert!(near(p((300.0, 1000.0), (350.0, 1000.0)), 0.016986, 1e-5));
}

#[test]
fn what_has_no_samples_is_not_compared() {
    assert!(Comparison::of_shares((0.0, 0.0), (1.0, 10.0)).is_none());
    assert!(Comparison::of_shares((1.0, 10.0), (11.0, 10.0)).is_none());
    assert!(Comparison::of_shares((1.0, 10.0), (f64::NAN, 10.0)).is_none());
    assert!(Comparison::of_shares((1.0, 10.0), (-1.0, 10.0)).is_none());
    assert!(Comparison::of_shares((1.0, f64::MAX), (1.0, 10.0)).is_none());
    let huge =
        Comparison::of_shares((1.0, 2_f64.powi(53)), (2_f64.powi(30), 2_f64.powi(52))).unwrap();
    assert!(huge.p < 1e-9, "{huge:?}");
    let of = Comparison::of_shares((0.0, 1000.0), (50.0, 1000.0)).unwrap();
    assert!(of.ratio.is_none() && of.difference.low > 0.0 && of.p < 1e-9, "{of:?}");
}

/// Equal programs of forty functions are found different in 5 of 100 tries at most.
#[test]
fn equal_profiles_are_seldom_found_different() {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut wrong = 0;
    for _ in 0..400 {
        let mut counts = [[0.0; 40]; 2];
        for side in &mut counts {
            for _ in 0..1000 {
                // A few hot functions, and many with some samples.
                side[(40.0 * random().powi(3)) as usize] += 1.0;
            }
        }
        let shares = counts[0].iter().zip(&counts[1]);
        let compared: Vec<Comparison> = shares
            .map(|(one, two)| Comparison::of_shares((*one, 1000.0), (*two, 1000.0)).unwrap())
            .collect();
        let is_found = |verdict: &Verdict| matches!(verdict, Verdict::More | Verdict::Less);
        wrong += u32::from(verdicts(&compared).iter().any(is_found));
    }
    assert!(wrong <= 30, "{wrong} of 400");
}
