//! `counterpoint dispatch`: registers by names, and every line of a batch with one answer.

use crate::{run, run_on, stderr, stdout};
use serde_json::{Value, json};

pub(crate) fn answers(args: &[&str], lines: &[&str]) -> Vec<Value> {
    let text = lines.iter().flat_map(|line| [*line, "\n"]).collect::<String>();
    let output = run_on(text.as_bytes(), args);
    assert!(output.status.success());
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_batch_answers_every_line() {
    let lines = [
        r#"{"model":"core","events":[{"i":0},{"i":20,"plm":1}],"dfl_plm":8,"unavail":[16]}"#,
        r#"{"model":"core","events":[{"i":20},{"i":20}],"dfl_plm":8,"explain":true}"#,
        r#"{"model":"core","events":[{"i":20}],"dfl_plm":8,"mod_in":{"for":"itanium2"}}"#,
        r#"{"model":"none","events":[],"dfl_plm":8}"#,
        "",
    ];
    let answers = answers(&["dispatch", "--batch"], &lines);
    let registers = json!({
        "ret": "SUCCESS",
        "code": 0,
        "pmcs": [[0, "0x51003c", "0x186"], [1, "0x520012", "0x187"]],
        "pmds": [[0, "0xc1"], [1, "0xc2"]],
        "pmc_alt": ["0x186", "0x187"],
        "pmd_alt": ["0x0", "0x1"],
    });
    assert_eq!(answers[0], registers);
    assert_eq!(answers[1]["ret"], "NOASSIGN");
    assert_eq!(answers[1]["conflict"], json!([0, 1]));
    assert_eq!(answers[1]["kind"], "EVTMANY");
    assert_eq!((&answers[2]["ret"], &answers[2]["code"]), (&json!("MAGIC"), &json!(-8)));
    assert_eq!(answers[3]["ret"], "INVAL");
    assert!(answers[3]["message"].as_str().unwrap().contains("none"), "{}", answers[3]);
    assert_eq!(answers.len(), lines.len());
}

#[test]
fn the_model_may_stand_on_the_command_line() {
    let found = answers(
        &["dispatch", "--model", "intel_nhm", "--batch"],
        &[r#"{"events":[],"dfl_plm":8}"#, r#"{"str":"ARITH:DIV"}"#],
    );
    assert_eq!(found[0]["pmcs"], json!([]));
    assert_eq!(found[1], json!({"ret": "SUCCESS", "code": 0, "event": 9, "umasks": [1]}));
}

#[test]
fn events_by_name_show_their_counters_and_registers() {
    let output = run(&["dispatch", "--model", "core", "--plm", "u", "UNHALTED_CORE_CYCLES,MUL"]);
    let lines: Vec<Vec<String>> = stdout(&output)
        .lines()
        .map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect();
    let expected = [
        "PMD 17 0x30a UNHALTED_CORE_CYCLES",
        "PMD 1 0xc2 MUL",
        "PMC 16 0x38d 0xa0",
        "PMC 1 0x187 0x510012",
    ];
    assert_eq!(lines, expected.map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>()));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_refusal_names_the_events_in_each_others_way() {
    let output = run(&["dispatch", "--model", "core", "L1D_REPL", "MUL", "DIV"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("conflicting constraints"), "{said}");
    assert!(said.contains("MUL and DIV need 2 counters, and only 1 can hold them: 1"), "{said}");
    let output = run(&["dispatch", "--model", "core", "MULL"]);
    assert!(stderr(&output).contains("did you mean `MUL`?"), "{}", stderr(&output));
    let output = run(&["dispatch", "--model", "cor", "MUL"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn every_model_names_its_cycles() {
    let output = run(&["dispatch", "--json"]);
    let models: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(models.len(), 61);
    let montecito = models.iter().find(|model| model["model"] == "montecito").unwrap();
    assert_eq!(montecito["cycles"], "CPU_OP_CYCLES_ALL");
    assert_eq!(montecito["instructions"], "IA64_INST_RETIRED");
    let with_cycles = models.iter().filter(|model| model["cycles"].is_string());
    let lines: Vec<String> = with_cycles
        .map(|model| {
            let (name, event) = (&model["model"], &model["cycles"]);
            format!(r#"{{"model":{name},"events":[{event}],"dfl_plm":8}}"#)
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for (answer, line) in answers(&["dispatch", "--batch"], &lines).iter().zip(&lines) {
        assert_eq!(answer["ret"], "SUCCESS", "{line}: {answer}");
    }
    assert_eq!(lines.len(), 59);
    let niagara = models.iter().find(|model| model["model"] == "sparc_niagara1").unwrap();
    assert_eq!(niagara["cycles"], Value::Null, "it has no event for cycles");
}

#[test]
fn what_is_no_request_is_said_briefly() {
    let long = format!(r#"{{"model":"core","dfl_plm":"{}"}}"#, "x".repeat(100_000));
    let many = format!(
        r#"{{"model":"core","dfl_plm":8,"explain":true,"events":[{}]}}"#,
        vec![r#"{"i":1}"#; 20_000].join(",")
    );
    let lines = [
        r#"{"model":"core","dfl_plm":8,"mod_in":5}"#,
        r#"{"model":"core","dfl_plm":8,"events":[5]}"#,
        r#"{"model":"itanium2","dfl_plm":8,"mod_in":{"irange":{"used":1,"limits":[1]}}}"#,
        r#"{"model":"core","dfl_plm":"0x+8"}"#,
        long.as_str(),
        many.as_str(),
    ];
    let found = answers(&["dispatch", "--batch"], &lines);
    let wanted = [
        "`mod_in` must be an object, not 5",
        "`events[0]` must be an object, not 5",
        "`mod_in.irange.limits[0]` must be an object, not 1",
        "`dfl_plm` must be a whole number or a \"0x…\" string, not \"0x+8\"",
    ];
    for (answer, wanted) in found.iter().zip(wanted) {
        assert_eq!((&answer["ret"], &answer["message"]), (&json!("INVAL"), &json!(wanted)));
    }
    assert!(found[4]["message"].as_str().unwrap().len() < 200);
    assert_eq!(found[5]["conflict"].as_array().unwrap().len(), 512);
}

#[test]
fn input_that_the_model_would_not_look_at_is_refused() {
    let said = |model, input| {
        let output = run(&["dispatch", "--model", model, "--mod-in", input]);
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let typo = said("core", r#"{"peb_used":1}"#);
    assert!(typo.contains("`mod_in` does not have the key `peb_used`"), "{typo}");
    assert!(typo.contains("did you mean `pebs_used`?"), "{typo}");
    assert!(said("power7", r#"{"counters":[]}"#).contains("power7 takes no `mod_in`, only events"));
    assert!(said("core", "7").contains("--mod-in is not a JSON object: 7"));
    assert!(said("core", "{").contains("--mod-in is not a JSON object: EOF"));
}

#[test]
fn an_unknown_key_is_refused_at_every_level_with_its_place() {
    for (model, keys, says) in [
        (
            "core",
            r#""event":[]"#,
            "the request does not have the key `event`: did you mean `events`?",
        ),
        (
            "core",
            r#""events":[{"i":0,"plms":8}]"#,
            "`events[0]` does not have the key `plms`: did you mean `plm`?",
        ),
        (
            "core",
            r#""pebs_used":1"#,
            "`pebs_used`, which is a key of `mod_in` for core, atom, nehalem",
        ),
        (
            "core",
            r#""mod_in":{"ld_lat_thres":3}"#,
            "`mod_in` does not have the key `ld_lat_thres`, which is a key of the input for nehalem: its keys are `pebs_used`, `counters`, `for`",
        ),
        (
            "core",
            r#""mod_in":{"counters":[{},{"cntmask":1}]}"#,
            "`mod_in.counters[1]` does not have the key `cntmask`: did you mean `cnt_mask`?",
        ),
        (
            "core",
            r#""mod_in":{"counters":[{"thres":1}]}"#,
            "`thres`, which is a key of the input for itanium, itanium2, montecito",
        ),
        (
            "intel_nhm",
            r#""mod_in":{"lbr":{"use":1}}"#,
            "`mod_in.lbr` does not have the key `use`: did you mean `used`?",
        ),
        (
            "amd64_k7",
            r#""mod_in":{"ibsop":{"option":1}}"#,
            "`mod_in.ibsop` does not have the key `option`: did you mean `options`?",
        ),
        (
            "montecito",
            r#""mod_in":{"irange":{"use":1}}"#,
            "`mod_in.irange` does not have the key `use`: did you mean `used`?",
        ),
        (
            "montecito",
            r#""mod_in":{"drange":{"used":0,"limits":[{"stop":1}]}}"#,
            "`mod_in.drange.limits[0]` does not have the key `stop`: its keys are `start`, `end`, `plm`",
        ),
        (
            "montecito",
            r#""mod_in":{"btb":{}}"#,
            "`btb`, which is a key of the input for itanium, itanium2: did you mean `etb`?",
        ),
        (
            "core",
            r#""mod_in":{"for":"cell","pmx":1}"#,
            "its keys are `control`, `interval`, `triggers`, `counters`, `for`",
        ),
        ("mips_24k", r#""mod_in":{"counters":[]}"#, "mips_24k takes no `mod_in`, only events"),
        ("core", r#""req":{},"events":[]"#, "the request does not have the key `events`"),
    ] {
        let line = format!(r#"{{"model":"{model}",{keys},"dfl_plm":8}}"#);
        // A line around a request has none of its keys.
        let line = if keys.contains("req") { line.replace(r#","dfl_plm":8"#, "") } else { line };
        let answer = &answers(&["dispatch", "--batch"], &[&line])[0];
        assert_eq!((&answer["ret"], &answer["code"]), (&json!("INVAL"), &json!(-2)), "{line}");
        assert!(answer["message"].as_str().unwrap().contains(says), "{line}: {answer}");
    }
}

#[test]
fn a_batch_takes_names_beside_numbers() {
    let lines = [
        r#"{"events":[{"i":9,"u":[1]},{"i":9,"u":[2],"plm":8}],"dfl_plm":9}"#,
        r#"{"events":["arith:div","ARITH:MUL:u"],"dfl_plm":9}"#,
        r#"{"events":[{"name":"ARITH:DIV"},{"name":"ARITH","un":["MUL"],"plm":8}],"dfl_plm":9}"#,
        r#"{"events":[{"name":"ARITH","u":[1]},{"i":9,"u":[2],"name":null,"plm":8}],"dfl_plm":9}"#,
        r#"{"events":["ARITH:DIV",{"name":"ARITX:DIV"}],"dfl_plm":9}"#,
        r#"{"events":[{"name":"ARITH"}],"dfl_plm":9}"#,
        r#"{"events":[{"plm":8}],"dfl_plm":9}"#,
        r#"{"events":[{"name":"ARITH:DIV:u","plm":1}],"dfl_plm":9}"#,
        r#"{"events":["ARITH:DIV:inv=1"],"dfl_plm":9,"mod_in":{"counters":[{"inv":0}]}}"#,
    ];
    let found = answers(&["dispatch", "--model", "intel_nhm", "--batch"], &lines);
    assert_eq!(found[0]["ret"], "SUCCESS");
    for same in &found[1..4] {
        assert_eq!(*same, found[0]);
    }
    assert_eq!((&found[4]["ret"], &found[5]["ret"]), (&json!("NOTFOUND"), &json!("UMASK")));
    assert!(found[4]["message"].as_str().unwrap().starts_with("`events[1]`: "), "{}", found[4]);
    assert_eq!(found[4]["help"], "did you mean `ARITH`?");
    assert!(found[5]["help"].as_str().unwrap().contains("its unit masks are `CYCLES_DIV_BUSY`"));
    let said = |answer: &Value| answer["message"].as_str().unwrap().to_owned();
    assert!(said(&found[6]).contains("the key `i`, or its name, the key `name`"), "{}", found[6]);
    assert!(said(&found[7]).contains("has levels, and so has the key `plm`"), "{}", found[7]);
    assert!(said(&found[8]).contains("in one of the two places"), "{}", found[8]);
}

#[test]
fn an_event_has_levels_and_options_of_its_own() {
    let pmcs = |args: &[&str]| {
        let output = run(&[&["dispatch", "--json", "--model"], args].concat());
        let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(answer["ret"], "SUCCESS", "{answer}");
        answer["pmcs"].clone()
    };
    let same = [
        (&["core", "MUL:k"][..], &["core", "--plm", "k", "MUL"][..]),
        (
            &["core", "MUL:u:inv=1:edge=1:cnt_mask=2"],
            &[
                "core",
                "--plm",
                "u",
                "--mod-in",
                r#"{"counters":[{"flags":3,"cnt_mask":2}]}"#,
                "MUL",
            ],
        ),
        (
            &["intel_nhm", "L1D:REPL:cnt_mask=0x2:flags=1"],
            &["intel_nhm", "--mod-in", r#"{"counters":[{"inv":1,"cnt_mask":2}]}"#, "L1D:REPL"],
        ),
        (
            &["amd64_fam10h_revb", "CPU_CLK_UNHALTED:ku:guest=1:host=1"],
            &[
                "amd64_fam10h_revb",
                "--mod-in",
                r#"{"counters":[{"flags":12}]}"#,
                "CPU_CLK_UNHALTED",
            ],
        ),
    ];
    for (own, all) in same {
        assert_eq!(pmcs(own), pmcs(all), "{own:?}");
        assert_ne!(pmcs(own), pmcs(&[own[0], all[all.len() - 1]]), "{own:?}");
    }
    // 2 is a unit mask's code here, and not a level.
    assert_eq!(pmcs(&["intel_nhm", "ARITH:2"]), pmcs(&["intel_nhm", "ARITH:MUL"]));
    for (model, event, says) in [
        (
            "core",
            "MUL:x",
            "levels may follow (`:u`, letters of k 1 2 u), and then options: `flags=`, `inv=`",
        ),
        ("core", "MUL:inw=1", "did you mean `inv`?"),
        ("core", "MUL:thres=1", "which is a key of the input for itanium"),
        ("core", "MUL:inv=x", "must be a whole number"),
        ("core", "MUL:inv=1:inv=0", "`inv` is there twice"),
        ("intel_nhm", "ARITH:u", "its unit masks are `CYCLES_DIV_BUSY`, `DIV`, `MUL`"),
        ("mips_24k", "CYCLES:inv=1", "the events of mips_24k take no options"),
    ] {
        let output = run(&["dispatch", "--model", model, event]);
        assert_ne!(output.status.code(), Some(0), "{event}");
        assert!(stderr(&output).contains(says), "{event}: {}", stderr(&output));
    }
}

#[test]
fn the_events_of_a_model_are_listed_with_their_numbers() {
    let text = stdout(&run(&["dispatch", "--events", "intel_nhm"]));
    assert!(
        text.contains("\n   9  ARITH\n         0  :CYCLES_DIV_BUSY\n         1  :DIV\n"),
        "{text}"
    );
    let output = run(&["dispatch", "--model", "intel_nhm", "--events", "--json"]);
    let events: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&events[9]["event"], &events[9]["name"]), (&json!(9), &json!("ARITH")));
    assert_eq!(events[9]["umasks"][1], json!({"number": 1, "name": "DIV"}));
    let output = run(&["dispatch", "--events"]);
    assert!(stderr(&output).contains("dispatch --events MODEL"), "{}", stderr(&output));
    let output = run(&["dispatch", "--events", "cor"]);
    assert!(stderr(&output).contains("did you mean `core`?"), "{}", stderr(&output));
}

#[test]
fn every_error_has_its_name_number_and_a_message() {
    let lines = [
        r#"{"model":"core","events":[{"i":0}]}"#,
        r#"{"model":"core","events":[{"i":9999}],"dfl_plm":8}"#,
        r#"{"model":"core","events":[{"i":20},{"i":20}],"dfl_plm":8}"#,
        r#"{"model":"core","str":"NONE"}"#,
        r#"{"model":"cor"}"#,
        "{",
        "[]",
    ];
    let batch = answers(&["dispatch", "--batch"], &lines);
    assert_eq!(batch.len(), lines.len());
    let json = [
        &["--plm", "none", "MUL"][..],
        &["MULL"],
        &["MUL", "MUL"],
        &["--unavailable", "999", "MUL"],
        &["--plm", "0x20", "MUL"],
        &["--mod-in", "{", "MUL"],
    ];
    let command = json.map(|args| {
        let output = run(&[&["dispatch", "--json", "--model", "core"], args].concat());
        assert_ne!(output.status.code(), Some(0), "{args:?}");
        serde_json::from_str(&stdout(&output)).unwrap()
    });
    for answer in batch.iter().chain(&command) {
        assert!(answer["ret"].is_string() && answer["code"].as_i64() < Some(0), "{answer}");
        assert!(answer["message"].as_str().is_some_and(|text| text.len() > 10), "{answer}");
    }
}

#[test]
fn every_input_is_documented_in_the_help_and_in_the_book() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let help = words(&stdout(&run(&["dispatch", "--help"])));
    let page = words(include_str!("../../docs/dispatch.md"));
    let inputs = words(include_str!("../../crates/cli/src/commands/dispatch/inputs.txt"));
    assert!(help.contains(&inputs) && page.contains(&inputs));
    let said = |model: &str, keys: &str| {
        let line = format!(r#"{{"model":"{model}",{keys}}}"#);
        let answer = answers(&["dispatch", "--batch"], &[&line]).remove(0);
        answer["message"].as_str().unwrap().to_owned()
    };
    let mut places = vec![r#""#.to_owned(), r#""events":[{*}]"#.to_owned()];
    let parts = ["lbr", "ibsfetch", "ibsop", "iear", "dear", "btb", "etb", "ipear", "irange"];
    let parts = parts.into_iter().chain(["drange", "pmc8", "pmc9", "opcm1", "opcm2"]);
    places.push(r#""mod_in":{*}"#.to_owned());
    places.extend(parts.map(|part| format!(r#""mod_in":{{"{part}":{{*}}}}"#)));
    places.push(r#""mod_in":{"counters":[{*}]}"#.to_owned());
    places.push(r#""mod_in":{"irange":{"limits":[{*}]}}"#.to_owned());
    let mut known = std::collections::BTreeSet::new();
    for model in ["gen_ia32_v3", "core", "intel_nhm", "amd64_k7", "itanium2", "montecito", "cell"] {
        for place in &places {
            let keys = if place.is_empty() {
                r#""??????????":1"#.to_owned()
            } else {
                place.replace('*', r#""??????????":1"#)
            };
            let said = said(model, &keys);
            let Some((_, keys)) = said.split_once("its keys are ") else { continue };
            if said.contains("key `??????????`") {
                known.extend(keys.split(", ").map(|key| key.trim_matches('`').to_owned()));
            }
        }
    }
    assert!(known.len() > 60, "{known:?}");
    for key in known {
        let is_there =
            inputs.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == key);
        assert!(is_there, "{key}");
    }
}

#[test]
fn an_event_that_no_model_has_costs_no_other_line_its_answer() {
    let models = stdout(&run(&["dispatch", "--json"]));
    let names = models.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<String> = names
        .flat_map(|model| {
            let name = model["model"].as_str().unwrap().to_owned();
            let count = model["events"].as_u64().unwrap();
            [count, 4_294_967_295].map(|number| {
                format!(
                    r#"{{"model":"{name}","events":[{{"i":{number}}}],"dfl_plm":8,"explain":true}}"#
                )
            })
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let found = answers(&["dispatch", "--batch"], &lines);
    assert_eq!((found.len(), lines.len()), (122, 122));
    for (answer, line) in found.iter().zip(lines) {
        assert_eq!((&answer["ret"], &answer["conflict"]), (&json!("INVAL"), &json!([0])), "{line}");
        assert!(
            answer["message"].as_str().unwrap().contains("no event of this number"),
            "{answer}"
        );
    }
}
