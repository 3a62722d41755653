//! `cargo xtask tidy`: the rules that the compiler does not hold.

mod circles;
mod dependencies;

pub use dependencies::check as check_dependencies;

use crate::project::{metadata, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The dependencies allowed between the crates of the project; ARCHITECTURE.md draws them.
const ARROWS: &[(&str, &[&str])] = &[
    ("counterpoint-formula", &[]),
    ("counterpoint-definitions", &["counterpoint-formula"]),
    ("counterpoint-pmu", &[]),
    ("counterpoint-capi", &["counterpoint-pmu"]),
    ("counterpoint-capi-counterpoint", &["counterpoint", "counterpoint-capi"]),
    ("counterpoint-capi-papi-hl", &["counterpoint", "counterpoint-capi"]),
    ("counterpoint-capi-pfm", &["counterpoint-capi", "counterpoint-pmu"]),
    ("counterpoint-capi-pfm3", &["counterpoint-capi", "counterpoint-pmu"]),
    ("counterpoint-capi-papi", &["counterpoint", "counterpoint-capi"]),
    ("counterpoint-catalog24x7", &[]),
    ("counterpoint-compare", &[]),
    ("counterpoint-kernels", &[]),
    ("counterpoint-perf", &[]),
    ("counterpoint-profil", &[]),
    ("counterpoint-symbols", &[]),
    ("counterpoint-report", &[]),
    ("counterpoint-unwind", &[]),
    (
        "counterpoint",
        &[
            "counterpoint-catalog24x7",
            "counterpoint-compare",
            "counterpoint-definitions",
            "counterpoint-formula",
            "counterpoint-kernels",
            "counterpoint-perf",
            "counterpoint-pmu",
            "counterpoint-profil",
            "counterpoint-report",
            "counterpoint-symbols",
            "counterpoint-unwind",
        ],
    ),
    (
        "counterpoint-cli",
        &[
            "counterpoint",
            "counterpoint-compare",
            "counterpoint-exporter",
            "counterpoint-recording",
            "counterpoint-report",
        ],
    ),
    ("counterpoint-criterion", &["counterpoint"]),
    ("counterpoint-exporter", &["counterpoint"]),
    ("counterpoint-fixtures", &["counterpoint-perf"]),
    ("counterpoint-recording", &["counterpoint"]),
    ("counterpoint-tracing", &["counterpoint"]),
    ("counterpoint-python", &["counterpoint", "counterpoint-recording", "counterpoint-report"]),
    ("counterpoint-python-peer", &["counterpoint-formula"]),
    ("xtask", &["counterpoint-pmu"]),
];

/// The folders of the crates that perform no I/O.
const PURE: &[&str] = &[
    "crates/formula/",
    "crates/definitions/",
    "crates/pmu/",
    "crates/catalog24x7/",
    "crates/compare/",
    "crates/profil/",
    "crates/recording/src/file/",
    "crates/report/",
    "crates/unwind/",
];

/// The files and folders that may have unsafe code: they call the kernel, ask the processor, are assembly, or are called by C or Python.
const UNSAFE: &[&str] = &[
    "crates/capi/src/at_exit.rs",
    "crates/capi/src/lasting.rs",
    "crates/capi/src/openmp.rs",
    "crates/capi/src/places.rs",
    "crates/capi/src/sized.rs",
    "crates/capi/src/text.rs",
    "crates/capi-counterpoint/src/exports.rs",
    "crates/capi-counterpoint/src/layout.rs",
    "crates/capi-papi-hl/src/exports.rs",
    "crates/capi-papi/src/claim.rs",
    "crates/capi-papi/src/exports/",
    "crates/capi-papi/src/handlers.rs",
    "crates/capi-papi/src/layout.rs",
    "crates/capi-papi/src/profile.rs",
    "crates/capi-papi/src/timers.rs",
    "crates/capi-pfm/src/cpu.rs",
    "crates/capi-pfm/src/exports.rs",
    "crates/capi-pfm/src/layout.rs",
    "crates/capi-pfm3/src/caller.rs",
    "crates/capi-pfm3/src/dispatch.rs",
    "crates/capi-pfm3/src/events.rs",
    "crates/capi-pfm3/src/exports.rs",
    "crates/kernels/src/chase.rs",
    "crates/kernels/src/isa/",
    "crates/kernels/src/memory.rs",
    "crates/perf/src/sys.rs",
    "crates/perf/src/sys/",
    "python/src/buffer.rs",
    "python/src/capsules.rs",
    "python/src/result.rs",
];

/// The crates of which no type is in a public signature.
const HIDDEN: &[&str] = &["nix::", "perf_event_open_sys::", "logos::", "lalrpop_util::", "binrw::"];

pub fn run() -> Result<(), String> {
    let files = tracked()?;
    let mut problems = Vec::new();
    for workspace in [root(), root().join("python")] {
        let metadata = metadata(&workspace, &["--no-deps"])?;
        problems.extend(arrows(&metadata));
        problems.extend(incomplete_manifests(&metadata));
    }
    problems.extend(check_dependencies(&root(), dependencies::TWICE)?);
    for name in &files {
        // Skip files that were removed but are still tracked.
        let Ok(bytes) = fs::read(root().join(name)) else { continue };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        problems.extend(check_file(name, &text));
    }
    problems.extend(circles::check(&files)?);
    problems.extend(too_large(&files));
    for problem in &problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => Ok(()),
        n => Err(format!("{n} problems found")),
    }
}

