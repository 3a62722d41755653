//! The input that only one family of models takes, as a JSON object (`mod_in`).

use super::pmu::libpfm3::ia64::{BranchBuffer, Ear, Ia64Input, IpEar, OpcodeMatch, Range, Ranges};
use super::pmu::libpfm3::{
    Amd64Input, CellCounter, CellInput, CounterOptions, Ibs, Lbr, Model, ModelInput, NehalemInput,
    Pebs,
};
use super::reader::{Keys, Object, brief};
use serde_json::{Map, Value};

/// The place of the input.
const MOD_IN: &str = "mod_in";
/// The place of the options of a counter in it.
const COUNTER: &str = "mod_in.counters[]";

/// The input of a family, and the options of its counters.
pub(crate) struct Input {
    pub(crate) input: Option<ModelInput>,
    pub(crate) counters: Vec<CounterOptions>,
}

/// Reads the input for the model, or for that which its key `for` names.
pub(crate) fn read(model: &Model, from: &Value) -> Result<Input, String> {
    let model = match from.get("for") {
        None => model,
        Some(name) => name
            .as_str()
            .and_then(Model::find)
            .ok_or_else(|| format!("`mod_in.for` is not a known model: {}", brief(name)))?,
    };
    let lost = |from: &Map<String, Value>| from.keys().any(|key| key != "for");
    if from.as_object().is_some_and(lost) && empty(model.family()).is_none() {
        return Err(format!("{} takes no `mod_in`, only events", model.name()));
    }
    Object::new(from, MOD_IN, owners)?.finished(|input| {
        let found = of_family(model.family(), input)?;
        input.know(&["for"]);
        Ok(found)
    })
}

/// Of which families' input a key is that stands beside `mod_in`.
pub(crate) fn inside(place: &str, key: &str) -> Option<String> {
    let owners = owners(MOD_IN, key).filter(|_| place.is_empty())?;
    Some(format!("`{MOD_IN}` for {}", owners.trim_start_matches("the input for ")))
}

/// The options of one counter of a family, as in `mod_in.counters`.
pub(crate) fn options(family: &str, from: &Value, place: &str) -> Result<CounterOptions, String> {
    Object::new(from, place, |_, key| owners(COUNTER, key))?
        .finished(|counter| counter_options(family, counter))
}

/// The input of a family with nothing in it; `None` if the family takes none.
pub(crate) fn empty(family: &str) -> Option<ModelInput> {
    of_family(family, &Object::listing(MOD_IN, &Keys::default())).ok()?.input
}

/// The names of the options of a family's counters.
pub(crate) fn option_names(family: &str) -> Vec<&'static str> {
    let options = keys(family).into_iter().filter(|(place, _)| place == COUNTER);
    options.map(|(_, key)| key).collect()
}

/// The families whose input has this key at this place.
fn owners(place: &str, key: &str) -> Option<String> {
    let place: String = place.chars().filter(|c| !c.is_ascii_digit()).collect();
    let mut families: Vec<&str> = Model::all().map(Model::family).collect();
    families.dedup();
    families.retain(|family| keys(family).iter().any(|known| known.0 == place && known.1 == key));
    (!families.is_empty()).then(|| format!("the input for {}", families.join(", ")))
}

/// The place and the name of every key of a family's input.
fn keys(family: &str) -> Vec<(String, &'static str)> {
    let keys = Keys::default();
    // An object without keys is always read.
    let _ = Object::listing(MOD_IN, &keys).finished(|input| of_family(family, input));
    keys.into_inner()
}

/// Every key that a family's input has, read once.
fn of_family(family: &str, from: &Object<'_>) -> Result<Input, String> {
    let pebs = |from: &Object<'_>| Ok::<_, String>(Pebs { used: from.flag("pebs_used")? });
    let input = match family {
        "gen_ia32" => ModelInput::GenIa32,
        "p6" => ModelInput::P6,
        "coreduo" => ModelInput::CoreDuo,
        "core" => ModelInput::Core(pebs(from)?),
        "atom" => ModelInput::Atom(pebs(from)?),
        "nehalem" => ModelInput::Nehalem(nehalem(from, pebs(from)?)?),
        "amd64" => ModelInput::Amd64(amd64(from)?),
        "itanium" => ModelInput::Itanium(Box::new(ia64(from, register(from)?, "btb")?)),
        "itanium2" => ModelInput::Itanium2(Box::new(ia64(from, register(from)?, "btb")?)),
        "montecito" => ModelInput::Montecito(Box::new(ia64(from, fields(from)?, "etb")?)),
        "cell" => ModelInput::Cell(CellInput {
            control: from.number("control")?,
            interval: from.number("interval")?,
            triggers: from.number("triggers")?,
        }),
        _ => return Ok(Input { input: None, counters: Vec::new() }),
    };
    let counters = from.parts("counters", |counter| counter_options(family, counter))?;
    Ok(Input { input: Some(input), counters })
}

/// The flags of a family's counters, which have a name each besides their place in `flags`.
fn flags(family: &str) -> &'static [(&'static str, u32)] {
    const INV: (&str, u32) = ("inv", CounterOptions::INVERT);
    const EDGE: (&str, u32) = ("edge", CounterOptions::EDGE);
    const ANYTHR: (&str, u32) = ("anythr", CounterOptions::ANY_THREAD);
    const OCC_RST: (&str, u32) = ("occ_rst", CounterOptions::RESET_OCCUPANCY);
    const GUEST: (&str, u32) = ("guest", CounterOptions::GUEST);
    const HOST: (&str, u32) = ("host", CounterOptions::HOST);
    const NO_QUALCHECK: (&str, u32) = ("no_qualcheck", CounterOptions::NO_QUALIFIER_CHECK);
    const ALL_THRD: (&str, u32) = ("all_thrd", CounterOptions::ALL_THREADS);
    match family {
        "p6" | "coreduo" | "core" => &[INV, EDGE],
        "gen_ia32" | "atom" => &[INV, EDGE, ANYTHR],
        "nehalem" => &[INV, EDGE, ANYTHR, OCC_RST],
        "amd64" => &[INV, EDGE, GUEST, HOST],
        "itanium" | "itanium2" => &[NO_QUALCHECK],
        "montecito" => &[NO_QUALCHECK, ALL_THRD],
        _ => &[],
    }
}

