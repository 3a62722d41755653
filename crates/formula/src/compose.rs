//! Makes formulas of formulas.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::builder::{Builder, Id};
use crate::error::LimitError;
use crate::formula::Formula;
use crate::lex;
use crate::limits::Limits;
use crate::names::Names;
use crate::op::Op;
use crate::span::NOWHERE;

/// The source of an input of a step of [`Formula::compose`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// An input of the composed formula.
    Input(&'a str),
    /// The value of the step with this index.
    Step(usize),
}

impl Formula {
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

    /// Returns true if the inputs stay distinct and in their order if they get these names, so that the operations do not change.
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
}