fn tracked() -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["ls-files"])
        .current_dir(root())
        .output()
        .map_err(|e| format!("git: {e}"))?;
    if !output.status.success() {
        return Err("git ls-files failed; tidy checks the files that git tracks".to_string());
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect())
}

/// Crates that exceed the size limit of registries, which applies to the packed files.
fn too_large(files: &[String]) -> Vec<String> {
    const MOST: u64 = 10 << 20;
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    for name in files {
        let Some(of_crate) = name.strip_prefix("crates/") else { continue };
        let size = fs::metadata(root().join(name)).map_or(0, |file| file.len());
        *sizes.entry(of_crate.split('/').next().unwrap_or_default()).or_default() += size;
    }
    let large = sizes.into_iter().filter(|(_, size)| *size > MOST);
    large.map(|(name, size)| format!("crates/{name}: {size} bytes, at most {MOST}")).collect()
}

/// Normal and build dependencies between the project's crates that are not in [`ARROWS`].
fn arrows(metadata: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = ARROWS.iter().find(|(crate_name, _)| *crate_name == name) else {
            problems.push(format!(
                "{name}: not in the table of allowed dependencies (xtask/src/tidy.rs, ARCHITECTURE.md)"
            ));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let to = dependency["name"].as_str().unwrap_or_default();
            let of_project = ARROWS.iter().any(|(crate_name, _)| *crate_name == to);
            if of_project && dependency["kind"] != "dev" && !allowed.contains(&to) {
                problems.push(format!(
                    "{name} -> {to}: ARCHITECTURE.md does not allow this dependency"
                ));
            }
        }
    }
    problems
}

/// The keys that a registry shows of a crate, where a published crate lacks them.
fn incomplete_manifests(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let published = packages.filter(|package| package["publish"].is_null());
    let lacks = |package: &Value, key: &str| match &package[key] {
        Value::Array(words) => words.is_empty(),
        value => value.is_null(),
    };
    let missing = published.flat_map(|package| {
        let keys = ["description", "readme", "keywords", "categories", "license", "rust_version"];
        let keys = keys.into_iter().filter(move |key| lacks(package, key));
        keys.map(move |key| format!("{}: its manifest lacks `{key}`", package["name"]))
    });
    missing.collect()
}

