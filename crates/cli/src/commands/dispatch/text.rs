//! Models and assignments for people.

use super::answer::answer;
use super::args::DispatchArgs;
use super::batch::add_conflict;
use super::pmu::libpfm3::{Assignment, DispatchError, Model, Register, Request, dispatch, explain};
use super::request;
use crate::failure::Failure;
use crate::show::{self, printable};
use serde_json::{Value, json};
use std::io::Write;

/// Every model, with the events that count cycles and instructions.
pub fn models(json: bool) -> Result<u8, Failure> {
    let mut out = show::stdout();
    for model in Model::all() {
        if json {
            writeln!(out, "{}", facts(model))?;
        } else {
            let (cycles, instructions) = (helper(model.cycles(), model), instructions(model));
            writeln!(
                out,
                "{:<18} {:<40} {cycles:<32} {instructions}",
                model.name(),
                model.description()
            )?;
        }
    }
    out.flush()?;
    Ok(0)
}

/// What there is to know of a model.
pub fn model(model: &Model, json: bool) -> Result<u8, Failure> {
    if json {
        show::print(facts(model))?;
        return Ok(0);
    }
    let mut out = show::stdout();
    writeln!(out, "{}", model.description())?;
    writeln!(out, "counters      {} of {} bits", model.counters(), model.counter_width())?;
    writeln!(out, "cycles        {}", helper(model.cycles(), model))?;
    writeln!(out, "instructions  {}", instructions(model))?;
    let names = (0..model.event_count()).filter_map(|event| model.event_name(event));
    writeln!(out, "events        {}", names.collect::<Vec<_>>().join(" "))?;
    out.flush()?;
    Ok(0)
}

fn facts(model: &Model) -> Value {
    json!({
        "schema": 1,
        "model": model.name(),
        "description": model.description(),
        "type": model.kind(),
        "counters": model.counters(),
        "width": model.counter_width(),
        "cycles": helper(model.cycles(), model),
        "instructions": instructions(model),
        "events": model.event_count(),
    })
}

fn instructions(model: &Model) -> String {
    helper(model.instructions(), model)
}

/// An event with its unit masks, as it can be typed; `-` for none.
fn helper(event: Option<(usize, Vec<usize>)>, model: &Model) -> String {
    event.map_or_else(|| "-".to_owned(), |(event, masks)| full_name(model, event, &masks))
}

fn full_name(model: &Model, event: usize, masks: &[usize]) -> String {
    let names: Vec<&str> = model.mask_names(event).collect();
    let masks = masks.iter().filter_map(|mask| names.get(*mask).copied());
    std::iter::once(model.event_name(event).unwrap_or("?"))
        .chain(masks)
        .collect::<Vec<_>>()
        .join(":")
}

/// The registers for events by their names, or why there are none.
pub fn events(model: &Model, args: &DispatchArgs) -> Result<u8, Failure> {
    let from = typed(model, args)?;
    let request = request::read(model, &from).map_err(Failure::new)?;
    let result = dispatch(model, &request);
    if args.json {
        let mut answer = answer(&from, &result);
        add_conflict(&mut answer, model, &request);
        show::print(&answer)?;
        return Ok(u8::from(result.is_err()));
    }
    match result {
        Ok(assignment) => {
            show(model, &request, &assignment)?;
            // What the model tells besides, such as debug registers, is for programs.
            if let Some(output) = answer(&from, &Ok(assignment)).get("mod_out") {
                show::print(format_args!("mod_out {output}"))?;
            }
            Ok(0)
        }
        Err(error) => Err(refusal(model, &request, &error)),
    }
}

/// What was typed, as a request of `--batch`.
fn typed(model: &Model, args: &DispatchArgs) -> Result<Value, Failure> {
    if args.plm > 15 {
        return Err(
            Failure::new("these processors have no level h").help("write letters of k 1 2 u")
        );
    }
    let mut events = Vec::new();
    for text in args.events.iter().flat_map(|events| events.split(',')) {
        let (event, masks) = model.resolve(text).map_err(|error| unknown(model, text, &error))?;
        events.push(json!({"i": event, "u": masks}));
    }
    let mut request = json!({
        "events": events,
        "dfl_plm": args.plm,
        "flags": u32::from(args.system_wide),
        "unavail": args.unavailable,
    });
    if let Some(input) = &args.mod_in {
        let input = model_input(model, input)?;
        request["mod_in"] = input;
        request["mod_out"] = json!(1);
    }
    Ok(request)
}

