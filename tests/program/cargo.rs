//! `cargo counterpoint`, on a package of its own.

use crate::{stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A package in a checkout of its own.
struct Package(PathBuf);

const MANIFEST: &str = r#"
[package]
name = "measured"
version = "0.1.0"
edition = "2021"

[workspace]

[dependencies]
counterpoint = { path = "ROOT/crates/counterpoint", default-features = false, features = ["bench"] }
counterpoint-fixtures = { path = "ROOT/fixtures" }

[profile.bench]
opt-level = 0
debug = false

[profile.release]
opt-level = 0

[[bench]]
name = "pages"
harness = false

[[bench]]
name = "cases"
harness = false
"#;

const PAGES: &str = "#[inline(never)]
pub fn touch(pages: usize) {
    (0..pages).for_each(|_| counterpoint_fixtures::touch(1));
}
";

const WHOLE: &str = "fn main() { measured::touch(PAGES); }";

const CASES: &str = r#"
fn main() -> Result<(), counterpoint::Error> {
    let bench = counterpoint::bench::Bench::new("page-faults")?.rounds(3);
    bench.case("touch", || measured::touch(PAGES)).run().map(|outcome| println!("{outcome}"))
}
"#;

const PROGRAM: &str = "fn main() { measured::touch(std::env::args().count() * 20000); }";

impl Package {
    /// A package of this name, with benchmarks that touch so many pages, as its only commit.
    fn new(name: &str, pages: usize) -> Package {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // What was built before is kept.
        for left in [".git", "src", "benches", "Cargo.toml"] {
            let left = folder.join(left);
            let _ = fs::remove_dir_all(&left).or_else(|_| fs::remove_file(&left));
        }
        for folder in ["src", "benches"].map(|name| folder.join(name)) {
            fs::create_dir_all(folder).unwrap();
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write("Cargo.toml", &MANIFEST.replace("ROOT", root.to_str().unwrap()));
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        write("src/lib.rs", PAGES);
        write("src/main.rs", PROGRAM);
        write(".gitignore", "target\n*.html\n");
        let package = Package(folder);
        package.touches(pages);
        // The lock file of the project becomes that of the package.
        let metadata = ["metadata", "--offline", "--format-version", "1"];
        let output = Command::new(env!("CARGO")).args(metadata).current_dir(&package.0).output();
        assert!(output.unwrap().status.success());
        package.git(&["init", "--quiet"]);
        package.commit();
        package
    }

    fn touches(&self, pages: usize) {
        for (name, text) in [("pages", WHOLE), ("cases", CASES)] {
            let text = text.replace("PAGES", &pages.to_string());
            fs::write(self.0.join(format!("benches/{name}.rs")), text).unwrap();
        }
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        let user = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
        self.git(&[&user[..], &["commit", "--quiet", "--allow-empty", "-m", "pages"]].concat());
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git").args(arguments).current_dir(&self.0).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = counterpoint(arguments);
        command.current_dir(&self.0);
        command.env("CARGO_NET_OFFLINE", "true").env("CARGO", env!("CARGO"));
        for variable in ["CARGO_TARGET_DIR", "RUSTFLAGS", "CARGO_MANIFEST_DIR"] {
            command.env_remove(variable);
        }
        command.output().unwrap()
    }
}

/// `cargo counterpoint`, as cargo calls it.
pub(crate) fn counterpoint(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-counterpoint"));
    command.arg("counterpoint").args(arguments);
    command
}

fn has_git() -> bool {
    let is_there = Command::new("git").arg("--version").output().is_ok();
    if !is_there {
        println!("skipped: needs git");
    }
    is_there
}

#[test]
fn two_percent_more_page_faults_are_found_and_equal_revisions_do_not_differ() {
    if !has_git() {
        return;
    }
    let package = Package::new("cargo-bench", 1000);
    package.touches(1020);
    let before = package.git(&["status", "--short"]);
    let bench = ["bench", "-r", "8", "-e", "page-faults", "--fail-if", "page-faults>1%"];
    let output = package.run(&[&bench[..], &["--format", "markdown"]].concat());
    let (table, said) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(1), "{table}{said}");
    assert!(table.contains("- B: `the working tree`, 8 runs"), "{table}");
    for name in ["cases::touch: page-faults", "pages: page-faults"] {
        let line = table.lines().find(|line| line.starts_with(&format!("| {name} |")));
        let line = line.unwrap_or_else(|| panic!("{name} in\n{table}"));
        assert!(line.trim_end().ends_with("more |"), "{line}");
    }
    assert!(said.contains("failed, page-faults>1%"), "{said}");
    // The checkout is as it was, and knows nothing of the other revision.
    assert_eq!(package.git(&["status", "--short"]), before);
    assert_eq!(package.git(&["worktree", "list"]).lines().count(), 1);
    let base = |file: &str| package.0.join("target/counterpoint/base").join(file);
    let written = |file: &str| fs::metadata(base(file)).unwrap().modified().unwrap();
    let (unchanged, changed) = (written("src/lib.rs"), written("benches/pages.rs"));
    fs::remove_file(base("src/main.rs")).unwrap();
    package.commit();
    let output = package.run(&bench);
    // Of the next revision, what differs is written, and what cargo has built stays.
    assert_eq!(written("src/lib.rs"), unchanged);
    assert_ne!(written("benches/pages.rs"), changed);
    assert!(base("src/main.rs").exists());
    let (table, said) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{table}{said}");
    assert!(!table.contains("% more"), "{table}");
}

#[test]
fn what_cannot_be_compared_is_said() {
    if !has_git() {
        return;
    }
    let package = Package::new("cargo-refused", 10);
    let refused = |arguments: &[&str], parts: &[&str]| {
        let output = package.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = stderr(&output);
        parts.iter().for_each(|part| assert!(said.contains(part), "{part} in {said}"));
    };
    refused(
        &["bench", "--against", "nowhere"],
        &["git has no revision `nowhere`", "--against main"],
    );
    refused(&["bench", "-e", "no-such-event"], &["no-such-event"]);
    refused(&["bench", "--rounds", "1"], &["1 is not in 2..=1000"]);
    refused(&["profile", "--bin", "a", "--test", "b"], &["cannot be used with"]);
    let help = package.run(&["bench", "--help"]);
    assert!(stdout(&help).contains("Usage: cargo counterpoint bench"), "{}", stdout(&help));
}

#[test]
fn a_program_is_profiled_with_its_callers() {
    let package = Package::new("cargo-profile", 10);
    let page = package.0.join("profile.html");
    let _ = fs::remove_file(&page);
    let options = ["profile", "-e", "task-clock:u", "--no-open", "--", "one", "two"];
    let output = package.run(&options);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("the page is profile.html"), "{said}");
    let text = fs::read_to_string(page).unwrap();
    assert!(text.contains("measured::touch") && text.contains("measured::main"));
}
