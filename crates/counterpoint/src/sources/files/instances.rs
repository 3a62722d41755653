//! The instances of a file on a machine: hwmon devices, interfaces, disks, CPUs.

use super::form;
use super::name::{Chosen, Part};
use super::paths::{column, path_of, path_parts};
use super::pattern::{captures, filled};
use super::subject::Subject;
use super::table::{FIELDS, Field, File, Form};
use crate::counting::target::Target;
use counterpoint_perf::Host;

/// An instance that a machine has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instance {
    /// The kernel's word, such as the name of its folder.
    pub word: String,
    /// The name that it has in names of sources: that of the device if no other has it, else the word.
    pub name: String,
    /// The name of the device, which others may have too.
    pub device: Option<String>,
}

/// The instances of a field, in order; empty if the machine has none.
pub(super) fn instances(host: &Host, field: &Field, subject: &Subject) -> Vec<Instance> {
    let words = match (path_parts(field.file.path), field.file.form) {
        (Some((before, pattern, after)), _) => {
            let names = host.names(before).into_iter();
            let is_there = |word: &String| {
                after.is_empty()
                    || !host.names(format!("{before}/{word}{after}")).is_empty()
                    || host.bytes(format!("{before}/{word}{after}")).is_ok()
            };
            names.filter(|name| captures(pattern, name).is_some()).filter(is_there).collect()
        }
        (None, Form::Matrix) => columns(host, field.file),
        (None, _) => keys(host, field, subject),
    };
    let devices: Vec<Option<String>> =
        words.iter().map(|word| device(host, field.file, word)).collect();
    let is_alone = |device: &String| {
        devices.iter().flatten().filter(|other| *other == device).count() == 1
            && !words.contains(device)
    };
    let instance = |(word, device): (&String, &Option<String>)| Instance {
        word: word.clone(),
        name: device.clone().filter(is_alone).unwrap_or_else(|| word.clone()),
        device: device.clone(),
    };
    words.iter().zip(&devices).map(instance).collect()
}

/// The instance that a name means: by its word, or by the name of a device.
pub(super) fn named(instances: &[Instance], name: &str) -> Result<Instance, Vec<String>> {
    if let Some(own) = instances.iter().find(|own| own.word == name || own.name == name) {
        return Ok(own.clone());
    }
    let is_named = |own: &&Instance| {
        own.device.as_ref().is_some_and(|device| device.eq_ignore_ascii_case(name))
    };
    let found: Vec<&Instance> = instances.iter().filter(is_named).collect();
    match found.as_slice() {
        [one] => Ok((*one).clone()),
        others => Err(others.iter().map(|own| own.word.clone()).collect()),
    }
}

/// The name of a device, with `_` for what names of events cannot have.
fn device(host: &Host, file: &File, word: &str) -> Option<String> {
    let (before, ..) = path_parts(file.path)?;
    let name = host.text(format!("{before}/{word}/{}", file.name?)).ok()?;
    Some(harmless(&name)).filter(|name| !name.is_empty())
}

fn harmless(name: &str) -> String {
    let is_kept = |c: char| c.is_alphanumeric() || "._-:".contains(c);
    name.chars().take(64).map(|c| if is_kept(c) { c } else { '_' }).collect()
}

/// The CPUs of the heading.
fn columns(host: &Host, file: &File) -> Vec<String> {
    let text = host.text(file.path).unwrap_or_default();
    let words = text.lines().next().unwrap_or_default().split_whitespace();
    let cpus =
        words.filter_map(|word| captures("CPU#", word).map(|texts| format!("cpu{}", texts[0])));
    cpus.collect()
}

/// The keys of the rows that have the number of the field, each once.
fn keys(host: &Host, field: &Field, subject: &Subject) -> Vec<String> {
    let Some(pattern) = field.instance() else { return Vec::new() };
    let paths = subject.paths(field.file.path).unwrap_or_default();
    let text = paths.first().and_then(|(path, _)| host.text(path).ok()).unwrap_or_default();
    let column = column(field, None);
    let has_number = |(key, row): &(&str, &str)| {
        captures(pattern, key).is_some()
            && form::number(row, field.file.form, &column, "").is_some()
    };
    let mut keys: Vec<String> = Vec::new();
    for (key, _) in form::rows(&text, field.file.form).filter(has_number) {
        if !keys.iter().any(|known| known == key) {
            keys.push(key.to_string());
        }
    }
    keys
}

