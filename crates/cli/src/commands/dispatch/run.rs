//! The parts put together.

use super::args::DispatchArgs;
use super::event::BadRequest;
use super::{answer, batch, json, names, text, typed};
use crate::batch::batch;
use crate::failure::{Failure, did_you_mean};
use crate::show;
use counterpoint::pmu::libpfm3::{DispatchError, ErrorKind, Model, Request, dispatch, explain};
use std::io::Write;

/// Exit status 1 if the events cannot be dispatched together.
pub fn run(args: &DispatchArgs) -> Result<u8, Failure> {
    let name = args.list_events.as_ref().and_then(Option::as_ref).or(args.model.as_ref());
    let model = name.map(|name| model(name)).transpose()?;
    match model {
        Some(model) if args.list_events.is_some() => list_events(model, args.json),
        None if args.list_events.is_some() => Err(Failure::new("no model given").help(
            "counterpoint dispatch --events MODEL; `counterpoint dispatch` lists the models",
        )),
        _ if args.batch => batch(|line| batch::answer_or_fault(line, model)),
        None if args.events.is_empty() => models(args.json),
        None => Err(Failure::new("no model given").help(
            "counterpoint dispatch --model MODEL EVENT…; `counterpoint dispatch` lists the models",
        )),
        Some(model) if args.events.is_empty() && args.mod_in.is_none() => {
            one_model(model, args.json)
        }
        Some(model) => events(model, args),
    }
}

/// Finds the model of this name.
fn model(name: &str) -> Result<&'static Model, Failure> {
    Model::find(name).ok_or_else(|| {
        let near = names::near(name);
        Failure::new(format!("there is no model `{name}`"))
            .help(did_you_mean(&near, "`counterpoint dispatch` lists all models"))
    })
}

/// Every model, with the events that count cycles and instructions.
fn models(is_json: bool) -> Result<u8, Failure> {
    let mut out = show::stdout();
    for model in Model::all() {
        if is_json {
            show::json(&mut out, &json::facts(model))?
        } else {
            text::write_line(&mut out, model)?
        }
    }
    out.flush()?;
    Ok(0)
}

fn one_model(model: &Model, is_json: bool) -> Result<u8, Failure> {
    let mut out = show::stdout();
    if is_json {
        show::json(&mut out, &json::facts(model))?
    } else {
        text::write_model(&mut out, model)?
    }
    out.flush()?;
    Ok(0)
}

/// Every event of a model, with its unit masks.
fn list_events(model: &Model, is_json: bool) -> Result<u8, Failure> {
    let mut out = show::stdout();
    for event in 0..model.event_count() {
        let Some(name) = model.event_name(event) else { continue };
        if is_json {
            show::json(&mut out, &json::event(model, event, name))?
        } else {
            text::write_event(&mut out, model, event, name)?
        }
    }
    out.flush()?;
    Ok(0)
}

/// The registers for events by their names, or why there are none.
fn events(model: &Model, args: &DispatchArgs) -> Result<u8, Failure> {
    let mut out = show::stdout();
    let request = match typed::request(model, args) {
        Ok(request) => request,
        Err(bad) => {
            let failure = misread(&bad);
            if !args.json {
                return Err(failure);
            }
            show::json(&mut out, &answer::misread(&bad))?;
            out.flush()?;
            return Ok(failure.code);
        }
    };
    let result = dispatch(model, &request);
    if args.json {
        show::json(&mut out, &json::assigned(model, &request, &result))?;
    } else {
        let found = result.as_ref().map_err(|error| refusal(model, &request, error))?;
        text::write_assignment(&mut out, model, &request, found)?;
    }
    out.flush()?;
    Ok(u8::from(result.is_err()))
}

/// Exit status 1 for events and unit masks that the model does not have, and 2 for the rest.
fn misread(bad: &BadRequest) -> Failure {
    let code = if bad.kind == ErrorKind::Invalid { 2 } else { 1 };
    Failure { help: bad.help.clone(), ..Failure::new(&bad.message).code(code) }
}

fn refusal(model: &Model, request: &Request, error: &DispatchError) -> Failure {
    let failure = Failure::new(error.to_string()).code(1);
    match explain(model, request) {
        Some(conflict) if conflict.sentence != error.reason() => failure.help(conflict.sentence),
        _ => failure,
    }
}
