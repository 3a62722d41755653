//! The options `--sweep`, `-L`, `-P` and `--step`, whose order matters.

use super::decimal::Decimal;
use super::parameters::{MOST, Sweep};
use crate::failure::Failure;
use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches};

/// The options for parameters, in their order.
pub struct SweepArgs {
    given: Vec<Given>,
}

/// One of these options.
enum Given {
    /// `--sweep NAME=VALUES`.
    Sweep(String),
    /// `-L NAME VALUES`.
    List(String, String),
    /// `-P NAME MIN MAX`.
    Scan(String, String, String),
    /// `--step STEP`, of the range before it.
    Step(String),
}

impl clap::Args for SweepArgs {
    fn augment_args(command: Command) -> Command {
        let option = |name: &'static str| {
            let none = ["interval", "topdown", "append", "control"];
            let option = Arg::new(name).long(name).action(ArgAction::Append);
            option.help_heading("Comparison").conflicts_with_all(none)
        };
        command
            .arg(option("sweep").value_name("NAME=VALUES").group("comparison").help(
                "Run the command once in each round with each of these values in place of {NAME}, and compare them over it: n=1,2,4, or a range n=1..8; several sweeps multiply",
            ))
            .arg(option("step").value_name("STEP").requires("comparison").allow_negative_numbers(true).alias("parameter-step-size").help(
                "The distance of the values of the range before this option, 1 without it; it may be a fraction",
            ))
            .arg(option("parameter-list").short('L').value_names(["NAME", "VALUES"]).num_args(2).allow_hyphen_values(true).group("comparison").help(
                "The same as --sweep NAME=VALUES for a list, as hyperfine has it",
            ))
            .arg(option("parameter-scan").short('P').value_names(["NAME", "MIN", "MAX"]).num_args(3).allow_negative_numbers(true).group("comparison").help(
                "The same as --sweep NAME=MIN..MAX, as hyperfine has it; its -D STEP is --step STEP here",
            ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        SweepArgs::augment_args(command)
    }
}

impl FromArgMatches for SweepArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SweepArgs, Error> {
        let mut given = Vec::new();
        for option in ["sweep", "step", "parameter-list", "parameter-scan"] {
            // Each value has a place on the command line; that of the first is the place of the option.
            let mut places = matches.indices_of(option).into_iter().flatten();
            for values in matches.get_occurrences::<String>(option).into_iter().flatten() {
                let values: Vec<String> = values.cloned().collect();
                let place = places.next();
                (1..values.len()).for_each(|_| _ = places.next());
                given.extend(Given::new(option, values).map(|of| (place, of)));
            }
        }
        given.sort_by_key(|(place, _)| *place);
        Ok(SweepArgs { given: given.into_iter().map(|(_, of)| of).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = SweepArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Given {
    /// `None` of another option, or of another number of values than it has.
    fn new(option: &str, values: Vec<String>) -> Option<Given> {
        let mut values = values.into_iter();
        let mut next = || values.next();
        Some(match option {
            "sweep" => Given::Sweep(next()?),
            "step" => Given::Step(next()?),
            "parameter-list" => Given::List(next()?, next()?),
            _ => Given::Scan(next()?, next()?, next()?),
        })
    }
}

/// A sweep whose step may follow.
struct Unfinished {
    /// The option as it was written.
    option: String,
    name: String,
    values: Values,
}

enum Values {
    List(Vec<String>),
    Range { first: Decimal, last: Decimal, step: Option<Decimal> },
}

impl SweepArgs {
    pub fn is_any(&self) -> bool {
        !self.given.is_empty()
    }

    /// Returns true if there is a `-P`, whose step hyperfine writes as `-D`.
    pub fn has_scan(&self) -> bool {
        self.given.iter().any(|of| matches!(of, Given::Scan(..)))
    }

    /// The parameters in their order.
    ///
    /// # Errors
    /// Fails with the option that is wrong, and how to write it.
    pub fn sweeps(&self) -> Result<Vec<Sweep>, Failure> {
        let mut all: Vec<Unfinished> = Vec::new();
        for given in &self.given {
            match given {
                Given::Sweep(text) => all.push(Unfinished::sweep(text)?),
                Given::List(name, values) => all.push(Unfinished {
                    option: format!("-L {name} {values}"),
                    name: name.clone(),
                    values: Values::List(listed(values)),
                }),
                Given::Scan(name, first, last) => all.push(Unfinished::scan(name, first, last)?),
                Given::Step(text) => step(all.last_mut(), text)?,
            }
        }
        let sweeps = all.into_iter().map(Unfinished::finish);
        let sweeps = sweeps.collect::<Result<Vec<Sweep>, Failure>>()?;
        let is_second =
            |(at, of): &(usize, &Sweep)| sweeps[..*at].iter().any(|other| other.name == of.name);
        match sweeps.iter().enumerate().find(is_second) {
            Some((_, of)) => {
                Err(Failure::new(format!("the parameter `{}` has two sweeps", of.name)))
            }
            None => Ok(sweeps),
        }
    }
}

impl Unfinished {
    /// Of `NAME=VALUES`.
    fn sweep(text: &str) -> Result<Unfinished, Failure> {
        let (name, values) = text.split_once('=').ok_or_else(|| no_values(text))?;
        let option = format!("--sweep {text}");
        let ends = values.split_once("..").filter(|_| !values.contains([',', '/']));
        let number = |text| Decimal::read(text).ok_or_else(|| no_number(&option, text));
        let range = ends.map(|(first, last)| Ok::<_, Failure>((number(first)?, number(last)?)));
        let range = range.transpose()?;
        Ok(Unfinished {
            option,
            name: name.to_string(),
            values: match range {
                Some((first, last)) => Values::Range { first, last, step: None },
                None => Values::List(listed(values)),
            },
        })
    }

    fn scan(name: &str, first: &str, last: &str) -> Result<Unfinished, Failure> {
        let option = format!("-P {name} {first} {last}");
        let number = |text| Decimal::read(text).ok_or_else(|| no_number(&option, text));
        let values = Values::Range { first: number(first)?, last: number(last)?, step: None };
        Ok(Unfinished { option, name: name.to_string(), values })
    }

    fn finish(self) -> Result<Sweep, Failure> {
        let Unfinished { option, name, values } = self;
        let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(Failure::new(format!("{option}: `{name}` is no name of a parameter"))
                .help("a name has letters, digits, `_` and `-`"));
        }
        let values = match values {
            Values::List(values) => values,
            Values::Range { first, last, step } => {
                let steps = first.steps(last, step.unwrap_or(Decimal::ONE), MOST).ok_or_else(|| {
                    Failure::new(format!("{option}: the range has no values, or more than {MOST}"))
                        .help("the first value is not greater than the last, and the step is greater than 0")
                })?;
                steps.iter().map(Decimal::to_string).collect()
            }
        };
        Ok(Sweep { name, values })
    }
}

/// Enters the step of the range before it.
fn step(range: Option<&mut Unfinished>, text: &str) -> Result<(), Failure> {
    let option = format!("--step {text}");
    let number = Decimal::read(text).ok_or_else(|| no_number(&option, text))?;
    match range.map(|of| &mut of.values) {
        Some(Values::Range { step: step @ None, .. }) => {
            *step = Some(number);
            Ok(())
        }
        _ => {
            Err(Failure::new(format!("{option}: no range before it"))
                .help("--sweep n=1..8 --step 2"))
        }
    }
}

/// The values between commas; `\,` is a comma in a value.
fn listed(text: &str) -> Vec<String> {
    let mut values = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_escape = c == '\\' && chars.peek() == Some(&',');
        match if is_escape { chars.next() } else { None } {
            Some(comma) => values.last_mut().into_iter().for_each(|value| value.push(comma)),
            None if c == ',' => values.push(String::new()),
            None => values.last_mut().into_iter().for_each(|value| value.push(c)),
        }
    }
    values
}

fn no_values(text: &str) -> Failure {
    Failure::new(format!("--sweep {text}: there are no values"))
        .help("write NAME=VALUES: --sweep n=1,2,4, or --sweep n=1..8 --step 2")
}

fn no_number(option: &str, text: &str) -> Failure {
    Failure::new(format!("{option}: `{text}` is not a number such as 8 or 0.25"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_can_be_in_a_value() {
        assert_eq!(listed("a,b"), ["a", "b"]);
        assert_eq!(listed(r"a\,b,c\d"), ["a,b", r"c\d"]);
        assert_eq!(listed(",-O2"), ["", "-O2"]);
    }
}
