//! A formula's operations as a listing, and the test for additivity.

use alloc::vec::Vec;
use core::fmt;

use crate::formula::Formula;
use crate::lex;
use crate::op::{Binary, Form, Op, Unary};

impl Formula {
    /// The operations as a listing, one per line.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("sqrt(a + 2)", Syntax::Infix)?;
    /// assert_eq!(formula.listing().to_string(), "v0 = a\nv1 = 2\nv2 = v0 + v1\nv3 = sqrt v2\n");
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn listing(&self) -> impl fmt::Display + '_ {
        Listing(self)
    }

    /// Returns true if the formula is a weighted sum of inputs, so that adding up its values gives the same as adding up the inputs first.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// assert!(Formula::parse("(N0 - N1) * 4 / 8", Syntax::Infix)?.is_additive());
    /// assert!(!Formula::parse("N0 / N1", Syntax::Infix)?.is_additive());
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn is_additive(&self) -> bool {
        is_additive(self)
    }
}

/// Prints one operation per line.
struct Listing<'a>(&'a Formula);

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formula = self.0;
        for (at, op) in formula.ops.iter().enumerate() {
            write!(f, "v{at} = ")?;
            match *op {
                Op::Constant(at) => formula.constants[at as usize].fmt(f)?,
                Op::Input(at) => f.write_str(&lex::spelled(formula.names.get(at)))?,
                Op::Unary(op, a) => write!(f, "{} v{a}", op.word())?,
                Op::Binary(op, a, b) if op.form() == Form::Call => {
                    write!(f, "{} v{a}, v{b}", op.word())?;
                }
                Op::Binary(op, a, b) => write!(f, "v{a} {} v{b}", op.word())?,
                Op::Choice(a, c, b) => write!(f, "v{a} if v{c} else v{b}")?,
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// The dependence of a value on the inputs.
#[derive(Clone, Copy, PartialEq)]
enum Dependence {
    None,
    Additive,
    Other,
}

/// Returns true if the value for sums of inputs is the sum of the values.
fn is_additive(formula: &Formula) -> bool {
    use Dependence::{Additive, None, Other};
    let mut values: Vec<Dependence> = Vec::with_capacity(formula.ops.len());
    for op in &formula.ops {
        let of = |at: u32| values[at as usize];
        values.push(match *op {
            Op::Constant(_) => None,
            Op::Input(_) => Additive,
            Op::Unary(Unary::Neg, a) => of(a),
            Op::Unary(_, a) if of(a) == None => None,
            Op::Unary(..) => Other,
            Op::Binary(op, a, b) => match (op, of(a), of(b)) {
                (_, None, None) => None,
                (Binary::Add | Binary::Sub, Additive, Additive) => Additive,
                (Binary::Mul | Binary::Div, Additive, None) => Additive,
                (Binary::Mul, None, Additive) => Additive,
                _ => Other,
            },
            Op::Choice(a, c, b) if [a, c, b].map(of) == [None; 3] => None,
            Op::Choice(..) => Other,
        });
    }
    values.last() == Some(&Additive)
}
