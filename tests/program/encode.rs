//! `counterpoint encode`.

use crate::{run, run_on, stderr, stdout};
use serde_json::{Value, json};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn encode(args: &[&str]) -> Vec<Value> {
    lines(&stdout(&run(&[&["encode", "--json"], args].concat())))
}

fn batch(args: &[&str], input: &[u8]) -> Vec<Value> {
    let output = run_on(input, &[&["encode", "--batch"], args].concat());
    assert_eq!(output.status.code(), Some(0), "a batch says in its answers what is refused");
    lines(&stdout(&output))
}

#[test]
fn an_answer_has_every_key() {
    let raw = encode(&["spr::INST_RETIRED:ANY_P:u"]).remove(0);
    let wanted = json!({
        "input": "spr::INST_RETIRED:ANY_P:u",
        "ok": true,
        "pmu": "spr",
        "event": "INST_RETIRED",
        "fully_qualified": "spr::INST_RETIRED:ANY_P:k=0:u=1:e=0:i=0:c=0:intx=0:intxcp=0",
        "canonical": "spr::INST_RETIRED:ANY_P:u=1",
        "codes": ["0x5100c0"],
        "counters": raw["counters"],
    });
    assert_eq!(raw, wanted);
    let text = "skl::MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=64:k:period=1000:pinned:cpu=3";
    let perf = encode(&["--layer", "perf-ext", text]).remove(0);
    let wanted = json!({
        "type": 4, "config": "0x1cd", "config1": "0x40", "config2": "0x0",
        "exclude_user": true, "exclude_kernel": false, "exclude_hv": false,
        "exclude_host": false, "exclude_guest": true,
        "period": 1000, "freq": false, "precise_ip": 0, "exclusive": false, "pinned": true, "cpu": 3,
    });
    assert_eq!(perf["perf"], wanted);
    assert_eq!(perf["codes"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_refusal_says_what_and_where_and_ends_with_status_1() {
    let output = run(&["encode", "--json", "skl::L2_RQSTS:MIS:u"]);
    assert_eq!(output.status.code(), Some(1));
    let answer = lines(&stdout(&output)).remove(0);
    assert_eq!((&answer["ok"], &answer["error"]["kind"]), (&json!(false), &json!("ATTR")));
    assert_eq!(answer["error"]["span"], json!([14, 17]));
    assert_eq!(answer["error"]["similar"][0], "MISS");
    assert!(answer["error"]["help"].as_str().unwrap().contains("MISS"));
}

#[test]
fn a_name_of_other_pmus_is_refused_with_some_of_them_and_what_to_write() {
    let machine = ["--machine", "fixtures/machines/arm-neoverse"];
    let refused = |event| {
        let answer = encode(&[&machine[..], &[event]].concat()).remove(0);
        let text = |key: &str| answer["error"][key].as_str().unwrap().to_string();
        (text("kind"), text("message"), text("help"))
    };
    let (kind, message, help) = refused("L1D:REPLACEMENT:u");
    assert_eq!(kind, "NOTFOUND");
    assert!(
        message.contains("`L1D` is an event of ") && message.contains(" more PMUs"),
        "{message}"
    );
    let pmu = message.split("event of ").nth(1).unwrap().split(',').next().unwrap();
    assert!(help.contains(&format!("`counterpoint encode {pmu}::L1D:REPLACEMENT:u`")), "{help}");
    assert_eq!(encode(&[&format!("{pmu}::L1D:REPLACEMENT:u")])[0]["ok"], true);
    let (_, message, _) = refused("NO_SUCH_THING_AT_ALL");
    assert_eq!(message, "no event is called `NO_SUCH_THING_AT_ALL` here");
    let (kind, _, help) = refused("PAPI_TOT_CYC");
    assert!(kind == "NOTFOUND" && help.contains("--perf-syntax"), "{help}");
}

#[test]
fn perf_syntax_encodes_what_presets_are_made_of_or_says_that_nothing_counts_them() {
    let machine = ["--perf-syntax", "--machine", "fixtures/machines/intel-hybrid"];
    let terms = encode(&[&machine[..], &["page-faults,PAPI_TOT_CYC"]].concat()).remove(0);
    let events = terms["events"].as_array().unwrap().iter();
    let events: Vec<_> = events.map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(
        events,
        ["page-faults", "adl_grt::CPU_CLK_UNHALTED:CORE_P", "adl_glc::CPU_CLK_UNHALTED:THREAD_P"]
    );
    let refused = encode(&[&machine[..], &["page-faults,PAPI_L3_DCM"]].concat()).remove(0);
    assert_eq!((&refused["ok"], &refused["error"]["kind"]), (&json!(false), &json!("NOTSUPP")));
    assert_eq!(refused["error"]["span"], json!([12, 23]));
}

#[test]
fn levels_are_those_that_plm_names_where_the_string_names_none() {
    for (plm, code) in [
        ("k", "0x5200c0"),
        ("u", "0x5100c0"),
        ("12h", "0x5000c0"),
        ("none", "0x5000c0"),
        ("0x1", "0x5200c0"),
    ] {
        assert_eq!(
            encode(&["--plm", plm, "spr::INST_RETIRED:ANY_P"])[0]["codes"][0],
            code,
            "{plm}"
        );
        assert_eq!(encode(&["--plm", plm, "spr::INST_RETIRED:ANY_P:u"])[0]["codes"][0], "0x5100c0");
    }
    let output = run(&["encode", "--plm", "x", "cycles"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`x` is not a privilege level"), "{}", stderr(&output));
    let answers = batch(&["--plm", "0x20"], b"spr::L1D\n");
    assert_eq!(answers[0]["error"]["kind"], "INVAL", "no level has this bit");
}

#[test]
fn every_line_of_a_batch_has_one_answer() {
    let answers =
        batch(&[], b"spr::L1D\n\nspr::L1D \n\xff\xfe\nspr::L1D\r\nspr::L1D,spr::L1D\nperf::CYCLES");
    let kinds: Vec<_> =
        answers.iter().map(|a| a["error"]["kind"].as_str().unwrap_or("-")).collect();
    assert_eq!(kinds, ["-", "NOTFOUND", "INVAL", "NOTFOUND", "NOTFOUND", "INVAL", "-"]);
    assert_eq!(answers[2]["input"], "spr::L1D ", "the blank is part of the string");
    assert_eq!(batch(&[], b""), [] as [Value; 0]);
}

#[test]
fn a_machine_decides_what_names_without_prefix_mean_and_which_types_pmus_have() {
    let on = |machine: &str, layer: &str, event: &str| {
        let folder = format!("fixtures/machines/{machine}");
        encode(&["--machine", &folder, "--layer", layer, event]).remove(0)
    };
    let pmus = [
        ("intel-hybrid", "INST_RETIRED:ANY_P", "adl_glc", 4),
        ("intel-hybrid", "adl_grt::INST_RETIRED:ANY_P", "adl_grt", 10),
        ("amd-zen4", "RETIRED_INSTRUCTIONS", "amd64_fam19h_zen4", 4),
        ("arm-neoverse", "L1D_CACHE_REFILL", "arm_n1", 4),
        ("power9", "PM_CYC", "power9", 4),
        ("vm-no-pmu", "cycles", "perf", 0),
    ];
    for (machine, event, pmu, kind) in pmus {
        let answer = on(machine, "perf", event);
        assert_eq!(
            (&answer["pmu"], &answer["perf"]["type"]),
            (&json!(pmu), &json!(kind)),
            "{answer}"
        );
    }
    let uncore = on("vm-no-pmu", "perf", "skx_unc_cha0::UNC_C_CLOCKTICKS");
    assert_eq!(uncore["error"]["kind"], "NOTSUPP", "sysfs shows no such PMU");
    assert_eq!(on("vm-no-pmu", "raw", "skx_unc_cha0::UNC_C_CLOCKTICKS")["ok"], true);
    let nothing = encode(&["--machine", "fixtures/formula", "--layer", "perf", "cycles"]).remove(0);
    assert_eq!(nothing["error"]["kind"], "NOTSUPP", "there is no perf_events at all");
    let only = encode(&["--pmu", "skl", "INST_RETIRED:ANY_P", "cycles"]);
    assert_eq!((&only[0]["pmu"], &only[1]["error"]["kind"]), (&json!("skl"), &json!("NOTFOUND")));
}

#[test]
fn perfs_spellings_are_read_when_that_is_asked_for() {
    let on = |machine: &str, list: &str| {
        let folder = format!("fixtures/machines/{machine}");
        encode(&["--perf-syntax", "--machine", &folder, list]).remove(0)
    };
    let one = on("amd-zen4", "cpu/event=0xc0,umask=1/u");
    assert_eq!((&one["ok"], &one["perf"]["config"]), (&json!(true), &json!("0x1c0")));
    assert_eq!(one["perf"]["exclude_kernel"], true);
    let list = on("amd-zen4", "{cycles:uk,instructions},RETIRED_INSTRUCTIONS:D");
    let events: Vec<_> = list["events"].as_array().unwrap().iter().map(|e| &e["event"]).collect();
    assert_eq!(events, ["cycles:uk", "instructions", "RETIRED_INSTRUCTIONS:D"]);
    assert_eq!(list["events"][2]["perf"]["pinned"], true);
    let cores = on("intel-hybrid", "INST_RETIRED:ANY_P");
    let pmus: Vec<_> = cores["events"].as_array().unwrap().iter().map(|e| &e["pmu"]).collect();
    assert_eq!(pmus, ["cpu_core", "cpu_atom"]);
    let wrong = on("amd-zen4", "cycles,cpu/evnt=1/");
    assert_eq!((&wrong["error"]["span"], &wrong["ok"]), (&json!([11, 17]), &json!(false)));
}

#[test]
fn people_get_the_place_of_a_mistake_marked() {
    let output = run(&["encode", "skl::L2_RQSTS:MIS:u", "--layer", "perf", "spr::L1D:REPLACEMENT"]);
    let text = stdout(&output);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("skl::L2_RQSTS:MIS:u"));
    assert_eq!(lines.next(), Some("              ^^^"));
    assert!(text.contains("help: did you mean `MISS`?"), "{text}");
    assert!(text.contains("type 4 config 0x151 exclude_guest"), "{text}");
}

/// One string has one code, and what is printed in full can be given back.
#[test]
fn a_full_string_is_the_event_that_was_encoded() {
    let codes = |name: &str| encode(&[name]).remove(0)["codes"].clone();
    assert_eq!(codes("spr::INST_RETIRED"), codes("spr::INST_RETIRED:ANY"));
    assert_eq!(codes("icl::MEM_TRANS_RETIRED"), codes("icl::MEM_TRANS_RETIRED:LOAD_LATENCY"));
    for name in ["spr::INST_RETIRED", "icl::MEM_TRANS_RETIRED", "adl_grt::MEM_UOPS_RETIRED"] {
        let text = stdout(&run(&["encode", name]));
        let full = text.lines().find_map(|line| line.trim().strip_prefix("in full ")).unwrap();
        assert_eq!(codes(full.trim()), codes(name), "{name}");
    }
    // libpfm prints a filter of 0, which would be a filter if it was written.
    let text = stdout(&run(&["encode", "snbep_unc_cbo0::UNC_C_RING_IV_USED"]));
    assert!(!text.contains("in full"), "{text}");
}
