//! The files of events of a processor's vendor: a checkout of Intel's perfmon, or of Linux, which has them in
//! `tools/perf/pmu-events/arch`.

use counterpoint_pmu::CpuId;
use counterpoint_pmu::vendor::{Events, files};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of events, and its path below the folder of its map.
pub struct EventFile {
    pub path: String,
    pub events: Events,
}

/// A folder with a map of processors, and the map.
pub struct Root {
    pub folder: PathBuf,
    pub map: String,
}

/// The folder that has the files: of a checkout of Linux the one in it, and otherwise the directory itself.
pub fn of_checkout(directory: &Path) -> PathBuf {
    let in_linux = directory.join("tools/perf/pmu-events/arch");
    if in_linux.is_dir() { in_linux } else { directory.to_path_buf() }
}

/// The folders with a map: this one, or those of the architectures in it.
pub fn roots(directory: &Path) -> Result<Vec<Root>, String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let inner = entries.map(|entry| entry.path());
    let all = std::iter::once(directory.to_path_buf()).chain(inner);
    let mut folders: Vec<_> = all.filter(|root| root.join("mapfile.csv").is_file()).collect();
    folders.sort();
    if folders.is_empty() {
        let directory = directory.display();
        return Err(format!(
            "{directory}: no mapfile.csv here or one folder below: name a checkout of Linux or of Intel's perfmon"
        ));
    }
    let root = |folder: PathBuf| Ok(Root { map: text(&folder.join("mapfile.csv"))?, folder });
    folders.into_iter().map(root).collect()
}

impl Root {
    /// The files of a processor.
    pub fn events_of(&self, cpu: &CpuId) -> Result<Vec<EventFile>, String> {
        let Root { folder, map } = self;
        let mut found = Vec::new();
        for entry in files(map, cpu).0 {
            let path = folder.join(entry.path);
            let files = if path.is_dir() { json_files(&path) } else { vec![path] };
            for path in
                files.iter().filter(|path| path.file_name() != Some("metricgroups.json".as_ref()))
            {
                let mut events = Events::default();
                for standard in json_files(folder) {
                    events.add_standard(&text(&standard)?);
                }
                for error in events.add(&text(path)?, entry.unit) {
                    println!("{}: {error}", path.display());
                }
                let path = path.strip_prefix(folder).unwrap_or(path).display().to_string();
                found.push(EventFile { path, events });
            }
        }
        Ok(found)
    }

    /// The objects of Linux's files that are metrics of a processor, with the facts that they take from the
    /// architecture's own metrics; of a name, its last object counts.
    pub fn metrics_of(&self, cpu: &CpuId) -> Result<Vec<Value>, String> {
        let standard: Vec<Value> = json_files(&self.folder)
            .iter()
            .map(|path| objects(path))
            .collect::<Result<Vec<_>, _>>()?
            .concat();
        let mut found = Vec::new();
        for entry in files(&self.map, cpu).0 {
            for path in json_files(&self.folder.join(entry.path)) {
                for object in objects(&path)? {
                    let inherited = standard.iter().find(|known| {
                        known["MetricName"].is_string()
                            && known["MetricName"] == object["ArchStdEvent"]
                    });
                    let whole = match (inherited, object) {
                        (Some(Value::Object(known)), Value::Object(own)) => {
                            Value::Object(known.clone().into_iter().chain(own).collect())
                        }
                        (_, object) => object,
                    };
                    if whole["MetricName"].is_string() && whole["MetricExpr"].is_string() {
                        found.push(whole);
                    }
                }
            }
        }
        Ok(found)
    }
}

/// The objects of a file that is a list; none if it is something else.
fn objects(path: &Path) -> Result<Vec<Value>, String> {
    let whole: Value = serde_json::from_str(&text(path)?)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(match whole {
        Value::Array(objects) => objects,
        _ => Vec::new(),
    })
}

fn json_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension() == Some("json".as_ref())).collect();
    files.sort();
    files
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
