//! An event as it is typed: `NAME:MASK…`, then privilege levels and options.

use super::input;
use super::pmu::libpfm3::{DispatchError, ErrorKind, EventRequest, Model};
use super::pmu::{Privilege, similar};
use super::reader::brief;
use serde_json::{Map, Value};

/// The reason why a request could not be read, and the text to type instead.
#[derive(Debug)]
pub(crate) struct BadRequest {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl From<String> for BadRequest {
    fn from(message: String) -> BadRequest {
        BadRequest { kind: ErrorKind::Invalid, message, help: None }
    }
}

impl BadRequest {
    /// The same with the place of the event.
    pub(crate) fn at(self, event: usize) -> BadRequest {
        BadRequest { message: format!("`events[{event}]`: {}", self.message), ..self }
    }
}

/// An event as it was typed.
pub(crate) struct Typed {
    pub(crate) event: EventRequest,
    /// It has options of its own.
    pub(crate) has_options: bool,
}

/// `NAME[:MASK…][:LEVELS][:KEY=VALUE…]`. What can be a unit mask is one, and not levels.
pub(crate) fn typed(model: &Model, text: &str) -> Result<Typed, BadRequest> {
    let (options, name): (Vec<&str>, Vec<&str>) =
        text.split(':').partition(|token| token.contains('='));
    // There may be options and nothing else.
    let first = name.first().copied().unwrap_or_default();
    let refused = |error: &DispatchError| unknown(model, text, first, error);
    let with_levels = name.split_last().filter(|(_, before)| !before.is_empty());
    let with_levels = with_levels.and_then(|(last, before)| Some((levels(last)?, before)));
    let name = name.join(":");
    let ((event, masks), plm) = match (model.resolve(&name), with_levels) {
        (Ok(found), _) => (found, Privilege::NONE),
        (Err(error), None) => return Err(refused(&error)),
        (Err(_), Some((plm, before))) => {
            (model.resolve(&before.join(":")).map_err(|error| refused(&error))?, plm)
        }
    };
    let mut event = EventRequest { masks, plm, ..EventRequest::new(event) };
    if !options.is_empty() {
        event.options = input::options(model.family(), &object(model, text, &options)?, text)?;
    }
    Ok(Typed { event, has_options: !options.is_empty() })
}

/// The number of the event of this name, in any case.
pub(crate) fn number(model: &Model, name: &str) -> Option<usize> {
    let named = |event: &usize| {
        model.event_name(*event).is_some_and(|known| known.eq_ignore_ascii_case(name))
    };
    (0..model.event_count()).find(named)
}

/// Letters of k 1 2 u.
fn levels(token: &str) -> Option<Privilege> {
    let level = |letter| match letter {
        'k' => Some(Privilege::KERNEL),
        '1' => Some(Privilege::LEVEL1),
        '2' => Some(Privilege::LEVEL2),
        'u' => Some(Privilege::USER),
        _ => None,
    };
    let levels = token.chars().map(level).try_fold(Privilege::NONE, |all, one| Some(all | one?));
    levels.filter(|levels| !levels.is_empty())
}

/// `KEY=VALUE` as the keys of an object.
fn object(model: &Model, text: &str, options: &[&str]) -> Result<Value, String> {
    if input::option_names(model.family()).is_empty() {
        return Err(format!("`{text}`: the events of {} take no options", model.name()));
    }
    let mut object = Map::new();
    for (key, value) in options.iter().filter_map(|option| option.split_once('=')) {
        let value = value.parse::<u64>().map_or_else(|_| Value::from(value), Value::from);
        if object.insert(key.to_owned(), value).is_some() {
            return Err(format!("`{text}`: the option `{key}` is there twice"));
        }
    }
    Ok(Value::Object(object))
}

/// The error for an unknown event or unit mask, with what may be typed.
fn unknown(model: &Model, text: &str, name: &str, error: &DispatchError) -> BadRequest {
    let help = match number(model, name) {
        Some(event) => may_follow(model, event),
        None => {
            let names = (0..model.event_count()).filter_map(|event| model.event_name(event));
            match &similar(name, names)[..] {
                [] => format!("`counterpoint dispatch --events {}` lists its events", model.name()),
                near => format!("did you mean `{}`?", near.join("`, `")),
            }
        }
    };
    let text = brief(&Value::from(text)).replace('"', "`");
    let message = format!("{text}: {}", error.reason());
    BadRequest { kind: error.kind(), message, help: Some(help) }
}

/// The advice about the unit masks, levels and options that may follow the name of an event.
fn may_follow(model: &Model, event: usize) -> String {
    let name = model.event_name(event).unwrap_or_default();
    let masks: Vec<&str> = model.mask_names(event).collect();
    let masks = if masks.is_empty() {
        format!("`{name}` has no unit masks")
    } else {
        format!("its unit masks are `{}`", masks.join("`, `"))
    };
    let options = input::option_names(model.family());
    let options = if options.is_empty() {
        String::new()
    } else {
        format!(", and then options: `{}=`", options.join("=`, `"))
    };
    format!("{masks}; levels may follow (`:u`, letters of k 1 2 u){options}")
}
