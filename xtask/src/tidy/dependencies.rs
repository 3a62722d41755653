//! Checks the third-party dependencies: their licences, versions and minimum compilers.

use crate::project::{host, metadata};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Permissive licences, which require little more than attribution.
const LICENCES: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages under other licences, which are not part of any crate of the project, and what needs them.
const ONLY_IN_TESTS: &[(&str, &str)] =
    &[("inferno", "used in a test of counterpoint-profil to read folded stacks")];

/// Packages of the workspace in two versions, and why.
pub const TWICE: &[(&str, &str)] = &[
    ("bit-set", "proptest's, and an older one of jsonschema's; tests only"),
    ("bit-vec", "of the two bit-set; tests only"),
    ("foldhash", "of the two hashbrown"),
    ("getrandom", "proptest's, and an older one of inferno's ahash; tests only"),
    ("hashbrown", "indexmap's, and an older one of lalrpop's petgraph; tests only"),
    ("itertools", "lalrpop's, and an older one of criterion's; tests only"),
    ("miniz_oxide", "flate2's, and an older one of png's; xtask and tests only"),
    ("num-bigint", "arrow's, and an older one of num-rational's; the latter in tests only"),
    ("r-efi", "of the two getrandom, for UEFI only"),
    ("shlex", "cc's, and an older one of trycmd's; tests only"),
    ("syn", "the derives of binrw and logos still read with version 2"),
    ("windows-sys", "an older one of ring's; for Windows only"),
];

/// The problems of the workspace in a folder, in which these packages may be in two versions.
pub fn check(folder: &Path, twice: &[(&str, &str)]) -> Result<Vec<String>, String> {
    let lock = fs::read_to_string(folder.join("Cargo.lock")).map_err(|e| e.to_string())?;
    let mut problems = several_versions(&lock, twice);
    // Only packages for this platform: cargo has not fetched those for other systems.
    let platform = ["--locked", "--all-features", "--filter-platform", &host()?];
    let metadata = metadata(folder, &platform)?;
    let shipped = shipped(&metadata);
    let packages: Vec<&Value> = metadata["packages"].as_array().into_iter().flatten().collect();
    let ours = packages.iter().filter(|package| package["source"].is_null());
    let compiler = ours.filter_map(|p| p["rust_version"].as_str()).min_by_key(|v| version(v));
    let compiler = compiler.ok_or("no package of the project has a `rust-version`")?;
    for package in packages {
        let (name, id) = (text(package, "name"), text(package, "id"));
        if package["source"].is_null() {
            continue;
        }
        let excepted = ONLY_IN_TESTS.iter().any(|(other, _)| *other == name);
        if !is_permissive(text(package, "license")) && (!excepted || shipped.contains(id)) {
            problems.push(format!("{name}: its licence is {}", text(package, "license")));
        }
        let needs = text(package, "rust_version");
        if version(needs) > version(compiler) {
            problems.push(format!("{name}: needs Rust {needs}, but `rust-version` is {compiler}"));
        }
    }
    Ok(problems)
}

/// The differences between a lock file and the packages that may be in two versions.
fn several_versions(lock: &str, known: &[(&str, &str)]) -> Vec<String> {
    let names = lock.lines().filter_map(|line| line.strip_prefix("name = ")?.split('"').nth(1));
    let mut seen = BTreeSet::new();
    let twice: BTreeSet<&str> = names.filter(|name| !seen.insert(*name)).collect();
    let known: BTreeSet<&str> = known.iter().map(|(name, _)| *name).collect();
    let new = twice.difference(&known);
    let new = new.map(|name| format!("{name}: several versions in Cargo.lock"));
    let gone = known.difference(&twice);
    new.chain(gone.map(|name| format!("{name}: no longer in two versions in Cargo.lock"))).collect()
}

fn text<'a>(package: &'a Value, key: &str) -> &'a str {
    package[key].as_str().unwrap_or_default()
}

/// The numbers of `1.88` or `1.88.0`, for comparison; a package without a `rust-version` needs none.
fn version(text: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = text.split('.').filter_map(|number| number.parse().ok()).collect();
    numbers.resize(3, 0);
    numbers
}

/// Returns true if one of [`LICENCES`] satisfies an SPDX expression; in doubt, false.
fn is_permissive(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    let one_of = |part: &str| part.split(" OR ").any(|licence| LICENCES.contains(&licence.trim()));
    plain.split(" AND ").all(one_of)
}

/// The packages that the project's crates consist of: their dependencies, without those of tests.
fn shipped(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let nodes: BTreeMap<&str, &Value> = nodes.map(|node| (text(node, "id"), node)).collect();
    let members = metadata["workspace_members"].as_array().into_iter().flatten();
    let mut open: Vec<&str> = members.filter_map(Value::as_str).collect();
    let mut shipped = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !shipped.insert(id) {
            continue;
        }
        let dependencies = nodes.get(id).and_then(|node| node["deps"].as_array());
        for dependency in dependencies.into_iter().flatten() {
            let mut kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
            if kinds.any(|kind| kind["kind"] != "dev") {
                open.push(text(dependency, "pkg"));
            }
        }
    }
    shipped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_read_strictly() {
        for good in ["MIT", "MIT/Apache-2.0", "(MIT OR GPL-3.0) AND Unicode-3.0"] {
            assert!(is_permissive(good), "{good}");
        }
        for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "CDDL-1.0", "Apache-2.0 WITH A"] {
            assert!(!is_permissive(bad), "{bad}");
        }
    }

    #[test]
    fn packages_in_several_versions_are_those_that_are_known() {
        let twice: String = TWICE.iter().map(|(name, _)| format!("name = \"{name}\"\n")).collect();
        assert_eq!(several_versions(&twice.repeat(2), TWICE), Vec::<String>::new());
        assert_eq!(several_versions(&twice, TWICE).len(), TWICE.len());
        let new = "name = \"new\"\n".repeat(2);
        assert_eq!(several_versions(&(twice.repeat(2) + &new), TWICE).len(), 1);
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(version("1.9") < version("1.88") && version("1.88") == version("1.88.0"));
    }
}
