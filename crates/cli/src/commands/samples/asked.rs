//! Functions that are asked for by name.

use crate::failure::did_you_mean;
use counterpoint::pmu::similar;
use counterpoint::profil::Bucket;
use counterpoint::profil::write::{self, CallTree, Profile};
use counterpoint::profile::Symbols;

/// Whether a function has this name, with or without its parameters.
pub fn is_named(function: &str, symbol: &str) -> bool {
    function.strip_prefix(symbol).is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
}

/// What to type in place of a name that no function has: names like it, or those of the functions with the most samples.
pub fn instead(symbol: &str, names: &[String]) -> String {
    // Names such as `[unknown]` stand for all code without one.
    let names = || names.iter().map(String::as_str).filter(|name| !name.starts_with('['));
    // The name of a function of C++ or Rust has more than its last word.
    let longer = names().filter(|name| name.contains(symbol));
    let mut near: Vec<&str> = Vec::new();
    for name in similar(symbol, names()).into_iter().chain(longer) {
        if near.len() < NEAR && !near.contains(&name) {
            near.push(name);
        }
    }
    let hottest: Vec<&str> = names().take(NEAR).collect();
    let otherwise = if hottest.is_empty() {
        "there are no samples in functions with names".to_string()
    } else {
        format!("most samples are in `{}`", hottest.join("`, `"))
    };
    did_you_mean(&near, &otherwise)
}

/// The names that are suggested.
const NEAR: usize = 5;

/// The functions that have samples of their own, those with the most first.
pub fn sampled(profile: &Profile<'_>) -> Vec<String> {
    let functions = write::functions(profile).into_iter();
    let named = functions.filter(|of| of.shared.is_none() && of.module.is_some());
    named.map(|of| of.function).collect()
}

/// The functions in stacks, those with the most samples first.
pub fn called(tree: &CallTree) -> Vec<String> {
    tree.functions().into_iter().map(|of| of.function).collect()
}

/// The functions with samples into which one of this name was inlined.
pub fn inlined_into(profile: &Profile<'_>, symbols: &Symbols<'_>, symbol: &str) -> Vec<String> {
    let of = |bucket: &Bucket| {
        let mut frames = symbols.frames(bucket.first);
        let outer = frames.pop()?;
        frames.iter().any(|inner| is_named(&inner.function, symbol)).then_some(outer.function)
    };
    profile.placed().filter_map(of).collect()
}
