//! A request as a JSON object; its keys are those that the README of `fixtures/dispatch` lists.

use super::event::{BadRequest, Typed, number, typed};
use super::input;
use super::pmu::Privilege;
use super::pmu::libpfm3::{EventRequest, Model, Request};
use super::reader::Object;
use serde_json::Value;

/// The keys of vectors beside their request.
const OF_VECTORS: &[&str] = &[
    "id",
    "cat",
    "exp",
    "class",
    "why",
    "manual",
    "right_error",
    "valid_pmds",
    "valid_pmcs",
    "valid_group",
    "notes",
    "undecided",
];

/// The line around a request, or with a name to resolve in place of one: the name.
pub(crate) fn around(line: &Value) -> Result<Option<&str>, BadRequest> {
    Ok(Object::new(line, "", input::inside)?.finished(|line| {
        line.know(&["model", "req"]);
        line.accept(OF_VECTORS);
        line.text("str")
    })?)
}

/// Reads a request for a model.
pub(crate) fn read(model: &Model, from: &Value) -> Result<Request, BadRequest> {
    Object::new(from, "", input::inside)?.finished(|line| request(model, line))
}

fn request(model: &Model, line: &Object<'_>) -> Result<Request, BadRequest> {
    let events = line.entries("events", given, |text| Some(Ok(Given::Text(text))))?;
    let count = line.has("event_count").then(|| line.number::<u64>("event_count")).transpose()?;
    let mut request = Request::new(line.levels("dfl_plm")?);
    request.system_wide = line.number::<u64>("flags")? & 1 != 0;
    request.unavailable = line.numbers("unavail")?.into_iter().collect();
    let input = line.value("mod_in");
    request.wants_output = line.flag("mod_out")?;
    let is_empty = line.flag("no_inp")?;
    // The answer needs these, and the request only that they are right.
    line.flag("explain")?;
    line.know(&["model"]);
    line.accept(OF_VECTORS);
    let mut has_options = false;
    if is_empty {
        request.plm = Privilege::USER;
    } else {
        for (place, given) in events.into_iter().enumerate() {
            let typed = given.typed(model).map_err(|error| error.at(place))?;
            has_options |= typed.has_options;
            request.events.push(typed.event);
        }
        // From 512 on the number itself is refused, whatever it is.
        if let Some(count) = count {
            request.events.resize(count.min(512) as usize, EventRequest::new(0));
        }
    }
    add_input(&mut request, model, input, has_options)?;
    Ok(request)
}

/// Adds the input that only this model takes. Options of the events themselves are one, too.
pub(crate) fn add_input(
    request: &mut Request,
    model: &Model,
    input: Option<&Value>,
    has_options: bool,
) -> Result<(), String> {
    let Some(input) = input else {
        request.input = if has_options { input::empty(model.family()) } else { None };
        return Ok(());
    };
    let input = input::read(model, input)?;
    if has_options && !input.counters.is_empty() {
        let problem = "options stand beside an event, and in `mod_in.counters` too";
        return Err(format!("{problem}; write all of them in one of the two places"));
    }
    for (event, options) in request.events.iter_mut().zip(input.counters) {
        event.options = options;
    }
    request.input = input.input;
    Ok(())
}

/// An entry of `events`.
enum Given<'a> {
    /// As it is typed on the command line.
    Text(&'a str),
    /// By its number.
    Number(EventRequest),
    /// By its name, with the names of unit masks, or the numbers of some in the event.
    Named(&'a str, Vec<&'a str>, EventRequest),
    /// An object with neither number nor name.
    Nothing,
}

/// An event as an object. Beside a number, names only say what it means.
fn given<'a>(from: &Object<'a>) -> Result<Given<'a>, BadRequest> {
    let event = EventRequest {
        masks: from.numbers("u")?,
        plm: from.levels("plm")?,
        flags: from.number("flags")?,
        ..EventRequest::new(from.number("i")?)
    };
    if from.has("i") {
        from.know(&["name", "un"]);
        return Ok(Given::Number(event));
    }
    let (name, masks) = (from.text("name")?, from.texts("un")?);
    Ok(name.map_or(Given::Nothing, |name| Given::Named(name, masks, event)))
}

impl Given<'_> {
    fn typed(self, model: &Model) -> Result<Typed, BadRequest> {
        match self {
            Given::Text(text) => typed(model, text),
            Given::Number(event) => Ok(Typed { event, has_options: false }),
            Given::Nothing => {
                Err("an event lacks its number, the key `i`, or its name, the key `name`"
                    .to_owned()
                    .into())
            }
            Given::Named(name, _, event) if !event.masks.is_empty() => {
                let found = number(model, name);
                // Without its unit masks the name may not be enough, so that it is asked for only to be refused.
                let found = found.map_or_else(|| typed(model, name).map(|t| t.event.event), Ok)?;
                Ok(Typed { event: EventRequest { event: found, ..event }, has_options: false })
            }
            Given::Named(name, masks, event) => {
                let text = [&[name][..], &masks].concat().join(":");
                let mut typed = typed(model, &text)?;
                if !event.plm.is_empty() && !typed.event.plm.is_empty() {
                    let problem = format!("`{text}` has levels, and so has the key `plm`");
                    return Err(problem.into());
                }
                typed.event.plm |= event.plm;
                typed.event.flags = event.flags;
                Ok(typed)
            }
        }
    }
}
