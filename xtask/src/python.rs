//! `cargo xtask python`: builds the Python package, installs it in an environment of its own, and checks it.

use crate::project::{root, target};
use crate::tidy::check_dependencies;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The packages that the tests install beside the package's extra `test`.
const TOOLS: [&str; 1] = ["maturin>=1.9,<2"];

/// Packages of the Python package in two versions, and why.
const TWICE: &[(&str, &str)] = &[
    ("getrandom", "ahash's, and an older one of const-random's, which runs while arrow is built"),
    ("syn", "the derives of logos still read with version 2"),
];

/// The output of the example for Spark: the third rank has no cycles, and the fourth counted none.
const OF_SPARK: &str = "0 1.5\n1 0.5\n2 no value\n3 no value\n";

pub fn run() -> Result<(), String> {
    let package = root().join("python");
    let problems = check_dependencies(&package, TWICE)?;
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let cargo = |args: &[&str]| {
        let mut cargo = Command::new("cargo");
        cargo.args(args).current_dir(&package).env("CARGO_TARGET_DIR", folder());
        cargo
    };
    let own = ["fmt", "-p", "counterpoint-python", "-p", "counterpoint-python-peer"];
    step(cargo(&own).arg("--check"))?;

    let environment = Environment::new()?;
    let python = environment.program("python");
    let clippy = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    step(cargo(&clippy).env("PYO3_PYTHON", &python))?;
    step(environment.pip().args(TOOLS).arg(format!("{}[test]", package.display())))?;
    let mut maturin = Command::new(environment.program("maturin"));
    maturin.args(["build", "--release", "--locked", "--interpreter"]).arg(&python).arg("--out");
    maturin.arg(target().join("wheels")).current_dir(&package);
    step(maturin.env("CARGO_TARGET_DIR", folder()))?;

    step(&mut environment.run(&["-m", "mypy.stubtest", "counterpoint._native"]))?;
    let checked = ["package", "tests", "benches", "examples"];
    step(environment.run(&["-m", "mypy"]).args(checked).current_dir(&package))?;
    let program = ["build", "--quiet", "-p", "counterpoint-cli", "--features", "parquet"];
    step(Command::new("cargo").args(program).current_dir(root()))?;
    let mut pytest = environment.run(&["-m", "pytest", "-q"]);
    pytest.env("COUNTERPOINT", target().join("debug/counterpoint"));
    step(pytest.arg(package.join("tests")))?;
    spark(&environment, &package)?;
    step(&mut cargo(&["build", "--release", "--locked", "-p", "counterpoint-python-peer"]))?;
    let peer = folder().join("release/counterpoint-python-peer");
    step(environment.run(&[]).arg(package.join("benches/columns.py")).arg(peer))
}

/// The folder of what the verb makes, beside the wheel.
fn folder() -> PathBuf {
    target().join("python")
}

/// Runs the example for Spark, where there is Java and the package can be installed.
fn spark(environment: &Environment, package: &Path) -> Result<(), String> {
    let java = Command::new("java").arg("-version").stderr(Stdio::null()).status();
    if !java.is_ok_and(|status| status.success()) {
        println!(
            "skipped: the example for Spark needs Java; with Debian or Ubuntu: apt-get install default-jre-headless"
        );
        return Ok(());
    }
    if let Err(problem) = step(environment.pip().arg("pyspark")) {
        println!("skipped: the example for Spark needs the package pyspark: {problem}");
        return Ok(());
    }
    let mut example = environment.run(&[]);
    example.arg(package.join("examples/pyspark_formula.py"));
    // Its workers are of the environment, too.
    example.env("PYSPARK_PYTHON", environment.program("python"));
    let output = example.output().map_err(|error| format!("python: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && printed == OF_SPARK {
        println!("examples/pyspark_formula.py: the formula has its values in Spark");
        Ok(())
    } else {
        Err(format!(
            "examples/pyspark_formula.py printed:\n{printed}{}",
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

/// A virtual environment.
struct Environment(PathBuf);

impl Environment {
    fn new() -> Result<Environment, String> {
        let path = folder().join("environment");
        let mut old = Command::new("python3");
        old.args(["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]);
        match old.status() {
            Ok(status) if status.success() => {}
            Ok(_) => return Err("python3 is older than Python 3.11".to_string()),
            Err(_) => {
                return Err("python3 is missing; with Debian or Ubuntu: apt-get install python3 python3-venv".to_string());
            }
        }
        fs::create_dir_all(folder()).map_err(|error| format!("{}: {error}", folder().display()))?;
        let environment = Environment(path);
        if !environment.program("pip").exists() {
            let mut made = Command::new("python3");
            let made = made.args(["-m", "venv"]).arg(&environment.0).status();
            if !made.is_ok_and(|status| status.success()) {
                return Err("python3 makes no virtual environment; with Debian or Ubuntu: apt-get install python3-venv".to_string());
            }
        }
        Ok(environment)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.0.join("bin").join(name)
    }

    fn run(&self, args: &[&str]) -> Command {
        let mut python = Command::new(self.program("python"));
        // Not from the package's own folder.
        python.args(args).current_dir(&self.0);
        python
    }

    /// Installs packages, with the package's own build kept for the next time.
    fn pip(&self) -> Command {
        let mut pip = self.run(&["-m", "pip", "install", "--quiet"]);
        pip.env("CARGO_TARGET_DIR", folder());
        pip
    }
}

/// Runs a command, and prints it as it can be typed.
fn step(command: &mut Command) -> Result<(), String> {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    println!("\n==> {}", words.join(" "));
    let status = command.status().map_err(|error| format!("{}: {error}", words[0]))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed: {status}", words.join(" "))) }
}
