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
fn units_take_every_form_of_a_name_and_keep_modifiers() {
    let names = "uncore_imc/cas_count_read/,imc_3/event=0x5,umask=0xcf/,spr_unc_imc0::UNC_M_CAS_COUNT:RD,UNC_CHA_TOR_INSERTS.IA_MISS:k,msr/tsc/";
    let (lines, code) = on("spr", names);
    assert_eq!(code, Some(0), "{lines:?}");
    let units = |at: usize| lines[at]["unit_events"].as_array().unwrap().len();
    assert_eq!([0, 1, 2, 3, 4].map(units), [1, 1, 1, 1, 0]);
    assert_eq!(lines[3]["unit_events"][0], "uncore_cha/event=0x35,umask=0xc001fe01/k");
    assert_eq!((&lines[3]["passes"], &lines[4]["passes"]), (&1.into(), &0.into()));
    // The data fabric has four counters, for the eight channels of memory.
    let (lines, _) = on("zen3", "memory_bandwidth");
    assert_eq!(lines[0]["passes"], 2);
    let (lines, code) = on("gnr,spr", "uncore_imc/cas_count_read/,uncore_nothing/event=1/");
    assert_eq!(code, Some(1));
    let text = |at: usize| lines[at]["reason"].as_str().unwrap();
    assert!(text(0).contains("neither a field nor an event `cas_count_read`"), "{lines:?}");
    assert!(text(1).contains("no PMU is called `uncore_nothing`"), "{lines:?}");
    assert!(lines.iter().all(|of| !of.to_string().contains("this machine")), "{lines:?}");
}