/// The problems of one file.
fn check_file(name: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let rust = name.ends_with(".rs");
    let of_crate = name.starts_with("crates/") && name.contains("/src/");
    let shipped = rust && (of_crate || name.starts_with("python/src/"));
    // Split into parts, so that this file passes its own check.
    let homes = ["home", "root", "work", "Users"].map(|folder| format!("/{folder}/"));
    let unfinished = ["todo", "unimplemented"].map(|macro_name| format!("{macro_name}!("));
    for (number, line) in text.lines().enumerate() {
        let mut problem = |what: &str| problems.push(format!("{name}:{}: {what}", number + 1));
        let code = line.split("//").next().unwrap_or_default();
        let prints = ["println!(", "eprintln!(", "print!(", "eprint!(", "process::exit("];
        if shipped && !name.starts_with("crates/cli/") && prints.iter().any(|p| code.contains(p)) {
            problem("only crates/cli may print and exit");
        }
        if shipped
            && !UNSAFE.iter().any(|place| name.starts_with(place))
            && (code.contains("unsafe {")
                || code.contains("unsafe fn")
                || code.contains("unsafe impl"))
        {
            problem("unsafe code is only allowed where xtask/src/tidy.rs lists it");
        }
        let ignored = code.trim_start().starts_with("#[") && code.contains("[ignore");
        if rust && (ignored || unfinished.iter().any(|u| code.contains(u))) {
            problem("unfinished code, or an ignored test");
        }
        if name.ends_with("/public-api.txt") && HIDDEN.iter().any(|of| line.contains(of)) {
            problem(
                "a type of a crate whose major version is not ours (ARCHITECTURE.md, invariant 4)",
            );
        }
        if !name.ends_with(".lock") && homes.iter().any(|path| line.contains(path)) {
            problem("an absolute path of a particular machine");
        }
    }
    if shipped && PURE.iter().any(|folder| name.starts_with(folder)) && name.ends_with("src/lib.rs")
    {
        for attribute in ["#![forbid(unsafe_code)]", "#![warn(clippy::disallowed_methods)]"] {
            if !text.contains(attribute) {
                problems.push(format!("{name}: a pure crate must contain {attribute}"));
            }
        }
    }
    if is_generated(name)
        && !text.lines().take(3).any(|line| line.to_lowercase().contains("generated"))
    {
        problems.push(format!("{name}: a generated file must say so at its top"));
    }
    problems
}

/// Returns true if a file was generated by a tool, judging by its name or by the source beside it.
fn is_generated(name: &str) -> bool {
    let path = Path::new(name);
    let beside = |extension| root().join(path.with_extension(extension)).exists();
    name.ends_with(".rs") && (name.contains("generated") || beside("lalrpop"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(name: &str, text: &str) -> usize {
        check_file(name, text).len()
    }

    #[test]
    fn each_rule_finds_its_breach() {
        assert_eq!(problems("crates/perf/src/group.rs", "fn f() { println!(\"x\") }"), 1);
        assert_eq!(problems("crates/cli/src/main.rs", "fn f() { println!(\"x\") }"), 0);
        assert_eq!(problems("crates/pmu/src/a.rs", "let x = unsafe { f() };"), 1);
        assert_eq!(problems("crates/perf/src/sys.rs", "let x = unsafe { f() };"), 0);
        assert_eq!(problems("README.md", &["see /", "home/someone/x"].concat()), 1);
        assert_eq!(problems("crates/formula/src/lib.rs", "//! Formulas.\n"), 2);
        assert_eq!(problems("crates/x/src/generated.rs", "fn f() {}"), 1);
        assert_eq!(problems("crates/x/src/generated.rs", "// Generated by a tool.\nfn f() {}"), 0);
        let shown = "impl core::convert::From<nix::errno::consts::Errno> for x::Errno";
        assert_eq!(problems("crates/x/public-api.txt", shown), 1);
        let unfinished = ["to", "do!()"].concat();
        assert_eq!(problems("crates/x/src/a.rs", &unfinished), 1);
    }

    #[test]
    fn the_project_keeps_its_arrows() {
        let metadata = metadata(&root(), &["--no-deps"]).unwrap();
        assert_eq!(arrows(&metadata), Vec::<String>::new());
        assert_eq!(incomplete_manifests(&metadata), Vec::<String>::new());
    }

    #[test]
    fn a_published_crate_needs_a_whole_manifest() {
        let package = serde_json::json!({"name": "x", "description": "X", "readme": "README.md",
            "keywords": [], "categories": ["a"], "license": "MIT", "rust_version": "1.88"});
        let of = |package: Value| incomplete_manifests(&serde_json::json!({"packages": [package]}));
        assert_eq!(of(package.clone()), ["\"x\": its manifest lacks `keywords`"]);
        let mut internal = package;
        internal["publish"] = serde_json::json!([]);
        assert_eq!(of(internal), Vec::<String>::new());
    }
}
