//! Terms of a PMU to config words.

use super::error::{TermError, TermErrorKind};
use super::format::{Format, Register};
use super::pmu::{Event, Pmu, is_placeholder};
use crate::similar::similar_names;
use crate::syntax::{Term, Value};

/// The config words that the terms of an event give.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Config {
    /// `perf_event_attr.config`
    pub config: u64,
    /// `perf_event_attr.config1`
    pub config1: u64,
    /// `perf_event_attr.config2`
    pub config2: u64,
    /// `perf_event_attr.config3`
    pub config3: u64,
    /// `perf_event_attr.config4`
    pub config4: u64,
    /// The named event among the terms; [`Pmu::event`] has its scale and unit.
    pub event: Option<String>,
    /// `name=`: the name of the event in reports.
    pub name: Option<String>,
    /// `period=`: sample after this many counts.
    pub period: Option<u64>,
    /// `freq=`: sample this often in a second.
    pub freq: Option<u64>,
}

impl Config {
    /// One of the config words.
    pub fn register(&self, register: Register) -> u64 {
        match register {
            Register::Config => self.config,
            Register::Config1 => self.config1,
            Register::Config2 => self.config2,
            Register::Config3 => self.config3,
            Register::Config4 => self.config4,
        }
    }

    fn register_mut(&mut self, register: Register) -> &mut u64 {
        match register {
            Register::Config => &mut self.config,
            Register::Config1 => &mut self.config1,
            Register::Config2 => &mut self.config2,
            Register::Config3 => &mut self.config3,
            Register::Config4 => &mut self.config4,
        }
    }

    fn set(&mut self, format: &Format, value: u64) {
        let word = self.register_mut(format.register);
        *word = *word & !format.mask | format.scatter(value);
    }
}

impl Pmu {
    /// The config words that the terms ask for: fields, `config=` and its like, one named event whose
    /// terms the others override whatever the order, `name=`, `period=` and `freq=`. A field without
    /// a value is 1. Of a field that is written twice the last counts (perf joins the bits of both).
    ///
    /// # Errors
    ///
    /// The first term that the PMU cannot take, or that a named event leaves open and nothing supplies.
    pub fn encode(&self, terms: &[Term]) -> Result<Config, TermError> {
        let mut config = Config::default();
        let mut named = None;
        for term in terms {
            let Some(event) = self.named(term) else { continue };
            if let Some((first, _)) = named {
                let first: &Event = first;
                let kind = TermErrorKind::SecondEvent { first: first.name.clone() };
                return Err(TermError { span: term.span.clone(), kind });
            }
            named = Some((event, term));
        }
        if let Some((event, term)) = named {
            self.apply_event(event, term, terms, &mut config)?;
        }
        for term in terms {
            if !named.is_some_and(|(_, event)| std::ptr::eq(event, term)) {
                self.apply(term, &mut config)?;
            }
        }
        Ok(config)
    }

    /// The event that a term names: `cycles`, or perf's `cycles=1` and `event=cycles`.
    fn named(&self, term: &Term) -> Option<&Event> {
        match &term.value {
            Value::Flag => self.event(&term.name),
            Value::Number(1) if self.format(&term.name).is_none() => self.event(&term.name),
            Value::Text(text) if term.name == "event" => self.event(text),
            _ => None,
        }
    }

    fn apply_event(
        &self,
        event: &Event,
        place: &Term,
        given: &[Term],
        config: &mut Config,
    ) -> Result<(), TermError> {
        config.event = Some(event.name.clone());
        for term in &event.terms {
            if !is_placeholder(term) {
                // The file's own spans mean nothing to the reader of the list.
                self.apply(term, config)
                    .map_err(|error| TermError { span: place.span.clone(), kind: error.kind })?;
            } else if !given.iter().any(|given| given.name == term.name) {
                let (event, name) = (event.name.clone(), term.name.clone());
                let kind = TermErrorKind::Placeholder { event, name };
                return Err(TermError { span: place.span.clone(), kind });
            }
        }
        Ok(())
    }

    fn apply(&self, term: &Term, config: &mut Config) -> Result<(), TermError> {
        self.set(term, config).map_err(|kind| {
            let of_value = !matches!(kind, TermErrorKind::UnknownTerm { .. });
            let span = if of_value { &term.value_span } else { &term.span };
            TermError { span: span.clone(), kind }
        })
    }

    fn set(&self, term: &Term, config: &mut Config) -> Result<(), TermErrorKind> {
        if let Some(format) = self.format(&term.name) {
            let value = match &term.value {
                Value::Flag => 1,
                Value::Number(value) => *value,
                Value::Text(_) => {
                    return Err(TermErrorKind::NotANumber { name: term.name.clone() });
                }
            };
            if value > format.max() {
                let name = term.name.clone();
                return Err(TermErrorKind::TooBig { name, value, max: format.max() });
            }
            config.set(format, value);
            return Ok(());
        }
        if let Some(register) = Register::find(&term.name) {
            *config.register_mut(register) = match &term.value {
                Value::Number(value) => *value,
                _ => return Err(TermErrorKind::NotANumber { name: register.name().to_owned() }),
            };
            return Ok(());
        }
        match term.name.as_str() {
            "name" => config.name = Some(text(term)?),
            "period" => config.period = Some(at_least_one(term)?),
            "freq" => config.freq = Some(at_least_one(term)?),
            _ => return self.raw(term, config),
        }
        match (config.period, config.freq) {
            (Some(_), Some(_)) => Err(TermErrorKind::PeriodAndFrequency),
            _ => Ok(()),
        }
    }

    /// perf's `rHEX` among terms, the whole of `config`; the last thing that a name can be.
    fn raw(&self, term: &Term, config: &mut Config) -> Result<(), TermErrorKind> {
        let digits = term.name.strip_prefix('r').filter(|_| term.value == Value::Flag);
        let is_hex = |digits: &&str| digits.bytes().all(|b| b.is_ascii_hexdigit());
        let code = digits.filter(is_hex).and_then(|digits| u64::from_str_radix(digits, 16).ok());
        config.config = code.ok_or_else(|| self.unknown(&term.name))?;
        Ok(())
    }

    fn unknown(&self, name: &str) -> TermErrorKind {
        let fields = self.formats.iter().map(|format| format.name.as_str());
        let events = self.events.iter().map(|event| event.name.as_str());
        TermErrorKind::UnknownTerm {
            pmu: self.name.clone(),
            name: name.to_owned(),
            similar: similar_names(name, fields.clone().chain(events)),
            known: fields.map(str::to_owned).collect(),
        }
    }
}

fn text(term: &Term) -> Result<String, TermErrorKind> {
    term.text().ok_or_else(|| TermErrorKind::MissingValue { name: term.name.clone() })
}

fn at_least_one(term: &Term) -> Result<u64, TermErrorKind> {
    let name = term.name.clone();
    match term.value {
        Value::Flag => Err(TermErrorKind::MissingValue { name }),
        Value::Number(0) => Err(TermErrorKind::Zero { name }),
        Value::Number(number) => Ok(number),
        Value::Text(_) => Err(TermErrorKind::NotANumber { name }),
    }
}