#[test]
fn a_plan_for_another_processor_has_its_units() {
    let output = run(&["plan", "--pmu", "spr", "-M", "memory_bandwidth", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines = stdout(&output);
    let plan: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let summary = &plan["summary"];
    assert_eq!((&summary["pmu"], &summary["passes"]), (&"spr_unc_imc0".into(), &1.into()));
    assert_eq!((&summary["table"], &summary["general"]), (&"spr_unc_imc0".into(), &4.into()));
    let shown = stdout(&run(&["show", "--pmu", "spr", "memory_bandwidth"]));
    assert!(shown.contains("UNC_M_CAS_COUNT.RD: config 0xcf05\n"), "{shown}");
}

#[test]
fn braces_that_do_not_fit_are_said_and_keep_their_modifiers() {
    let loads = "MEM_INST_RETIRED.ALL_LOADS,MEM_INST_RETIRED.ALL_STORES,MEM_LOAD_RETIRED.L1_HIT,MEM_LOAD_RETIRED.L2_HIT,MEM_LOAD_RETIRED.L3_HIT";
    let (lines, code) = on("spr", &format!("{{{loads}}}"));
    assert_eq!((code, &lines[0]["passes"]), (Some(1), &1.into()));
    assert_eq!(lines[5]["name"], format!("{{{loads}}}"));
    assert!(lines[5]["reason"].as_str().unwrap().contains("do not fit"), "{lines:?}");
    let (lines, code) = on("spr", &format!("{{{loads}}}:W,{{cycles,instructions}}:u"));
    assert_eq!(
        (code, &lines[5]["kind"], &lines[5]["passes"]),
        (Some(0), &"group".into(), &2.into())
    );
    assert_eq!(
        (&lines[6]["name"], &lines[6]["events"][0]),
        (&"{cycles}:u".into(), &"cycles:u".into())
    );
    let plan = run(&["plan", "--pmu", "spr", &format!("{{{loads}}}")]);
    assert_eq!(plan.status.code(), Some(1));
    assert!(stdout(&plan).contains("  does not fit: {spr::MEM_INST"), "{}", stdout(&plan));
    let weak = run(&["plan", "--pmu", "spr", &format!("{{{loads}}}:W")]);
    assert_eq!(weak.status.code(), Some(0));
    assert!(stdout(&weak).contains("  split: {"), "{}", stdout(&weak));
}

#[test]
fn a_tracepoint_is_counted_on_every_processor() {
    let names = "sched:sched_switch,syscalls:sys_enter_read:u,L1D:REPLACEMEN,foo:bar";
    let (lines, code) = on("spr,arm_v2", names);
    assert_eq!(code, Some(1));
    for of in [&lines[..5], &lines[5..]] {
        let passes: Vec<&Value> = of[..4].iter().map(|of| &of["passes"]).collect();
        assert_eq!(passes, [&0.into(), &0.into(), &Value::Null, &Value::Null], "{of:?}");
    }
    let plan = run(&["plan", "--pmu", "spr", "sched:sched_switch"]);
    assert_eq!(stdout(&plan), "no counter needed: sched:sched_switch\n");
}

#[test]
fn a_metric_of_others_is_no_event() {
    let (lines, code) = on("spr,power9", "memory_bandwidth");
    assert_eq!((code, &lines[2]["reason"]), (Some(1), &"no such metric".into()));
}

#[test]
fn compilers_names_are_processors() {
    for (name, pmu) in [
        ("thunderx2t99", "arm_thunderx2"),
        ("sifive-u74", "sifive_bullet"),
        ("core-avx2", "hsw"),
        ("cooperlake", "clx"),
        ("bdver4", "amd64_fam15h_interlagos"),
        ("s390x", "cpum_cf"),
    ] {
        let (lines, _) = on(name, "page-faults");
        assert_eq!(lines[0]["pmu"], pmu, "{name}");
    }
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
fn a_file_may_be_a_list_of_events() {
    let own = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("events.list");
    let text = "# for the nightly run\nPAPI_L3_TCM\n\nl3_lookup_state.l3_miss,amd64_fam19h_zen4_umc::umc_cas_cmd.all\n";
    std::fs::write(&own, text).unwrap();
    let output = run(&["check", "--on", "zen4", own.to_str().unwrap()]);
    let out = stdout(&output);
    assert!(out.contains("amd_umc/event=0xa/"), "{out}{}", stderr(&output));
    assert!(out.contains("3 of 3 can be counted"), "{out}{}", stderr(&output));
}

/// Units without a table are named as libpfm names those that have one, by every command.
#[test]
fn units_are_pmus_of_every_command() {
    for args in [
        &["show", "--pmu", "srf_unc_cha", "UNC_CHA_CLOCKTICKS"][..],
        &["plan", "--pmu", "srf_unc_cha", "UNC_CHA_CLOCKTICKS"],
        &["encode", "--pmu", "srf_unc_cha", "UNC_CHA_CLOCKTICKS"],
        &["encode", "srf_unc_cha::UNC_CHA_CLOCKTICKS"],
        &["list", "--pmu", "srf_unc_cha"],
        &["list", "--presets", "--pmu", "srf_unc_cha"],
        &["list", "--metrics", "--pmu", "srf_unc_cha"],
        &["check", "--on", "srf_unc_cha", "UNC_CHA_CLOCKTICKS"],
    ] {
        let output = run(args);
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        assert_ne!(stdout(&output), "", "{args:?}");
    }
    let listed = stdout(&run(&["list", "--pmus", "--all", "sierra"])).to_string();
    assert!(listed.contains("srf_unc_cha") && listed.contains("uncore_cha"), "{listed}");
    let output = run(&["plan", "--pmu", "srf_unc_toaster", "x"]);
    assert!(stderr(&output).contains("no PMU is called `srf_unc_toaster`"), "{}", stderr(&output));
}

/// The caches that cores share are PMUs of their own, with their own counters.
#[test]
fn presets_of_shared_caches_are_those_of_their_cores() {
    for zen in ["zen1", "zen2", "zen3", "zen4", "zen5", "zen6"] {
        let output = run(&["check", "--on", zen, "PAPI_L3_TCM,PAPI_L3_TCH,l3_miss_ratio"]);
        assert!(stdout(&output).contains("3 of 3 can be counted"), "{}", stdout(&output));
    }
    let output = run(&["plan", "--pmu", "zen4", "PAPI_L3_TCM", "PAPI_TOT_CYC"]);
    let out = stdout(&output);
    assert!(out.contains("AMD Zen 4 uncore, L3 cache, 6 counters"), "{out}");
    assert!(out.contains("AMD Zen 4, 6 counters"), "{out}");
}

#[test]
fn mistakes_say_what_to_type() {
    for (args, message) in [
        (&["spr", "cycles,,"][..], "an event is missing"),
        (&["toaster", "cycles"], "no PMU is called `toaster`"),
        (&["spr", "mine.csv"], "mine.csv: there is no such file"),
        (&["spr", "./nofile"], "./nofile: there is no such file"),
        (&["spr", "/dev/null"], "/dev/null: it has no definitions and no metrics"),
        (&["spr", "/"], "/: it is a directory"),
        (&["spr"], "counterpoint check --on PROCESSOR,… EVENT,… or FILE"),
    ] {
        let output = run(&[&["check", "--on"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

/// The driver of a processor decides which of the kernel's generic events it has, and the tables do not have that.
#[test]
fn generic_events_that_not_every_driver_has_are_unknown() {
    let output = run(&["check", "--on", "zen4", "cycles,bus-cycles,LLC-loads"]);
    let out = stdout(&output);
    let line = |name: &str| {
        let mut lines = out.lines().map(str::trim_start);
        lines.find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{out}")).to_string()
    };
    assert!(line("cycles").contains("1 pass"), "{out}");
    assert!(
        line("bus-cycles").contains("unknown") && line("LLC-loads").contains("unknown"),
        "{out}"
    );
    assert!(out.contains("1 of 3 can be counted, 2 unknown; together: unknown"), "{out}");
}

/// Events in braces are not counted once more beside them.
#[test]
fn events_in_braces_are_counted_once() {
    for list in ["{r1,r2,r3,r4}:u", "PAPI_L1_DCM,PAPI_TOT_INS,{cycles,instructions}:u"] {
        let output = run(&["check", "--on", "zen5", list]);
        assert!(stdout(&output).contains("together: 1 pass\n"), "{list}: {}", stdout(&output));
    }
}

#[test]
fn a_list_without_processors_is_refused() {
    for on in ["", ",", " , "] {
        let output = run(&["check", "--on", on, "cycles"]);
        assert_eq!(output.status.code(), Some(2), "{on:?}");
        assert!(stderr(&output).contains("names no processor"), "{}", stderr(&output));
    }
    let output = run(&["show", "--pmu", "nope", "PAPI_L1_DCM"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("no PMU is called `nope`"), "{}", stderr(&output));
    assert_eq!(run(&["show", "memry/x/"]).status.code(), Some(1), "a name of nothing");
}
