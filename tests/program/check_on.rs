//! `counterpoint check --on`: what processors that are not here can count.

use crate::{root, run, stderr, stdout};
use serde_json::Value;

/// The answers for each name, and the last line for all.
fn on(processors: &str, names: &str) -> (Vec<Value>, Option<i32>) {
    let output = run(&["check", "--on", processors, names, "--json"]);
    let lines = stdout(&output);
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    (lines.lines().map(parse).collect(), output.status.code())
}

#[test]
fn each_kind_of_core_says_as_what_and_in_how_many_passes() {
    let (lines, code) = on("spr,neoverse-v2,mtl", "PAPI_TOT_INS,page-faults,ipc");
    assert_eq!(code, Some(0));
    let pmus: Vec<&str> = lines
        .iter()
        .filter_map(|of| of["name"].as_str().map(|_| of["pmu"].as_str().unwrap()))
        .collect();
    let each = |pmu| [pmu; 3];
    assert_eq!(pmus, [each("spr"), each("arm_v2"), each("mtl_rwc"), each("mtl_cmt")].concat());
    let kinds: Vec<&Value> = lines[..3].iter().map(|of| &of["kind"]).collect();
    assert_eq!(kinds, ["definition", "event", "metric"]);
    assert_eq!(lines[4]["events"], serde_json::json!(["arm_v2::INST_RETIRED"]));
    assert_eq!((&lines[1]["passes"], &lines[2]["passes"]), (&0.into(), &1.into()));
    assert_eq!((&lines[3]["countable"], &lines[3]["passes_together"]), (&3.into(), &1.into()));
}

#[test]
fn more_events_than_counters_need_more_passes() {
    let events = "BR_MISP_RETIRED.ALL_BRANCHES,BR_INST_RETIRED.ALL_BRANCHES,MEM_INST_RETIRED.ALL_LOADS,MEM_INST_RETIRED.ALL_STORES,MEM_LOAD_RETIRED.L1_HIT,MEM_LOAD_RETIRED.L2_HIT,MEM_LOAD_RETIRED.L3_HIT";
    let (lines, code) = on("spr", events);
    assert_eq!(code, Some(0));
    assert!(lines[..7].iter().all(|of| of["passes"] == 1), "{lines:?}");
    // Those of loads and stores have four counters only.
    assert_eq!(lines[7]["passes_together"], 2);
}

#[test]
fn counters_that_the_tables_lack_are_not_taken_for_none() {
    let (lines, code) = on("sifive_p550", "cycles,page-faults");
    assert_eq!(code, Some(0));
    assert_eq!((&lines[0]["passes"], &lines[1]["passes"]), (&Value::Null, &0.into()));
    assert_eq!((&lines[0]["kind"], &lines[2]["passes_together"]), (&"event".into(), &Value::Null));
    let text = stdout(&run(&["check", "--on", "sifive_p550", "cycles"]));
    assert!(text.contains("  cycles  unknown     cycles\n"), "{text}");
}

#[test]
fn an_event_that_is_missing_has_a_preset_that_stands_in_for_it() {
    for others in ["arm_v2,zen5", "zen5"] {
        let (lines, code) = on(others, "L1D_CACHE_REFILL");
        assert_eq!(code, Some(1));
        let has = |of: &&Value| of["passes"] == 1;
        assert!(lines.iter().filter(has).all(|of| of["stand_in"].is_null()), "{lines:?}");
        let zen5 = lines.iter().find(|of| of["pmu"] == "amd64_fam1ah_zen5").unwrap();
        assert_eq!(
            (&zen5["reason"], &zen5["stand_in"]),
            (&"no such event".into(), &"PAPI_L1_DCM".into())
        );
    }
    let (lines, _) = on("spr", "L1D.REPLACEMEN,L1D_REPLACEMENTS");
    assert!(lines[0]["reason"].as_str().unwrap().contains("did you mean"), "{lines:?}");
}

#[test]
fn events_of_units_are_known_without_them() {
    let (lines, code) = on("spr", "UNC_CHA_TOR_INSERTS.IA_MISS,memory_bandwidth,cycles");
    assert_eq!(code, Some(0));
    assert_eq!(
        lines[0]["unit_events"],
        serde_json::json!(["uncore_cha/event=0x35,umask=0xc001fe01/"])
    );
    assert_eq!(lines[1]["unit_events"].as_array().unwrap().len(), 2);
    assert_eq!((&lines[1]["kind"], &lines[3]["passes_together"]), (&"metric".into(), &1.into()));
}

#[test]
fn a_deprecated_event_names_its_successor() {
    let (lines, code) = on(
        "cascadelake",
        "L2_RQSTS.DEMAND_DATA_RD_MISS,OFFCORE_RESPONSE.ALL_DATA_RD.L3_HIT.ANY_SNOOP",
    );
    assert_eq!(code, Some(0), "{lines:?}");
    assert_eq!(lines[0]["successor"], Value::Null);
    assert_eq!(lines[1]["successor"], "OCR.ALL_DATA_RD.L3_HIT.ANY_SNOOP");
}

#[test]
fn the_definitions_of_a_file_are_checked_and_a_block_for_others_is_said() {
    let file = root().join("fixtures/definitions/first.csv");
    let output = run(&["check", "--on", "zen4,power10", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output).matches("2 of 2 can be counted").count(), 2);
    let own = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("on.csv");
    std::fs::write(&own, "CPU,spr\nEVENT,MINE,DERIVED_ADD,L1D:REPLACEMENT,page-faults\n").unwrap();
    let output = run(&["check", "--on", "spr,zen4", own.to_str().unwrap()]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("  MINE  1 pass      spr::L1D:REPLACEMENT, page-faults\n"), "{text}");
    assert!(text.contains("  MINE  no          `MINE` is defined for spr"), "{text}");
}

#[test]
fn a_definition_with_an_error_is_not_overlooked() {
    let own = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("on-error.csv");
    let text = "EVENT,GOOD,NOT_DERIVED,page-faults\nEVENT,BAD,DERIVED_INFIX,N0/,page-faults\n";
    std::fs::write(&own, text).unwrap();
    let output = run(&["check", "--on", " spr ,", own.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains("1 of 1 can be counted"), "{}", stdout(&output));
    assert!(stderr(&output).contains("bad-formula"), "{}", stderr(&output));
}

#[test]
fn mistakes_say_what_to_type() {
    for (args, message) in [
        (&["spr", "cycles,,"][..], "an event is missing"),
        (&["toaster", "cycles"], "no PMU is called `toaster`"),
        (&["spr", "mine.csv"], "mine.csv: there is no such file"),
        (&["spr"], "counterpoint check --on PROCESSOR,… EVENT,… or FILE"),
    ] {
        let output = run(&[&["check", "--on"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}
