//! The ranks of several recordings.

pub mod differences;
pub mod json;
pub mod mpi;
pub mod page;
pub mod text;

use crate::show::{listed, printable};
use counterpoint_recording::{Joined, Recording};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Several recordings, each of a rank.
pub struct Ranks<'j> {
    joined: &'j Joined,
    /// In the order of the recordings.
    ranks: Vec<Rank>,
    has_nodes: bool,
}

/// The rank of a recording.
pub struct Rank {
    /// `None` if the recording does not tell it, as those of perf.
    pub number: Option<u32>,
    /// The node; `None` if the recording was broken off before it was told.
    pub node: Option<String>,
    /// `rank 3`, or the name of the file.
    pub name: String,
}

impl<'j> Ranks<'j> {
    /// `None` for a single recording.
    pub fn new(joined: &'j Joined, files: &[&Path]) -> Option<Ranks<'j>> {
        let rank = |(of, file): (&Recording, &&Path)| {
            let number = of.facts.rank.map(|(rank, _)| rank);
            let file = || file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
            let name = number.map_or_else(|| file().into_owned(), |rank| format!("rank {rank}"));
            let node = Some(of.facts.hostname.clone()).filter(|node| !node.is_empty());
            Rank { number, node, name }
        };
        let ranks: Vec<Rank> = joined.recordings.iter().zip(files).map(rank).collect();
        let nodes: BTreeSet<_> = ranks.iter().filter_map(|of| of.node.as_deref()).collect();
        let has_nodes = nodes.len() > 1;
        (ranks.len() > 1).then_some(Ranks { joined, ranks, has_nodes })
    }

    /// The recordings, by their ranks.
    pub fn all(&self) -> Vec<(usize, &Rank)> {
        let mut all: Vec<(usize, &Rank)> = self.ranks.iter().enumerate().collect();
        all.sort_by_key(|(_, of)| (of.number.is_none(), of.number));
        all
    }

    /// The index of the recording that has a process of the profile.
    pub fn recording(&self, pid: u32) -> Option<usize> {
        self.joined.origin(pid).map(|(recording, _)| recording)
    }

    /// The rank that has a process of the profile.
    pub fn of(&self, pid: u32) -> Option<&Rank> {
        self.recording(pid).and_then(|recording| self.ranks.get(recording))
    }

    /// The id that a process or thread had on its machine.
    pub fn own_id(&self, id: u32) -> u32 {
        self.joined.origin(id).map_or(id, |(_, own)| own)
    }

    /// The rank of a recording, with its node if there are several.
    pub fn name(&self, recording: usize) -> String {
        let Rank { node, name, .. } = &self.ranks[recording];
        match node.as_ref().filter(|_| self.has_nodes) {
            Some(node) => format!("{name} on {node}"),
            None => name.clone(),
        }
    }

    /// The outermost frames of the stacks of a process: its node, if there are several, and its rank.
    pub fn roots(&self, pid: u32) -> Vec<String> {
        let Some(Rank { node, name, .. }) = self.of(pid) else { return Vec::new() };
        let node = node.as_ref().filter(|_| self.has_nodes).cloned();
        node.into_iter().chain([name.clone()]).collect()
    }

    /// Sentences about recordings that are missing, or are not of one run.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let facts = || self.joined.recordings.iter().filter_map(|of| of.facts.rank);
        let sizes: BTreeSet<u32> = facts().map(|(_, size)| size).filter(|size| *size > 0).collect();
        let mut times: BTreeMap<u32, usize> = BTreeMap::new();
        facts().for_each(|(rank, _)| *times.entry(rank).or_default() += 1);
        if sizes.len() > 1 {
            let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
            remarks.push(format!(
                "the recordings are of runs with {} ranks, whose samples are added up",
                sizes.join(" and ")
            ));
        } else if let Some(size) = sizes.first() {
            let missing = (0..*size).filter(|rank| !times.contains_key(rank));
            let missing: Vec<String> = missing.map(|rank| rank.to_string()).collect();
            if !missing.is_empty() {
                let ranks = if missing.len() == 1 { "rank" } else { "ranks" };
                remarks.push(format!("no recording of {ranks} {}", listed(&missing, MOST)));
            }
        }
        let again: Vec<String> = times
            .iter()
            .filter(|(_, times)| **times > 1)
            .map(|(rank, _)| rank.to_string())
            .collect();
        if !again.is_empty() {
            let ranks = if again.len() == 1 { "rank" } else { "ranks" };
            remarks.push(format!(
                "several recordings are of {ranks} {}, whose samples are added up",
                listed(&again, MOST)
            ));
        }
        remarks.extend(self.joined.profiles.iter().filter_map(|of| self.without(&of.event)));
        remarks
    }

    /// A sentence about the recordings that lack an event.
    fn without(&self, event: &str) -> Option<String> {
        let recordings = self.joined.recordings.iter().enumerate();
        let lack = recordings.filter(|(_, of)| !of.events.iter().any(|name| name == event));
        let lack: Vec<String> = lack.map(|(recording, _)| self.name(recording)).collect();
        let event = printable(event);
        (!lack.is_empty()).then(|| format!("{event} was not recorded by {}", listed(&lack, MOST)))
    }
}

/// The most ranks that a sentence names.
const MOST: usize = 8;
