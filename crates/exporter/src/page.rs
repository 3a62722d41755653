//! The page of reasons: how each event is counted, or why not.

use crate::profiles::query;
use crate::series::{Kind, Series};
use crate::target::title;
use crate::watched::Watched;
use crate::{ConfigError, Exporter};
use std::fmt::Write;

impl Exporter {
    /// For each target how each event is counted, or why not, as plain text.
    pub fn page(&self) -> String {
        let mut page = String::from(
            "Counterpoint exporter\n\n/metrics  the values\n/health   whether something is counted\n",
        );
        if self.profiling.is_some() {
            page.push_str("/debug/pprof/profile?seconds=N  a profile, of:");
            let targets = self.profiled_targets();
            targets.iter().for_each(|target| _ = write!(page, " {}", query(target)));
            page.push('\n');
        }
        if let Some(sender) = &self.sender {
            let _ = write!(page, "\nOTLP: {}\n", sender.state());
        }
        for watched in &self.watched {
            let _ = write!(page, "\n{}", title(&watched.target));
            match watched.why() {
                Some(why) => {
                    let _ = writeln!(page, ": not counted, because {why}");
                }
                None => self.events(&mut page, watched),
            }
        }
        if self.refused().next().is_some() {
            page.push_str("\nNot counted on this machine\n");
        }
        for ConfigError { place, text, help } in self.refused() {
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            let _ = writeln!(page, "  line {}, column {}: {text}{help}", place.line, place.column);
        }
        if self.room.left_out > 0 {
            let _ = write!(page, "\n{}\n", self.left_out());
        }
        page
    }

    /// A line for each event of a target: its series differ only in their CPUs.
    fn events(&self, page: &mut String, watched: &Watched) {
        let _ = writeln!(page, ": counted");
        let mut said: Vec<String> = Vec::new();
        for series in &watched.series {
            let family = self.families.get(series.family);
            let end = if family.is_counter { "_total" } else { "" };
            let line = format!("  {:<32} {}{end}: {}", series.event, family.name, how(series));
            if !said.contains(&line) {
                let _ = writeln!(page, "{line}");
                said.push(line);
            }
        }
    }
}

/// The way in which a series is counted; without its numbers, so that equal series have one line.
fn how(series: &Series) -> String {
    match (series.missing(), series.value(), series.coverage()) {
        (Some((status, reason)), ..) => {
            let help = reason.help().map(|hint| format!("; {hint}")).unwrap_or_default();
            format!("{status}, because {reason}{help}")
        }
        (_, None, _) if series.kind == Kind::Computed => {
            "computed at the end of the first interval".to_string()
        }
        (_, None, _) => "not read yet".to_string(),
        (_, Some(_), Some(_)) => "estimated, because events take turns on the counters".to_string(),
        (_, Some(_), None) => "counted".to_string(),
    }
}
