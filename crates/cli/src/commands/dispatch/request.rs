//! A request as a JSON object; its keys are those that the README of `fixtures/dispatch` lists.

use super::pmu::dispatch::{
    Amd64Input, CellCounter, CounterOptions, EventRequest, Ibs, Lbr, Model, ModelInput,
    NehalemInput, Pebs, Request,
};
use serde_json::Value;

/// The request for a model; what is wrong with it, if it is none.
pub(crate) fn read(model: &Model, from: &Value) -> Result<Request, String> {
    let mut request = Request::new(number(from, "dfl_plm")?);
    request.system_wide = number::<u64>(from, "flags")? & 1 != 0;
    request.wants_output = flag(from, "mod_out")?;
    for pmc in list(from, "unavail")? {
        request.unavailable.insert(whole(pmc, "unavail")?);
    }
    if flag(from, "no_inp")? {
        request.plm = super::pmu::dispatch::PLM3;
    } else {
        request.events = events(from)?;
    }
    if let Some(input) = from.get("mod_in").filter(|input| !input.is_null()) {
        for (event, counter) in request.events.iter_mut().zip(list(input, "counters")?) {
            event.options = options(counter)?;
        }
        request.input = model_input(model, input)?;
    }
    Ok(request)
}

/// The events; `event_count` cuts the list, or fills it with zeros.
fn events(from: &Value) -> Result<Vec<EventRequest>, String> {
    let mut events = list(from, "events")?.iter().map(event).collect::<Result<Vec<_>, _>>()?;
    if from.get("event_count").is_some() {
        // From 512 on the number itself is refused, whatever it is.
        let count = number::<u64>(from, "event_count")?.min(512) as usize;
        events.resize(count, EventRequest::new(0));
    }
    Ok(events)
}

fn event(from: &Value) -> Result<EventRequest, String> {
    if from.get("i").is_none() {
        return Err("an event lacks its number, the key `i`".to_owned());
    }
    let mut event = EventRequest::new(number(from, "i")?);
    event.masks = list(from, "u")?.iter().map(|mask| whole(mask, "u")).collect::<Result<_, _>>()?;
    event.plm = number(from, "plm")?;
    event.flags = number(from, "flags")?;
    Ok(event)
}

/// One of `mod_in.counters`.
fn options(from: &Value) -> Result<CounterOptions, String> {
    let threshold = if from.get("thres").is_some() { "thres" } else { "cnt_mask" };
    Ok(CounterOptions {
        flags: number(from, "flags")?,
        threshold: number(from, threshold)?,
        instruction_set: number(from, "ism")?,
        cell: CellCounter {
            counter: number(from, "pmx")?,
            spe_subunit: number(from, "spe_subunit")?,
            polarity: number(from, "polarity")?,
            input_control: number(from, "input_control")?,
        },
    })
}

/// What the family of the model takes, or that of the model which `for` names.
fn model_input(model: &Model, from: &Value) -> Result<Option<ModelInput>, String> {
    let model = match from.get("for") {
        None => model,
        Some(name) => name
            .as_str()
            .and_then(Model::find)
            .ok_or_else(|| format!("`for` names no model: {name}"))?,
    };
    let pebs = Pebs { used: flag(from, "pebs_used")? };
    Ok(Some(match model.family() {
        "gen_ia32" => ModelInput::GenIa32,
        "p6" => ModelInput::P6,
        "coreduo" => ModelInput::CoreDuo,
        "core" => ModelInput::Core(pebs),
        "atom" => ModelInput::Atom(pebs),
        "nehalem" => ModelInput::Nehalem(nehalem(from, pebs)?),
        "amd64" => ModelInput::Amd64(amd64(from)?),
        _ => return Ok(None),
    }))
}

fn nehalem(from: &Value, pebs: Pebs) -> Result<NehalemInput, String> {
    let lbr = from.get("lbr").map_or(Ok(None), |lbr| {
        let used = flag(lbr, "used")?;
        let lbr = Lbr { plm: number(lbr, "plm")?, filter: number(lbr, "filter")? };
        Ok::<_, String>(used.then_some(lbr))
    })?;
    Ok(NehalemInput { pebs, load_latency: number(from, "ld_lat_thres")?, lbr })
}

fn amd64(from: &Value) -> Result<Amd64Input, String> {
    let used = number::<u64>(from, "flags")?;
    let ibs = |bit: u64, key: &str| {
        let part = &from[key];
        let ibs = Ibs { period: number(part, "maxcnt")?, options: number(part, "options")? };
        Ok::<_, String>((used & bit != 0).then_some(ibs))
    };
    Ok(Amd64Input { fetch: ibs(1, "ibsfetch")?, op: ibs(2, "ibsop")? })
}

/// The list of this key; none is an empty one.
fn list<'a>(from: &'a Value, key: &str) -> Result<&'a [Value], String> {
    match from.get(key) {
        None => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(other) => Err(format!("`{key}` is a list, not {other}")),
    }
}

/// The number of this key, 0 if it is not there.
fn number<N: TryFrom<u64>>(from: &Value, key: &str) -> Result<N, String> {
    from.get(key).map_or_else(
        || N::try_from(0).map_err(|_| format!("`{key}` cannot be 0")),
        |value| whole(value, key),
    )
}

/// Not 0.
fn flag(from: &Value, key: &str) -> Result<bool, String> {
    match from.get(key) {
        Some(Value::Bool(flag)) => Ok(*flag),
        _ => Ok(number::<u64>(from, key)? != 0),
    }
}

/// A whole number, or its hexadecimal text.
fn whole<N: TryFrom<u64>>(value: &Value, key: &str) -> Result<N, String> {
    let text = value.as_str().and_then(|text| text.strip_prefix("0x"));
    let number = match text {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => value.as_u64(),
    };
    number
        .and_then(|number| N::try_from(number).ok())
        .ok_or_else(|| format!("`{key}` is a whole number or a \"0x…\" string, not {value}"))
}
