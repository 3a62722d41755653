//! `cargo xtask dist`: the program that is handed on, and the packages with it.

use crate::project::{host, metadata, root, target};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program of one file: the C library is in it, and its addresses are fixed, so that nothing is linked or relocated when it starts.
const FLAGS: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// The program that cargo calls for `cargo counterpoint`.
const CARGO_COUNTERPOINT: &str = "cargo-counterpoint";

/// The shells with a completion script, and where the script is in the archive and in packages.
const SHELLS: &[(&str, &str)] =
    &[("bash", "counterpoint"), ("zsh", "_counterpoint"), ("fish", "counterpoint.fish")];

/// Builds the program with all features, runs it, and packs it with its manual pages and completions.
pub fn run() -> Result<(), String> {
    let host = host()?;
    let mut cargo = Command::new("cargo");
    // Both programs in one file: called without cargo's word, it is `counterpoint`.
    cargo.args(["build", "--locked", "--profile", "dist", "--bin", CARGO_COUNTERPOINT]);
    // With a target, the flags are those of the program alone, and not of what runs while it is built.
    cargo.args(["--features", "full", "--target", &host]).env("RUSTFLAGS", FLAGS);
    let status = cargo.current_dir(root()).status();
    if !status.map_err(|error| format!("cargo: {error}"))?.success() {
        return Err(
            "the build failed; a static C library may be missing: apt-get install libc6-dev"
                .to_string(),
        );
    }
    let folder = folder(&target().join(&host).join("dist").join(CARGO_COUNTERPOINT))?;
    let program = folder.join("bin/counterpoint");
    printed(&program, &["stat", "-e", "page-faults", "--csv", "true"])?;
    printed(&folder.join("bin").join(CARGO_COUNTERPOINT), &["counterpoint", "bench", "--help"])?;
    let bytes = program.metadata().map_err(|error| error.to_string())?.len();
    println!("{}: {:.1} MB", program.display(), bytes as f64 / 1e6);
    println!("{}", archive(&folder, &host)?.display());
    for (tool, args) in [
        ("cargo-deb", &["deb", "--no-build", "--no-strip", "-p", "counterpoint-cli"][..]),
        ("cargo-generate-rpm", &["generate-rpm", "-p", "crates/cli"][..]),
    ] {
        package(tool, args)?;
    }
    Ok(())
}

/// The output of a command; an error if it fails.
fn printed(program: &Path, args: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(args).output();
    let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        return Err(format!("{} {}: it fails", program.display(), args.join(" ")));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Writes the program, its manual pages, its completions and the licences into one folder, from which archives and packages are made.
fn folder(built: &Path) -> Result<PathBuf, String> {
    let folder = target().join("dist/package");
    let write = |path: PathBuf, bytes: &[u8]| {
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, bytes))
            .map_err(|error| format!("{}: {error}", path.display()))
    };
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(folder.join("bin")).map_err(|error| error.to_string())?;
    let program = &folder.join("bin/counterpoint");
    fs::copy(built, program).map_err(|error| format!("{}: {error}", built.display()))?;
    symlink("counterpoint", folder.join("bin").join(CARGO_COUNTERPOINT))
        .map_err(|error| error.to_string())?;
    write(folder.join("man/counterpoint.1"), printed(program, &["man"])?.as_bytes())?;
    for command in commands(&printed(program, &["--help"])?) {
        let page = printed(program, &["man", command])?;
        write(folder.join(format!("man/counterpoint-{command}.1")), page.as_bytes())?;
    }
    for (shell, name) in SHELLS {
        let script = printed(program, &["completions", shell])?;
        write(folder.join("completions").join(shell).join(name), script.as_bytes())?;
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
        fs::copy(root().join(name), folder.join(name)).map_err(|error| error.to_string())?;
    }
    Ok(folder)
}

/// The commands that `--help` lists.
fn commands(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    // A line that is indented further goes on with the description of the command before.
    let names = lines.filter_map(|line| {
        line.strip_prefix("  ")?.split_whitespace().next().filter(|_| !line.starts_with("   "))
    });
    names.filter(|name| *name != "help")
}

/// The archive that `cargo binstall` looks for.
fn archive(folder: &Path, host: &str) -> Result<PathBuf, String> {
    let name = format!("counterpoint-{}-{host}", version()?);
    let file = target().join("dist").join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--create", "--gzip", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg("--file").arg(&file).arg(format!("--transform=s,^\\.,{name},"));
    let status = tar.arg("--directory").arg(folder).arg(".").status();
    if status.map_err(|error| format!("tar: {error}"))?.success() {
        Ok(file)
    } else {
        Err("tar: it fails".to_string())
    }
}

/// The version of the program, without its name.
fn version() -> Result<String, String> {
    let metadata = metadata(&root(), &["--no-deps"])?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let program = packages.into_iter().find(|package| package["name"] == "counterpoint-cli");
    let version = program.and_then(|program| program["version"].as_str());
    version.map(str::to_string).ok_or("cargo metadata: no version".to_string())
}

/// Runs a tool that makes a package of the folder, if it is installed.
fn package(tool: &str, args: &[&str]) -> Result<(), String> {
    let known = Command::new(tool).arg("--version").output();
    if known.is_err() {
        println!("skipped: {tool} is not installed: cargo install {tool}");
        return Ok(());
    }
    let status = Command::new("cargo").args(args).current_dir(root()).status();
    if status.map_err(|error| format!("cargo: {error}"))?.success() {
        Ok(())
    } else {
        Err(format!("cargo {}: it fails", args.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn commands_are_those_of_the_help() {
        let help = "Count.\n\nUsage: x\n\nCommands:\n  stat  Count\n  top   Show\n          more\n  help  Print\n\nOptions:\n  -h  x\n";
        assert_eq!(commands(help).collect::<Vec<_>>(), ["stat", "top"]);
    }
}
