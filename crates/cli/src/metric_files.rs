//! The files of metrics in a directory: those for one processor, or those of every processor.

use crate::show;
use crate::vendor::{map_in, not_too_many, plain};
use counterpoint::Machine;
use counterpoint::pmu::vendor::{MapEntry, all_metric_files, folder, metric_files};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file of metrics.
#[derive(Clone)]
pub struct MetricFile {
    pub path: PathBuf,
    /// The kind of core that the file is about, where it does not say so itself.
    pub unit: Option<&'static str>,
}

/// The metrics of one processor in a directory of many.
pub struct Processor {
    /// The directory of its files.
    pub name: String,
    /// The pattern over the names of processors, in a map of them.
    pub pattern: Option<String>,
    /// The map's directory, where the vendor's events are too.
    pub root: PathBuf,
    pub files: Vec<MetricFile>,
}

/// The files of a path: itself, or those in the directory that are for the processor of a machine.
pub fn of_machine(path: &Path, machine: &Machine) -> io::Result<Vec<MetricFile>> {
    if !path.is_dir() {
        return Ok(vec![MetricFile { path: path.to_path_buf(), unit: None }]);
    }
    let cpu = machine.cpu();
    let own = map_in(path)?;
    let mapped = match (own, &cpu) {
        (None, Some(cpu)) => map_in(&path.join(folder(cpu)))?,
        (own, _) => own,
    };
    if let (Some((root, map)), Some(cpu)) = (mapped, &cpu) {
        let mut files = in_folder(&root)?;
        for entry in metric_files(&map, cpu) {
            files.extend(of_entry(&root, &entry)?);
        }
        return Ok(files);
    }
    if let Some(group) = machine.likwid_folder().map(|name| path.join(name))
        && group.is_dir()
    {
        return in_folder(&group);
    }
    of_processor(path)
}

/// Every processor of a directory: those of its maps, or the directories of likwid's groups; `None` if it is that of one.
pub fn processors(path: &Path) -> io::Result<Option<Vec<Processor>>> {
    let mut maps: Vec<(PathBuf, String)> = map_in(path)?.into_iter().collect();
    for folder in folders(path)? {
        maps.extend(map_in(&folder)?);
    }
    let mut found: Vec<Processor> = Vec::new();
    for (root, map) in &maps {
        for entry in all_metric_files(map) {
            let files = of_entry(root, &entry)?;
            if files.is_empty() {
                continue;
            }
            let parent = Path::new(entry.path);
            let parent = if entry.path.ends_with(".json") {
                parent.parent().and_then(Path::parent)
            } else {
                Some(parent)
            };
            let name = parent.unwrap_or(Path::new("")).display().to_string();
            match found.iter_mut().find(|known| known.name == name && known.root == *root) {
                Some(known) => known.files.extend(files),
                None => found.push(Processor {
                    name,
                    pattern: Some(entry.pattern.to_string()),
                    root: root.clone(),
                    files,
                }),
            }
        }
    }
    if !found.is_empty() {
        return Ok(Some(found));
    }
    if !in_folder(path)?.is_empty() || path.join("metrics").is_dir() {
        return Ok(None);
    }
    for folder in folders(path)? {
        let files = in_folder(&folder)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !files.is_empty() {
            found.push(Processor { name, pattern: None, root: path.to_path_buf(), files });
        }
    }
    Ok((!found.is_empty()).then_some(found))
}

fn of_entry(root: &Path, entry: &MapEntry<'_>) -> io::Result<Vec<MetricFile>> {
    let path = root.join(entry.path);
    let files =
        if path.is_dir() { in_folder(&path)? } else { vec![MetricFile { path, unit: None }] };
    Ok(files.into_iter().map(|file| MetricFile { unit: entry.unit, ..file }).collect())
}

/// The files of a directory that is of one processor: its own, or those of its directory `metrics`.
fn of_processor(path: &Path) -> io::Result<Vec<MetricFile>> {
    let files = in_folder(path)?;
    let metrics = path.join("metrics");
    if files.is_empty() && metrics.is_dir() { in_folder(&metrics) } else { Ok(files) }
}

/// The files of a directory that have metrics, by name; files of events and other files are passed over.
fn in_folder(path: &Path) -> io::Result<Vec<MetricFile>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let marks: &[&str] = match extension {
            Some("json") => &["\"MetricExpr\"", "\"Formula\""],
            Some("txt") => &["EVENTSET"],
            Some("metrics") => &["metric "],
            _ => continue,
        };
        let text = match plain(&path).and_then(|()| fs::read(&path)) {
            Ok(text) => text,
            Err(error) => {
                let path = path.display();
                let _ = writeln!(show::stderr(), "counterpoint: {path} is left out: {error}");
                continue;
            }
        };
        let has = |mark: &&str| text.windows(mark.len()).any(|part| part == mark.as_bytes());
        if marks.iter().any(has) {
            files.push(MetricFile { path, unit: None });
            not_too_many(files.len())?;
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn folders(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if path.is_dir() {
            folders.push(path);
            not_too_many(folders.len())?;
        }
    }
    folders.sort();
    Ok(folders)
}
