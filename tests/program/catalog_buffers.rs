//! `counterpoint catalog request` and `data`: buffers of the hypervisor.

use crate::catalog::{BASE, file, lines};
use crate::{run, run_on, schema, stderr, stdout};
use serde_json::{Value, json};

/// A result buffer of version 1 for catalog version 17 with one result of 64-byte elements, one for each core.
fn results(cores: &[[u64; 7]]) -> Vec<u8> {
    let mut bytes = vec![1, 1, 0, 0, 0, 0, 0, 0];
    bytes.extend([0_u64, 17, 0].iter().flat_map(|word| word.to_be_bytes()));
    bytes.extend([0, 1, 0, cores.len() as u8, 0, 64, 0, 0]);
    for (core, words) in cores.iter().enumerate() {
        bytes.extend([0, 0, 0, core as u8, 0xff, 0xff, 0xff, 0xff]);
        bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        bytes.extend([0, 3]);
        bytes.extend(&words[0].to_be_bytes()[2..]);
    }
    bytes
}

fn value(records: &[Value], index: u64, address: u64) -> Value {
    let is_it = |record: &&Value| {
        record["record"] == "value" && record["index"] == index && record["address"] == address
    };
    records.iter().find(is_it).unwrap_or_else(|| panic!("{records:#?}")).clone()
}