/// The texts of the wildcards of a field that an instance has, each with the label; one without texts if it has no wildcards.
pub(super) fn parts(host: &Host, field: &Field, path: &str) -> Vec<(Vec<String>, Option<String>)> {
    let found = match field.file.form {
        Form::Number => below(host, path, field.place),
        Form::Keys | Form::Matrix => {
            let text = host.text(path).unwrap_or_default();
            let mut keys: Vec<Vec<String>> = Vec::new();
            for (key, row) in form::rows(&text, field.file.form) {
                let has_number =
                    row.split_whitespace().nth(1).is_some_and(|word| word.parse::<u64>().is_ok());
                if let Some(texts) = captures(field.place, key).filter(|_| has_number) {
                    keys.push(texts.into_iter().map(str::to_string).collect());
                }
            }
            keys
        }
        Form::Rows(_) | Form::Pairs if host.bytes(path).is_ok() => vec![Vec::new()],
        Form::Rows(_) | Form::Pairs => Vec::new(),
    };
    let label = |texts: &Vec<String>| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        host.text(format!("{path}/{}", filled(field.label?, &texts))).ok()
    };
    found.into_iter().map(|texts| (texts.clone(), label(&texts))).collect()
}

/// The texts of the wildcards of a path below a folder.
fn below(host: &Host, folder: &str, path: &str) -> Vec<Vec<String>> {
    let (part, rest) = path.split_once('/').unwrap_or((path, ""));
    let mut found = Vec::new();
    for name in host.names(folder) {
        let Some(texts) = captures(part, &name) else { continue };
        let texts: Vec<String> = texts.into_iter().map(str::to_string).collect();
        if rest.is_empty() {
            found.push(texts);
        } else {
            let of_rest = below(
                host,
                &format!("{folder}/{name}"),
                &filled(rest, &texts.iter().map(String::as_str).collect::<Vec<_>>()),
            );
            found.extend(of_rest.into_iter().map(|more| [texts.clone(), more].concat()));
        }
    }
    found
}

/// The field with the usual name of its instance, and with the number in the place of a label, as far as the machine has them.
pub(super) fn usual(host: &Host, chosen: Chosen) -> Chosen {
    let mut chosen = chosen;
    let own = Subject::of(&Target::ThisThread, host);
    let known = |chosen: &Chosen| {
        named(&instances(host, chosen.field, &own), chosen.instance.as_ref()?).ok()
    };
    let Some(instance) = known(&chosen) else { return chosen };
    if let Part::Label(wanted) = &chosen.part {
        let path = path_of(chosen.field.file, Some(&instance.word));
        let is_wanted = |label: &Option<String>| {
            label.as_ref().is_some_and(|label| fixed(label).eq_ignore_ascii_case(wanted))
        };
        let own = parts(host, chosen.field, &path).into_iter().find(|(_, label)| is_wanted(label));
        if let Some((texts, _)) = own {
            chosen.part = Part::Texts(texts);
        }
    }
    chosen.instance = Some(instance.name);
    chosen
}

/// A label as perf writes it: `_` for what is neither a letter nor a digit.
fn fixed(label: &str) -> String {
    label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The kernel's word for the instance of a field.
pub(super) fn word(host: &Host, chosen: &Chosen) -> Option<String> {
    let name = chosen.instance.as_ref()?;
    let own = Subject::of(&Target::ThisThread, host);
    named(&instances(host, chosen.field, &own), name).ok().map(|own| own.word)
}

/// Every field of a machine as names may have it: one of CPUs for each CPU, and for all.
pub(super) fn spelled(host: &Host) -> Vec<Chosen> {
    let cpus = host.online_cpus();
    let mut spelled: Vec<Chosen> = Vec::new();
    let mut last = None;
    for (chosen, _) in every(host) {
        let of_all = Chosen { instance: None, ..chosen.clone() };
        if !of_all.is_all_cpus() {
            spelled.push(chosen);
        } else if last.replace(of_all.name()) != Some(of_all.name()) {
            let of_cpu = |cpu| Chosen { instance: Some(format!("cpu{cpu}")), ..chosen.clone() };
            spelled.push(of_all);
            spelled.extend(cpus.iter().map(of_cpu));
        }
    }
    spelled
}

/// Every field of a machine, each with its label; of processes and cgroups, those of this process.
pub(super) fn every(host: &Host) -> Vec<(Chosen, Option<String>)> {
    let mut found: Vec<(Chosen, Option<String>)> = Vec::new();
    let own = Subject::of(&Target::ThisThread, host);
    for field in &*FIELDS {
        let of_instance = |instance: Option<&Instance>, found: &mut Vec<_>| {
            let path = path_of(field.file, instance.map(|own| own.word.as_str()));
            let Some((path, _)) = own.paths(&path).ok().and_then(|paths| paths.into_iter().next())
            else {
                return;
            };
            for (texts, label) in parts(host, field, &path) {
                let instance = instance.map(|own| own.name.clone());
                let chosen = Chosen { field, instance, part: Part::Texts(texts) };
                // A line with a wildcard is for what other lines do not name.
                let is_own =
                    Chosen::parse(&chosen.name()).is_some_and(|own| std::ptr::eq(own.field, field));
                if is_own {
                    found.push((chosen, label));
                }
            }
        };
        match field.instance() {
            Some(_) if field.file.form == Form::Matrix => of_instance(None, &mut found),
            Some(_) => instances(host, field, &own)
                .iter()
                .for_each(|own| of_instance(Some(own), &mut found)),
            None => of_instance(None, &mut found),
        }
    }
    found
}