/// The object of `--mod-in`; keys that the model does not look at would be lost silently.
fn model_input(model: &Model, text: &str) -> Result<Value, Failure> {
    let wrong = |problem: String| Failure::new(format!("--mod-in is no JSON object: {problem}"));
    let input: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let object = input.as_object().ok_or_else(|| wrong(request::brief(&input)))?;
    let known = input_keys(model);
    let lost = |key: &&String| !known.contains(&key.as_str()) && !object.contains_key("for");
    let Some(key) = object.keys().find(lost) else { return Ok(input) };
    let failure = Failure::new(format!("--mod-in: {} has no key `{key}`", model.name()));
    Err(match known.is_empty() {
        true => failure.help("the model takes nothing besides the events"),
        false => failure.help(format!("its keys are `{}`", known.join("`, `"))),
    })
}

/// The keys of `mod_in` that the model looks at, besides `for`.
fn input_keys(model: &Model) -> &'static [&'static str] {
    match model.family() {
        "gen_ia32" | "p6" | "coreduo" => &["counters"],
        "core" | "atom" => &["counters", "pebs_used"],
        "nehalem" => &["counters", "pebs_used", "ld_lat_thres", "lbr"],
        "amd64" => &["counters", "flags", "ibsfetch", "ibsop"],
        "itanium" | "itanium2" => {
            &["counters", "pmc8", "pmc9", "iear", "dear", "btb", "irange", "drange"]
        }
        "montecito" => {
            &["counters", "opcm1", "opcm2", "iear", "dear", "etb", "ipear", "irange", "drange"]
        }
        "cell" => &["counters", "control", "interval", "triggers"],
        _ => &[],
    }
}

/// An event or unit mask that the model does not have, and what is like it.
fn unknown(model: &Model, text: &str, error: &DispatchError) -> Failure {
    let failure = Failure::new(format!("`{text}`: {}", error.reason())).code(1);
    let name = text.split(':').next().unwrap_or("");
    let event = (0..model.event_count())
        .find(|event| model.event_name(*event).is_some_and(|n| n.eq_ignore_ascii_case(name)));
    let masks = event.map(|event| model.mask_names(event).collect::<Vec<_>>().join("`, `"));
    if let Some(masks) = masks {
        return failure.help(match masks.is_empty() {
            true => format!("write `{name}`"),
            false => format!("its unit masks are `{masks}`"),
        });
    }
    let names = (0..model.event_count()).filter_map(|event| model.event_name(event));
    let near = super::pmu::similar(name, names);
    match near.is_empty() {
        true => failure
            .help(format!("`counterpoint dispatch --model {}` shows its events", model.name())),
        false => failure.help(format!("did you mean `{}`?", near.join("`, `"))),
    }
}

fn refusal(model: &Model, request: &Request, error: &DispatchError) -> Failure {
    let failure = Failure::new(error.to_string()).code(1);
    match explain(model, request) {
        Some(conflict) if conflict.sentence != error.reason() => failure.help(conflict.sentence),
        _ => failure,
    }
}

/// The counter of each event, then every register to write.
fn show(model: &Model, request: &Request, assignment: &Assignment) -> Result<(), Failure> {
    let mut out = show::stdout();
    for (place, pmd) in assignment.pmds.iter().enumerate() {
        let event = request.events.get(place);
        let name =
            event.map_or_else(String::new, |event| full_name(model, event.event, &event.masks));
        writeln!(out, "{}", line("PMD", pmd, "", &name))?;
    }
    for pmc in &assignment.pmcs {
        writeln!(out, "{}", line("PMC", pmc, &format!("{:#x}", pmc.value), ""))?;
    }
    out.flush()?;
    Ok(())
}

fn line(kind: &str, register: &Register, value: &str, name: &str) -> String {
    let Register { number, address, .. } = register;
    let text = format!("{kind} {number:<3} {address:<#12x} {value:<20} {}", printable(name));
    text.trim_end().to_owned()
}
