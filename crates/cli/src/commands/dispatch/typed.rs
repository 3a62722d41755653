//! The arguments as a request.

use super::args::DispatchArgs;
use super::request;
use crate::failure::Failure;
use counterpoint::pmu::libpfm3::{DispatchError, EventRequest, Model, Request};
use counterpoint::pmu::{Privilege, similar};
use serde_json::Value;

pub fn request(model: &Model, args: &DispatchArgs) -> Result<Request, Failure> {
    let levels = Privilege::from_bits(args.plm).filter(|l| !l.contains(Privilege::HYPERVISOR));
    let levels = levels.ok_or_else(|| {
        Failure::new("these processors do not have the level h").help("write letters of k 1 2 u")
    })?;
    let mut request = Request::new(levels);
    request.system_wide = args.system_wide;
    for pmc in &args.unavailable {
        request.unavailable.insert(*pmc);
    }
    for text in args.events.iter().flat_map(|events| events.split(',')) {
        let (event, masks) = model.resolve(text).map_err(|error| unknown(model, text, &error))?;
        let mut event = EventRequest::new(event);
        event.masks = masks;
        request.events.push(event);
    }
    if let Some(input) = &args.mod_in {
        let input = model_input(model, input)?;
        request::add_input(&mut request, model, &input).map_err(Failure::new)?;
        request.wants_output = true;
    }
    Ok(request)
}

/// The object of `--mod-in`; keys that the model does not look at would be lost silently.
fn model_input(model: &Model, text: &str) -> Result<Value, Failure> {
    let wrong = |problem: String| Failure::new(format!("--mod-in is not a JSON object: {problem}"));
    let input: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let object = input.as_object().ok_or_else(|| wrong(request::brief(&input)))?;
    let known = input_keys(model);
    let lost = |key: &&String| !known.contains(&key.as_str()) && !object.contains_key("for");
    let Some(key) = object.keys().find(lost) else { return Ok(input) };
    let failure = Failure::new(format!("--mod-in: {} does not have the key `{key}`", model.name()));
    Err(match known.is_empty() {
        true => failure.help("this model takes no input but the events"),
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

/// The error for an unknown event or unit mask, with suggestions.
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
    let near = similar(name, names);
    match near.is_empty() {
        true => failure
            .help(format!("`counterpoint dispatch --model {}` lists its events", model.name())),
        false => failure.help(format!("did you mean `{}`?", near.join("`, `"))),
    }
}
