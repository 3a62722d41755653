//! The completion of names, by the shells that are installed.

use crate::{has_tools, root, run, stdout};
use std::process::Command;

/// The words that bash offers for the last word of a line.
fn offered(line: &str) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_counterpoint");
    // Words are broken as readline does: `:` and `=` are words of their own.
    let script = r#"
        source <("$1" completions bash)
        function=$(complete -p counterpoint | sed 's/.*-F \([^ ]*\).*/\1/')
        COMP_LINE=$2 COMP_POINT=${#2}
        read -ra COMP_WORDS <<< "$(sed 's/\([:=]\)/ \1 /g' <<< "$2")"
        [[ $2 == *' ' ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        "$function" "$1" "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}" 2> /dev/null
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let line = line.replacen("counterpoint", program, 1);
    let mut bash = Command::new("bash");
    let output = bash.args(["--norc", "-c", script, "bash", program, &line]).output().unwrap();
    stdout(&output).lines().map(str::to_string).collect()
}

#[test]
fn bash_offers_names_where_an_option_takes_one() {
    if !has_tools(&["bash", "sed"]) {
        return;
    }
    assert_eq!(offered("counterpoint stat -e page-f"), ["page-faults"]);
    assert_eq!(offered("counterpoint stat -e task-clock,page-f"), ["task-clock,page-faults"]);
    assert_eq!(offered("counterpoint stat -e {task-clock,minor-"), ["{task-clock,minor-faults"]);
    assert_eq!(offered("counterpoint stat --event=page-f"), ["page-faults"]);
    assert_eq!(offered("counterpoint stat -a --event PAPI_TOT_C"), ["PAPI_TOT_CYC"]);
    assert_eq!(offered("counterpoint profile -e task-c"), ["task-clock"]);
    assert_eq!(offered("counterpoint top --stat task-clock,minor-"), ["task-clock,minor-faults"]);
    assert_eq!(
        offered("counterpoint list --pmu skx_unc_cha1"),
        [
            "skx_unc_cha1",
            "skx_unc_cha10",
            "skx_unc_cha11",
            "skx_unc_cha12",
            "skx_unc_cha13",
            "skx_unc_cha14",
            "skx_unc_cha15",
            "skx_unc_cha16",
            "skx_unc_cha17",
            "skx_unc_cha18",
            "skx_unc_cha19",
        ]
    );
    let metrics = stdout(&run(&["completions", "--names", "metrics"]));
    let first = metrics.lines().next().unwrap();
    assert!(offered("counterpoint stat -M ").contains(&first.to_string()));
    let groups = stdout(&run(&["completions", "--names", "groups"]));
    let first = groups.lines().next().unwrap();
    assert!(offered("counterpoint plan -g ").contains(&first.to_string()));
    // Options and commands, and what is behind a command, are completed as before.
    assert_eq!(offered("counterpoint stat --per-so"), ["--per-socket"]);
    assert_eq!(offered("counterpoint enc"), ["encode"]);
    assert!(!offered("counterpoint stat -- gcc -e page-f").contains(&"page-faults".to_string()));
}

/// A name that readline breaks at its colon: only the rest is put in.
#[test]
fn bash_completes_names_with_colons() {
    if !has_tools(&["bash", "sed"]) {
        return;
    }
    let names = stdout(&run(&["completions", "--names", "events"]));
    let Some(name) = names.lines().find(|name| name.matches(':').count() == 1) else {
        println!("skipped: needs events of tables, or tracepoints");
        return;
    };
    let (before, after) = name.split_once(':').unwrap();
    let line = format!("counterpoint stat -e task-clock,{before}:{}", &after[..1]);
    let offered = offered(&line);
    assert!(offered.contains(&after.to_string()), "{line}: {offered:?}");
}

#[test]
fn the_scripts_of_zsh_and_fish_ask_for_names() {
    let zsh = stdout(&run(&["completions", "zsh"]));
    for kind in ["events", "pmus", "metrics", "groups"] {
        assert!(zsh.contains(&format!(":_counterpoint_names {kind}' \\")), "{kind}");
    }
    assert!(zsh.starts_with("#compdef counterpoint\n"));
    let fish = stdout(&run(&["completions", "fish"]));
    let event = "subcommand stat\" -s e -l event -x -a '(__counterpoint_names events)'";
    assert!(fish.contains(event), "{fish}");
    for (shell, check) in [("zsh", "-n"), ("fish", "-n")] {
        if !has_tools(&[shell]) {
            continue;
        }
        let file =
            std::env::temp_dir().join(format!("counterpoint-{}.{shell}", std::process::id()));
        std::fs::write(&file, stdout(&run(&["completions", shell]))).unwrap();
        let checked = Command::new(shell).arg(check).arg(&file).current_dir(root()).output();
        std::fs::remove_file(&file).unwrap();
        assert!(checked.unwrap().status.success(), "{shell} reads its script");
    }
    if has_tools(&["fish"]) {
        let program = env!("CARGO_BIN_EXE_counterpoint");
        let folder = std::path::Path::new(program).parent().unwrap().display();
        let script = format!(
            "set -x PATH {folder} $PATH; {program} completions fish | source; complete -C 'counterpoint stat -e task-clock,page-f'"
        );
        let output = Command::new("fish").args(["-c", &script]).output().unwrap();
        assert!(stdout(&output).contains("task-clock,page-faults"), "{}", stdout(&output));
    }
}
