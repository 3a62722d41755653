//! Which definition a name means: within a file by the order of the text, and between files by the order of the files.

use crate::{counterpoint, root, run, stderr, stdout};
use std::path::PathBuf;
use std::process::Output;

/// A machine with the core PMU `cpu`, memory controllers `amd_umc_0` and on, and energies in `power`.
const ZEN4: &str = "fixtures/machines/amd-zen4";

fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("definitions");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Shows a name with files of `-f` and of the environment.
fn show(name: &str, files: &[&PathBuf], environment: &[(&str, &PathBuf)]) -> Output {
    let mut command = counterpoint(&["show", "--machine", ZEN4, name]);
    command.env_remove("COUNTERPOINT_EVENTS").env_remove("PAPI_USER_EVENTS_FILE");
    for (variable, file) in environment {
        command.env(variable, file);
    }
    for file in files {
        command.arg("-f").arg(file);
    }
    command.output().unwrap()
}

/// The native events that a definition comes to.
fn terms(output: &Output) -> String {
    let text = stdout(output);
    let terms = text.lines().find_map(|line| line.trim().strip_prefix("terms "));
    terms.unwrap_or_else(|| panic!("{text}{}", stderr(output))).trim().to_string()
}

#[test]
fn of_blocks_that_hold_together_the_later_definition_wins_whatever_the_tables_order() {
    let blocks = [
        "CPU,amd64_fam19h_zen4\nEVENT,A,NOT_DERIVED,task-clock\n",
        "CPU,perf\nEVENT,A,NOT_DERIVED,page-faults\n",
    ];
    let first = file("core-first.csv", &blocks.concat());
    let second = file("perf-first.csv", &[blocks[1], blocks[0]].concat());
    assert_eq!(terms(&show("A", &[&first], &[])), "page-faults");
    assert_eq!(terms(&show("A", &[&second], &[])), "task-clock");
    for path in [&first, &second] {
        let output = counterpoint(&["check"]).arg(path).output().unwrap();
        let text = stdout(&output);
        assert!(
            text.contains("warning[redefined]: A is defined on line 2 and again on line 4"),
            "{text}"
        );
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_block_may_use_definitions_of_any_block_that_holds() {
    let text = "CPU,perf\nEVENT,SUM,DERIVED_ADD,A,page-faults\nCPU,amd64_fam19h_zen4\nEVENT,A,NOT_DERIVED,task-clock\n";
    let path = file("across.csv", text);
    assert_eq!(terms(&show("SUM", &[&path], &[])), "task-clock, page-faults");
    let output = counterpoint(&["check"]).arg(&path).output().unwrap();
    assert_eq!(stdout(&output), "1 file, 2 definitions, 0 warnings, 0 errors\n");
}

#[test]
fn every_pmu_of_the_machine_can_be_named_as_libpfm_or_sysfs_calls_it() {
    for pmu in ["cpu", "amd_umc_0", "power", "amd64_fam19h_zen4", "perf", "AMD_L3"] {
        let path = file("named.csv", &format!("CPU,{pmu}\nEVENT,A,NOT_DERIVED,page-faults\n"));
        assert_eq!(terms(&show("A", &[&path], &[])), "page-faults", "{pmu}");
    }
    let path = file("other.csv", "CPU,spr\nEVENT,A,NOT_DERIVED,page-faults\n");
    let output = show("A", &[&path], &[]);
    let error = "`A` is defined for spr, but not for a PMU of the machine";
    assert!(stderr(&output).contains(error), "{}", stderr(&output));
    let path = file("cpu.csv", "CPU,cpu\nEVENT,A,NOT_DERIVED,page-faults\n");
    let output = counterpoint(&["check"]).arg(path).output().unwrap();
    assert_eq!(stdout(&output), "1 file, 1 definition, 0 warnings, 0 errors\n");
}

#[test]
fn a_later_file_wins_and_those_of_the_command_line_are_the_last() {
    let define = |name: &str, event: &str| file(name, &format!("EVENT,A,NOT_DERIVED,{event}\n"));
    let papi = define("papi.csv", "task-clock");
    let own = define("own.csv", "cpu-clock");
    let first = define("first.csv", "page-faults");
    let second = define("second.csv", "minor-faults");
    let papis = ("PAPI_USER_EVENTS_FILE", &papi);
    let owns = ("COUNTERPOINT_EVENTS", &own);
    assert_eq!(terms(&show("A", &[], &[papis])), "task-clock");
    assert_eq!(terms(&show("A", &[], &[papis, owns])), "cpu-clock");
    assert_eq!(terms(&show("A", &[&first], &[papis, owns])), "page-faults");
    let last = show("A", &[&first, &second], &[papis, owns]);
    assert_eq!(terms(&last), "minor-faults");
    let hides = stdout(&last);
    let hides = hides.lines().find(|line| line.contains("hides")).unwrap();
    assert_eq!(hides.matches("the definition A on line 1 of").count(), 3, "{hides}");
    // A user's definition wins over a preset, and the preset over the kernel's own.
    let preset = file("preset.csv", "EVENT,PAPI_TOT_CYC,NOT_DERIVED,page-faults\n");
    assert_eq!(terms(&show("PAPI_TOT_CYC", &[&preset], &[])), "page-faults");
    assert_eq!(terms(&show("PAPI_TOT_CYC", &[], &[])), "CYCLES_NOT_IN_HALT");
}

#[test]
fn check_names_every_definition_that_hides_another() {
    let text = "CPU,skx\nCPU,clx\nEVENT,A,NOT_DERIVED,page-faults\nCPU,clx\nEVENT,A,NOT_DERIVED,task-clock\n\
        CPU,skx_unc_imc0\nEVENT,B,NOT_DERIVED,page-faults\nCPU,skx\nEVENT,B,NOT_DERIVED,task-clock\n\
        CPU,icl\nEVENT,A,NOT_DERIVED,page-faults\n";
    let (first, second) = (
        file("hides.csv", text),
        file("hides-too.csv", "CPU,icl\nEVENT,A,NOT_DERIVED,cpu-clock\n"),
    );
    let output =
        counterpoint(&["check"]).arg(&first).arg(&second).current_dir(root()).output().unwrap();
    let text = stdout(&output);
    let findings: Vec<&str> = text.lines().filter(|line| line.contains("[redefined]")).collect();
    assert_eq!(
        findings,
        [
            "warning[redefined]: A is defined on line 3 and again on line 5; the later definition is used",
            "warning[redefined]: B is defined on line 7 and again on line 9; the later definition is used",
            "warning[redefined]: A is defined on line 11 of an earlier file and again on line 2; the later definition is used",
        ]
    );
}

/// `--pmu` looks a definition up as on a machine with that PMU; one that applies here, too, is shown as it is counted here.
#[test]
fn show_says_where_a_definition_counts() {
    let path = file(
        "everywhere.csv",
        "EVENT,SUM,DERIVED_ADD,minor-faults,major-faults,SDESC,\"faults\",NOTE,\"both kinds\"\n\
         CPU,skx\nEVENT,MISSES,NOT_DERIVED,L1D:REPLACEMENT\nEVENT,PAPI_TOT_CYC,NOT_DERIVED,cycles\n",
    );
    let path = path.to_str().unwrap();
    let show = |args: &[&str]| stdout(&run(&[&["show", "-f", path], args].concat()));
    for args in [&["SUM"][..], &["--pmu", "skx", "SUM"]] {
        let text = show(args);
        assert!(text.contains("SUM  faults"), "{text}");
        assert!(text.contains("note        both kinds"), "{text}");
        assert!(text.contains(&format!("counterpoint stat -f {path} -e SUM")), "{text}");
    }
    let text = show(&["--pmu", "skx", "MISSES"]);
    assert!(text.contains("here        this machine does not have the PMU skx"), "{text}");
    // The words of a preset are not those of a definition with its name.
    assert!(show(&["--pmu", "skx", "PAPI_TOT_CYC"]).starts_with("PAPI_TOT_CYC  a definition\n"));
    let error = stderr(&run(&["show", "-f", path, "MISSES"]));
    assert!(
        error.contains("`MISSES` is defined for skx, but not for a PMU of the machine"),
        "{error}"
    );
    assert!(error.contains("counterpoint show --pmu skx MISSES"), "{error}");
}

#[test]
fn definitions_are_listed() {
    let path = file(
        "listed.csv",
        "EVENT,SUM,DERIVED_ADD,minor-faults,major-faults\nCPU,skx\nEVENT,MISSES,NOT_DERIVED,L1D:REPLACEMENT\n",
    );
    let path = path.to_str().unwrap();
    let list = |args: &[&str]| run(&[&["list", "--json"], args].concat());
    let names = |args: &[&str]| -> Vec<String> {
        let output = list(args);
        let lines = stdout(&output);
        let objects =
            lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        objects
            .filter(|of| of["group"] == path)
            .map(|of| of["name"].as_str().unwrap().into())
            .collect()
    };
    assert_eq!(names(&["--user", "-f", path]), ["SUM", "MISSES"]);
    assert_eq!(names(&["-f", path]), ["SUM", "MISSES"]);
    assert_eq!(names(&["--pmu", "skx", "-f", path, "misses"]), ["MISSES"]);
    assert_eq!(names(&["--pmu", "spr", "-f", path]), ["SUM"]);
    let environment =
        counterpoint(&["list", "--user", "--json"]).env("COUNTERPOINT_EVENTS", path).output();
    assert_eq!(stdout(&environment.unwrap()).lines().count(), 2);
    let none = list(&["--user"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("there are no definitions"), "{}", stderr(&none));
    let other = list(&["--user", "-f", path, "SUMM"]);
    assert!(stderr(&other).contains("no definition matches"), "{}", stderr(&other));
    for wrong in [
        &["--pmus", "-f", path][..],
        &["--presets", "-f", path],
        &["--test"],
        &["--user", "--test"],
    ] {
        assert_eq!(list(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_definition_with_an_error_is_named_with_its_line() {
    let path = file(
        "unreadable.csv",
        "CPU,skx\n\nEVENT,BROKEN,DERIVED_POSTFIX,N0|N1|+-|,INST_RETIRED:ANY_P\n\
         EVENT,NO_TYPE,NO_SUCH,INST_RETIRED:ANY_P\nEVENT,GOOD,NOT_DERIVED,INST_RETIRED:ANY_P\n",
    );
    let path = path.to_str().unwrap();
    for (name, line) in [("BROKEN", 3), ("no_type", 4)] {
        let said = format!("the definition of `{name}` in {path}:{line} has an error");
        for args in [
            &["show", "-f", path, name][..],
            &["show", "-f", path, "--pmu", "skx", name],
            &["stat", "-f", path, "-e", name, "true"],
        ] {
            let output = run(args);
            assert!(!output.status.success(), "{args:?}");
            assert!(stderr(&output).contains(&said), "{args:?}: {}", stderr(&output));
        }
    }
    assert!(stdout(&run(&["show", "-f", path, "--pmu", "skx", "GOOD"])).starts_with("GOOD"));
}

#[test]
fn a_cpu_line_without_a_name_is_what_a_name_lacks() {
    let path = file("nameless.csv", "CPU\nEVENT,ALONE,NOT_DERIVED,INST_RETIRED:ANY_P\n");
    let error = stderr(&run(&["show", "-f", path.to_str().unwrap(), "ALONE"]));
    assert!(error.contains("`ALONE` is defined below a CPU line that names no PMU"), "{error}");
    assert!(error.contains("add a CPU line with the name of a PMU of this machine"), "{error}");
    assert!(!error.contains("show --pmu"), "there is no PMU to show it for: {error}");
}
