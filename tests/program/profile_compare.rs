//! `counterpoint profile --compare` and `report diff` of several files: a function that takes more is found among many.

use crate::schema::check;
use crate::symbols::folder;
use crate::{has_tools, objects, run, stderr, stdout};
use serde_json::Value;
use std::fmt::Write as _;
use std::process::Command;

/// The functions of the program, of which each writes to 20 new pages, and one to as many more as an argument says.
const FUNCTIONS: usize = 40;
const PLANTED: usize = 17;

/// The program, which takes some ten milliseconds; `None` without a compiler.
fn program(name: &str) -> Option<String> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let folder = folder(&format!("compare-{name}"));
    let (path, program) = (folder.join("many.c"), folder.join("many"));
    let mut source = "#include <stdlib.h>\n#include <sys/mman.h>\n#include <unistd.h>\nvolatile unsigned long sink;\nchar *page;\n".to_string();
    for number in 0..FUNCTIONS {
        let _ = writeln!(
            source,
            "__attribute__((noinline)) void f{number}(long n) {{ for (long i = 0; i < 100000; i++) sink = sink * 31 + i; for (; n; n--, page += 4096) *page = 1; }}"
        );
    }
    source += "int main(int argc, char **argv) { long more = atol(argv[1]);\n";
    source += "page = mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); madvise(page, 64 << 20, MADV_NOHUGEPAGE);\n";
    for number in 0..FUNCTIONS {
        let more = if number == PLANTED { " + more" } else { "" };
        let _ = writeln!(source, "f{number}(20{more});");
    }
    source += "if (argc > 2) usleep(atoi(argv[2])); return argc > 3; }\n";
    std::fs::write(&path, source).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O1", "-fno-omit-frame-pointer", "-o"]).args([&program, &path]);
    assert!(gcc.status().unwrap().success(), "{gcc:?}");
    Some(program.display().to_string())
}

fn compared(options: &[&str], base: &str, other: &str) -> Value {
    let all = [&["profile", "--format", "json"], options, &["--compare", base, other]];
    let output = run(&all.concat());
    assert!(output.status.success(), "{}", stderr(&output));
    check("profile-diff", &stdout(&output), &stderr(&output));
    objects(&output).remove(0)
}

/// The functions that are found to differ, and the verdicts.
fn found(diff: &Value) -> Vec<(&str, &str)> {
    let functions = diff["functions"].as_array().unwrap().iter();
    let judged = functions.map(|of| (of["function"].as_str().unwrap(), of["verdict"].as_str()));
    let sure = judged.filter_map(|(name, verdict)| Some((name, verdict?)));
    sure.filter(|(_, verdict)| ["more", "less"].contains(verdict)).collect()
}

#[test]
fn the_function_that_takes_more_is_found_with_its_size() {
    let Some(program) = program("planted") else { return };
    let page = format!("{program}.html");
    let options = ["-e", "page-faults:u", "-c", "1", "-r", "6", "-g", "--html", &page];
    let (base, other) = (format!("{program} 0"), format!("{program} 200"));
    let diff = compared(&options, &base, &other);
    assert_eq!((&diff["design"], &diff["unit"]), (&"rounds".into(), &"samples a run".into()));
    assert_eq!((&diff["files"][1]["file"], &diff["files"][1]["runs"]), (&other.into(), &6.into()));
    assert_eq!(found(&diff), [("f17", "more")], "{diff}");
    let of = &diff["functions"][0];
    let amounts = (&of["base"]["amount"], &of["other"]["amount"]);
    assert_eq!(amounts, (&20.0.into(), &220.0.into()), "{of}");
    assert!((of["change"].as_f64().unwrap() - 200.0).abs() < 1e-9, "{of}");
    let sentence = diff["sentences"][1].as_str().unwrap();
    assert!(
        sentence.starts_with("B has more in f17 (by ") && sentence.ends_with(" samples a run)."),
        "{sentence}"
    );

    let page = crate::series::data(&std::fs::read_to_string(page).unwrap());
    let section = &page["sections"][0];
    assert_eq!((&section["kind"], &section["runs"]), (&"difference".into(), &vec![6, 6].into()));
    let functions = section["functions"].as_array().unwrap();
    let coloured =
        section["calls"].as_array().unwrap().iter().zip(section["verdicts"].as_array().unwrap());
    let coloured: Vec<_> = coloured.filter(|(_, verdict)| **verdict != 0).collect();
    let names: Vec<_> = coloured
        .iter()
        .map(|(call, _)| &functions[call.as_u64().unwrap() as usize]["name"])
        .collect();
    assert!(names.contains(&&"f17".into()), "{names:?}");
    // Its callers take more, too, and no other function.
    assert!(
        !names.iter().any(|name| name.as_str().unwrap().starts_with('f') && **name != "f17"),
        "{names:?}"
    );
}