/// One of `mod_in.counters`.
fn counter_options(family: &str, from: &Object<'_>) -> Result<CounterOptions, String> {
    let mut options = CounterOptions::default();
    if family == "cell" {
        options.cell = CellCounter {
            counter: from.number("pmx")?,
            spe_subunit: from.number("spe_subunit")?,
            polarity: from.number("polarity")?,
            input_control: from.number("input_control")?,
        };
        return Ok(options);
    }
    options.flags = from.number("flags")?;
    for (name, bit) in flags(family) {
        options.flags |= if from.flag(name)? { *bit } else { 0 };
    }
    if matches!(family, "itanium" | "itanium2" | "montecito") {
        options.threshold = from.number("thres")?;
        options.instruction_set = from.number("ism")?;
    } else {
        options.threshold = from.number("cnt_mask")?;
    }
    Ok(options)
}

fn nehalem(from: &Object<'_>, pebs: Pebs) -> Result<NehalemInput, String> {
    let load_latency = from.number("ld_lat_thres")?;
    let lbr = from.part("lbr", |lbr| {
        let used = lbr.flag("used")?;
        let lbr = Lbr { plm: lbr.levels("plm")?, filter: lbr.number("filter")? };
        Ok(used.then_some(lbr))
    })?;
    Ok(NehalemInput { pebs, load_latency, lbr })
}

fn amd64(from: &Object<'_>) -> Result<Amd64Input, String> {
    let used: u64 = from.number("flags")?;
    let ibs = |bit: u64, key| {
        let part = from.part(key, |part| {
            Ok(Ibs { period: part.number("maxcnt")?, options: part.number("options")? })
        })?;
        Ok::<_, String>((used & bit != 0).then_some(part))
    };
    Ok(Amd64Input { fetch: ibs(1, "ibsfetch")?, op: ibs(2, "ibsop")? })
}

/// The input of an Itanium besides its opcode matchers; the key of the branch buffer differs.
fn ia64(
    from: &Object<'_>,
    opcodes: [Option<OpcodeMatch>; 2],
    buffer: &'static str,
) -> Result<Ia64Input, String> {
    Ok(Ia64Input {
        opcodes,
        instruction_ear: used(from, "iear", ear)?,
        data_ear: used(from, "dear", ear)?,
        branch_buffer: used(from, buffer, branch_buffer)?,
        ip_ear: match buffer {
            "etb" => used(from, "ipear", ip_ear)?,
            _ => None,
        },
        code: used(from, "irange", ranges)?,
        data: used(from, "drange", ranges)?,
    })
}

/// The object of this key as `read` reads it, if it says that it is used.
fn used<T>(
    from: &Object<'_>,
    key: &'static str,
    read: impl Fn(&Object<'_>) -> Result<T, String>,
) -> Result<Option<T>, String> {
    from.part(key, |part| {
        let used = part.flag("used")?;
        Ok(Some(read(part)?).filter(|_| used))
    })
}

/// The opcode matchers up to Itanium 2.
fn register(from: &Object<'_>) -> Result<[Option<OpcodeMatch>; 2], String> {
    let opcode = |key| used(from, key, |part| Ok(OpcodeMatch::Register(part.number("val")?)));
    Ok([opcode("pmc8")?, opcode("pmc9")?])
}

/// The opcode matchers of Montecito.
fn fields(from: &Object<'_>) -> Result<[Option<OpcodeMatch>; 2], String> {
    let opcode = |key| {
        used(from, key, |part| {
            Ok(OpcodeMatch::Fields {
                matches: part.number("match")?,
                mask: part.number("mask")?,
                m: part.flag("m")?,
                i: part.flag("i")?,
                f: part.flag("f")?,
                b: part.flag("b")?,
            })
        })
    };
    Ok([opcode("opcm1")?, opcode("opcm2")?])
}

fn ear(from: &Object<'_>) -> Result<Ear, String> {
    Ok(Ear {
        mode: from.number("mode")?,
        instruction_set: from.number("ism")?,
        plm: from.levels("plm")?,
        umask: from.number("umask")?,
    })
}

fn ip_ear(from: &Object<'_>) -> Result<IpEar, String> {
    Ok(IpEar { plm: from.levels("plm")?, delay: from.number("delay")? })
}

fn branch_buffer(from: &Object<'_>) -> Result<BranchBuffer, String> {
    Ok(BranchBuffer {
        plm: from.levels("plm")?,
        tm: from.number("tm")?,
        ptm: from.number("ptm")?,
        ppm: from.number("ppm")?,
        brt: from.number("brt")?,
        ds: from.number("ds")?,
        tar: from.number("tar")?,
        tac: from.number("tac")?,
        bac: from.number("bac")?,
    })
}

fn ranges(from: &Object<'_>) -> Result<Ranges, String> {
    let limits = from.parts("limits", |limit| {
        Ok(Range {
            start: limit.number("start")?,
            end: limit.number("end")?,
            plm: limit.levels("plm")?,
        })
    })?;
    Ok(Ranges { flags: from.number("flags")?, limits })
}
