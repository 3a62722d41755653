//! A page: sections that are made of the arguments, and those that are written in `pages`.

use clap::Command;
use clap_mangen::Man;
use std::collections::BTreeSet;
use std::io;

/// The sections that are written, of the page of each of these commands.
const WRITTEN: &[(&str, &str)] = &[
    ("", include_str!("pages/counterpoint.roff")),
    ("stat", include_str!("pages/stat.roff")),
    ("stat diff", include_str!("pages/stat-diff.roff")),
    ("doctor", include_str!("pages/doctor.roff")),
    ("list", include_str!("pages/list.roff")),
    ("profile", include_str!("pages/profile.roff")),
    ("report", include_str!("pages/report.roff")),
    ("report diff", include_str!("pages/report-diff.roff")),
    ("annotate", include_str!("pages/annotate.roff")),
    ("top", include_str!("pages/top.roff")),
    ("merge", include_str!("pages/merge.roff")),
    ("exporter", include_str!("pages/exporter.roff")),
];

const EVENTS: &str = include_str!("pages/events.roff");

/// The sections that stand before those of the options.
const FIRST: &[&str] = &["NAME", "SYNOPSIS", "DESCRIPTION"];

/// The sections that stand after those of the options, in this order.
const LAST: &[&str] =
    &["EVENTS", "OUTPUT", "EXIT STATUS", "ENVIRONMENT", "FILES", "NOTES", "EXAMPLES", "SEE ALSO"];

/// A section with its heading.
struct Section {
    name: String,
    text: String,
}

/// The page about the names of events.
pub fn events(version: &str) -> String {
    format!(".TH counterpoint\\-events 7 \"\" \"{version}\"\n{EVENTS}")
}

/// The page about a command, of which `names` are the words.
pub fn command_page(command: Command, names: &[String], version: &str) -> io::Result<String> {
    let name = names.join(" ");
    let written = WRITTEN.iter().find(|(of, _)| *of == name).map_or("", |(_, text)| text);
    let after = command.get_after_long_help().or(command.get_after_help());
    let after = after.map(ToString::to_string).unwrap_or_default();
    let headings: BTreeSet<String> = command
        .get_arguments()
        .filter_map(|arg| arg.get_help_heading())
        .map(str::to_uppercase)
        .collect();
    let mut made = Vec::new();
    Man::new(command).source(version).render(&mut made)?;
    let made = String::from_utf8_lossy(&made);
    let (head, made) = split(&made);
    let made = together(made, &headings);
    let mut all = split(written).1;
    // A written section replaces the made one of the same name.
    let more = made.into_iter().chain(after_help(&after)).chain([see_also()]);
    for section in more.filter(|section| section.name != "EXTRA" && section.name != "VERSION") {
        if !all.iter().any(|known| known.name == section.name) {
            all.push(section);
        }
    }
    all.sort_by_key(Section::place);
    Ok(all.into_iter().fold(head, |page, section| page + &section.text))
}

/// The sections, with those of the headings of options as parts of OPTIONS: written sections may have the same names.
fn together(made: Vec<Section>, headings: &BTreeSet<String>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for section in made {
        let options = sections.iter_mut().find(|other| other.name == "OPTIONS");
        match options.filter(|_| headings.contains(&section.name)) {
            Some(options) => {
                let text = section.text.split_once('\n').map_or("", |(_, text)| text);
                options.text += &format!(".SS \"{}\"\n{text}", section.name);
            }
            None => sections.push(section),
        }
    }
    sections
}

impl Section {
    fn new(name: &str, text: &str) -> Section {
        Section { name: name.to_string(), text: format!(".SH \"{name}\"\n{text}\n") }
    }

    fn place(&self) -> usize {
        let at = |names: &[&str]| names.iter().position(|name| *name == self.name);
        let last = || at(LAST).map(|place| FIRST.len() + 1 + place);
        at(FIRST).or_else(last).unwrap_or(FIRST.len())
    }
}

/// The text before the first section, and the sections.
fn split(page: &str) -> (String, Vec<Section>) {
    let mut head = String::new();
    let mut sections: Vec<Section> = Vec::new();
    for line in page.lines() {
        if let Some(name) = line.strip_prefix(".SH ") {
            sections
                .push(Section { name: name.trim_matches('"').to_string(), text: String::new() });
        }
        let text = sections.last_mut().map_or(&mut head, |section| &mut section.text);
        text.push_str(line);
        text.push('\n');
    }
    (head, sections)
}

/// The paragraphs after the options in `--help`, each in the section that it belongs to.
fn after_help(text: &str) -> Vec<Section> {
    let mut notes = String::new();
    let mut sections = Vec::new();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let examples = paragraph.strip_prefix("Example").and_then(|rest| rest.split_once(":\n"));
        let status = paragraph.strip_prefix("Exit status: ");
        match (examples, status) {
            (Some((_, lines)), _) => {
                sections.push(Section::new("EXAMPLES", &format!(".EX\n{}\n.EE", escape(lines))))
            }
            (None, Some(status)) => sections.push(Section::new("EXIT STATUS", &escape(status))),
            // Lines that are indented are a table.
            (None, None) if paragraph.contains("\n  ") => {
                notes += &format!(".PP\n.EX\n{}\n.EE\n", escape(paragraph));
            }
            (None, None) => notes += &format!(".PP\n{}\n", escape(paragraph)),
        }
    }
    if !notes.is_empty() {
        sections.push(Section::new("NOTES", notes.trim_end()));
    }
    sections
}

fn see_also() -> Section {
    Section::new("SEE ALSO", ".BR counterpoint (1),\n.BR counterpoint\\-events (7)")
}

/// The text for roff: no character of it is a command.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    let line = |line: &str| {
        if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line.to_string() }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
