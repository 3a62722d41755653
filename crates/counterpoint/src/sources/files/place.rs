//! The files and rows in which the numbers of a source are.

use super::form::Place;
use super::instances::{Instance, instances, named, usual};
use super::name::{Chosen, Part};
use super::paths::{column, cpu_of, path_of, path_parts};
use super::pattern::filled;
use super::subject::Subject;
use super::table::{FieldKind, Form, Scope};
use super::tally::Wrap;
use crate::report::values::Reason;
use counterpoint_perf::Host;
use std::path::PathBuf;

/// A number in a file.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub path: PathBuf,
    pub place: Place,
    /// The CPU to which it belongs.
    pub cpu: Option<u32>,
    /// The command to which it belongs, of which it can be read until the command was waited for.
    pub command: Option<u32>,
    /// How it wraps around.
    pub wrap: Option<Wrap>,
}

/// The numbers of a source: several, if it stands for all CPUs or for several processes.
pub(super) fn cells(host: &Host, chosen: &Chosen, subject: &Subject) -> Result<Vec<Cell>, Reason> {
    let chosen = usual(host, chosen.clone());
    if let Part::Label(label) = &chosen.part {
        return Err(Reason::NotShown(format!("no sensor of this machine has the label `{label}`")));
    }
    let file = chosen.field.file;
    let mut cells = Vec::new();
    for instance in wanted(host, &chosen, subject)? {
        let word = instance.as_ref().map(|own| own.word.as_str());
        let path = path_of(file, word);
        for (path, command) in subject.paths(&path)? {
            let wrap = match chosen.field.kind {
                FieldKind::Counter(Some((most, rate))) => {
                    let most = host.text(format!("{path}/{most}")).ok();
                    let most = most.and_then(|text| text.parse().ok());
                    most.map(|most| Wrap { most, rate: f64::from(rate) })
                }
                _ => None,
            };
            let cpu = word.filter(|_| file.scope == Scope::Cpu).and_then(cpu_of);
            let path = match file.form {
                Form::Number => {
                    PathBuf::from(format!("{path}/{}", filled(chosen.field.place, &chosen.texts())))
                }
                _ => PathBuf::from(path),
            };
            cells.push(Cell { path, place: place(&chosen, word), cpu, command, wrap });
        }
    }
    Ok(cells)
}

/// The instances that a name stands for; `None` is that of a field without instances.
fn wanted(
    host: &Host,
    chosen: &Chosen,
    subject: &Subject,
) -> Result<Vec<Option<Instance>>, Reason> {
    if chosen.field.instance().is_none() {
        return Ok(vec![None]);
    }
    let all = instances(host, chosen.field, subject);
    let before =
        path_parts(chosen.field.file.path).map_or(chosen.field.file.path, |(before, ..)| before);
    let Some(name) = &chosen.instance else {
        if all.is_empty() {
            return Err(Reason::NotShown(hidden(before)));
        }
        let is_wanted = |own: &Instance| cpu_of(&own.word).is_none_or(|cpu| subject.has_cpu(cpu));
        let wanted: Vec<_> = all.into_iter().filter(is_wanted).map(Some).collect();
        if wanted.is_empty() {
            return Err(Reason::NotShown(format!("{before} has no number of these CPUs")));
        }
        return Ok(wanted);
    };
    let found = named(&all, name);
    if let Ok(own) = &found
        && let Some(cpu) = cpu_of(&own.word)
        && !subject.has_cpu(cpu)
    {
        return Err(Reason::NotShown(format!("cpu{cpu} is not one of the CPUs that are counted")));
    }
    found.map(|own| vec![Some(own)]).map_err(|same| {
        let names: Vec<&str> = all.iter().map(|own| own.name.as_str()).collect();
        Reason::NotShown(match (same.as_slice(), names.as_slice()) {
            ([], []) => hidden(before),
            ([], names) => format!("{before} has no `{name}`, but {}", few(names)),
            (same, _) => format!("several devices are called `{name}`: {}", same.join(", ")),
        })
    })
}

fn few(names: &[&str]) -> String {
    const FEW: usize = 8;
    let more = names.len().saturating_sub(FEW);
    let named = names[..names.len() - more].join(", ");
    if more == 0 { named } else { format!("{named} and {more} more") }
}

fn hidden(path: &str) -> String {
    format!("this machine shows nothing in {path}, which a container or a virtual machine may hide")
}

fn place(chosen: &Chosen, instance: Option<&str>) -> Place {
    let field = chosen.field;
    let is_of_row = field.file.instance().is_none() && field.instance().is_some();
    let key = match field.file.form {
        Form::Number | Form::Rows(0) => None,
        Form::Keys | Form::Matrix => Some(filled(field.place, &chosen.texts())),
        Form::Rows(_) | Form::Pairs if is_of_row => instance.map(str::to_string),
        Form::Rows(_) | Form::Pairs => Some(field.key().to_string()),
    };
    Place { key, column: column(field, instance) }
}
