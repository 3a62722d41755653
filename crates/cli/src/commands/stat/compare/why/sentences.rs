//! The explanation in words.

use super::super::side::ELAPSED;
use super::super::table::Table;
use super::explanation::{Kind, Part, Why};
use crate::show::{self, to_margin};
use counterpoint::symbols::ShortNames;
use counterpoint_compare::{Interval, Verdict};

/// The most parts that a sentence names.
const NAMED: usize = 5;

/// What the difference is made of, as far as it is more than noise.
pub fn sentences(why: &Why, table: &Table) -> Vec<String> {
    let mut sentences: Vec<String> = whole(why, table).into_iter().collect();
    let of_kind = |kind: Kind| why.parts.iter().filter(move |part| part.kind == kind);
    for kind in [Kind::State, Kind::Slots, Kind::Function, Kind::Waiting] {
        let mut found: Vec<&Part> = of_kind(kind).filter(|part| is_found(part)).collect();
        found.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let names = ShortNames::new(of_kind(kind).map(|part| part.name.as_str()));
        let clauses: Vec<String> = found
            .iter()
            .map(|part| {
                let (sign, points) = (sign(part.difference), points(why, part.difference));
                format!("{sign}{points} in {}", shown(part, &names))
            })
            .collect();
        let by = match kind {
            Kind::State => "By state",
            Kind::Slots => "By slots of the processor (top-down)",
            Kind::Function => "By CPU time of functions",
            Kind::Waiting => "By waits of functions",
        };
        if !clauses.is_empty() {
            sentences.push(format!("{by}: {}.", show::listed(&clauses, NAMED)));
        } else if kind == Kind::Function && of_kind(kind).next().is_some() {
            sentences.push(format!("{by}: no difference found; more runs (-r) may tell."));
        }
    }
    sentences.extend(parallel(why, table));
    sentences.extend(why.notes.iter().cloned());
    sentences
}

/// How much longer a run takes, and what a point is.
fn whole(why: &Why, table: &Table) -> Option<String> {
    let row = table.rows.iter().find(|row| row.name == ELAPSED)?;
    let against = row.against[1].as_ref()?;
    let difference = against.comparison.difference;
    let base = format!("1 point is 1 % of the {} ms of A", milliseconds(why.base));
    Some(match against.verdict {
        Verdict::More => format!("B takes {} longer; {base}.", points(why, difference)),
        Verdict::Less => format!("B takes {} less time; {base}.", points(why, difference)),
        Verdict::Uncertain => format!("The elapsed times may differ; {base}."),
        Verdict::NoDifference => {
            format!("No difference in the elapsed times was found; {base}.")
        }
    })
}

fn milliseconds(seconds: f64) -> String {
    let ms = 1000.0 * seconds;
    to_margin(ms, ms / 100.0)
}

/// The size of a difference, with its margin.
fn points(why: &Why, difference: Interval) -> String {
    let (points, margin) = (why.points(difference.estimate.abs()), why.points(difference.margin()));
    let digits = |value: f64| to_margin(value, if margin > 0.0 { margin } else { points });
    let margin = match margin {
        _ if !margin.is_finite() => String::new(),
        margin => format!(" ± {}", digits(margin)),
    };
    format!("{}{margin} points", digits(points))
}

/// Whether B takes more or less.
fn sign(difference: Interval) -> char {
    if difference.estimate < 0.0 { '-' } else { '+' }
}

fn shown(part: &Part, names: &ShortNames) -> String {
    match part.kind {
        Kind::State | Kind::Slots => part.name.clone(),
        Kind::Function | Kind::Waiting => names.short(&part.name).to_string(),
    }
}

fn size(part: &Part) -> f64 {
    part.difference.estimate.abs()
}

fn is_found(part: &Part) -> bool {
    matches!(part.verdict, Verdict::More | Verdict::Less)
}

/// Where several threads run at a time, parts do not add up to the elapsed time.
fn parallel(why: &Why, table: &Table) -> Option<String> {
    let mean = |name: &str| table.rows.iter().find(|row| row.name == name)?.cells[1].as_ref()?.mean;
    let [user, system, off] = super::split::STATES;
    // These are in nanoseconds.
    let cpus = (mean(user)? + mean(system)?) / 1e9 / mean(ELAPSED)?;
    let is_alone = why.parts.iter().any(|part| part.name == off);
    (!is_alone && cpus > 1.0).then(|| {
        format!(
            "Threads of B run on {cpus:.1} CPUs at a time: their times add up to more than the elapsed time."
        )
    })
}
