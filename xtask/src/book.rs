use crate::project::root;
use std::process::{Command, Stdio};

/// Builds the book of `docs` in `target/book`, as web pages.
pub fn run() -> Result<(), String> {
    let version = Command::new("mdbook").arg("--version").stdout(Stdio::null()).status();
    if version.is_err() {
        println!("skipped: mdbook is not installed: cargo install mdbook");
        return Ok(());
    }
    let status = Command::new("mdbook").arg("build").current_dir(root().join("docs")).status();
    if !status.map_err(|error| format!("mdbook: {error}"))?.success() {
        return Err("mdbook build failed".to_string());
    }
    println!("target/book/index.html");
    Ok(())
}
