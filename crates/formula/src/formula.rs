//! A formula, verified when it is built.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::builder::{Builder, Id, Mark, NOWHERE};
use crate::code::Code;
use crate::columns::{self, Column, ColumnMut};
use crate::error::{ColumnsError, EvalError, LimitError, ParseError, Warning};
use crate::exact;
use crate::lex;
use crate::limits::Limits;
use crate::listing::{Listing, is_additive};
use crate::names::Names;
use crate::number::Number;
use crate::op::Op;
use crate::print::{Infix, Postfix};
use crate::syntax::Syntax;
use crate::token::Language;
use crate::{infix, postfix, print, rpn};

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
    /// Parses a formula.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let error = Formula::parse("N0 * (N1 +", Syntax::Infix).unwrap_err();
    /// assert_eq!(error.span, 10..10);
    /// assert_eq!(error.to_string(), "expected a number, a name or `(` here");
    /// ```
    ///
    /// # Errors
    /// Returns the error in the text and where it is, or the limit of the default [`Limits`] that the formula exceeds.
    pub fn parse(src: &str, syntax: Syntax) -> Result<Formula, ParseError> {
        Self::parse_with(src, syntax, &Limits::default())
    }

    /// Parses a formula no larger than `limits`.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Limits, Syntax};
    ///
    /// let mut limits = Limits::default();
    /// limits.inputs = 1;
    /// assert!(Formula::parse_with("N0 * N0", Syntax::Infix, &limits).is_ok());
    /// assert!(Formula::parse_with("N0 * N1", Syntax::Infix, &limits).is_err());
    /// ```
    ///
    /// # Errors
    /// Returns the error in the text and where it is, or the limit that the formula exceeds.
    pub fn parse_with(src: &str, syntax: Syntax, limits: &Limits) -> Result<Formula, ParseError> {
        match syntax {
            Syntax::Infix => infix::parse(src, Language::Infix, limits),
            Syntax::PerfMetric => infix::parse(src, Language::Perf, limits),
            Syntax::PapiPostfix => postfix::parse(src, limits),
            Syntax::Rpn24x7 { rem, pow } => rpn::parse(src, rem, pow, limits),
        }
    }

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

    /// Where the operation with this index in [`ops`](Self::ops) first occurs in the text that the formula was parsed from, or in its `to_string()` if it was not parsed.
    ///
    /// The span of an operator is that of its sign or name; an index beyond the last operation yields `0..0`.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("cycles + misses", Syntax::Infix)?;
    /// assert_eq!((formula.span(1), formula.span(2)), (9..15, 7..8));
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn span(&self, op: usize) -> Range<usize> {
        match self.marks.get(op) {
            Some(mark) => mark.span.0 as usize..mark.span.1 as usize,
            None => print::span_in_infix(self, op),
        }
    }

    /// Where the input with this index in [`inputs`](Self::inputs) first occurs in the text, as [`span`](Self::span) says it for operations.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("100 * cpu@EVENT\\,cmask\\=1@ / cycles", Syntax::PerfMetric)?;
    /// assert!(formula.inputs().eq(["cpu/EVENT,cmask=1/", "cycles"]));
    /// assert_eq!(formula.input_span(0), 6..26);
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn input_span(&self, input: usize) -> Range<usize> {
        let is_it = |op: &Op| matches!(op, Op::Input(at) if *at as usize == input);
        self.ops.iter().position(is_it).map_or(0..0, |op| self.span(op))
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

    /// The value by the rules of IEEE 754 doubles; division by zero, for example, yields an infinity.
    ///
    /// `inputs` holds the values of [`inputs`](Self::inputs) in their order; extra values are ignored, and with too few the result is NaN.
    /// Does not allocate.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("N0 / N1", Syntax::Infix)?;
    /// assert_eq!(formula.eval(&[3.0, 2.0]), 1.5);
    /// assert_eq!(formula.eval(&[3.0, 0.0]), f64::INFINITY);
    /// assert!(formula.eval(&[3.0]).is_nan());
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    #[inline]
    pub fn eval(&self, inputs: &[f64]) -> f64 {
        if inputs.len() < self.names.len() { f64::NAN } else { self.code.eval(inputs) }
    }

    /// The value of every row of the columns, bit-identical to that of [`eval`](Self::eval), or NaN where `eval` returns NaN.
    ///
    /// `inputs` holds the columns of [`inputs`](Self::inputs) in their order, all as long as `out`; extra columns are ignored.
    /// A row has a value if all its inputs have one.
    /// Does not allocate, and uses at most 70 KB of stack in an optimized build.
    ///
    /// ```
    /// use counterpoint_formula::{Column, ColumnMut, Formula, Syntax};
    ///
    /// let difference = Formula::parse("N0 - N1", Syntax::Infix)?;
    /// let inputs = [Column::from(&[5.0, 6.0][..]), Column::from(&[1.0, 4.0][..])];
    /// let mut values = [0.0; 2];
    /// difference.eval_columns(&inputs, &mut ColumnMut { values: &mut values, validity: None })?;
    /// assert_eq!(values, [4.0, 2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if columns are missing or differ in length; nothing is written in that case.
    pub fn eval_columns(
        &self,
        inputs: &[Column<'_>],
        out: &mut ColumnMut<'_>,
    ) -> Result<(), ColumnsError> {
        columns::eval(&self.code, self.names.len(), inputs, out)
    }

    /// The value for integer inputs, exact if it is an integer.
    ///
    /// Integers are kept in 128 bits through `+ - *`, signs, `min max abs`, and through `/ % //` and powers whose result is an integer; any other result is a double from there on.
    /// Does not allocate unless the formula has more than 256 operations.
    ///
    /// ```
    /// use counterpoint_formula::{EvalErrorKind, Formula, Number, Syntax};
    ///
    /// let formula = Formula::parse("N0 / N1", Syntax::Infix)?;
    /// assert_eq!(formula.eval_exact(&[1 << 100, 2]), Ok(Number::Int(1 << 99)));
    /// assert_eq!(formula.eval_exact(&[1, 2]), Ok(Number::Real(0.5)));
    /// let error = formula.eval_exact(&[1, 0]).unwrap_err();
    /// assert_eq!((error.span, error.kind), (3..4, EvalErrorKind::DivisionByZero));
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first operation that has no value, in the order of the text, or that there are too few inputs.
    pub fn eval_exact(&self, inputs: &[i128]) -> Result<Number, EvalError> {
        exact::eval(self, inputs.len(), |at| Number::Int(inputs[at]))
    }

    /// The value for a mix of integer and real inputs; integers are kept exact as in [`eval_exact`](Self::eval_exact).
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Number, Syntax};
    ///
    /// let formula = Formula::parse("N0 * N1", Syntax::Infix)?;
    /// let inputs = [Number::Int(1 << 80), Number::Real(0.5)];
    /// assert_eq!(formula.eval_numbers(&inputs), Ok(Number::Real(f64::powi(2.0, 79))));
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first operation that has no value, in the order of the text, or that there are too few inputs.
    pub fn eval_numbers(&self, inputs: &[Number]) -> Result<Number, EvalError> {
        exact::eval(self, inputs.len(), |at| inputs[at])
    }

    /// This formula with another one substituted for an input; inputs of the same name are merged.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let ratio = Formula::parse("misses / accesses", Syntax::Infix)?;
    /// let accesses = Formula::parse("hits + misses", Syntax::Infix)?;
    /// assert_eq!(ratio.substitute("accesses", &accesses)?.to_string(), "misses / (hits + misses)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the limit of the default [`Limits`] that the result exceeds.
    pub fn substitute(&self, input: &str, with: &Formula) -> Result<Formula, LimitError> {
        self.substitute_all(&Limits::default(), |name| (name == input).then_some(with))
    }

    /// This formula with several inputs substituted at once: those for which `with` returns a formula.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Limits};
    ///
    /// let ratio: Formula = "a / b".parse()?;
    /// let parts: [(&str, Formula); 2] = [("a", "b + 1".parse()?), ("b", "a".parse()?)];
    /// let known = |name: &str| parts.iter().find(|part| part.0 == name).map(|part| &part.1);
    /// assert_eq!(ratio.substitute_all(&Limits::default(), known)?.to_string(), "(b + 1) / a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the limit that the result exceeds.
    pub fn substitute_all<'f>(
        &self,
        limits: &Limits,
        mut with: impl FnMut(&str) -> Option<&'f Formula>,
    ) -> Result<Formula, LimitError> {
        self.rebuild(limits, |builder, at| match with(self.names.get(at)) {
            Some(other) => {
                builder.import(other, |builder, at| builder.input(other.names.get(at), NOWHERE))
            }
            None => builder.input(self.names.get(at), NOWHERE),
        })
    }

    /// This formula as the last of several steps, each computed from inputs and from earlier steps.
    ///
    /// `source` maps an input of a step, given by the step's index, to an input of the result or to a step; an input mapped to a step that does not come earlier stays an input.
    /// However deeply steps build on each other, each is read once.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Limits, Source, Syntax};
    ///
    /// let hits = Formula::parse("N0 - N1", Syntax::Infix)?;
    /// let rate = Formula::parse("N0 / N1", Syntax::Infix)?;
    /// let whole = rate.compose(&[&hits], &Limits::default(), |step, input| match (step, input) {
    ///     (0, "N0") | (1, "N1") => Source::Input("accesses"),
    ///     (0, _) => Source::Input("misses"),
    ///     _ => Source::Step(0),
    /// })?;
    /// assert_eq!(whole.to_string(), "(accesses - misses) / accesses");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the limit that the result exceeds.
    pub fn compose<'s>(
        &self,
        before: &[&Formula],
        limits: &Limits,
        mut source: impl FnMut(usize, &str) -> Source<'s>,
    ) -> Result<Formula, LimitError> {
        let mut builder = Builder::new(limits, 2 * self.ops.len());
        let mut results: Vec<Id> = Vec::with_capacity(before.len());
        let steps = before.iter().copied().chain([self]).enumerate();
        for (step, formula) in steps {
            let result = builder.import(formula, |builder, at| {
                let name = formula.names.get(at);
                match source(step, name) {
                    Source::Input(name) => builder.input(name, NOWHERE),
                    Source::Step(before) => match results.get(before) {
                        Some(result) => Ok(*result),
                        None => builder.input(name, NOWHERE),
                    },
                }
            })?;
            results.push(result);
        }
        let root = results.last().copied().unwrap_or_default();
        Ok(builder.finish_unplaced(root))
    }

    /// This formula with its inputs renamed; inputs that get the same name are merged.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("N0|N1|/|", Syntax::PapiPostfix)?;
    /// let events = ["INST_RETIRED", "spr::CPU-CYCLES"];
    /// let named = formula.rename_inputs(|name| events[usize::from(name == "N1")].into());
    /// assert_eq!(named.to_string(), "INST_RETIRED / `spr::CPU-CYCLES`");
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn rename_inputs(&self, mut name: impl FnMut(&str) -> String) -> Formula {
        let new: Vec<String> = self.inputs().map(&mut name).collect();
        if self.keeps_order(&new) {
            let mut names = Names::default();
            new.iter().for_each(|name| _ = names.push(name));
            return Formula {
                ops: self.ops.clone(),
                constants: self.constants.clone(),
                names,
                marks: Vec::new(),
                warnings: Box::default(),
                code: self.code.clone(),
            };
        }
        let limits = Limits { inputs: usize::MAX, operations: usize::MAX, ..Limits::default() };
        let renamed =
            self.rebuild(&limits, |builder, at| builder.input(&new[at as usize], NOWHERE));
        // Without limits, no limit can be exceeded.
        renamed.unwrap_or_else(|_| self.clone())
    }

    /// Whether the inputs stay distinct and in their order if they get these names, so that the operations do not change.
    fn keeps_order(&self, names: &[String]) -> bool {
        let number = |name: &String| lex::index_of(name).unwrap_or(u32::MAX);
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort_unstable();
        let is_distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
        // Inputs without a number are in the order of the text.
        let of_text = self.ops.iter().filter_map(|op| match op {
            Op::Input(at) => Some(*at),
            _ => None,
        });
        let has_numbers = |all: bool| names.iter().all(|name| (number(name) != u32::MAX) == all);
        is_distinct
            && names.iter().map(number).is_sorted()
            && (has_numbers(true) || has_numbers(false) && of_text.is_sorted())
    }

    fn rebuild(
        &self,
        limits: &Limits,
        input: impl FnMut(&mut Builder<'_>, u32) -> Result<Id, LimitError>,
    ) -> Result<Formula, LimitError> {
        let mut builder = Builder::new(limits, 2 * self.ops.len());
        let root = builder.import(self, input)?;
        Ok(builder.finish_unplaced(root))
    }

    /// The formula as infix text, the same as `to_string()`; [`Syntax::Infix`] parses it to an equal formula.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("N0|N1|2|*|-|", Syntax::PapiPostfix)?;
    /// assert_eq!(formula.infix().to_string(), "N0 - N1 * 2");
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn infix(&self) -> impl fmt::Display + '_ {
        Infix(self)
    }

    /// The formula as postfix text; [`Syntax::PapiPostfix`] parses it to an equal formula.
    ///
    /// ```
    /// use counterpoint_formula::{Formula, Syntax};
    ///
    /// let formula = Formula::parse("N0-(N1+(N2*5))", Syntax::Infix)?;
    /// assert_eq!(formula.postfix().to_string(), "N0|N1|N2|5|*|+|-|");
    /// # Ok::<(), counterpoint_formula::ParseError>(())
    /// ```
    pub fn postfix(&self) -> impl fmt::Display + '_ {
        Postfix(self)
    }

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

    /// Whether the formula is a weighted sum of inputs, so that adding up its values gives the same as adding up the inputs first.
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

/// The source of an input of a step of [`Formula::compose`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// An input of the composed formula.
    Input(&'a str),
    /// The value of the step with this index.
    Step(usize),
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

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Formula({})", self.infix())
    }
}

/// Infix text that parses to an equal formula; names that are not plain are put in backquotes.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.infix().fmt(f)
    }
}

impl core::str::FromStr for Formula {
    type Err = ParseError;

    /// Parses infix text.
    fn from_str(src: &str) -> Result<Formula, ParseError> {
        Formula::parse(src, Syntax::Infix)
    }
}
