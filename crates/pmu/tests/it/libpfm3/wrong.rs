//! The checker finds what libpfm-3 got wrong.

use counterpoint_pmu::libpfm3::{Assignment, Model, ModelInput, Register, Request};
use serde_json::Value;

use super::checker::FACTS;
use super::request;
use super::rules::covers;
use super::vectors::lines;

const COUNTERS: [&str; 2] = ["double-booked", "unavailable-register"];
const RANGES: [&str; 3] = ["uncovered-range", "range-pair-twice", "fine-range-crosses-page"];

#[test]
fn the_checker_finds_what_libpfm3_got_wrong() {
    let (mut found, mut missed) = (0, Vec::new());
    for model in Model::all() {
        let facts = &FACTS[model.name()];
        for vector in lines(&format!("{}.jsonl.gz", model.name())) {
            let why = |keys: &[&str]| {
                vector["why"]
                    .as_array()
                    .is_some_and(|why| why.iter().any(|why| keys.iter().any(|key| why == key)))
            };
            let request = request::read(model, &vector["req"]).expect("a request");
            let verdict = if vector["class"] != "invalid-success" {
                continue;
            } else if why(&COUNTERS) {
                facts.check(&request, &assignment(&vector["exp"]))
            } else if why(&RANGES) {
                ranges(&request, &vector["exp"])
            } else {
                continue;
            };
            found += 1;
            if verdict.is_ok() {
                missed.push(format!("{} {vector}", model.name()));
            }
        }
    }
    assert!(
        missed.is_empty(),
        "{} of {found}: {}",
        missed.len(),
        missed[..missed.len().min(5)].join("\n")
    );
    assert!(found > 500, "{found}");
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| {
        let hex = value.as_str().and_then(|text| text.strip_prefix("0x")).expect("a number");
        u64::from_str_radix(hex, 16).expect("hexadecimal")
    })
}

fn pairs(list: &Value) -> impl Iterator<Item = (u64, u64)> {
    list.as_array()
        .into_iter()
        .flatten()
        .map(|register| (number(&register[0]), number(&register[1])))
}

/// The registers of an answer.
fn assignment(answer: &Value) -> Assignment {
    let mut assignment = Assignment::default();
    let register =
        |(number, value)| Register { number: number as u32, value, ..Register::default() };
    assignment.pmcs = pairs(&answer["pmcs"]).map(register).collect();
    assignment.pmds = pairs(&answer["pmds"]).map(|(number, _)| register((number, 0))).collect();
    assignment
}

/// The debug registers of an answer cover the ranges of the request.
fn ranges(request: &Request, answer: &Value) -> Result<(), String> {
    let Some(
        ModelInput::Itanium(input) | ModelInput::Itanium2(input) | ModelInput::Montecito(input),
    ) = &request.input
    else {
        panic!("ranges without input");
    };
    let written = |list: &Value| -> Vec<(u8, u64)> {
        pairs(list).map(|(number, value)| (number as u8, value)).collect()
    };
    let is_fine = |(number, value): (u64, u64)| [14, 38].contains(&number) && value >> 13 & 1 == 1;
    let fine = pairs(&answer["pmcs"]).any(is_fine);
    let output = &answer["mod_out"];
    covers(input.code.as_ref(), &written(&output["irange"]["br"]), fine)?;
    covers(input.data.as_ref(), &written(&output["drange"]["br"]), false)
}
