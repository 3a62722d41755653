//! `cargo counterpoint profile`: a page of a run of what cargo builds.

use super::args::{ProfileArgs, Which};
use super::build::{Build, Built};
use super::itself::this_program;
use crate::failure::Failure;
use crate::show;
use std::env;
use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, Stdio};

pub fn run(args: &ProfileArgs) -> Result<u8, Failure> {
    let program = build(args)?;
    let mut command = Command::new(this_program()?);
    command.args(["profile", "-g", "--html"]).arg(&args.output);
    for (option, value) in [("-e", &args.events), ("-F", &args.frequency)] {
        command.args(value.iter().flat_map(|value| [option, value]));
    }
    command.arg("--").arg(&program.file).args(&args.arguments);
    let status =
        command.status().map_err(|error| Failure::new(format!("counterpoint: {error}")))?;
    let page = args.output.as_path();
    if page.exists() {
        show::note(&format!("the page is {}", page.display()));
        // A page opens where someone looks at it.
        if !args.no_open && show::terminal().is_terminal() {
            open(page);
        }
    }
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2))
}

/// Builds with frame pointers and the lines of the code.
fn build(args: &ProfileArgs) -> Result<Built, Failure> {
    let Which { bin, bench, example, test } = &args.which;
    let choices = [("bin", bin), ("bench", bench), ("example", example), ("test", test)];
    let named = choices.into_iter().find_map(|(kind, name)| Some((kind, name.as_ref()?)));
    let kind = named.map_or("bin", |(kind, _)| kind);
    let mut arguments: Vec<String> = match kind {
        "bench" => ["bench", "--no-run"].map(String::from).to_vec(),
        "test" => ["test", "--no-run"].map(String::from).to_vec(),
        _ => vec!["build".to_string()],
    };
    if !args.dev && kind != "bench" {
        arguments.push("--release".to_string());
    }
    match named {
        Some((kind, name)) => arguments.extend([format!("--{kind}"), name.clone()]),
        None => arguments.push("--bins".to_string()),
    }
    arguments.extend(args.selected.arguments());
    for profile in ["dev", "release", "bench", "test"] {
        let keys = ["debug=\"line-tables-only\"", "strip=\"none\""];
        arguments.extend(
            keys.iter()
                .flat_map(|key| ["--config".to_string(), format!("profile.{profile}.{key}")]),
        );
    }
    // The variable takes the place of the flags in cargo's configuration, and they are added to.
    let pointers = "-Cforce-frame-pointers=yes";
    let flags = env::var("RUSTFLAGS").ok().map(|flags| format!("{flags} {pointers}"));
    let variables: Vec<(&str, String)> =
        flags.map(|flags| ("RUSTFLAGS", flags)).into_iter().collect();
    if variables.is_empty() {
        arguments.extend(["--config".to_string(), format!("build.rustflags=[\"{pointers}\"]")]);
    }
    let folder = env::current_dir()?;
    let build =
        Build { folder: &folder, target: None, arguments: &arguments, variables: &variables, kind };
    match build.run()?.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Failure::new("cargo builds no program here")
            .help("name what is profiled: --bench NAME, --example NAME or --test NAME")),
        several => {
            let names: Vec<&str> = several.iter().map(|built| built.name.as_str()).collect();
            Err(Failure::new(format!("cargo builds several programs: {}", names.join(", ")))
                .help(format!("name one: --bin {}", names[0])))
        }
    }
}

/// Opens the page in a browser, if the system knows one.
fn open(page: &Path) {
    let mut opener = Command::new("xdg-open");
    opener.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if opener.spawn().is_err() {
        show::note("xdg-open is not here: open it in a browser");
    }
}
