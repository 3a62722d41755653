//! The metrics that are asked for.

use crate::definitions::DefinitionArgs;
use crate::failure::Failure;
use crate::metrics::MetricFiles;
use crate::show;
use crate::vendor::VendorArgs;
use counterpoint::metrics::{Meaning, NamedMetric, Needs};
use counterpoint::perf::Host;
use counterpoint::{EventSet, Machine, Target};

/// A metric that is asked for.
pub struct Asked {
    pub name: String,
    pub unit: Option<String>,
    /// The formula over the events of this machine, or why there is none.
    pub here: Result<Needs, String>,
    /// The formula over the names of its definition.
    pub as_written: Option<Needs>,
}

/// The metrics of these names and groups.
pub fn asked(set: &EventSet, names: &[String]) -> Result<Vec<Asked>, Failure> {
    // A name that nothing has is an error with names like it.
    set.resolve_both(&[], names)?;
    let mut all: Vec<Asked> = Vec::new();
    for of in names.iter().flat_map(|name| set.metrics().find(name)) {
        let name = of.id().to_string();
        if all.iter().all(|other| other.name != name) {
            all.push(Asked::of(set, &of, name));
        }
    }
    Ok(all)
}

/// The metrics of a recording, as this machine and the files have them.
pub fn asked_of_file(names: &[String], files: &MetricFiles) -> Result<Vec<Asked>, Failure> {
    let machine = VendorArgs::of(None).with(Machine::new(Host::local()))?;
    let definitions = DefinitionArgs::default().libraries(&machine)?;
    let set = EventSet::with_machine(machine, Target::AllCpus);
    asked(&files.define(definitions.into_iter().fold(set, EventSet::define))?, names)
}

impl Asked {
    fn of(set: &EventSet, metric: &NamedMetric, name: String) -> Asked {
        let here = set.metric_needs(metric).map_err(|reason| reason.to_string());
        let unit = metric.definition.units().map(str::to_string);
        Asked { name, unit, here, as_written: metric.as_written() }
    }

    /// The events that are counted for the metric, or why they cannot be counted between samples.
    pub fn events(&self) -> Result<Vec<String>, String> {
        let needs = self.here.as_ref().map_err(Clone::clone)?;
        let mut events = Vec::new();
        for term in &needs.terms {
            match &term.meaning {
                Ok(Meaning::Event(native)) => events.push(native.id.to_string()),
                Ok(Meaning::Fact(_)) => {}
                Ok(_) => {
                    let name = &term.name;
                    return Err(format!("{name} is read for the whole program, and not counted"));
                }
                Err(reason) => return Err(format!("{}: {reason}", term.name)),
            }
        }
        Ok(events)
    }
}

/// The events of the metrics, each once, for samples of `leader`.
pub fn counted(set: &EventSet, leader: &str, metrics: &[Asked]) -> Result<Vec<String>, Failure> {
    let mut counted: Vec<String> = Vec::new();
    let mut attrs = attrs(set, leader)?;
    let (mut left_out, mut is_any) = (Vec::new(), false);
    for metric in metrics {
        match metric.events() {
            Err(why) => left_out.push(format!("{}: {why}", metric.name)),
            Ok(events) => {
                let plan = set.plan_of(&events)?;
                if let Some((event, why)) = plan.unavailable.first() {
                    left_out.push(format!("{}: {event}: {why}", metric.name));
                    continue;
                }
                is_any = true;
                for event in events {
                    let own = self::attrs(set, &event)?;
                    // An event with two names is counted once, and the event that is sampled is counted anyway.
                    if !own.iter().all(|attr| attrs.contains(attr)) {
                        attrs.extend(own);
                        counted.push(event);
                    }
                }
            }
        }
    }
    if !is_any {
        let why = left_out.join("; ");
        return Err(Failure::new(format!("there is nothing to count between samples: {why}"))
            .help("counterpoint show METRIC says what a metric needs; -f FILE defines others, such as over page-faults and task-clock"));
    }
    if counted.is_empty() {
        let text = format!(
            "the samples of {leader} show all that is asked for, and no other event is to be counted"
        );
        return Err(Failure::new(text).help(format!("counterpoint profile -e {leader}")));
    }
    for why in left_out {
        show::note(&format!("left out: {why}"));
    }
    check(set, leader, &counted)?;
    Ok(counted)
}

/// How an event is opened.
fn attrs(set: &EventSet, event: &str) -> Result<Vec<counterpoint::perf::Attr>, Failure> {
    let resolved = set.resolve_list(event)?;
    let boxes = resolved.natives().iter().flat_map(|native| &native.boxes);
    Ok(boxes.map(|of| of.attr.clone()).collect())
}

/// Refuses events that the processor cannot count at the same time.
fn check(set: &EventSet, leader: &str, counted: &[String]) -> Result<(), Failure> {
    let all: Vec<&str> =
        std::iter::once(leader).chain(counted.iter().map(String::as_str)).collect();
    let group = format!("{{{}}}", all.join(","));
    let plan = set.plan_of(std::slice::from_ref(&group))?;
    if plan.unavailable.is_empty() && !plan.is_complete() {
        let text = format!("the processor cannot count {} at the same time", all.join(", "));
        return Err(Failure::new(text).help(
            "samples have the counts of one group of events: ask for fewer metrics, each in a run of its own",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint::{pmu, read_definitions};

    #[test]
    fn events_that_do_not_fit_one_group_are_refused_with_what_to_do() {
        let spr = Machine::of_pmu(pmu::find("spr").unwrap());
        let codes = 1..=20_u32;
        let events: Vec<String> = codes.map(|code| format!("spr::r{code:x}")).collect();
        let text = format!("metric many\n formula {}\n", events.join(" + ").replace("spr::", ""));
        let mine = read_definitions("mine.metrics", &text);
        let set = EventSet::with_machine(spr, Target::AllCpus).define(mine);
        let asked = asked(&set, &["many".to_string(), "ipc".to_string()]).ok().unwrap();
        assert_eq!(asked[1].events().unwrap().len(), 2);
        let leader = "task-clock";
        assert_eq!(counted(&set, leader, &asked[1..]).ok().unwrap().len(), 2);
        let failure = counted(&set, leader, &asked[..1]).err().unwrap();
        assert!(failure.text.contains("at the same time"), "{}", failure.text);
    }
}
