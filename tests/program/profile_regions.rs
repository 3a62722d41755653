//! The regions of `counterpoint profile`, and what gprof reads of them.

use crate::profile::{count, json, profile, split};
use crate::{has_tools, run, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The addresses of a function of the program at a fixed place, as `--region` takes them.
pub(crate) fn addresses(function: &str) -> String {
    let nm = Command::new("nm").arg("-S").arg(split("fixed")).output().unwrap();
    let symbols = String::from_utf8(nm.stdout).unwrap();
    let name = format!(" {function}");
    let line = symbols.lines().find(|line| line.ends_with(&name)).unwrap();
    let numbers: Vec<u64> =
        line.split(' ').take(2).map(|n| u64::from_str_radix(n, 16).unwrap()).collect();
    format!("{:#x}-{:#x}", numbers[0], numbers[0] + numbers[1])
}

/// `--region` with the addresses of one function counts that function alone.
#[test]
fn regions_count_their_own_addresses() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let region = addresses("once");
    let options = [
        "--format",
        "json",
        "-e",
        "task-clock:u",
        "--region",
        &region,
        "--scale",
        "131072",
        "--bucket",
        "64",
    ];
    let profile = json(&profile(&options, "fixed", &["0.4"]));
    let once = count(&profile, "once");
    let all = profile["samples"].as_f64().unwrap();
    assert_eq!(profile["outside"].as_f64().unwrap() + once, all);
    assert!((0.15..0.35).contains(&(once / all)), "{once} of {all}");
    let region = &profile["regions"][0];
    assert_eq!((&region["scale"], &region["width"]), (&131072.into(), &64.into()));
}

/// Each region has a scale of its own, and what is in none of them is in the rest, wherever that stands.
#[test]
fn regions_have_scales_of_their_own_and_a_rest() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let (thrice, once) = (addresses("thrice"), addresses("once"));
    let fine = format!("{thrice}:0x20000");
    let options =
        ["--format", "json", "-e", "task-clock:u", "--region", "rest", "--scale", "0x4000"];
    let regions = ["--region", &fine, "--region", &once];
    let profile = json(&profile(&[&options[..], &regions].concat(), "fixed", &["0.4"]));
    let of = |index: usize| &profile["regions"][index];
    let counted = |index: usize| -> f64 {
        let buckets = of(index)["buckets"].as_array().unwrap();
        buckets.iter().map(|bucket| bucket[1].as_f64().unwrap()).sum()
    };
    assert_eq!(
        [0, 1, 2].map(|index| of(index)["scale"].clone()),
        [2, 131072, 16384].map(Value::from)
    );
    let all = profile["samples"].as_f64().unwrap();
    assert_eq!(counted(0) + counted(1) + counted(2), all, "{profile}");
    assert_eq!(profile["outside"], 0, "the rest is counted");
    assert!((0.6..0.9).contains(&(counted(1) / all)), "{profile}");
    assert_eq!(count(&profile, "[elsewhere]"), counted(0));
    let refused = run(&["profile", "--region", "0x1-0x2:1", "--", "true"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("1 is not a scale: use 131072"), "{}", stderr(&refused));
}

/// Two bytes are two bytes, whatever the scale; the rest of the bucket is not theirs.
#[test]
fn a_region_ends_where_it_is_said_to() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let range = addresses("thrice");
    let (start, _) = range.split_once('-').unwrap();
    let start = u64::from_str_radix(start.trim_start_matches("0x"), 16).unwrap();
    let first = format!("{start:#x}-{:#x}:2", start + 1);
    let options = ["--format", "json", "-e", "task-clock:u", "--region", &first];
    let output = profile(&options, "fixed", &["0.2"]);
    let profile = json(&output);
    let region = &profile["regions"][0];
    assert_eq!(region["end"], format!("{:#x}", start + 1), "{region}");
    let all = profile["samples"].as_f64().unwrap();
    assert!(count(&profile, "[elsewhere]") > 0.9 * all, "a function is entered once in a while");
    assert_eq!(count(&profile, "thrice") + count(&profile, "[elsewhere]"), all, "{profile}");
}

#[test]
fn regions_without_a_sample_are_said_to_be() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    for (region, is_told) in [("0x10-0x20", true), (&*addresses("thrice"), false)] {
        let options = ["-e", "task-clock:u", "--region", region, "--region", "rest"];
        let text = stderr(&profile(&options, "fixed", &["0.2"]));
        let told = text.contains("no sample of task-clock:u is in a region of --region");
        assert_eq!((told, text.contains("setarch -R")), (is_told, is_told), "{text}");
    }
}

/// Samples that a file for gprof cannot hold are named, and are not counted among those that it holds.
#[test]
fn samples_that_gmon_out_lacks_are_told() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lacking.gmon");
    let options = ["--format", "gmon", "-o", file.to_str().unwrap(), "-e", "task-clock:u"];
    let region = addresses("once");
    let output = profile(&[&options[..], &["--region", &region]].concat(), "fixed", &["0.2"]);
    let text = stderr(&output);
    let line = text.lines().find(|line| line.contains("samples are not in the file"));
    let words: Vec<&str> = line.unwrap_or_else(|| panic!("{text}")).split(' ').collect();
    let [lost, total] = [1, 3].map(|at| words[at].parse::<f64>().unwrap());
    assert!((0.6..0.9).contains(&(lost / total)), "three quarters are elsewhere: {text}");
}

#[test]
fn gprof_reads_gmon_out() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gmon.out");
    let options = ["--format", "gmon", "-o", file.to_str().unwrap(), "-e", "task-clock:u"];
    for kind in ["pie", "fixed"] {
        assert!(profile(&options, kind, &["0.2"]).status.success());
        let gprof = Command::new("gprof").args(["-b", "-p"]).arg(split(kind)).arg(&file).output();
        let Ok(gprof) = gprof else {
            println!("skipped: gprof is not installed");
            return;
        };
        let text = stdout(&gprof);
        let row =
            text.lines().find(|line| line.ends_with("thrice")).unwrap_or_else(|| panic!("{text}"));
        let percent: f64 = row.split_whitespace().next().unwrap().parse().unwrap();
        assert!((50.0..95.0).contains(&percent), "{text}");
    }
}
