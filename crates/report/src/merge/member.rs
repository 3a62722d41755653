//! The members that values of merged reports are of: processes, nodes, or sockets of them.

use crate::Process;
use crate::Source;
use crate::words::printable;
use std::collections::HashMap;

/// A member that values are of: a process, a node, or a socket of it.
#[derive(Debug)]
pub struct Member {
    /// The process; of a node or socket, only its host.
    pub process: Process,
    /// The socket.
    pub socket: Option<u32>,
    /// The number of the thread in its process, from 0.
    pub thread: Option<u32>,
    /// The file of a process that has no rank.
    pub file: Option<String>,
    /// The name in a table.
    pub name: String,
}

impl Member {
    /// The processes: by their rank, or the file that has none, with the process if the file has several.
    pub fn of_sources(sources: &[Source]) -> Vec<Member> {
        let mut unranked: HashMap<&str, usize> = HashMap::new();
        for source in sources.iter().filter(|source| source.process.rank.is_none()) {
            *unranked.entry(&source.file).or_default() += 1;
        }
        let mut hosts = sources.iter().filter_map(|source| source.process.host.as_deref());
        let first = hosts.next();
        let has_several = hosts.any(|host| Some(host) != first);
        let of = |source: &Source| {
            let Source { process, file, .. } = source;
            let host = process.host.as_deref().filter(|_| has_several);
            let name = match (process.rank, process.pid) {
                (Some(rank), _) => host.map_or(rank.to_string(), |host| format!("{rank} ({host})")),
                (None, Some(pid)) if unranked[file.as_str()] > 1 => {
                    format!("{file} (process {pid})")
                }
                (None, _) => file.clone(),
            };
            Member {
                process: process.clone(),
                socket: None,
                thread: None,
                file: process.rank.is_none().then(|| file.clone()),
                name: printable(&name).into_owned(),
            }
        };
        sources.iter().map(of).collect()
    }

    /// A node, or a socket of it.
    pub fn of_node(host: Option<&str>, socket: Option<u32>) -> Member {
        let host_name = printable(host.unwrap_or("unknown host"));
        let name =
            socket.map_or(host_name.to_string(), |socket| format!("{host_name} socket {socket}"));
        let process = Process { host: host.map(str::to_string), ..Process::default() };
        Member { process, socket, thread: None, file: None, name }
    }

    /// A thread of this process.
    pub fn thread(&self, number: u32) -> Member {
        Member {
            process: self.process.clone(),
            socket: None,
            thread: Some(number),
            file: self.file.clone(),
            name: format!("{} thread {number}", self.name),
        }
    }

    /// The name in a sentence.
    pub fn title(&self) -> String {
        match self.process.rank {
            Some(rank) => format!("{}rank {rank}", self.of_thread()),
            None => self.name.clone(),
        }
    }

    /// The words before the name of the process of a thread.
    fn of_thread(&self) -> String {
        self.thread.map_or(String::new(), |thread| format!("thread {thread} of "))
    }

    /// The name in a sentence, with the host.
    pub fn title_on_host(&self) -> String {
        match (self.process.rank, self.process.host.as_deref()) {
            (Some(rank), Some(host)) => {
                format!("{}rank {rank} on {}", self.of_thread(), printable(host))
            }
            _ => self.title(),
        }
    }
}
