//! The facts in which the machines of merged processes differ.

use super::remarks::name;
use crate::environment::{Explains, Fact, LOAD_NAME, loads_differ};
use crate::words::listed;
use crate::{Difference, Environment, FactValue, Source};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The most hosts or processes that a sentence names for a value.
const NAMED: usize = 4;
/// The most values that a sentence names.
const VALUES: usize = 6;

/// The differences of the states of machines, each with the place of its process.
pub(super) fn differences(environments: &[(usize, Environment)]) -> Vec<Difference> {
    let all: Vec<_> = environments.iter().map(|(process, of)| (*process, of.facts())).collect();
    let of_fact = |(place, fact): (usize, Fact)| {
        let mut values: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (process, facts) in &all {
            if let Some(value) = &facts[place].value {
                values.entry(value).or_default().push(*process);
            }
        }
        let Fact { key, name, explains, .. } = fact;
        let is_several = values.len() > 1;
        let value = |(value, processes): (&str, _)| FactValue { value: value.into(), processes };
        let mut values: Vec<FactValue> = values.into_iter().map(value).collect();
        values.sort_by_key(|of| Reverse(of.processes.len()));
        is_several.then_some(Difference { fact: key, name, explains, values })
    };
    let facts = Environment::default().facts().into_iter().enumerate();
    facts.filter_map(of_fact).chain(load(environments)).collect()
}

/// The least and the greatest load, if they differ much.
fn load(environments: &[(usize, Environment)]) -> Option<Difference> {
    let loads =
        || environments.iter().filter_map(|(process, of)| Some((*process, of.load?, of.cpus)));
    let by_load =
        |a: &(usize, f64, Option<u64>), b: &(usize, f64, Option<u64>)| a.1.total_cmp(&b.1);
    let (least, most) = (loads().min_by(by_load)?, loads().max_by(by_load)?);
    if !loads_differ(least.1, most.1, least.2.max(most.2)) {
        return None;
    }
    let values = [least, most].map(|(process, load, _)| FactValue {
        value: format!("{load:.2}"),
        processes: vec![process],
    });
    let (name, explains) = (LOAD_NAME, Explains::Times);
    Some(Difference { fact: LOAD_NAME, name, explains, values: values.into() })
}

impl Difference {
    /// As a sentence, which names the hosts if each has one value, and else the processes.
    pub(super) fn sentence(&self, sources: &[Source]) -> String {
        let host = |process: &usize| sources[*process].process.host.clone();
        let hosts = |of: &FactValue| of.processes.iter().map(host).collect::<Option<BTreeSet<_>>>();
        let hosts: Option<Vec<BTreeSet<String>>> = self.values.iter().map(hosts).collect();
        let different = |of: &Vec<BTreeSet<String>>| {
            let all: usize = of.iter().map(BTreeSet::len).sum();
            of.iter().flatten().collect::<BTreeSet<_>>().len() == all
        };
        let values: Vec<String> = match hosts.filter(different) {
            Some(hosts) => {
                let value = |(of, names): (&FactValue, BTreeSet<String>)| {
                    format!("{} on {}", of.value, named(names.into_iter().collect(), "hosts"))
                };
                self.values.iter().zip(hosts).map(value).collect()
            }
            None => {
                let value = |of: &FactValue| {
                    let names = of.processes.iter().map(|process| name(&sources[*process]));
                    format!("{} in {}", of.value, named(names.collect(), "processes"))
                };
                self.values.iter().map(value).collect()
            }
        };
        let (fact, values) = (self.name, listed(&values, VALUES));
        format!("the machines differ: the {fact} is {values}: {}", self.explains.words())
    }
}

/// The names, or how many there are.
fn named(names: Vec<String>, what: &str) -> String {
    if names.len() > NAMED { format!("{} {what}", names.len()) } else { listed(&names, NAMED) }
}
