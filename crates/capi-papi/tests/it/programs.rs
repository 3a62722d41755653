//! Programs in C, Fortran and Python, over this library and over the system's PAPI.

use std::path::{Path, PathBuf};

use super::built::{compile, compile_for, has, ours, own, pfm, run, text};

const SYSTEM_HEADER: &str = "/usr/include/papi.h";

fn client(headers: Option<&Path>, name: &str) -> PathBuf {
    compile("gcc", &own("tests/c/client.c"), headers, name)
}

/// The part of an output after a heading.
fn part<'a>(output: &'a str, heading: &str) -> &'a str {
    let (_, rest) = output.split_once(&format!("- {heading}\n")).expect(heading);
    rest.split("\n- ").next().unwrap_or(rest)
}

#[test]
fn a_program_in_c_gets_the_same_results_as_over_papi() {
    if !has("gcc") {
        println!("skipped: needs gcc");
        return;
    }
    let program = client(Some(&own("include")), "client-ours");
    let output = run(&program, &[], ours());
    assert!(output.status.success());
    let here = text(&output);
    for (heading, line) in [
        ("attach", "PAPI_attach(set, child): OK\nPAPI_state(set, &state): OK\n0x81"),
        ("attach", "PAPI_stop(set, values): OK\n1\nPAPI_detach(set): OK\nPAPI_detach(set): EINVAL"),
        // Between a profile and its end, buckets of the program have counts.
        (
            "overflow",
            "1000000, PAPI_PROFIL_POSIX): OK\nPAPI_start(set): OK\nPAPI_stop(set, values): OK\n1\nPAPI_profil(",
        ),
        (
            "overflow",
            "PAPI_sprofil(regions, 2, set, clock_event, 1000000, PAPI_PROFIL_POSIX): OK\n\
             PAPI_sprofil(regions, 2, set, clock_event, 0, PAPI_PROFIL_POSIX): OK",
        ),
        ("multiplex", "PAPI_set_multiplex(set): OK\nPAPI_set_multiplex(set): EINVAL"),
        ("multiplex", "PAPI_stop(set, values): OK\n1 1"),
        ("options", "PAPI_get_opt(PAPI_DOMAIN, &option): OK\n3"),
        ("options", "PAPI_stop(set, values): OK\n1"),
        ("threads", "0x5\n64"),
    ] {
        assert!(part(&here, heading).contains(line), "{line}\nis not in\n{}", part(&here, heading));
    }
    if Path::new(SYSTEM_HEADER).exists() {
        let output = run(&client(None, "client-theirs"), &[], ours());
        assert_eq!(text(&output), here, "compiled with the system's header");
    } else {
        println!("skipped: needs PAPI's header (Debian: libpapi-dev)");
    }
    let output = run(&program, &[], pfm());
    let there = text(&output);
    if !output.status.success() || there.contains("skipped:") {
        println!("skipped: needs a libpapi.so.7.0 that counts (Debian: libpapi7.0)");
        return;
    }
    for heading in
        ["states", "counts", "overflow", "threads", "multiplex", "attach", "options", "names"]
    {
        let [here, there] = [&here, &there].map(|output| part(output, heading));
        // PAPI finds out what is permitted by an event of the hardware.
        if there.contains("ENOEVNT") && ["multiplex", "attach", "options"].contains(&heading) {
            println!("skipped: {heading} beside PAPI needs hardware counters");
            continue;
        }
        assert_eq!(here, there, "{heading}");
    }
}

