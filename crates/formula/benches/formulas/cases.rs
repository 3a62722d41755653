//! Formulas to measure, each with the same arithmetic as Rust code.

/// A function that the compiler cannot inline.
pub(crate) type Native = Box<dyn Fn(&[f64]) -> f64>;

/// A formula and its Rust equivalent over a row of inputs.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    pub(crate) native: Native,
    pub(crate) native_columns: fn(&[Vec<f64>], &mut [f64]),
}

macro_rules! case {
    ($name:literal, $text:literal, |$n:ident| $value:expr) => {
        Case {
            name: $name,
            text: $text,
            native: Box::new(|$n: &[f64]| $value),
            native_columns: |columns, out| {
                let [a, b, c, d, e, f, g, h] = std::array::from_fn(|at| &columns[at][..out.len()]);
                for (row, out) in out.iter_mut().enumerate() {
                    let $n = [a[row], b[row], c[row], d[row], e[row], f[row], g[row], h[row]];
                    *out = $value;
                }
            },
        }
    };
}

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case!("nested-sum", "N0-(N1+(N2*5))", |n| n[0] - (n[1] + (n[2] * 5.0))),
        case!("sum-of-3", "N0+N1-N2", |n| n[0] + n[1] - n[2]),
        case!("ratio", "(N0*1000000)/N1", |n| (n[0] * 1e6) / n[1]),
        case!("percentage", "(N0-N1)*100/(N0+N2)", |n| (n[0] - n[1]) * 100.0 / (n[0] + n[2])),
        case!("sum-of-8", "N0+N1+N2+N3+N4+N5+N6+N7", |n| {
            n[0] + n[1] + n[2] + n[3] + n[4] + n[5] + n[6] + n[7]
        }),
        case!("weighted-8", "N0+N1*2+N2*4+N3*8+N4*16+N5*2+N6*4+N7*8", |n| {
            n[0] + n[1] * 2.0
                + n[2] * 4.0
                + n[3] * 8.0
                + n[4] * 16.0
                + n[5] * 2.0
                + n[6] * 4.0
                + n[7] * 8.0
        }),
        case!("bandwidth", "((N0*512)/N1)*N2", |n| ((n[0] * 512.0) / n[1]) * n[2]),
        case!("products", "N0*N1/(N2+N3)-N4*N5", |n| n[0] * n[1] / (n[2] + n[3]) - n[4] * n[5]),
        case!("clamped", "max(N0-N1, 0)/N2", |n| (n[0] - n[1]).max(0.0) / n[2]),
        case!("root", "sqrt(N0*N0+N1*N1)", |n| (n[0] * n[0] + n[1] * n[1]).sqrt()),
        case!(
            "chain-of-23",
            "(((N0-N1/2)/N0*100 + (N2*256/N3)*N4 - (N5+N6)*128/N7)/8 + (N1*512/N3)*N4/(N0+N2) - N6/N7*100)*2",
            |n| {
                (((n[0] - n[1] / 2.0) / n[0] * 100.0 + (n[2] * 256.0 / n[3]) * n[4]
                    - (n[5] + n[6]) * 128.0 / n[7])
                    / 8.0
                    + (n[1] * 512.0 / n[3]) * n[4] / (n[0] + n[2])
                    - n[6] / n[7] * 100.0)
                    * 2.0
            }
        ),
    ]
}

/// The value of perf's `/`.
fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { f64::NAN } else { a / b }
}

/// Metrics in the forms that vendors publish, in perf's syntax.
pub(crate) fn metrics() -> Vec<Case> {
    vec![
        case!("per-instruction", "N0 / N1", |n| ratio(n[0], n[1])),
        case!("share", "100 * N0 / (N0 + N1)", |n| ratio(100.0 * n[0], n[0] + n[1])),
        case!("top-down", "N0 / (N1 + N2 + N3 + N0) + 0 * N4", |n| {
            ratio(n[0], n[1] + n[2] + n[3] + n[0]) + 0.0 * n[4]
        }),
        case!("rest", "max(1 - (N0 / N4 + N1 / N4 + N2 / N4), 0)", |n| {
            let rest = 1.0 - (ratio(n[0], n[4]) + ratio(n[1], n[4]) + ratio(n[2], n[4]));
            if rest > 0.0 { rest } else { 0.0 }
        }),
        case!("bandwidth", "64 * N0 / 1e6 / N5", |n| ratio(64.0 * n[0] / 1e6, n[5])),
        case!("d_ratio", "d_ratio(N0, N1) * 1000", |n| {
            (if n[1] == 0.0 { 0.0 } else { n[0] / n[1] }) * 1000.0
        }),
        case!("choice", "N0 / (N1 / 2 if N2 > N3 else N1)", |n| {
            ratio(n[0], if n[2] > n[3] { n[1] / 2.0 } else { n[1] })
        }),
        case!("latency", "1e9 * (N0 / N1) / (N2 / (4 * 2)) * N3 / 1e9", |n| {
            ratio(1e9 * ratio(n[0], n[1]), n[2] / 8.0) * n[3] / 1e9
        }),
        case!("weighted", "(5 * N0 + 9 * N1 + 40 * min(N2, N3)) / N4", |n| {
            let smaller = if n[2] < n[3] { n[2] } else { n[3] };
            ratio(5.0 * n[0] + 9.0 * n[1] + 40.0 * smaller, n[4])
        }),
        case!("threshold", "N0 / N1 > 0.2 & (N2 / N1 > 0.1 | N3 > N4)", |n| {
            let or = (ratio(n[2], n[1]) > 0.1) | (n[3] > n[4]);
            f64::from(u8::from((ratio(n[0], n[1]) > 0.2) & or))
        }),
    ]
}

/// Eight columns of positive counts.
pub(crate) fn columns(count: usize) -> Vec<Vec<f64>> {
    let rows = rows(count);
    (0..8).map(|at| rows.iter().map(|row| row[at]).collect()).collect()
}

/// Rows of 8 positive counts.
pub(crate) fn rows(count: usize) -> Vec<[f64; 8]> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % 1_000_000 + 1) as f64
    };
    (0..count).map(|_| std::array::from_fn(|_| next())).collect()
}
