//! `--batch`: JSON lines in, JSON lines out.

use super::answer::Answer;
use super::event::BadRequest;
use super::json::add_conflict;
use super::reader::brief;
use super::{answer, names, notes, request};
use counterpoint::pmu::libpfm3::{Model, dispatch};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The answer to a line, also where finding it panics: the other lines have theirs.
pub(crate) fn answer_or_fault(line: &[u8], model: Option<&'static Model>) -> Answer {
    unless_fault(|| answer(line, model))
}

fn unless_fault(answer: impl FnOnce() -> Answer) -> Answer {
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| {
        let message = "a fault of this program; standard error says where, please report it";
        answer::misread(&BadRequest::from(message.to_owned()))
    })
}

/// The answer to a line.
pub(crate) fn answer(line: &[u8], model: Option<&'static Model>) -> Answer {
    let line = String::from_utf8_lossy(line);
    dispatched(&line, model).unwrap_or_else(|bad| answer::misread(&bad))
}

fn dispatched(line: &str, model: Option<&'static Model>) -> Result<Answer, BadRequest> {
    let line: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    // A request may stand in the key `req`, as in files of vectors.
    let from = line.get("req").unwrap_or(&line);
    let model = match line.get("model").or_else(|| from.get("model")) {
        None => {
            model.ok_or_else(|| "the key `model` is missing, and there is no --model".to_owned())?
        }
        Some(name) => known_model(name)?,
    };
    let is_around = line.get("str").is_some() || line.get("req").is_some();
    if is_around && let Some(text) = request::around(&line)? {
        return Ok(resolved(model, text));
    }
    let request = request::read(model, from)?;
    let mut answer = answer::answer(from, &dispatch(model, &request));
    if from.get("explain").is_some_and(|explain| *explain == true || *explain == 1) {
        add_conflict(&mut answer, model, &request);
    }
    notes::add(&mut answer, model, from, &request);
    Ok(answer)
}

fn known_model(name: &Value) -> Result<&'static Model, BadRequest> {
    let text = name.as_str().unwrap_or_default();
    Model::find(text).ok_or_else(|| {
        let near = names::near(text);
        let help = (!near.is_empty()).then(|| format!("did you mean `{}`?", near.join("`, `")));
        let message = format!("`model` is not a known model: {}", brief(name));
        BadRequest { help, ..BadRequest::from(message) }
    })
}

/// `EVENT:MASK…` as numbers.
fn resolved(model: &Model, text: &str) -> Answer {
    match model.resolve(text) {
        Ok((event, masks)) => {
            Answer { ret: "SUCCESS", event: Some(event), umasks: Some(masks), ..Answer::default() }
        }
        Err(error) => answer::refusal(&error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_costs_no_other_line_its_answer() {
        let fault = unless_fault(|| Vec::<Answer>::new().remove(0));
        assert_eq!((fault.ret, fault.code), ("INVAL", -2));
        assert!(fault.message.is_some_and(|text| text.contains("a fault")));
        let plain = unless_fault(|| Answer { ret: "SUCCESS", ..Answer::default() });
        assert_eq!((plain.ret, plain.message), ("SUCCESS", None));
    }
}
