//! Evaluates shapes over columns: one loop over the rows per sum.

use crate::column::Column;
use crate::shape::{Shape, WIDEST};
use crate::step::Term;

/// Rows computed together, few enough that the second loop of a ratio finds its operand in the first-level cache.
const BLOCK: usize = 512;

/// The operand of constants.
const ONES: &[f64; BLOCK] = &[1.0; BLOCK];

/// Evaluates the rows from `first` on.
///
/// The operations are the same in each version, in the same order, and so are the bits of the results.
/// The macro needs a name for the lifetime.
#[cfg_attr(feature = "avx2", multiversion::multiversion(targets("x86_64+avx2")))]
pub(crate) fn eval<'a>(shape: &Shape, inputs: &[Column<'a>], first: usize, out: &mut [f64]) {
    for (at, out) in out.chunks_mut(BLOCK).enumerate() {
        let rows = Rows { inputs, first: first + at * BLOCK };
        match shape {
            Shape::Sum(terms) => rows.sum(terms, Term::NONE, out, |_, _, sum| sum),
            Shape::Rest(from, terms) => rows.sum(terms, *from, out, |_, from, sum| from - sum),
            // With one term above or below, which most ratios have, one loop has both sums.
            Shape::Ratio { numerator, denominator, scale, after } => {
                match (&**numerator, &**denominator) {
                    ([term], sum) => {
                        rows.sum(sum, *term, out, |_, from, sum| from * scale / sum * after)
                    }
                    (sum, [term]) => {
                        rows.sum(sum, *term, out, |_, from, sum| sum * scale / from * after)
                    }
                    _ => {
                        rows.sum(numerator, Term::NONE, out, |_, _, sum| sum);
                        rows.sum(denominator, Term::NONE, out, |acc, _, sum| {
                            acc * scale / sum * after
                        });
                    }
                }
            }
        }
    }
}

/// The inputs from a given row on.
struct Rows<'a> {
    inputs: &'a [Column<'a>],
    first: usize,
}

impl Rows<'_> {
    /// Sets each element of `out` to `value` of itself, `from` and the sum of `terms` in that row.
    ///
    /// Inlined, so that it is compiled for the same processor as its caller.
    #[inline(always)]
    fn sum(
        &self,
        terms: &[Term],
        from: Term,
        out: &mut [f64],
        value: impl Fn(f64, f64, f64) -> f64,
    ) {
        match terms.len() {
            1 => self.sum_of::<1>(terms, from, out, value),
            2 => self.sum_of::<2>(terms, from, out, value),
            3 => self.sum_of::<3>(terms, from, out, value),
            4 => self.sum_of::<4>(terms, from, out, value),
            5 => self.sum_of::<5>(terms, from, out, value),
            6 => self.sum_of::<6>(terms, from, out, value),
            7 => self.sum_of::<7>(terms, from, out, value),
            _ => self.sum_of::<WIDEST>(terms, from, out, value),
        }
    }

    /// The number of terms is known at compile time, so their sums stay in registers.
    #[inline(always)]
    fn sum_of<const N: usize>(
        &self,
        terms: &[Term],
        from: Term,
        out: &mut [f64],
        value: impl Fn(f64, f64, f64) -> f64,
    ) {
        let Some(terms) = terms.first_chunk::<N>() else { return };
        let count = out.len();
        let (mut columns, mut weights) = ([&[][..]; N], [0.0; N]);
        for (at, term) in terms.iter().enumerate() {
            (columns[at], weights[at]) = (&self.column(*term)[..count], term.weight);
        }
        let from_column = &self.column(from)[..count];
        for (row, out) in out.iter_mut().enumerate() {
            let mut sum = weights[0] * columns[0][row];
            for at in 1..N {
                sum += weights[at] * columns[at][row];
            }
            *out = value(*out, from.weight * from_column[row], sum);
        }
    }

    fn column(&self, term: Term) -> &[f64] {
        match self.inputs.get(term.index as usize) {
            Some(column) => &column.values[self.first..],
            None => ONES,
        }
    }
}
