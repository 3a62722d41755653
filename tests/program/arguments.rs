//! What can be typed, and what is said of it.

use super::{run, stderr, stdout};

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = stdout(&run(&["--help"]));
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let named = listed.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let name = |line: &str| line.split_whitespace().next().map(str::to_string);
    named.filter_map(name).filter(|name| name != "help").collect()
}

#[test]
fn every_command_has_a_manual_page_and_is_completed() {
    let commands = commands();
    assert!(commands.len() >= 12, "{commands:?}");
    for name in &commands {
        let page = run(&["man", name]);
        assert_eq!(page.status.code(), Some(0), "{name}: {}", stderr(&page));
        let title = stdout(&page).lines().find(|line| line.starts_with(".TH")).unwrap().to_string();
        let version = format!("counterpoint {}", env!("CARGO_PKG_VERSION"));
        assert!(title.starts_with(&format!(".TH counterpoint-{name} 1")), "{title}");
        assert!(title.contains(&version), "{title}");
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(&run(&["completions", shell]));
        let missing: Vec<&String> =
            commands.iter().filter(|name| !script.contains(name.as_str())).collect();
        assert!(missing.is_empty(), "{shell} lacks {missing:?}");
    }
    assert!(stdout(&run(&["man", "catalog", "dump"])).contains("counterpoint catalog dump"));
    let unknown = run(&["man", "stta"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("there is no command `stta`"));
}

#[test]
fn a_misspelt_option_is_no_command_and_options_after_a_command_are_its_own() {
    for (args, meant) in
        [(["stat", "--jsn", "true"], "'--json'"), (["profile", "--fromat", "true"], "'--format'")]
    {
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(meant), "{}", stderr(&output));
    }
    for command in [&["sh", "-c", "exit 3", "--json"][..], &["--", "sh", "-c", "exit 3", "--json"]]
    {
        let args = [&["stat", "-e", "task-clock"], command].concat();
        assert_eq!(run(&args).status.code(), Some(3), "{args:?}");
    }
}
