//! The arguments as a request.

use super::args::DispatchArgs;
use super::event::{BadRequest, typed};
use super::reader::brief;
use super::request;
use counterpoint::pmu::Privilege;
use counterpoint::pmu::libpfm3::{Model, Request};
use serde_json::Value;

pub fn request(model: &Model, args: &DispatchArgs) -> Result<Request, BadRequest> {
    let mut request = Request::new(levels(args.plm)?);
    request.system_wide = args.system_wide;
    for pmc in &args.unavailable {
        if !model.pmcs().any(|known| known == *pmc) {
            let known: Vec<String> = model.pmcs().map(|known| known.to_string()).collect();
            let help = Some(format!("its PMCs are {}", known.join(", ")));
            let message = format!("--unavailable: {} has no PMC {pmc}", model.name());
            return Err(BadRequest { help, ..BadRequest::from(message) });
        }
        request.unavailable.insert(*pmc);
    }
    let mut has_options = false;
    for text in args.events.iter().flat_map(|events| events.split(',')) {
        let typed = typed(model, text)?;
        has_options |= typed.has_options;
        request.events.push(typed.event);
    }
    let input = args.mod_in.as_deref().map(model_input).transpose()?;
    request.wants_output = input.is_some();
    request::add_input(&mut request, model, input.as_ref(), has_options)
        .map_err(|message| format!("--mod-in: {message}"))?;
    Ok(request)
}

fn levels(bits: u32) -> Result<Privilege, BadRequest> {
    let levels = Privilege::from_bits(bits);
    levels.filter(|levels| !levels.contains(Privilege::HYPERVISOR)).ok_or_else(|| {
        let message = format!("--plm: these processors have four levels, and {bits:#x} has others");
        let help = "write letters of k 1 2 u, or a sum of 0x1 (k, PLM0), 0x2 (1, PLM1), 0x4 (2, PLM2) and 0x8 (u, PLM3)";
        BadRequest { help: Some(help.to_owned()), ..BadRequest::from(message) }
    })
}

/// The object of `--mod-in`.
fn model_input(text: &str) -> Result<Value, BadRequest> {
    let wrong = |problem: String| format!("--mod-in is not a JSON object: {problem}");
    let input: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    if input.is_object() { Ok(input) } else { Err(wrong(brief(&input)).into()) }
}