#[test]
fn equal_commands_do_not_differ() {
    let Some(program) = program("equal") else { return };
    let command = format!("{program} 0");
    let output =
        run(&["profile", "-e", "task-clock:u", "-r", "4", "--compare", &command, &command]);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains(", 4 runs)\n times are of a run, in milliseconds\n"), "{text}");
    assert!(text.contains(" A ms  B ms  B - A  "), "{text}");
    assert!(text.contains(" No function was found that differs by more than noise.\n"), "{text}");
}

/// What is interrupted is compared as far as it goes, and the exit status says so.
#[test]
fn an_interrupt_leaves_the_rounds_that_are_whole() {
    let Some(program) = program("interrupted") else { return };
    // The first run of the fourth round, after the warm-up, interrupts the comparison.
    let runs = format!("{program}-runs");
    let script =
        format!("echo >> {runs}; [ $(wc -l < {runs}) = 5 ] && kill -INT $PPID; {program} 0");
    std::fs::write(&runs, "").unwrap();
    let output = run(&["profile", "-r", "50", "--compare", &script, &format!("{program} 0")]);
    let text = stdout(&output);
    assert!(
        text.contains(", 3 runs)") && text.contains("Round 4 is left out: interrupted."),
        "{text}{}",
        stderr(&output)
    );
    assert_ne!(output.status.code(), Some(0), "{text}");
}

#[test]
fn the_time_of_waiting_is_compared() {
    let Some(program) = program("waiting") else { return };
    let (base, other) = (format!("{program} 0 20000"), format!("{program} 0 420000"));
    let diff = compared(&["--off-cpu", "-r", "3"], &base, &other);
    assert_eq!(diff["event"], "off-cpu");
    let sleeps = |of: &&Value| of["function"].as_str().unwrap().contains("nanosleep");
    let of = diff["functions"].as_array().unwrap().iter().find(sleeps).unwrap();
    // Who sleeps may wait for a CPU, too, but not for as long.
    assert!(of["change"].as_f64().unwrap() > 200.0, "{of}");
    assert_ne!(of["verdict"], "no-difference", "{of}");
}

#[test]
fn several_recordings_a_side_are_compared_by_their_runs() {
    let Some(program) = program("files") else { return };
    let recorded = |side: &str, more: &str| -> Vec<String> {
        let record = |number| {
            let path = format!("{program}-{side}-{number}.perf");
            let output = run(&[
                "record",
                "-c",
                "1",
                "-e",
                "page-faults:u",
                "-o",
                &path,
                "--",
                &program,
                more,
            ]);
            assert!(output.status.success(), "{}", stderr(&output));
            path
        };
        (0..4).map(record).collect()
    };
    let (base, other) = (recorded("a", "0"), recorded("b", "200"));
    let of = |files: &[String], others: &[String]| {
        let mut all = vec!["report", "diff", "--format", "json"];
        all.extend(files.iter().map(String::as_str));
        all.push("--");
        all.extend(others.iter().map(String::as_str));
        run(&all)
    };
    let output = of(&base, &other);
    check("profile-diff", &stdout(&output), &stderr(&output));
    let diff = objects(&output).remove(0);
    assert_eq!((&diff["design"], found(&diff)), (&"runs".into(), vec![("f17", "more")]), "{diff}");
    // Of one file, it is not known by how much runs differ.
    let diff = objects(&of(&base, &other[..1])).remove(0);
    assert_eq!((&diff["design"], &diff["unit"]), (&"shares".into(), &"percentage points".into()));
}

#[test]
fn what_cannot_be_compared_is_said() {
    let Some(program) = program("refused") else { return };
    let fails = format!("{program} 0 0 1");
    let fine = format!("{program} 0");
    let cases: [(&[&str], &str); 8] = [
        (&["profile", "--compare", &fine, &fails], "1` failed: exit status 1"),
        (&["profile", "--compare", &fine, "./not-there"], "not-there"),
        (&["profile", "--compare", &fine, "'"], "a quotation mark is not closed"),
        (
            &["profile", "--compare", &fine, &fine, "--format", "svg"],
            "--compare is for the formats table and json",
        ),
        (&["profile", "--compare", &fine, &fine, "-p", "1"], "cannot be used with"),
        (&["profile", "-r", "3", "--", "true"], "-r is for --compare"),
        (&["report", "diff", "a", "b", "c"], "write -- between them"),
        (&["report", "diff", "a", "--", "b", "--limit"], "there is no file --limit"),
    ];
    for (args, why) in cases {
        let output = run(args);
        assert!(!output.status.success(), "{args:?}");
        assert!(stderr(&output).contains(why), "{why}: {}", stderr(&output));
    }
    let output = run(&["profile", "--ignore-failure", "-r", "2", "--compare", &fine, &fails]);
    assert!(output.status.success(), "{}", stderr(&output));
}
