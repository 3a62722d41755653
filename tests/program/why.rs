//! `counterpoint stat --compare --why`: what the difference of two commands in time is made of.

use crate::schema::check;
use crate::symbols::folder;
use crate::{has_tools, objects, run, stderr, stdout};
use serde_json::Value;
use std::process::Command;

const SOURCE: &str = r#"
#include <stdlib.h>
#include <unistd.h>
volatile unsigned long sink;
__attribute__((noinline)) void same(void) { for (long i = 0; i < 5000000; i++) sink = sink * 31 + i; }
__attribute__((noinline)) void more(long n) { for (long i = 0; i < n; i++) sink = sink * 31 + i; }
int main(int argc, char **argv) { same(); more(atol(argv[1])); usleep(atol(argv[2])); return argc > 3; }
"#;

/// `None` without a compiler.
fn program(name: &str) -> Option<String> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let folder = folder(&format!("why-{name}"));
    let (path, program) = (folder.join("why.c"), folder.join("why"));
    std::fs::write(&path, SOURCE).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O1", "-fno-omit-frame-pointer", "-o"]).args([&program, &path]);
    assert!(gcc.status().unwrap().success(), "{gcc:?}");
    Some(program.display().to_string())
}

fn of<'o>(objects: &'o [Value], kind: &str, part: &str) -> &'o Value {
    let is = |object: &&Value| object["why"] == kind && object["part"] == part;
    objects.iter().find(is).unwrap_or_else(|| panic!("{kind} {part}"))
}

#[test]
fn a_difference_is_split_over_states_and_functions() {
    let Some(program) = program("split") else { return };
    let (base, other) = (format!("{program} 1000 0"), format!("{program} 40000000 300000"));
    let page = format!("{program}.html");
    let arguments = ["stat", "--compare", &base, &other, "--why", "-r", "10"];
    let output = run(&[&arguments[..], &["--json", "--html", &page]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    check("compare", &stdout(&output), &stderr(&output));
    let objects = objects(&output);
    let seconds = |of: &Value| of["difference_s"].as_f64().unwrap();
    let user = of(&objects, "state", "user_time");
    let off = of(&objects, "state", "time off the CPU");
    let more = of(&objects, "function", "more");
    for part in [user, more] {
        assert_eq!(part["verdict"], "more", "{part}");
    }
    // B sleeps for 0.3 s, and whoever waits for a CPU does not for as long. The loop is all that runs more.
    assert!(seconds(off) > 0.15, "{off}");
    assert!(seconds(more) > 0.5 * seconds(user) && seconds(user) > 0.5 * seconds(more), "{more}");
    // The one that does not change is not found.
    assert!(
        !["more", "less"].contains(&of(&objects, "function", "same")["verdict"].as_str().unwrap())
    );
    let elapsed = objects.iter().find(|object| object["event"] == "elapsed time").unwrap();
    let base = elapsed["base"]["mean"].as_f64().unwrap();
    let points = user["points"].as_f64().unwrap();
    assert!((points - 100.0 * seconds(user) / base).abs() < 1e-6, "{user} {base}");

    let sentences = objects.last().unwrap()["summary"]["sentences"].as_array().unwrap();
    let sentence = |start: &str| {
        let texts = sentences.iter().filter_map(Value::as_str);
        texts.filter(|text| text.starts_with(start)).collect::<Vec<_>>().concat()
    };
    assert!(
        sentence("B takes ").contains(" points longer; 1 point is 1 % of the "),
        "{sentences:?}"
    );
    assert!(sentence("By state: +").contains(" points in user_time"), "{sentences:?}");
    assert!(sentence("By CPU time of functions: +").contains(" points in more"), "{sentences:?}");
    let page = crate::series::data(&std::fs::read_to_string(page).unwrap());
    let sections = page["sections"].as_array().unwrap();
    assert!(sections.iter().any(|section| section["kind"] == "difference"), "the calls");
}

#[test]
fn equal_commands_have_nothing_to_explain() {
    let Some(program) = program("equal") else { return };
    let command = format!("{program} 1000 0");
    let output = run(&["stat", "--compare", &command, &command, "--why", "-r", "4"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("; 1 point is 1 % of the "), "{text}");
    assert!(!text.contains("By CPU time of functions: +"), "{text}");
    assert!(text.contains(" times are of a run, in milliseconds"), "{text}");
}

#[test]
fn why_is_of_two_commands() {
    let refused = |arguments: &[&str], part: &str| {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    };
    refused(&["stat", "--why", "--", "true"], "--compare");
    refused(&["stat", "--compare", "true", "--why", "--", "false"], "--why");
    refused(&["stat", "--compare", "true", "true", "true", "--why"], "--why is for two commands");
    refused(&["stat", "--compare", "true", "true", "--why", "--prepare", "true"], "--prepare");
}
