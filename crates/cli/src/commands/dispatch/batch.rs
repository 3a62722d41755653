//! `--batch`: JSON lines in, JSON lines out.

use super::json::add_conflict;
use super::{answer, request};
use counterpoint::pmu::libpfm3::{ErrorKind, Model, dispatch};
use serde_json::{Value, json};

/// The answer to a line.
pub(crate) fn answer(line: &[u8], model: Option<&'static Model>) -> Value {
    dispatched(&String::from_utf8_lossy(line), model).unwrap_or_else(|message| refused(&message))
}

/// The answer to a line that is not a request.
fn refused(message: &str) -> Value {
    let kind = ErrorKind::Invalid;
    json!({"ret": kind.name(), "code": kind.code(), "message": message})
}

fn dispatched(line: &str, model: Option<&'static Model>) -> Result<Value, String> {
    let from: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let model = match from.get("model") {
        None => model.ok_or("the key `model` is missing, and there is no --model")?,
        Some(name) => name
            .as_str()
            .and_then(Model::find)
            .ok_or_else(|| format!("`model` is not a known model: {}", request::brief(name)))?,
    };
    if let Some(text) = from.get("str").and_then(Value::as_str) {
        return Ok(resolved(model, text));
    }
    // A request may stand in the key `req`, as in files of vectors.
    let from = from.get("req").unwrap_or(&from);
    let request = request::read(model, from)?;
    let mut answer = answer::answer(from, &dispatch(model, &request));
    if from.get("explain") == Some(&Value::Bool(true)) {
        add_conflict(&mut answer, model, &request);
    }
    Ok(answer)
}

/// `EVENT:MASK…` as numbers.
fn resolved(model: &Model, text: &str) -> Value {
    match model.resolve(text) {
        Ok((event, masks)) => json!({"ret": "SUCCESS", "code": 0, "event": event, "umasks": masks}),
        Err(error) => json!({"ret": error.kind().name(), "code": error.kind().code()}),
    }
}
