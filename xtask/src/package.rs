//! `cargo xtask package`: the packages, each built from what it contains.

use crate::project::{metadata, root, target};
use std::fs;
use std::process::Command;

/// Packages every crate, and builds the packages of the published ones beside each other, as they will be in a registry.
///
/// `cargo package` would build them too, but keeps what it unpacked of a version, and so builds them against packages of an earlier run.
pub fn run() -> Result<(), String> {
    let [packages, unpacked] = ["package", "package/unpacked"].map(|path| target().join(path));
    let about = metadata(&root(), &["--no-deps"])?;
    let all = about["packages"].as_array().into_iter().flatten();
    let published: Vec<_> = all.filter(|package| package["publish"].is_null()).collect();
    let mut package = Command::new("cargo");
    package.args(["package", "--quiet", "--no-verify", "--allow-dirty", "--offline"]);
    for of in &published {
        package.args(["--package", of["name"].as_str().unwrap_or_default()]);
    }
    succeeds(package.current_dir(root()))?;
    // An earlier run may have packaged files that are gone.
    drop(fs::remove_dir_all(&unpacked));
    fs::create_dir_all(&unpacked).map_err(|error| error.to_string())?;
    let [mut members, mut patch] = [String::new(), String::new()];
    for package in published {
        let [name, version] = ["name", "version"].map(|k| package[k].as_str().unwrap_or_default());
        let folder = format!("{name}-{version}");
        let file = packages.join(format!("{folder}.crate"));
        // Their files are as new as this run: cargo builds them again.
        succeeds(Command::new("tar").arg("-xzmf").arg(file).arg("-C").arg(&unpacked))?;
        members.push_str(&format!("{folder:?}, "));
        patch.push_str(&format!("{name} = {{ path = {folder:?} }}\n"));
    }
    let workspace = "[workspace]\nresolver = \"3\"\n";
    let manifest = format!("{workspace}members = [{members}]\n\n[patch.crates-io]\n{patch}");
    let written = fs::write(unpacked.join("Cargo.toml"), manifest);
    let locked =
        written.and_then(|()| fs::copy(root().join("Cargo.lock"), unpacked.join("Cargo.lock")));
    locked.map_err(|error| format!("{}: {error}", unpacked.display()))?;
    let check = ["check", "--workspace", "--offline", "--target-dir"];
    let built = packages.join("built");
    succeeds(Command::new("cargo").args(check).arg(built).current_dir(&unpacked))
}

fn succeeds(command: &mut Command) -> Result<(), String> {
    if command.status().map_err(|error| format!("{command:?}: {error}"))?.success() {
        Ok(())
    } else {
        Err(format!("{command:?} failed"))
    }
}
