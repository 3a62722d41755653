//! A formula, verified when it is built.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::code::Code;
use crate::error::Warning;
use crate::names::Names;
use crate::number::Number;
use crate::op::Op;
use crate::span::Mark;

/// A formula over named inputs: parsed and verified once, evaluated anywhere.
///
/// Building a formula checks its size and that every operation has its operands, so evaluation can fail only because of the values.
/// Common subexpressions are shared, and operations on constants are folded if that does not change a bit of any result.
/// Two formulas are equal if they compute the same operations on the same inputs, however they were written.
///
/// ```
/// use counterpoint_formula::{Formula, Number, Syntax};
///
/// let misses = Formula::parse("N0|N1|-|100|*|N0|/|", Syntax::PapiPostfix)?;
/// assert_eq!(misses.to_string(), "(N0 - N1) * 100 / N0");
/// assert_eq!(misses.eval(&[8.0, 6.0]), 25.0);
/// assert_eq!(misses.eval_exact(&[8, 6]), Ok(Number::Int(25)));
/// # Ok::<(), counterpoint_formula::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Formula {
    pub(crate) ops: Vec<Op>,
    pub(crate) constants: Vec<Number>,
    pub(crate) names: Names,
    /// The position of each operation in the text; empty if the formula was not parsed from a text.
    pub(crate) marks: Vec<Mark>,
    pub(crate) warnings: Box<[Warning]>,
    pub(crate) code: Code,
}

impl Formula {
    /// The formula that consists of one input.
    ///
    /// ```
    /// use counterpoint_formula::Formula;
    ///
    /// let cycles = Formula::input("cpu cycles");
    /// assert_eq!((cycles.eval(&[7.0]), cycles.to_string()), (7.0, "`cpu cycles`".to_string()));
    /// ```
    pub fn input(name: &str) -> Formula {
        let mut names = Names::default();
        names.push(name);
        Formula::new(Vec::from([Op::Input(0)]), Vec::new(), Vec::new(), names)
    }

    pub(crate) fn new(
        ops: Vec<Op>,
        marks: Vec<Mark>,
        constants: Vec<Number>,
        names: Names,
    ) -> Formula {
        let code = Code::new(&ops, &constants);
        Formula { ops, constants, names, marks, warnings: Box::default(), code }
    }

    /// The names of the inputs, in the order in which evaluation takes their values.
    ///
    /// `N0` to `N65535` come first, by number; the others follow in the order of the text. Inputs that cannot change the result are omitted.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("cycles / N2 - N0", Syntax::Infix)?;
    /// assert!(formula.inputs().eq(["N0", "N2", "cycles"]));
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.names.iter()
    }

    /// The operations, each after its operands; the last one is the result.
    ///
    /// ```
    /// use counterpoint_formula::{Binary, Formula, Op, Syntax};
    ///
    /// let square = Formula::parse("(a + b) * (a + b)", Syntax::Infix)?;
    /// let (add, mul) = (Op::Binary(Binary::Add, 0, 1), Op::Binary(Binary::Mul, 2, 2));
    /// assert_eq!(square.ops(), [Op::Input(0), Op::Input(1), add, mul]);
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// The constants, to which [`Op::Constant`] refers by index.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Number, Syntax};
    ///
    /// let formula = Formula::parse("N0 * 64 + 0.5", Syntax::Infix)?;
    /// assert_eq!(formula.constants(), [Number::Int(64), Number::Real(0.5)]);
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn constants(&self) -> &[Number] {
        &self.constants
    }

    /// Warnings about the text that the formula was parsed from.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("cycles 1 2 +", Syntax::RPN_24X7)?;
    /// assert_eq!(formula.warnings()[0].span, 0..6);
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Formula) -> bool {
        let same = |(a, b): (&Number, &Number)| a.same(*b);
        self.ops == other.ops
            && self.names == other.names
            && self.constants.len() == other.constants.len()
            && self.constants.iter().zip(&other.constants).all(same)
    }
}

impl Eq for Formula {}