#[test]
fn data_are_named_by_the_catalog() {
    let tick = 512_000_000;
    let earlier = file("earlier.bin", &results(&[[0, 1, 0, 10, 20, 30, u64::MAX], [0; 7]]));
    let later = results(&[[tick, 2, 0, 110, 220, 330, 4], [tick, 2, 0, 1000, 0, 0, 0]]);
    let args = [
        "catalog",
        "data",
        "-",
        "--catalog",
        BASE,
        "--name",
        "CORE_ALPHA",
        "--json",
        "--before",
        &earlier,
    ];
    let output = run_on(&later, &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let records = lines(&output);
    let alpha = value(&records, 0, 24);
    assert_eq!(
        json!([alpha["events"], alpha["fields"], alpha["value"], alpha["grown"], alpha["domain"]]),
        json!([["CORE_ALPHA"], ["GRS_COUNTER_1"], 110, 100, 2])
    );
    assert_eq!(value(&records, 0, 48)["grown"], 5, "the counter wrapped");
    assert_eq!(value(&records, 0, 58)["width"], 6);
    assert_eq!(value(&records, 1, 24)["value"], 1000);
    let nine = records.iter().find(|record| record["name"] == "NINE").unwrap();
    assert_eq!(nine["value"], 9);
    // The same with the buffer of requests instead of a name.
    let mut requests = vec![1, 1];
    requests.resize(16, 0);
    requests.extend([2, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
    let requests = file("requests.bin", &requests);
    let args = [
        "catalog",
        "data",
        "-",
        "--catalog",
        BASE,
        "--requests",
        &requests,
        "--json",
        "--before",
        &earlier,
    ];
    let named = run_on(&later, &args);
    schema::check("catalog-data", &stdout(&named), "with a buffer of requests");
    assert_eq!(lines(&named), records);
    // Without either, the numbers are there, with the names that fields of that size have.
    let unnamed = run_on(&later, &["catalog", "data", "-", "--catalog", BASE, "--json"]);
    schema::check("catalog-data", &stdout(&unnamed), "without names");
    let records = lines(&unnamed);
    let period = value(&records, 0, 16);
    assert_eq!(
        period["fields"],
        json!(["GRS_MEASUREMENT_PERIOD", "GRS_ACCUMULATED_MEASUREMENT_PERIOD"])
    );
    assert_eq!(period["domain"], Value::Null);
}

#[test]
fn results_that_cannot_be_compared_are_told() {
    let [was, mut is] = [results(&[[1; 7]]), results(&[[2; 7], [2; 7]])];
    is[15] = 1;
    let mut other = was.clone();
    other[23] = 18;
    let codes = |before: &str| {
        let args = ["catalog", "data", "-", "--catalog", BASE, "--name", "CORE_ALPHA"];
        let output = run_on(&is, &[&args[..], &["--before", before, "--json"]].concat());
        let found = lines(&output).into_iter().filter(|record| record["record"] == "finding");
        found.map(|found| found["code"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&file("was.bin", &was)), ["configuration", "new-element"]);
    assert_eq!(
        codes(&file("other.bin", &other)),
        ["catalog-version", "configuration", "new-element"]
    );
}

#[test]
fn a_formula_sums_what_was_measured() {
    let chip = |words: [u64; 3]| {
        let mut all = [0; 7];
        (all[0], all[3], all[4]) = (words[0], words[1], words[2]);
        all
    };
    let earlier = file("chips-earlier.bin", &results(&[chip([0; 3]), chip([0; 3])]));
    let later = file(
        "chips-later.bin",
        &results(&[chip([1_024_000_000, 100, 30]), chip([1_024_000_100, 300, 70])]),
    );
    let args =
        ["catalog", "data", &later, "--catalog", BASE, "--name", "Chip_BW", "--before", &earlier];
    let output = run(&[&args[..], &["--json"]].concat());
    let metric =
        |name: &str| lines(&output).into_iter().find(|record| record["name"] == name).unwrap();
    assert_eq!(metric("UTIL")["value"], 25.0);
    let seconds = 1_024_000_100.0 / 512e6;
    assert_eq!(metric("XFER_BW")["value"], 100.0 * 128.0 / seconds);
    let text = stdout(&run(&args));
    assert!(text.contains("chip 0\n") && text.contains("CHIP_XFER\n"), "{text}");
}

#[test]
fn what_is_wrong_with_a_buffer_is_told() {
    let good = results(&[[1; 7]]);
    let told = |bytes: &[u8], name: &str| {
        let output =
            run_on(bytes, &["catalog", "data", "-", "--catalog", BASE, "--name", name, "--json"]);
        schema::check("catalog-data", &stdout(&output), "with findings");
        let found: Vec<Value> =
            lines(&output).into_iter().filter(|record| record["record"] == "finding").collect();
        let keys = found.iter().map(|found| found["code"].as_str().unwrap().to_string());
        (keys.collect::<Vec<_>>(), output.status.code())
    };
    assert_eq!(told(&good, "CORE_ALPHA"), (vec![], Some(0)));
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    assert_eq!(told(&changed(23, 18), "CORE_ALPHA").0, ["catalog-version"]);
    assert_eq!(told(&changed(33, 0), "CORE_ALPHA").0, ["incomplete"]);
    assert_eq!(told(&changed(32, 4), "CORE_ALPHA").0, ["request-number"]);
    assert_eq!(
        told(&changed(35, 2), "CORE_ALPHA"),
        (vec!["elements-past-buffer".to_string()], Some(1))
    );
    let output = run_on(&changed(0, 3), &["catalog", "data", "-", "--catalog", BASE]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("interface version is 3"), "{}", stderr(&output));
    let output = run_on(&good, &["catalog", "data", "-", "--catalog", BASE, "--name", "CORE_ALPH"]);
    assert!(stderr(&output).contains("did you mean `CORE_ALPHA`"), "{}", stderr(&output));
}

#[test]
fn a_request_buffer_is_written_for_events_and_groups() {
    use counterpoint::catalog::data::{InterfaceVersion, Request, RequestBuffer};
    let request = |args: &[&str]| run(&[&["catalog", "request", "--catalog", BASE], args].concat());
    let decoded = |args: &[&str]| {
        let output = request(args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let decoded = RequestBuffer::decode(&output.stdout);
        assert!(decoded.diagnostics.is_empty(), "{:?}", decoded.diagnostics);
        decoded.buffer.unwrap()
    };
    let buffer = decoded(&["CORE_GAMMA", "CHIP_XFER"]);
    assert_eq!(buffer.version, InterfaceVersion::V2);
    let places: Vec<_> =
        buffer.requests.iter().map(|r| (r.domain.0, r.data_offset, r.data_size)).collect();
    assert_eq!(places, [(2, 0x58, 8), (1, 0x20, 8)]);
    assert!(buffer.requests.iter().all(|r| (r.first_index, r.max_indexes) == (0, 1)));
    // An event's own group, every core of it.
    let buffer = decoded(&["--records", "--indexes", "all", "--interface", "1", "CORE_BETA"]);
    assert_eq!(buffer.version, InterfaceVersion::V1);
    let [only] = buffer.requests[..] else { panic!("{buffer:?}") };
    assert_eq!((only.data_offset, only.data_size, only.max_indexes), (0, 64, Request::ALL));
    assert_eq!(decoded(&["--indexes", "3", "CORE_BETA"]).requests[0].first_index, 3);
    // No event has the name of this group; its record is asked for.
    let [only] = decoded(&["Chip_BW"]).requests[..] else { panic!("one group") };
    assert_eq!((only.domain.0, only.data_offset, only.data_size), (1, 0, 64));

    let output = request(&["--lpars", "1", "CORE_ALPHA"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("has no partitions"), "{}", stderr(&output));
    let output = request(&["CORE_ALPH"]);
    assert!(stderr(&output).contains("did you mean `CORE_ALPHA`?"), "{}", stderr(&output));
    let many = vec!["CORE_ALPHA"; 128];
    let output = request(&many);
    assert!(stderr(&output).contains("4096"), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    assert_eq!(decoded(&many[1..]).requests.len(), 127);
}
