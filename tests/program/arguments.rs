//! The arguments that can be typed, and the answers to them.

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

/// The description of a command in the list of commands, and at the beginning of its own help, is one.
#[test]
fn every_help_begins_with_the_description_of_its_command() {
    let described = |parent: &[&str]| -> Vec<(String, String)> {
        let help = stdout(&run(&[parent, &["--help"]].concat()));
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let mut commands: Vec<(String, String)> = Vec::new();
        for line in listed.take_while(|line| !line.is_empty()) {
            let (name, words) = line.trim_start().split_once("  ").unwrap_or(("", line));
            match (line.starts_with("    "), commands.last_mut()) {
                (true, Some((_, text))) => *text += &format!(" {}", line.trim()),
                _ => commands.push((name.to_string(), words.trim().to_string())),
            }
        }
        commands.retain(|(name, _)| name != "help");
        commands
    };
    let mut compared = 0;
    let mut compare = |parent: &[&str]| {
        for (name, text) in described(parent) {
            let help = stdout(&run(&[parent, &[&name, "--help"]].concat()));
            let about: Vec<&str> = help.lines().take_while(|line| !line.is_empty()).collect();
            assert_eq!(about.join(" "), text, "{parent:?} {name}");
            compared += 1;
        }
    };
    compare(&[]);
    compare(&["catalog"]);
    assert!(compared > 18, "{compared} commands");
}

#[test]
fn a_misspelt_option_is_no_command_and_options_after_a_command_are_its_own() {
    for (args, meant) in [
        (&["stat", "--jsn", "true"][..], "did you mean `-j, --json`?"),
        (&["profile", "--fromat", "true"], "`--format <FORMAT>`"),
        (&["stat", "--repeat-count=3", "true"], "did you mean `-r, --repeat <N>`"),
        (&["stat", "--pids", "1"], "`-p, --pid <PID,…>`"),
        (&["stat", "--events", "cycles", "true"], "events to count are named with -e"),
        (&["catalog", "dump", "--jsonn"], "`counterpoint catalog dump --help` lists all"),
        (&["profile", "--json", "true"], "did you mean `--format json`?"),
        (&["report", "--folded", "a"], "did you mean `--format folded`?"),
        (&["--versio"], "`-V, --version`"),
        (&["show", "--xyzzy"], "help: `counterpoint show --help` lists all"),
        (&["show", "-y"], "`-y` is not an option of `counterpoint show`"),
        (&["report", "--gmon", "a"], "help: `counterpoint report --help` lists all"),
        (
            &["report", "diff", "--hierarchy", "a", "b"],
            "not an option of `counterpoint report diff`",
        ),
        (&["stat", "diff", "--runs", "3", "a"], "not an option of `counterpoint stat diff`"),
        (&["report", "--json", "a\x1b"], "did you mean `--format json`?"),
        (&["report", "--f\noo"], "`--f\\noo` is not an option"),
        (
            &["report", "--=3"],
            "`--` is not an option of `counterpoint report`\n  help: `counterpoint",
        ),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(meant), "{}", stderr(&output));
    }
    for command in [&["sh", "-c", "exit 3", "--json"][..], &["--", "sh", "-c", "exit 3", "--json"]]
    {
        let args = [&["stat", "-e", "task-clock"], command].concat();
        assert_eq!(run(&args).status.code(), Some(3), "{args:?}");
    }
}

#[test]
fn the_short_help_fits_one_screen_and_the_long_one_has_headings() {
    let help = |command: &str, option: &str| {
        let output = run(&[command, option]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    for (command, headings) in [
        (
            "stat",
            &["Events", "Target", "Rows", "Time", "Output", "Runs of a command", "Comparison"][..],
        ),
        ("profile", &["Events", "Target", "Time", "Table", "Output", "Histogram"]),
        ("report", &["Samples", "Table", "Output"]),
        ("record", &["Events", "Target", "Time"]),
        ("top", &[]),
    ] {
        let (short, long) = (help(command, "-h"), help(command, "--help"));
        assert!(short.lines().count() <= 24, "{short}");
        assert!(short.lines().all(|line| line.chars().count() <= 100), "{short}");
        assert!(short.contains(&format!("`counterpoint {command} --help` shows all")), "{short}");
        assert!(!short.contains("Examples:") && long.contains("Examples:"), "{long}");
        let page = stdout(&run(&["man", command]));
        for heading in headings {
            assert!(long.lines().any(|line| line == format!("{heading}:")), "{heading}: {long}");
            let part = format!(".SS \"{}\"\n", heading.to_uppercase());
            assert!(page.contains(&part), "{command}: {heading}");
        }
        let options = |text: &str| -> Vec<String> {
            let words = text.lines().filter(|line| line.trim_start().starts_with('-'));
            let words = words.flat_map(|line| line.split([' ', '[', '=', '.', ',']));
            words.filter(|word| word.starts_with("--")).map(str::to_string).collect()
        };
        let all = options(&long);
        assert!(options(&short).iter().all(|option| all.contains(option)), "{short}");
        // Each option of the help is in the manual page.
        let page = page.replace('\\', "");
        let missing = all.iter().find(|option| !page.contains(option.as_str()));
        assert_eq!(missing, None, "{command}");
    }
    // The help of a command within a command, and of others, is one.
    assert_eq!(help("list", "-h"), help("list", "--help"));
    let inner = stdout(&run(&["stat", "diff", "-h"]));
    assert!(inner.contains("Examples:") || inner.contains("Example:"), "{inner}");
    assert!(stdout(&run(&["help", "stat"])).contains("Examples:"));
    // Behind the command, the option is its own.
    assert!(!stdout(&run(&["stat", "-e", "task-clock", "--", "echo", "-h"])).contains("Usage"));
}
