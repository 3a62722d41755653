//! A request as a JSON object; its keys are those that the README of `fixtures/dispatch` lists.

use super::pmu::libpfm3::ia64::{BranchBuffer, Ear, Ia64Input, IpEar, OpcodeMatch, Range, Ranges};
use super::pmu::libpfm3::{
    Amd64Input, CellCounter, CellInput, CounterOptions, EventRequest, Ibs, Lbr, Model, ModelInput,
    NehalemInput, Pebs, Request,
};
use serde_json::Value;

/// Reads a request for a model.
pub(crate) fn read(model: &Model, from: &Value) -> Result<Request, String> {
    let mut request = Request::new(number(from, "dfl_plm")?);
    request.system_wide = number::<u64>(from, "flags")? & 1 != 0;
    request.wants_output = flag(from, "mod_out")?;
    for pmc in list(from, "unavail")? {
        request.unavailable.insert(whole(pmc, "unavail")?);
    }
    if flag(from, "no_inp")? {
        request.plm = super::pmu::Privilege::USER;
    } else {
        request.events = events(from)?;
    }
    if let Some(input) = from.get("mod_in").filter(|input| !input.is_null()) {
        add_input(&mut request, model, input)?;
    }
    Ok(request)
}

/// Adds the input that only this model takes.
pub(crate) fn add_input(request: &mut Request, model: &Model, input: &Value) -> Result<(), String> {
    for (event, counter) in request.events.iter_mut().zip(list(input, "counters")?) {
        event.options = options(counter)?;
    }
    request.input = model_input(model, input)?;
    Ok(())
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
    if value(from, "i")?.is_none() {
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

/// The input of the model's family, or of that of the model which `for` names.
fn model_input(model: &Model, from: &Value) -> Result<Option<ModelInput>, String> {
    let model = match from.get("for") {
        None => model,
        Some(name) => name
            .as_str()
            .and_then(Model::find)
            .ok_or_else(|| format!("`for` is not a known model: {}", brief(name)))?,
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
        "itanium" => ModelInput::Itanium(Box::new(ia64(from, ["pmc8", "pmc9"], "btb")?)),
        "itanium2" => ModelInput::Itanium2(Box::new(ia64(from, ["pmc8", "pmc9"], "btb")?)),
        "montecito" => ModelInput::Montecito(Box::new(ia64(from, ["opcm1", "opcm2"], "etb")?)),
        "cell" => ModelInput::Cell(CellInput {
            control: number(from, "control")?,
            interval: number(from, "interval")?,
            triggers: number(from, "triggers")?,
        }),
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
    let ibs = |bit: u64, key: &str| match from.get(key) {
        _ if used & bit == 0 => Ok::<_, String>(None),
        None => Ok(Some(Ibs::default())),
        Some(part) => {
            Ok(Some(Ibs { period: number(part, "maxcnt")?, options: number(part, "options")? }))
        }
    };
    Ok(Amd64Input { fetch: ibs(1, "ibsfetch")?, op: ibs(2, "ibsop")? })
}

/// The input of an Itanium; the keys of the opcode matchers and of the branch buffer differ.
fn ia64(from: &Value, opcodes: [&str; 2], buffer: &str) -> Result<Ia64Input, String> {
    Ok(Ia64Input {
        opcodes: [used(from, opcodes[0], opcode)?, used(from, opcodes[1], opcode)?],
        instruction_ear: used(from, "iear", ear)?,
        data_ear: used(from, "dear", ear)?,
        branch_buffer: used(from, buffer, branch_buffer)?,
        ip_ear: used(from, "ipear", |ear| {
            Ok(IpEar { plm: number(ear, "plm")?, delay: number(ear, "delay")? })
        })?,
        code: used(from, "irange", ranges)?,
        data: used(from, "drange", ranges)?,
    })
}

/// The object of this key as `read` reads it, if it says that it is used.
fn used<T>(
    from: &Value,
    key: &str,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Result<Option<T>, String> {
    match from.get(key) {
        Some(part) if flag(part, "used")? => read(part).map(Some),
        _ => Ok(None),
    }
}

fn opcode(from: &Value) -> Result<OpcodeMatch, String> {
    if from.get("val").is_some() {
        return Ok(OpcodeMatch::Register(number(from, "val")?));
    }
    Ok(OpcodeMatch::Fields {
        matches: number(from, "match")?,
        mask: number(from, "mask")?,
        m: flag(from, "m")?,
        i: flag(from, "i")?,
        f: flag(from, "f")?,
        b: flag(from, "b")?,
    })
}

fn ear(from: &Value) -> Result<Ear, String> {
    Ok(Ear {
        mode: number(from, "mode")?,
        instruction_set: number(from, "ism")?,
        plm: number(from, "plm")?,
        umask: number(from, "umask")?,
    })
}

fn branch_buffer(from: &Value) -> Result<BranchBuffer, String> {
    Ok(BranchBuffer {
        plm: number(from, "plm")?,
        tm: number(from, "tm")?,
        ptm: number(from, "ptm")?,
        ppm: number(from, "ppm")?,
        brt: number(from, "brt")?,
        ds: number(from, "ds")?,
        tar: number(from, "tar")?,
        tac: number(from, "tac")?,
        bac: number(from, "bac")?,
    })
}

fn ranges(from: &Value) -> Result<Ranges, String> {
    let limits = list(from, "limits")?.iter().map(|limit| {
        Ok(Range {
            start: number(limit, "start")?,
            end: number(limit, "end")?,
            plm: number(limit, "plm")?,
        })
    });
    Ok(Ranges { flags: number(from, "flags")?, limits: limits.collect::<Result<_, String>>()? })
}

/// The value of this key in an object.
fn value<'a>(from: &'a Value, key: &str) -> Result<Option<&'a Value>, String> {
    match from {
        Value::Object(object) => Ok(object.get(key)),
        other => Err(format!("`{key}` must be in an object, not in {}", brief(other))),
    }
}

/// A value for a message, cut if it is long.
pub(crate) fn brief(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The list of this key; none is an empty one.
fn list<'a>(from: &'a Value, key: &str) -> Result<&'a [Value], String> {
    match value(from, key)? {
        None => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(other) => Err(format!("`{key}` must be a list, not {}", brief(other))),
    }
}

/// The number of this key, 0 if it is not there.
fn number<N: TryFrom<u64>>(from: &Value, key: &str) -> Result<N, String> {
    value(from, key)?.map_or_else(
        || N::try_from(0).map_err(|_| format!("`{key}` cannot be 0")),
        |value| whole(value, key),
    )
}

/// Not 0.
fn flag(from: &Value, key: &str) -> Result<bool, String> {
    Ok(number::<u64>(from, key)? != 0)
}

/// A whole number, or its hexadecimal text; `true` is 1.
fn whole<N: TryFrom<u64>>(value: &Value, key: &str) -> Result<N, String> {
    let number = match value {
        Value::Bool(flag) => Some(u64::from(*flag)),
        Value::String(text) => {
            // `from_str_radix` would take a sign.
            let hex = text.strip_prefix("0x").filter(|hex| !hex.starts_with('+'));
            hex.and_then(|hex| u64::from_str_radix(hex, 16).ok())
        }
        number => number.as_u64(),
    };
    number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
        format!("`{key}` must be a whole number or a \"0x…\" string, not {}", brief(value))
    })
}
