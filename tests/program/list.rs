//! `counterpoint list` and `counterpoint show`, as machines read them.

use crate::{counterpoint, run, stderr, stdout};
use counterpoint::pmu;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Output, Stdio};

const MACHINES: [&str; 5] = ["amd-zen4", "arm-neoverse", "intel-hybrid", "power9", "vm-no-pmu"];

fn objects(args: &[&str]) -> Vec<Value> {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn names(objects: &[Value]) -> Vec<&str> {
    objects.iter().map(|object| object["name"].as_str().unwrap()).collect()
}

/// Of events, and not of the thousands of tracepoints.
#[test]
fn a_component_alone_asks_for_everything() {
    let all = stdout(&run(&["list", "--events", "--json"]));
    for component in ["perf_event:::", "perf_event:::perf::"] {
        assert_eq!(stdout(&run(&["list", "--json", component])), all, "{component}");
    }
}

#[test]
fn every_pmu_lists_its_events_on_any_machine() {
    let pmus = objects(&["list", "--pmus", "--all", "--json"]);
    let of_tables: Vec<_> = pmus.iter().filter(|pmu| !pmu["counters"].is_null()).collect();
    assert_eq!(of_tables.len(), 719);
    let units = pmus.iter().filter(|pmu| pmu["kind"] == "uncore" && pmu["counters"].is_null());
    assert!(units.count() > 100, "units that have no table");
    let spr = of_tables.iter().find(|pmu| pmu["name"] == "spr").unwrap();
    let numbers = [&spr["counters"], &spr["fixed_counters"], &spr["max_encoding"]];
    assert_eq!((numbers, &spr["kind"]), ([&json!(8), &json!(4), &json!(2)], &json!("core")));
    for pmu in ["spr", "arm_n1", "power_torrent", "perf", "amd64_fam19h_zen3_l3", "cpum_cf"] {
        let known = of_tables.iter().find(|other| other["name"] == pmu).unwrap();
        let events = objects(&["list", "--pmu", pmu, "--json"]);
        let of_table = events.iter().filter(|event| event["group"] == pmu);
        assert_eq!(known["events"], of_table.clone().count(), "{pmu}");
        assert!(of_table.into_iter().all(|event| event["description"] != ""));
        // Those of the vendor's names that the table does not have are of the kernel's PMU.
        let of_vendor = events.iter().filter(|event| event["group"] != pmu);
        let groups: Vec<_> = of_vendor.map(|event| &event["group"]).collect();
        let has_some = ["spr", "arm_n1", "amd64_fam19h_zen3_l3"].contains(&pmu);
        assert_eq!(!groups.is_empty(), has_some, "{pmu}: {groups:?}");
    }
}

#[test]
fn list_and_plan_name_the_same_counters() {
    for pmu in objects(&["list", "--pmus", "--all", "--json"]) {
        let Some(of_table) = pmu["name"].as_str().and_then(pmu::find) else { continue };
        assert_eq!(pmu["counters"], of_table.counters, "{pmu}");
        assert_eq!(pmu["fixed_counters"], of_table.fixed_counters, "{pmu}");
    }
    for (pmu, event, counters, fixed) in [
        ("spr", "L1D:REPLACEMENT", 8, 4),
        ("emr", "L1D:REPLACEMENT", 8, 4),
        ("gnr", "L1D:REPLACEMENT", 8, 4),
        ("icx", "L1D:REPLACEMENT", 8, 4),
        ("amd64_fam1ah_zen5_l3", "UNC_L3_REQUESTS", 6, 0),
        ("arm_n1", "CPU_CYCLES", 6, 1),
        ("arm_ac8", "CPU_CYCLES", 2, 1),
    ] {
        let listed = stdout(&run(&["list", "--pmu", pmu]));
        let planned = stdout(&run(&["plan", "--pmu", pmu, event]));
        let (in_list, in_plan) = match fixed {
            0 => (format!(": {counters} counters ("), format!(", {counters} counters")),
            _ => (
                format!(": {counters} counters, and {fixed} for one event each ("),
                format!(", {counters} counters and {fixed} fixed"),
            ),
        };
        let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        let about = listed.lines().find(|line| line.starts_with(&format!("{pmu}, ")));
        assert!(about.is_some_and(|about| about.contains(&in_list)), "{listed}");
        assert!(first(&planned).ends_with(&in_plan), "{planned}");
    }
}

#[test]
fn all_words_must_be_found_in_an_event_or_in_one_of_its_unit_masks() {
    let found = objects(&["list", "--pmu", "spr", "--json", "L1D", "Replacement"]);
    assert_eq!(names(&found), ["spr::L1D"]);
    assert_eq!(found[0]["masks"].as_array().unwrap().len(), 1);
    assert_eq!(found[0]["masks"][0]["name"], "REPLACEMENT");
    let machine = "fixtures/machines/intel-hybrid";
    let here = objects(&["list", "--machine", machine, "--json", "l1d", "replacement"]);
    assert_eq!(names(&here), ["adl_glc::L1D"], "the tables of the machine are searched");
    let output = run(&["list", "--machine", machine, "--all", "l1d", "replacement"]);
    let headings = stdout(&output).lines().filter(|line| line.contains(": ")).count();
    assert!(headings > 10 && stdout(&output).contains("\nspr, "), "{}", stdout(&output));
    let events = objects(&["list", "--machine", machine, "--events", "--json"]);
    let groups: BTreeSet<_> = events.iter().map(|event| event["group"].as_str().unwrap()).collect();
    assert!(groups.is_superset(&["hardware", "power", "adl_glc", "adl_grt"].into()), "{groups:?}");
}

#[test]
fn show_names_the_errata_of_an_event_with_its_unit_masks() {
    let shown = |event| stdout(&run(&["show", "--pmu", "hsw", event]));
    let text = shown("MEM_LOAD_UOPS_RETIRED");
    let says = "HSD29, HSM30: by the vendor's list, L1_HIT, L2_MISS may count wrongly";
    assert!(text.contains(says), "{text}");
    assert!(!shown("BR_INST_RETIRED").contains("errata"));
    let preset = shown("PAPI_LD_INS");
    assert!(
        preset.contains("HSD29, HSM30: by the vendor's list, it may count wrongly"),
        "{preset}"
    );
    let json = |event| -> serde_json::Value {
        let line = stdout(&run(&["show", "--pmu", "hsw", "--json", event]));
        serde_json::from_str(line.lines().next().unwrap()).unwrap()
    };
    assert_eq!(json("PAPI_LD_INS")["errata"], "HSD29, HSM30");
    let of_masks = serde_json::json!({"numbers": "HSM30", "umasks": ["L1_MISS", "HIT_LFB"]});
    let all = json("MEM_LOAD_UOPS_RETIRED")["errata"].clone();
    assert!(all.as_array().unwrap().contains(&of_masks), "{all}");
    assert_eq!(json("BR_INST_RETIRED")["errata"], serde_json::json!([]));
}

#[test]
fn what_is_not_found_is_said_with_what_is_near() {
    let output = run(&["list", "--pmu", "spr", "l1d", "replacment"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""));
    assert!(stderr(&output).contains("did you mean `REPLACEMENT`?"), "{}", stderr(&output));
    let output = run(&["show", "--pmu", "spr", "INST_RETRIED"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("did you mean `INST_RETIRED`"), "{}", stderr(&output));
    let output = run(&["list", "--pmu", "sprr"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    for args in [
        &["list", "--all", "l1d"][..],
        &["list", "--pmu", "spr", "--json"],
        &["show", "--pmu", "spr"],
    ] {
        let mut child =
            counterpoint(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.next().unwrap().is_ok());
        drop(lines);
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn recorded_machines_have_their_pmus() {
    let own = [
        ("amd-zen4", "amd64_fam19h_zen4", "RETIRED_INSTRUCTIONS"),
        ("arm-neoverse", "arm_n1", "L1D_CACHE_REFILL"),
        ("intel-hybrid", "adl_grt", "MEM_BOUND_STALLS"),
        ("power9", "power9", "PM_CYC"),
        ("vm-no-pmu", "clx", "INST_RETIRED"),
    ];
    for (machine, pmu, event) in own {
        let folder = format!("fixtures/machines/{machine}");
        let pmus = objects(&["list", "--machine", &folder, "--pmus", "--json"]);
        let found = pmus.iter().find(|other| other["name"] == pmu).unwrap();
        assert_eq!(found["is_present"], true, "{machine}");
        let others = own.iter().filter(|(other, ..)| *other != machine);
        for (_, other, _) in others {
            assert!(pmus.iter().all(|listed| listed["name"] != *other), "{machine} lists {other}");
        }
        let shown = objects(&["show", "--machine", &folder, "--pmu", pmu, "--json", event]);
        assert_eq!((&shown[0]["pmu"], &shown[0]["name"]), (&json!(pmu), &json!(event)));
    }
    for machine in MACHINES {
        let folder = format!("fixtures/machines/{machine}");
        let listed = objects(&["list", "--machine", &folder, "--json"]);
        let names = names(&listed);
        let once: BTreeSet<_> = names.iter().collect();
        assert_eq!(once.len(), names.len(), "{machine} lists something twice");
    }
}

#[test]
fn attributes_are_shown_for_each_layer_as_libpfm_has_them() {
    let layers =
        objects(&["show", "--json", "--layer", "raw,perf,perf-ext", "adl_glc::MEM_TRANS_RETIRED"]);
    let kinds: Vec<_> = layers.iter().map(|object| object["layer"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["raw", "perf", "perf-ext"]);
    let attribute = |object: &Value, name: &str| {
        let all = object["attributes"].as_array().unwrap().clone();
        all.into_iter().find(|attribute| attribute["name"] == name)
    };
    assert_eq!(layers[0]["nattrs"], layers[0]["attributes"].as_array().unwrap().len());
    let mask = attribute(&layers[0], "LOAD_LATENCY_GT_8").unwrap();
    let wanted = json!({
        "name": "LOAD_LATENCY_GT_8", "desc": mask["desc"], "desc_source": mask["desc_source"],
        "equiv": "LOAD_LATENCY:ldlat=8",
        "code": "0x8", "type": "umask", "idx": mask["idx"], "ctrl": "pmu",
        "is_dfl": false, "is_precise": true, "is_speculative": 0,
        "support_hw_smpl": true, "support_no_mods": false,
        "range": null, "default": "0x8", "group": 0, "counters": mask["counters"],
    });
    assert_eq!(mask, wanted);
    let ldlat = attribute(&layers[0], "ldlat").unwrap();
    assert_eq!((&ldlat["type"], &ldlat["range"]), (&json!("int"), &json!([1, 65535])));
    assert!(ldlat["desc"].as_str().unwrap().ends_with("1 to 65535"), "{ldlat}");
    assert_eq!(attribute(&layers[0], "u").unwrap()["ctrl"], "pmu");
    assert_eq!(attribute(&layers[1], "u").unwrap()["ctrl"], "perf_event");
    assert!(attribute(&layers[1], "period").is_none());
    assert_eq!(attribute(&layers[2], "period").unwrap()["range"], json!([1, u64::MAX]));
}

#[test]
fn the_pmus_of_the_kernel_are_listed_where_it_has_perf_events() {
    let kernel = |args: &[&str]| -> Vec<(String, Value)> {
        let rows = objects(&[&["list", "--json", "--pmus"], args].concat());
        let rows = rows.into_iter().filter(|row| row["kind"] == "kernel");
        rows.map(|row| (row["name"].as_str().unwrap().to_string(), row["is_present"].clone()))
            .collect()
    };
    let both = |is_present: bool| {
        ["perf", "perf_raw"].map(|name| (name.to_string(), json!(is_present))).to_vec()
    };
    assert_eq!(kernel(&[]), both(true));
    assert_eq!(kernel(&["perf"]), both(true));
    assert_eq!(kernel(&["--machine", "fixtures/machines/power9"]), both(true));
    let without = ["--machine", "fixtures/formula"];
    assert_eq!(kernel(&without), []);
    assert_eq!(kernel(&[&without[..], &["--all"]].concat()), both(false));
    assert!(
        stdout(&run(&["list", "--pmus", "perf"])).contains("The events that Linux itself names")
    );
}

#[test]
fn what_an_attribute_supports_is_said_in_words() {
    let cases = [
        (
            "icl::BR_INST_RETIRED",
            "notes ",
            "without skid; hardware sampling; counts retired execution only",
        ),
        (
            "icl::BR_INST_RETIRED",
            "COND_TAKEN ",
            "(without skid; hardware sampling; counts retired execution only)",
        ),
        ("icl::L1D", "REPLACEMENT ", "(hardware sampling; counts speculative execution as well)"),
        ("icl::TOPDOWN_M", "BAD_SPEC ", "takes no modifiers)"),
        ("snb::L1D", "REPLACEMENT ", "Lines filled into the L1 data cache"),
    ];
    for (event, attribute, words) in cases {
        let shown = stdout(&run(&["show", event]));
        let is_of = |line: &&str| line.trim_start_matches([' ', '*']).starts_with(attribute);
        let line = shown.lines().find(is_of).unwrap();
        assert!(line.ends_with(words), "{event}: {line}");
    }
}

#[test]
fn layers_that_a_machine_cannot_encode_are_shown_and_said_to_be_unavailable() {
    let show = |machine: &str, layer: &str, more: &[&str]| {
        let common = ["show", "--machine", machine, "--layer", layer, "spr::L1D"];
        run(&[&common, more].concat())
    };
    let why = "the machine offers no perf_events";
    let shown = stdout(&show("fixtures/formula", "raw,perf", &[]));
    assert!(shown.contains("of perf_events, when the kernel programs the event"), "{shown}");
    assert!(
        shown.contains(&format!("  unavailable {why}, so only the layer raw can be encoded\n")),
        "{shown}"
    );
    for (machine, layer) in [("fixtures/formula", "raw"), ("fixtures/machines/amd-zen4", "perf")] {
        assert!(!stdout(&show(machine, layer, &[])).contains("unavailable"), "{machine} {layer}");
    }
    let json = stdout(&show("fixtures/formula", "raw,perf", &["--json"]));
    let reasons: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["unavailable"].clone())
        .collect();
    assert_eq!(reasons, [Value::Null, json!(why)]);
}

#[test]
fn show_refuses_what_cannot_follow_a_name() {
    let cases = [
        ("spr::INST_RETRIED", "`INST_RETIRED`"),
        ("spr::INST_RETIRED:ANYP", "`ANY_P`?"),
        ("spr::L1D:c=300", "write 0 to 255"),
        ("perf::cycles:foo", "as in `perf::cycles:u`"),
        ("spr::L1D:", "its attributes are"),
    ];
    for (name, help) in cases {
        let output = run(&["show", name]);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""), "{name}");
        assert!(stderr(&output).contains(help), "{name}: {}", stderr(&output));
    }
    // Without its unit mask an event is shown; perf's letters may follow it, and either core's unit masks.
    let both =
        ["show", "--machine", "fixtures/machines/intel-hybrid", "ITLB_MISSES:PDE_CACHE_MISS"];
    for args in [&["show", "spr::L1D_PEND_MISS:u"], &["show", "spr::L1D:REPLACEMENT:uD"][..], &both]
    {
        let output = run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?} {}", stderr(&output));
    }
}

/// By the names of the vendor, without any file of theirs.
#[test]
fn vendors_names_are_shown_with_what_has_replaced_them() {
    let shown = |args: &[&str]| stdout(&run(&[&["show"], args].concat()));
    let fills = "ls_dmnd_fills_from_sys.local_l2";
    let text = shown(&["--machine", "fixtures/machines/amd-zen4", fills]);
    let start = format!(
        "{fills}\n  description none; --vendor-events DIR reads the vendor's\n  PMU         cpu\n  terms       event=0x43,umask=0x1\n"
    );
    assert!(text.starts_with(&start), "{text}");
    let text =
        shown(&["--machine", "fixtures/machines/intel-hybrid", "MEM_UOPS_RETIRED.DTLB_MISS"]);
    let notes = "deprecated by the vendor: use MEM_UOPS_RETIRED.STLB_MISS\n";
    assert!(text.contains(notes), "{text}");
}

#[test]
fn show_says_what_a_name_means_and_what_it_hides() {
    let on = |machine: &str, args: &[&str]| {
        let folder = format!("fixtures/machines/{machine}");
        objects(&[&["show", "--json", "--machine", &folder], args].concat())
    };
    let kinds = |objects: &[Value]| -> Vec<String> {
        let of = |object: &Value| format!("{}:{}", object["kind"], object["pmu"]).replace('"', "");
        objects.iter().map(of).collect()
    };
    assert_eq!(kinds(&on("amd-zen4", &["cycles"])), ["kernel:perf"]);
    assert_eq!(kinds(&on("amd-zen4", &["PERF::cycles"])), ["kernel:perf"]);
    let refill = on("arm-neoverse", &["l1d_cache_refill"]);
    assert_eq!(kinds(&refill), ["sysfs:armv8_pmuv3_0"]);
    assert_eq!(kinds(refill[0]["hides"].as_array().unwrap()), ["table:arm_n1"]);
    let cores = on("intel-hybrid", &["INST_RETIRED:ANY_P"]);
    assert_eq!(kinds(&cores), ["table:adl_glc", "table:adl_grt"]);
    let architectural = on("intel-hybrid", &["INSTRUCTION_RETIRED"]);
    assert_eq!(kinds(architectural[0]["hides"].as_array().unwrap()), ["table:ix86arch"]);
    let file = "fixtures/definitions/first.csv";
    let defined = on("vm-no-pmu", &["-f", file, "FAULTS_PER_MS"]).remove(0);
    assert_eq!((&defined["kind"], &defined["line"]), (&json!("definition"), &json!(3)));
    assert_eq!(defined["terms"], json!(["page-faults", "task-clock"]));
    let raw = on("amd-zen4", &["r1a8"]).remove(0);
    assert_eq!(raw["perf"]["config"], "0x1a8");
}

#[test]
fn a_vendors_events_are_looked_up_as_those_of_tables() {
    const PERFMON: &str = "fixtures/pmu/vendor/perfmon";
    let on = |machine: &str, args: &[&str]| {
        let folder = format!("fixtures/machines/{machine}");
        run(&[&args[..1], &["--json", "--machine", &folder], &args[1..]].concat())
    };
    let lines = |output: &Output| -> Vec<Value> {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    // The map names the files of the machine's processor.
    let words = ["list", "--vendor-events", PERFMON, "dispatch", "small"];
    let listed = on("intel-hybrid", &words);
    assert_eq!(names(&lines(&listed)), ["SMALL_DISPATCH.ALL"]);
    assert_eq!(lines(&listed)[0]["group"], "cpu_atom");
    let shown = on("intel-hybrid", &["show", "--vendor-events", PERFMON, "small_dispatch:all"]);
    let shown = lines(&shown).remove(0);
    assert_eq!((&shown["kind"], &shown["pmu"]), (&json!("vendor"), &json!("cpu_atom")));
    assert_eq!(
        (&shown["terms"], &shown["counters"]),
        (&json!("event=0x9a,umask=0x3"), &json!("0x3f"))
    );
    // A directory of one processor is taken as it is, with the kinds of its cores from the map above it.
    let adl = format!("{PERFMON}/ADL");
    let list = "SMALL_DISPATCH.ALL:u,cpu_atom/SMALL_DISPATCH.ALL,cmask=2/";
    for directory in [PERFMON, &adl, &format!("{adl}/events")] {
        let args = ["encode", "--perf-syntax", "--vendor-events", directory, list];
        let output = on("intel-hybrid", &args);
        let events = lines(&output)[0]["events"].as_array().unwrap().clone();
        let codes: Vec<&Value> = events.iter().map(|event| &event["perf"]["config"]).collect();
        assert_eq!(codes, ["0x39a", "0x200039a"], "{directory}");
        assert_eq!(stderr(&output), "");
    }
    // A PMU of the tables chooses the files, too, and an event that is wrong is reported with its place.
    let output = run(&["plan", "--pmu", "spr", "--vendor-events", PERFMON, "OCR.ANYTHING_NEW"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mtl = format!("{PERFMON}/MTL");
    // A machine whose tables have the event lists it once, as that of the tables.
    let output = on("arm-neoverse", &["list", "--vendor-events", &mtl, "L3_HIT"]);
    let place =
        "mtl_uncore.json: line 6, column 35, object 2: `EventCode` takes a number, such as 0x3c";
    assert!(stderr(&output).contains(place), "{}", stderr(&output));
    assert!(names(&lines(&output)).contains(&"MEM_LOAD_RETIRED.L3_HIT"), "{output:?}");
    // Other architectures have maps of their own, and standard events.
    let kernel = "fixtures/pmu/vendor/kernel";
    let output = on("arm-neoverse", &["show", "--vendor-events", kernel, "OWN_CODE"]);
    assert_eq!(lines(&output)[0]["terms"], "event=0x77");
}

#[test]
fn a_vendors_words_are_used_where_a_directory_has_them() {
    let machine = "fixtures/machines/arm-neoverse";
    let kernel = "fixtures/pmu/vendor/kernel";
    let perfmon = "fixtures/pmu/vendor/perfmon";
    let described = |args: &[&str]| {
        let all = [&["show", "--json", "--machine", machine, "--vendor-events"], args].concat();
        objects(&all).remove(0)
    };
    let by_map = described(&[kernel, "arm_n1::L1D_CACHE_REFILL"]);
    assert_eq!(by_map["desc"], "Refills of the first data cache");
    let any_p = |event: &Value| {
        let all = event["attributes"].as_array().unwrap().clone();
        all.into_iter().find(|a| a["name"] == "ANY_P").unwrap()["desc"].clone()
    };
    let of_processor = described(&[&format!("{perfmon}/SPR/events"), "spr::INST_RETIRED"]);
    assert_eq!(any_p(&of_processor), "Instructions that have retired");
    let listed = objects(&[
        "list",
        "--pmu",
        "spr",
        "--vendor-events",
        &format!("{perfmon}/SPR/events"),
        "--json",
        "have",
        "retired",
    ]);
    assert!(names(&listed).contains(&"spr::INST_RETIRED"), "{listed:?}");
    let output = run(&["show", "--vendor-events", "fixtures/formula", "spr::L1D"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no events were found"), "{}", stderr(&output));
}

#[test]
fn only_the_default_that_applies_is_marked() {
    let text = stdout(&run(&["show", "--pmu", "nhm_unc", "UNC_QMC_WRITES"]));
    assert!(text.contains("  * FULL_ANY "), "{text}");
    assert!(text.contains("    PARTIAL_ANY "), "{text}");
}

#[test]
fn metrics_of_another_pmu_have_no_value_on_that_one() {
    let text = stdout(&run(&["list", "--metrics", "--pmu", "spr"]));
    assert!(text.contains(" have no value on spr; "), "{text}");
    assert!(!text.contains("no value here"), "{text}");
}

/// What people and compilers call a processor stands for its PMU in every command that takes one.
#[test]
fn pmus_are_named_by_their_processors() {
    for (name, pmu) in [
        ("zen4", "amd64_fam19h_zen4"),
        ("znver4", "amd64_fam19h_zen4"),
        ("genoa", "amd64_fam19h_zen4"),
        ("sapphirerapids", "spr"),
        ("Sapphire Rapids", "spr"),
        ("skylake", "skl"),
        ("skylake-avx512", "skx"),
        ("neoverse-v2", "arm_v2"),
        ("graviton3", "arm_v1"),
        ("pwr9", "power9"),
    ] {
        for args in [&["list"][..], &["list", "--json"]] {
            let (short, own) =
                ([args, &["--pmu", name]].concat(), [args, &["--pmu", pmu]].concat());
            let (short, own) = (run(&short), run(&own));
            assert!(own.status.success() && !stdout(&own).is_empty(), "{pmu}");
            assert_eq!(stdout(&short), stdout(&own), "{name}");
        }
    }
    for args in [
        &["show", "--pmu", "PMU", "L1D"][..],
        &["encode", "--pmu", "PMU", "L1D:REPLACEMENT"],
        &["plan", "--pmu", "PMU", "L1D:REPLACEMENT"],
        &["check", "--pmu", "PMU", "crates/counterpoint/presets/kernel.csv"],
        &["list", "--metrics", "--pmu", "PMU"],
    ] {
        let of = |pmu: &str| {
            let args: Vec<&str> =
                args.iter().map(|word| if *word == "PMU" { pmu } else { word }).collect();
            let output = run(&args);
            (output.status.code(), stdout(&output), stderr(&output))
        };
        assert_eq!(of("sapphirerapids"), of("spr"), "{args:?}");
    }
    let in_string = run(&["encode", "zen4::RETIRED_OPS"]);
    assert!(
        stdout(&in_string).contains("did you mean `amd64_fam19h_zen4`?"),
        "{}",
        stdout(&in_string)
    );
    let model = stderr(&run(&["dispatch", "--model", "nehalem"]));
    assert!(model.contains("did you mean `intel_nhm`"), "{model}");
    let unknown = run(&["list", "--pmu", "toaster"]);
    assert!(stderr(&unknown).contains("no PMU is called `toaster`"), "{}", stderr(&unknown));
}

#[test]
fn each_name_of_an_event_of_the_kernel_has_its_own_facts() {
    let [constant, alias] = ["PERF_COUNT_HW_CPU_CYCLES", "cpu-cycles"].map(|name| {
        objects(&["show", "--layer", "raw", "--json", &format!("perf::{name}")]).remove(0)
    });
    let facts = |of: &Value| [of["is_precise"].clone(), of["support_hw_smpl"].clone()];
    assert_eq!(
        (&constant["name"], &constant["equiv"]),
        (&json!("PERF_COUNT_HW_CPU_CYCLES"), &Value::Null)
    );
    assert_eq!(facts(&constant), [json!(true), json!(true)]);
    assert_eq!((&alias["name"], &alias["equiv"]), (&json!("cpu-cycles"), &constant["name"]));
    assert_eq!(facts(&alias), [json!(false), json!(false)]);
    let all = objects(&["show", "--pmu", "perf", "--layer", "raw", "--json"]);
    assert_eq!(names(&all).into_iter().collect::<BTreeSet<_>>().len(), all.len());
}

#[test]
fn a_unit_without_a_table_is_a_pmu_by_its_name() {
    for name in ["srf_unc_cha", "sierraforest_unc_cha"] {
        let listed = run(&["list", "--pmu", name, "UNC_CHA_TOR_INSERTS.IA_MISS_RFO_REMOTE"]);
        let begin = format!(
            "by the vendor's names, of {name} (1)\n  UNC_CHA_TOR_INSERTS.IA_MISS_RFO_REMOTE\n"
        );
        assert!(stdout(&listed).starts_with(&begin), "{}", stdout(&listed));
    }
    let event = "srf_unc_cha::UNC_CHA_TOR_INSERTS.IA_MISS";
    let shown = stdout(&run(&["show", event]));
    assert!(shown.contains("\n  PMU         uncore_cha\n"), "{shown}");
    assert!(shown.contains("\n  here        this machine does not have the PMU srf\n"), "{shown}");
    let machine = run(&[
        "encode",
        "--perf-syntax",
        "--machine",
        "fixtures/machines/intel-sierra-forest",
        event,
    ]);
    assert!(stdout(&machine).contains("0xc001fe00000135"), "{}", stdout(&machine));
    let other = run(&["check", "--on", "srf", "srf_unc_imc::UNC_CHA_TOR_INSERTS.IA_MISS"]);
    assert!(stdout(&other).contains("no such event"), "{}", stdout(&other));
    assert_eq!(run(&["list", "--pmu", "srf_unc_nope"]).status.code(), Some(2));
}
