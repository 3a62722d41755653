//! Parameters of commands, and the choices of their values.

use crate::failure::Failure;

/// The most sides of a comparison.
pub const MOST: usize = 1000;

/// A parameter, which stands as `{name}` in a command, and its values in their order.
pub struct Sweep {
    pub name: String,
    pub values: Vec<String>,
}

/// A parameter with one of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub value: String,
}

/// Every choice of a value for each parameter; the last parameter changes first. One choice of nothing without parameters.
pub fn choices(sweeps: &[Sweep]) -> Result<Vec<Vec<Parameter>>, Failure> {
    let count = sweeps.iter().try_fold(1_usize, |all, of| all.checked_mul(of.values.len()));
    if count.is_none_or(|count| count > MOST) {
        return Err(Failure::new(format!("the sweep has more than {MOST} runs in a round"))
            .help("choose fewer values, or a greater --step"));
    }
    let mut choices = vec![Vec::new()];
    for sweep in sweeps {
        let with_each = |choice: Vec<Parameter>| {
            sweep.values.iter().map(move |value| {
                let parameter = Parameter { name: sweep.name.clone(), value: value.clone() };
                [choice.clone(), vec![parameter]].concat()
            })
        };
        choices = choices.into_iter().flat_map(with_each).collect();
    }
    Ok(choices)
}

/// The text with the value of each parameter in place of `{name}`; a value is not searched for parameters.
pub fn filled(text: &str, parameters: &[Parameter]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        filled.push_str(before);
        let inside = from.find('}').map(|end| &from[1..end]);
        let parameter = parameters.iter().find(|of| Some(of.name.as_str()) == inside);
        let taken = match parameter {
            Some(Parameter { name, value }) => {
                filled.push_str(value);
                name.len() + 2
            }
            None => {
                filled.push('{');
                1
            }
        };
        rest = &from[taken..];
    }
    filled + rest
}

/// Returns true if the text has the parameter of this name.
pub fn has(text: &str, name: &str) -> bool {
    text.contains(&format!("{{{name}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(name: &str, values: &[&str]) -> Sweep {
        Sweep { name: name.into(), values: values.iter().map(|value| value.to_string()).collect() }
    }

    #[test]
    fn every_value_meets_every_other() {
        let sweeps = [sweep("n", &["1", "2"]), sweep("m", &["a", "b"])];
        let choices = choices(&sweeps).ok().unwrap();
        let texts: Vec<String> = choices.iter().map(|choice| filled("{n}{m}", choice)).collect();
        assert_eq!(texts, ["1a", "1b", "2a", "2b"]);
        assert_eq!(super::choices(&[]).ok().unwrap(), [vec![]]);
        let many = sweep("n", &["x"; 40]);
        assert!(super::choices(&[many, sweep("m", &["x"; 40])]).is_err());
    }

    #[test]
    fn a_text_is_filled_once() {
        let parameters =
            ["n", "m"].map(|name| Parameter { name: name.into(), value: "{m}".into() });
        for (text, expected) in [
            ("a {n} b", "a {m} b"),
            ("{n}{n}", "{m}{m}"),
            ("{x} { {n}} {", "{x} { {m}} {"),
            ("${n}", "${m}"),
            ("{{n}", "{{m}"),
            ("", ""),
        ] {
            assert_eq!(filled(text, &parameters), expected, "{text}");
        }
    }
}
