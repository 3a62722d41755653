//! Requests for profiles: which target, and for how long.

use crate::Exporter;
use crate::http::{Request, Response};
use crate::target::{is_same, title};
use counterpoint::{EventSet, Machine, Target};
use std::collections::HashMap;
use std::time::Duration;

/// The path at which profilers of services look for profiles.
pub(crate) const PATH: &str = "/debug/pprof/profile";
/// The seconds of a profile that does not say how many, as of Go's services.
const USUAL: u64 = 30;
/// The most seconds of a profile.
const MOST: u64 = 60;
/// The time that finding the names of functions may take after a profile.
const NAMING: Duration = Duration::from_secs(60);

/// The answer to a request for a profile.
pub(crate) enum Answer {
    Now(Response),
    /// When the profile is over, which takes so long at most.
    Later(Duration),
}

impl Exporter {
    /// Begins the profile that a request asks for.
    pub(crate) fn profile(&mut self, request: &Request) -> Answer {
        match self.begun(request) {
            Ok(time) => Answer::Later(time),
            Err((status, text)) => Answer::Now(Response::plain(status, text + "\n")),
        }
    }

    fn begun(&mut self, request: &Request) -> Result<Duration, (&'static str, String)> {
        const BAD: &str = "400 Bad Request";
        if self.profiling.is_none() {
            let text =
                "profiles are off; a table [profiles] in the exporter's file switches them on";
            return Err(("404 Not Found", text.to_string()));
        }
        if request.is_head {
            return Err(("405 Method Not Allowed", "only GET takes a profile".to_string()));
        }
        let Asked { duration, target } = self.asked(&request.query).map_err(|text| (BAD, text))?;
        let host = self.events.first().map(|events| events.set.machine().host().clone());
        let (Some(profiling), Some(host)) = (&mut self.profiling, host) else {
            return Err(("503 Service Unavailable", "nothing is counted".to_string()));
        };
        if profiling.is_taking() {
            let text = "another profile is being taken, and there is one at a time; ask again when it is over";
            return Err(("503 Service Unavailable", text.to_string()));
        }
        let begun = profiling.begin(EventSet::with_machine(Machine::new(host), target), duration);
        begun.map_err(|error| ("503 Service Unavailable", format!("no profile: {error}")))?;
        Ok(duration + NAMING)
    }

    fn asked(&self, query: &str) -> Result<Asked, String> {
        let pairs = form_urlencoded::parse(query.as_bytes());
        let mut keys: HashMap<String, String> = pairs.into_owned().collect();
        let seconds = match keys.remove("seconds").as_deref().map(str::parse) {
            None => USUAL,
            Some(Ok(seconds @ 1..=MOST)) => seconds,
            Some(_) => return Err(format!("`seconds` is not a number from 1 to {MOST}")),
        };
        let pid = keys.remove("pid").map(|pid| match pid.parse() {
            Ok(pid) => Ok(Target::Processes(vec![pid])),
            Err(_) => Err(format!("`pid={pid}` is not the id of a process")),
        });
        let cgroup = keys.remove("cgroup").map(|path| Target::Cgroup(path.into()));
        if let Some(key) = keys.keys().next() {
            return Err(format!("`{key}` is not a parameter; these are: seconds, pid, cgroup"));
        }
        let asked = match (pid.transpose()?, cgroup) {
            (Some(_), Some(_)) => return Err("both `pid` and `cgroup` are given".to_string()),
            (one, other) => one.or(other),
        };
        let duration = Duration::from_secs(seconds);
        Ok(Asked { duration, target: self.profiled(asked)? })
    }

    /// The target of a profile: one that is counted, or, where all CPUs are, a part of them.
    fn profiled(&self, asked: Option<Target>) -> Result<Target, String> {
        let targets = self.profiled_targets();
        let counts_all = targets.contains(&&Target::AllCpus);
        match asked {
            Some(asked) if counts_all || targets.iter().any(|of| is_same(of, &asked)) => Ok(asked),
            Some(asked) => Err(format!(
                "{} is not counted by this exporter; these are: {}",
                title(&asked),
                queries(&targets)
            )),
            None if counts_all => Ok(Target::AllCpus),
            None => match targets.as_slice() {
                [only] => Ok((*only).clone()),
                _ => Err(format!(
                    "several targets are counted; ask for one of: {}",
                    queries(&targets)
                )),
            },
        }
    }

    /// The targets that are counted, each once.
    pub(crate) fn profiled_targets(&self) -> Vec<&Target> {
        let mut targets: Vec<&Target> = Vec::new();
        for watched in &self.watched {
            if !targets.contains(&&watched.target) {
                targets.push(&watched.target);
            }
        }
        targets
    }
}

/// A profile that was asked for.
struct Asked {
    duration: Duration,
    target: Target,
}

fn queries(targets: &[&Target]) -> String {
    targets.iter().map(|target| query(target)).collect::<Vec<_>>().join(" ")
}

/// The parameter by which a target is asked for.
pub(crate) fn query(target: &Target) -> String {
    match target {
        Target::Processes(pids) => {
            pids.first().map_or_else(String::new, |pid| format!("pid={pid}"))
        }
        Target::Cgroup(path) => format!("cgroup={}", path.display()),
        other => title(other),
    }
}
