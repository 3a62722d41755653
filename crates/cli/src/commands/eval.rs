use crate::Failure;
use crate::args::{EvalArgs, Syntax};
use counterpoint::formula::{self, Formula, Number};

pub fn run(args: &EvalArgs) -> Result<u8, Failure> {
    let syntax = match args.syntax {
        Syntax::Infix => formula::Syntax::Infix,
        Syntax::Postfix => formula::Syntax::PapiPostfix,
        Syntax::Rpn => formula::Syntax::RPN_24X7,
    };
    let formula = Formula::parse(&args.formula, syntax).map_err(|error| {
        let before = args.formula.get(..error.span.start).unwrap_or_default().chars().count();
        let inside =
            args.formula.get(error.span.clone()).unwrap_or_default().chars().count().max(1);
        let marks = format!("{}{}", " ".repeat(before), "^".repeat(inside));
        Failure::new(format!("{error}\n  {}\n  {marks}", args.formula)).code(1)
    })?;
    let given = args.inputs.iter().map(|text| input(text)).collect::<Result<Vec<_>, _>>()?;
    let mut values = Vec::new();
    for name in formula.inputs() {
        match given.iter().find(|(given, _)| *given == name) {
            Some((_, value)) => values.push(*value),
            None => {
                let failure = Failure::new(format!("the formula needs a value for `{name}`"));
                return Err(
                    failure.help(format!("counterpoint eval '{}' {name}=VALUE", args.formula))
                );
            }
        }
    }
    let value =
        formula.eval_numbers(&values).map_err(|error| Failure::new(error.to_string()).code(1))?;
    match value {
        Number::Int(whole) => println!("{whole}"),
        Number::Real(real) => println!("{real}"),
    }
    Ok(0)
}

fn input(text: &str) -> Result<(&str, Number), Failure> {
    let wrong =
        || Failure::new(format!("`{text}` is no NAME=VALUE")).help("write for example N0=93");
    let (name, value) = text.rsplit_once('=').ok_or_else(wrong)?;
    if let Ok(whole) = value.parse() {
        return Ok((name, Number::Int(whole)));
    }
    let real: f64 = value.parse().map_err(|_| wrong())?;
    if real.is_finite() { Ok((name, Number::Real(real))) } else { Err(wrong()) }
}
