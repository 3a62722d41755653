//! The answers of libpfm 3.10 to requests: the C function answers as `counterpoint-pmu`, whose own tests judge the rest.

use std::ffi::{c_int, c_uint, c_ulong};
use std::io::Read;
use std::path::Path;
use std::ptr;

use flate2::read::GzDecoder;
use pfm3::*;
use serde_json::{Value, json};

use super::pmu::libpfm3::{ErrorKind, Model, dispatch};
use super::structures::{Given, int, long};
use super::*;

/// The lines of a file of `fixtures/dispatch`.
fn lines(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dispatch").join(name);
    let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("a compressed text");
    text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

/// The input of every model.
fn input(req: &Value) -> Box<InputParam> {
    let mut input: Box<InputParam> = boxed();
    let events = req["events"].as_array().map_or(&[][..], Vec::as_slice);
    input.pfp_event_count = match req.get("event_count") {
        Some(_) => int(req, "event_count"),
        None => events.len() as c_uint,
    };
    input.pfp_dfl_plm = int(req, "dfl_plm");
    input.pfp_flags = int(req, "flags");
    for number in req["unavail"].as_array().into_iter().flatten() {
        let number = number.as_u64().expect("a number") as usize;
        if let Some(word) = input.pfp_unavail_pmcs.bits.get_mut(number / c_ulong::BITS as usize) {
            *word |= 1 << (number % c_ulong::BITS as usize);
        }
    }
    for (place, from) in input.pfp_events.iter_mut().zip(events) {
        place.event = int(from, "i");
        place.plm = int(from, "plm");
        place.flags = long(from, "flags") as c_ulong;
        let masks = from["u"].as_array().map_or(&[][..], Vec::as_slice);
        place.num_masks = masks.len() as c_uint;
        for (place, mask) in place.unit_masks.iter_mut().zip(masks) {
            *place = mask.as_u64().expect("a number") as c_uint;
        }
    }
    input
}

fn hex(number: u64) -> String {
    format!("{number:#x}")
}

fn ranges(ranges: &OutputRanges) -> Value {
    let used = ranges.nbr_used as usize;
    let br = ranges.br[..used]
        .iter()
        .map(|reg| json!([reg.reg_num, hex(reg.reg_value), hex(reg.reg_addr)]));
    let infos = ranges.infos.map(|info| [hex(info.soff), hex(info.eoff)]);
    json!({ "nbr_used": used, "infos": infos, "br": br.collect::<Vec<_>>() })
}

/// The answer of the C function, in the form of the vectors.
fn answer_of_c(family: &str, req: &Value, output: &mut OutputParam) -> Value {
    let input = input(req);
    let given = Given::of(family, &req["mod_in"]);
    let is_empty = req.get("no_inp").is_some_and(|no_inp| *no_inp != 0);
    let wants_output = req.get("mod_out").is_some_and(|mod_out| *mod_out != 0);
    let (mut amd, mut ia64) = (AmdOutput::default(), ItaniumOutput::default());
    let mod_out = match family {
        _ if !wants_output => ptr::null_mut(),
        "amd64" => ptr::from_mut(&mut amd).cast(),
        _ => ptr::from_mut(&mut ia64).cast(),
    };
    let p = if is_empty { ptr::null_mut() } else { ptr::from_ref(&*input).cast_mut() };
    // SAFETY: the structures of the model that was forced.
    let code =
        unsafe { pfm_dispatch_events(p, given.pointer().cast_mut().cast(), output, mod_out) };
    if code != 0 {
        return json!(code);
    }
    let address = |reg: &Reg| hex(if is_empty { 0 } else { reg.reg_addr });
    let pmcs = &output.pfp_pmcs[..output.pfp_pmc_count as usize];
    let pmds = &output.pfp_pmds[..output.pfp_pmd_count as usize];
    let alternates =
        |regs: &[Reg]| regs.iter().map(|reg| hex(reg.reg_alt_addr)).collect::<Vec<_>>();
    let mut answer = json!({
        "pmcs": pmcs.iter().map(|reg| json!([reg.reg_num, hex(reg.reg_value), address(reg)])).collect::<Vec<_>>(),
        "pmds": pmds.iter().map(|reg| json!([reg.reg_num, address(reg)])).collect::<Vec<_>>(),
        "pmc_alt": alternates(pmcs),
        "pmd_alt": alternates(pmds),
        "ret": "SUCCESS",
        "code": 0,
    });
    match family {
        "amd64" if wants_output => {
            answer["mod_out"] =
                json!({ "ibsfetch_base": amd.ibsfetch_base, "ibsop_base": amd.ibsop_base });
        }
        "itanium" | "itanium2" | "montecito" if wants_output => {
            let (irange, drange) = (ranges(&ia64.irange), ranges(&ia64.drange));
            answer["mod_out"] = json!({ "irange": irange, "drange": drange });
        }
        _ => {}
    }
    answer
}

#[test]
fn every_vector_passes_through_the_c_function() {
    let _alone = forced("core");
    let (mut total, mut as_libpfm3, mut wrong) = (0, 0, Vec::new());
    let mut output: Box<OutputParam> = boxed();
    for model in Model::all() {
        force(model.name());
        for vector in lines(&format!("{}.jsonl.gz", model.name())) {
            let req = &vector["req"];
            let found = answer_of_c(model.family(), req, &mut output);
            let mut request = request::read(model, req).expect("a request");
            if model.family() == "amd64" {
                // The structure has options for four counters, beyond which libpfm reads what follows it.
                let without = request.events.iter_mut().skip(4);
                without.for_each(|event| event.options = Default::default());
            }
            let result = dispatch(model, &request);
            let expected = match &result {
                Err(error) => json!(error.kind().code()),
                Ok(_) => serde_json::to_value(answer::answer(req, &result)).expect("JSON"),
            };
            total += 1;
            let theirs = &vector["exp"];
            as_libpfm3 += usize::from(found == *theirs || found == theirs["code"]);
            if found != expected {
                wrong.push(format!("{}: {vector}\n  C: {found}\n  Rust: {expected}", model.name()));
            }
        }
    }
    println!("{total} vectors, {as_libpfm3} as libpfm 3.10 answers");
    assert!(
        wrong.is_empty(),
        "{} of {total}: {}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
    assert!(total > 30_000 && as_libpfm3 * 10 > total * 8, "{as_libpfm3} of {total}");
}

#[test]
fn every_name_is_found_through_the_c_function() {
    let _alone = forced("core");
    let mut text = String::new();
    let find = &include_bytes!("../../../../fixtures/dispatch/find.tsv.gz")[..];
    GzDecoder::new(find).read_to_string(&mut text).expect("a compressed text");
    let mut count = 0;
    for line in text.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [model, ret, wanted, masks, string] = cells[..] else { panic!("five cells: {line}") };
        let string: String = serde_json::from_str(string).expect("a text");
        if Model::find(model).is_none() || string.contains('\0') {
            continue;
        }
        force(model);
        let mut event: Event = zeroed();
        // SAFETY: a string and a place.
        let code = unsafe { pfm_find_full_event(c(&string).as_ptr(), &mut event) };
        assert_eq!(code == 0, ret == "SUCCESS", "{line}: {code}");
        if code == 0 {
            let found = &event.unit_masks[..event.num_masks as usize];
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            let found = if found.is_empty() { "-".to_owned() } else { found.join(",") };
            assert_eq!(
                (event.event.to_string().as_str(), found.as_str()),
                (wanted, masks),
                "{line}"
            );
        }
        count += 1;
    }
    assert!(count >= 5 * Model::all().len(), "{count}");
}

/// Codes that a request in JSON cannot ask for.
#[test]
fn requests_that_are_none_are_refused() {
    let _alone = forced("core");
    let mut input: Box<InputParam> = boxed();
    let mut output: Box<OutputParam> = boxed();
    let dispatch = |input: *mut InputParam, output: *mut OutputParam| -> c_int {
        // SAFETY: null, or the structures.
        unsafe { pfm_dispatch_events(input, ptr::null_mut(), output, ptr::null_mut()) }
    };
    let invalid = ErrorKind::Invalid.code();
    assert_eq!(dispatch(ptr::null_mut(), &mut *output), invalid);
    assert_eq!(dispatch(&mut *input, ptr::null_mut()), invalid);
    assert_eq!(dispatch(&mut *input, &mut *output), invalid, "no levels");
    input.pfp_dfl_plm = 8;
    output.pfp_pmcs[3].reg_value = 7;
    assert_eq!(dispatch(&mut *input, &mut *output), 0, "no events");
    assert_eq!(output.pfp_pmcs[3].reg_value, 0, "what is not used is zero");
    for (count, code) in [(6, ErrorKind::TooMany.code()), (512, invalid), (u32::MAX, invalid)] {
        input.pfp_event_count = count;
        assert_eq!(dispatch(&mut *input, &mut *output), code, "{count}");
    }
    input.pfp_event_count = 1;
    for levels in [0x10, 0x20, u32::MAX] {
        input.pfp_dfl_plm = levels;
        assert_eq!(dispatch(&mut *input, &mut *output), invalid, "{levels:#x}");
    }
    input.pfp_dfl_plm = 8;
    input.pfp_events[0].num_masks = 49;
    assert_eq!(dispatch(&mut *input, &mut *output), ErrorKind::UnitMask.code());
    input.pfp_events[0].num_masks = 0;
    input.pfp_events[0].event = u32::MAX;
    assert_eq!(dispatch(&mut *input, &mut *output), invalid);
}
