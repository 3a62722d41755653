//! Event sets that are open.

use crate::definitions::{self, DefinitionFile};
use crate::errors::{Problem, raise};
use counterpoint::formula::Number;
use counterpoint::perf::{CpuSet, Host};
use counterpoint::pmu::Privilege;
use counterpoint::{Machine, Multiplexing, Note, Row, RowPlacement, Split, State, Target, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The counters of an event set. Each call holds the interpreter's lock, so that no thread ever waits for another's, also
/// not in the child of a fork.
#[pyclass(frozen, module = "counterpoint._native")]
pub(crate) struct Counters {
    /// `None` after they were closed.
    counters: Mutex<Option<counterpoint::Counters>>,
    cgroups: Vec<PathBuf>,
    /// The threads of the process that were there before, and are not counted.
    others: usize,
}

#[pymethods]
impl Counters {
    #[new]
    #[pyo3(signature = (events, metrics, definitions, target, *, inherit, user_only, estimates))]
    #[expect(clippy::too_many_arguments, reason = "they are those of the class in Python")]
    fn open(
        py: Python<'_>,
        events: &str,
        metrics: Vec<String>,
        definitions: Vec<DefinitionFile>,
        target: &Bound<'_, PyDict>,
        inherit: bool,
        user_only: bool,
        estimates: bool,
    ) -> PyResult<Counters> {
        let target = target_of(py, target)?;
        let cgroups = match &target {
            Target::Cgroups(paths) => paths.clone(),
            _ => Vec::new(),
        };
        let others = if target == Target::ThisThread { other_threads() } else { 0 };
        let mut set = definitions::set(Machine::new(Host::local()), target, definitions);
        if !events.trim().is_empty() {
            set = set.event(events);
        }
        if user_only {
            set = set.domain(Privilege::USER);
        }
        if !estimates {
            set = set.multiplexing(Multiplexing::Refuse);
        }
        let set = metrics.into_iter().fold(set, counterpoint::EventSet::metric);
        let counters = set.inherit(inherit).delayed(true).open();
        let counters = counters.map_err(|error| raise(py, &error, events))?;
        Ok(Counters { counters: Mutex::new(Some(counters)), cgroups, others })
    }

    fn start(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, counterpoint::Counters::start)
    }

    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, counterpoint::Counters::stop)
    }

    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, counterpoint::Counters::reset)
    }

    fn close(&self) {
        self.lock().take();
    }

    /// "running", "stopped" or "closed".
    #[getter]
    fn state(&self) -> &'static str {
        match self.lock().as_ref().map(counterpoint::Counters::state) {
            Some(State::Running) => "running",
            Some(State::Stopped) => "stopped",
            None => "closed",
        }
    }

    /// The rows of a report, and its table.
    fn read<'py>(
        &self,
        py: Python<'py>,
        split: &str,
    ) -> PyResult<(Vec<Bound<'py, PyDict>>, String, Option<String>)> {
        let split = split_of(split)?;
        let report = self.with(py, |counters| {
            let snapshot = counters.snapshot()?;
            Ok(counters.report(&snapshot, &split))
        })?;
        let rows = report.rows.iter().map(|row| self.row(py, row)).collect::<PyResult<_>>()?;
        let note = (self.others > 0).then(|| {
            format!(
                "other threads of this process, of which there were {}, are not counted; pid=os.getpid() counts all",
                self.others
            )
        });
        Ok((rows, report.to_string(), note))
    }
}