#[test]
fn structures_are_those_of_the_systems_header() {
    if !has("gcc") || !Path::new(SYSTEM_HEADER).exists() {
        println!("skipped: needs gcc and PAPI's header (Debian: libpapi-dev)");
        return;
    }
    let source = own("tests/c/offsets.c");
    let printed = |headers: Option<&Path>, name: &str| {
        text(&run(&compile("gcc", &source, headers, name), &[], ours()))
    };
    let include = own("include");
    let here = printed(Some(&include), "offsets-ours");
    assert!(here.lines().count() > 150, "{here}");
    assert_eq!(here, printed(None, "offsets-theirs"));
    let size = |name: &str| {
        let line = here.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|size| size.parse::<usize>().ok()).expect(name)
    };
    assert_eq!(size("PAPI_event_info_t"), size_of::<papi::EventInfo>());
    assert_eq!(size("PAPI_component_info_t"), size_of::<papi::ComponentInfo>());
    assert_eq!(size("PAPI_hw_info_t"), size_of::<papi::HardwareInfo>());
    assert_eq!(size("PAPI_exe_info_t"), size_of::<papi::ExecutableInfo>());
    assert_eq!(size("PAPI_shlib_info_t"), size_of::<papi::LibrariesInfo>());
    assert_eq!(size("PAPI_sprofil_t"), size_of::<papi::ProfileRegion>());
}

/// Each release's structures and numbers are those that the library writes for it.
#[test]
fn a_program_of_each_release_gets_its_structures() {
    if !has("gcc") {
        println!("skipped: needs gcc");
        return;
    }
    let source = own("tests/c/releases.c");
    let include = own("include");
    for minor in 0..=3 {
        let name = format!("releases-{minor}");
        let program = compile_for("gcc", &source, Some(&include), minor, &name);
        let printed = text(&run(&program, &[], ours()));
        let expected = if minor >= 2 {
            (size_of::<papi::ComponentInfo72>(), size_of::<(papi::EventInfo, papi::Qualifiers)>())
        } else {
            (size_of::<papi::ComponentInfo>(), size_of::<papi::EventInfo>())
        };
        let presets = if minor >= 3 { 110 } else { 108 };
        let lines: Vec<&str> = printed.lines().collect();
        let sizes = format!("{} {}", expected.0, expected.1);
        assert_eq!(lines[..3], [&format!("7.{minor}"), &sizes, "perf_event perf -1"], "{printed}");
        assert_eq!(lines[3], format!("{presets} presets, PAPI_L1_DCM first"), "7.{minor}");
        assert_eq!(lines[4], "PAPI_TOT_CYC: 0 qualifiers", "7.{minor}");
        assert_eq!(lines[5], "cache presets are of the cache", "7.{minor}");
    }
}

/// The values that an example prints, by event.
fn value(output: &str, event: &str) -> i64 {
    let mut lines = output.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let line = lines.find(|words| words.get(1) == Some(&event)).expect(output);
    line[0].parse().expect("a number")
}

fn example(path: &str) -> PathBuf {
    own("../../examples").join(path)
}

#[test]
fn the_example_in_c_counts() {
    if !has("gcc") {
        println!("skipped: needs gcc");
        return;
    }
    let program = compile("gcc", &example("c/papi_counts.c"), Some(&own("include")), "counts-c");
    let output = text(&run(&program, &["perf::TASK-CLOCK", "perf::PAGE-FAULTS"], ours()));
    assert!(value(&output, "perf::TASK-CLOCK") > 1_000_000, "{output}");
    let output = run(&program, &["no-such-event"], ours());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "no-such-event: Event does not exist\n");
}

#[test]
fn the_example_in_fortran_counts() {
    if !has("gfortran") {
        println!("skipped: needs gfortran");
        return;
    }
    let source = example("fortran/papi_counts.F90");
    let program = compile("gfortran", &source, Some(&own("include")), "counts-fortran");
    let output = text(&run(&program, &[], ours()));
    assert!(value(&output, "perf::TASK-CLOCK") > 1_000_000, "{output}");
}

#[test]
fn the_example_in_python_counts() {
    if !has("python3") {
        println!("skipped: needs python3");
        return;
    }
    let script = example("python/papi_counts.py");
    let script = script.to_str().expect("UTF-8");
    let output = text(&run(Path::new("python3"), &[script], ours()));
    assert!(value(&output, "perf::TASK-CLOCK") > 1_000_000, "{output}");
}
