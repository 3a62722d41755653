//! Functions that are asked for by name.

use crate::failure::did_you_mean;
use crate::show;
use counterpoint::pmu::similar;
use counterpoint::profil::Bucket;
use counterpoint::profil::write::Profile;
use counterpoint::profile::Symbols;
use counterpoint::symbols::ShortNames;
use std::collections::BTreeSet;

/// The functions that a text names, or a sentence about what to type instead.
pub fn functions<'n>(names: &'n ShortNames, text: &str) -> Result<BTreeSet<&'n str>, String> {
    match names.find(text) {
        Ok(found) => Ok(found.into_iter().collect()),
        Err(several) if !several.is_empty() => {
            let several: Vec<String> =
                several.iter().map(|name| format!("`{}`", names.short(name))).collect();
            let listed = show::listed(&several, NEAR);
            Err(format!("it is a part of several names: {listed}; write more of one"))
        }
        Err(_) => Err(instead(text, names)),
    }
}

/// The advice for a name that no function has: names like it, or those of the functions with the most samples.
fn instead(text: &str, names: &ShortNames) -> String {
    // Names such as `[unknown]` stand for all code without one.
    let names = || {
        let short = names.full().iter().map(|name| names.short(name));
        short.filter(|name| !name.starts_with('['))
    };
    let mut near: Vec<&str> = Vec::new();
    for name in similar(text, names()) {
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

/// The functions with samples into which one of these was inlined.
pub fn inlined_into(
    profile: &Profile<'_>,
    symbols: &Symbols<'_>,
    wanted: &BTreeSet<&str>,
) -> Vec<String> {
    let of = |bucket: &Bucket| {
        let mut frames = symbols.frames(bucket.first);
        let outer = frames.pop()?;
        frames.iter().any(|inner| wanted.contains(&*inner.function)).then_some(outer.function)
    };
    profile.placed().filter_map(of).collect()
}