impl Counters {
    fn lock(&self) -> MutexGuard<'_, Option<counterpoint::Counters>> {
        self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut counterpoint::Counters) -> Result<T, counterpoint::Error>,
    ) -> PyResult<T> {
        match self.lock().as_mut() {
            Some(counters) => work(counters).map_err(|error| raise(py, &error, "")),
            None => {
                let problem = Problem::new("the event set is closed");
                Err(problem.help("make a new one").raise(py, "CountingError"))
            }
        }
    }

    fn row<'py>(&self, py: Python<'py>, row: &Row) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("event", &row.event)?;
        dict.set_item("canonical", row.id.to_string())?;
        match row.value {
            Value::Counted(Number::Int(whole)) => dict.set_item("value", whole)?,
            ref other => dict.set_item("value", other.as_f64())?,
        }
        dict.set_item("status", row.value.status().name())?;
        dict.set_item("unit", &row.unit)?;
        let reason = row.value.reason();
        dict.set_item("reason", reason.map(ToString::to_string))?;
        dict.set_item(
            "help",
            reason.and_then(|reason| reason.help()).map(|help| help.to_string()),
        )?;
        dict.set_item("note", Note::sentence(&row.notes))?;
        let coverage = match row.value {
            Value::Counted(_) => Some(1.0),
            Value::Estimated { coverage, .. } => Some(coverage),
            _ => None,
        };
        dict.set_item("coverage", coverage)?;
        dict.set_item("raw", row.raw)?;
        dict.set_item("least", row.extremes.map(|extremes| extremes.least))?;
        dict.set_item("greatest", row.extremes.map(|extremes| extremes.greatest))?;
        let counted = |time: std::time::Duration| row.raw.map(|_| time.as_nanos());
        dict.set_item("enabled_ns", counted(row.enabled))?;
        dict.set_item("running_ns", counted(row.running))?;
        dict.set_item("placement", self.placement(row.placement))?;
        Ok(dict)
    }

    /// The placement in words; `None` for the whole target.
    fn placement(&self, placement: RowPlacement) -> Option<String> {
        match placement {
            RowPlacement::All => None,
            RowPlacement::Cgroup(index) => {
                self.cgroups.get(index as usize).map(|path| path.display().to_string())
            }
            other => Some(other.to_string()),
        }
    }
}

/// The target that one of the keywords of an event set names: the calling thread if none does.
fn target_of(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<Target> {
    let mut given = given.iter();
    let Some((kind, value)) = given.next() else { return Ok(Target::ThisThread) };
    let kind: String = kind.extract()?;
    if let Some((other, _)) = given.next() {
        let message = format!("{kind} and {other} are two targets; give one");
        return Err(PyValueError::new_err(message));
    }
    Ok(match kind.as_str() {
        "tid" => Target::Threads(ids(&value, &kind)?),
        "pid" => Target::Processes(ids(&value, &kind)?),
        "uid" => Target::User(value.extract()?),
        "cgroups" => match value.extract::<PathBuf>() {
            Ok(one) if !one.as_os_str().is_empty() => Target::Cgroups(vec![one]),
            Ok(_) => {
                return Err(PyValueError::new_err("cgroups is empty; `/` is the whole machine"));
            }
            Err(_) => {
                let paths = value.extract::<Vec<PathBuf>>().ok().filter(|paths| !paths.is_empty());
                Target::Cgroups(paths.ok_or_else(|| {
                    let text = format!("cgroups is not a path, or a list of paths: {value}");
                    PyTypeError::new_err(text)
                })?)
            }
        },
        _ => match value.extract::<String>() {
            Ok(all) if all == "all" => Target::AllCpus,
            Ok(none) if none.trim().is_empty() => {
                return Err(PyValueError::new_err(
                    "cpus is empty; give a list such as \"0-3,8\", or \"all\"",
                ));
            }
            Ok(list) => Target::Cpus(list.parse().map_err(|error| {
                let problem = Problem::new(format!("cpus={list:?}: {error}"));
                problem.help("give a list such as \"0-3,8\", or \"all\"").raise(py, "CountingError")
            })?),
            Err(_) => Target::Cpus(CpuSet::from_iter(ids(&value, &kind)?)),
        },
    })
}

/// The number of threads of this process beside the calling one.
fn other_threads() -> usize {
    Host::local().names("/proc/self/task").len().saturating_sub(1)
}

/// One id, or several: no truth value, and not none at all, which would count something else.
fn ids(value: &Bound<'_, PyAny>, kind: &str) -> PyResult<Vec<u32>> {
    let ids = value.extract::<u32>().map(|id| vec![id]).or_else(|_| value.extract::<Vec<u32>>());
    let is_list = |ids: &Vec<u32>| !ids.is_empty() && !value.is_instance_of::<PyBool>();
    ids.ok().filter(is_list).ok_or_else(|| {
        PyValueError::new_err(format!("{kind} is not an id, or a list of ids: {value}"))
    })
}

fn split_of(name: &str) -> PyResult<Split> {
    const SPLITS: [(&str, Split); 9] = [
        ("total", Split::Total),
        ("cpu", Split::Cpu),
        ("core", Split::Core),
        ("cache", Split::Cache(None)),
        ("die", Split::Die),
        ("socket", Split::Socket),
        ("node", Split::Node),
        ("thread", Split::Thread),
        ("cgroup", Split::Cgroup),
    ];
    let split = SPLITS.into_iter().find(|(known, _)| *known == name);
    split.map(|(_, split)| split).ok_or_else(|| {
        let names = SPLITS.map(|(name, _)| name).join(", ");
        PyValueError::new_err(format!("`{name}` is not a split; these are: {names}"))
    })
}
