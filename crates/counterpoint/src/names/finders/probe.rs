//! Probes of functions: `uprobe:FILE:FUNCTION` and `uretprobe:FILE:FUNCTION`.

use crate::error::Error;
use crate::names::candidate::{Candidate, Query};
use crate::names::error::NameError;
use crate::names::ids::EventId;
use crate::names::native::{Native, PmuBox};
use counterpoint_perf::Attr;
use counterpoint_pmu::syntax::{Probe, Source};
use counterpoint_symbols::{NoEntry, entry};
use std::collections::BTreeSet;
use std::env::consts::ARCH;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    let Source::Probe(probe) = &query.spec.source else { return Vec::new() };
    let native = native(query, probe)
        .map(|attr| {
            let boxes = vec![PmuBox::anywhere(attr)];
            let native = Native::new(EventId::default(), query.spec.modifiers, boxes);
            vec![Native { id: EventId::name(&query.spec.text), ..native }]
        })
        .map_err(|error| Error::from(error).at(query.spec.span.clone()));
    vec![Candidate::new(Vec::new(), native)]
}

fn native(query: &Query<'_>, probe: &Probe) -> Result<Attr, NameError> {
    let refused = |why: String, help: Option<String>| {
        let name = query.spec.text.clone();
        NameError::NoProbe { name, why, help }
    };
    let devices = query.machine.boxes("uprobe");
    let attr = devices.first().filter(|_| query.machine.host().is_running()).map(|device| {
        let config = device.attr("retprobe").filter(|_| probe.at_return);
        config.unwrap_or_else(|| Attr::new(device.pmu.kind, 0))
    });
    let attr = attr.ok_or_else(|| {
        refused("this kernel has no probes of programs (CONFIG_UPROBES)".to_string(), None)
    })?;
    let path = path(&probe.file).ok_or_else(|| {
        let here = Path::new(&probe.file).exists().then_some(probe.file.as_str());
        let here = here.unwrap_or("solve");
        let help = format!("write the path of the program or library, such as ./{here}");
        refused(format!("there is no library {}", probe.file), Some(help))
    })?;
    let code = entry(&path, &probe.function).map_err(|error| {
        let help = help(&error, probe);
        refused(format!("{}: {error}", path.display()), help)
    })?;
    let at = code.start.checked_add(probe.offset).filter(|at| code.contains(at));
    let at = at.ok_or_else(|| {
        let bytes = code.end - code.start;
        let help = "write the offset of an instruction of the function";
        refused(format!("the function has {bytes} bytes"), Some(help.to_string()))
    })?;
    let file = CString::new(path.as_os_str().as_bytes())
        .map_err(|_| refused("the name of its file has a zero".to_string(), None))?;
    Ok(Attr { file: Some(file), config2: at, ..attr })
}

/// What to write instead.
fn help(error: &NoEntry, probe: &Probe) -> Option<String> {
    let named = |functions: &mut dyn Iterator<Item = String>| {
        let name = |function| Probe { function, offset: 0, ..probe.clone() }.to_string();
        functions.map(name).collect::<Vec<_>>().join("`, `")
    };
    Some(match error {
        NoEntry::Missing { similar, .. } if !similar.is_empty() => {
            format!("did you mean `{}`?", named(&mut similar.iter().cloned()))
        }
        NoEntry::Missing { stripped: true, .. } => {
            "its symbols were removed: only the functions that it exports have names".to_string()
        }
        NoEntry::Missing { .. } => {
            let file = &probe.file;
            format!("`nm -C {file}` lists its functions; one that was inlined is none")
        }
        NoEntry::Several(functions) => {
            // Static functions of several files may have one symbol.
            let symbols: BTreeSet<&String> = functions.iter().map(|(_, symbol)| symbol).collect();
            let is_by_symbol = symbols.len() == functions.len();
            let place = |(address, symbol): &(u64, String)| {
                if is_by_symbol { symbol.clone() } else { format!("{address:#x}") }
            };
            format!("write one of them: `{}`", named(&mut functions.iter().take(3).map(place)))
        }
        _ => return None,
    })
}

/// The file by its path, or a library by its name, in the directories of the system.
fn path(file: &str) -> Option<PathBuf> {
    if file.contains('/') {
        return std::fs::canonicalize(file).ok();
    }
    let of_processor = format!("{ARCH}-linux-gnu");
    let directories = ["/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"];
    let below = ["/lib", "/usr/lib"].map(|directory| Path::new(directory).join(&of_processor));
    let directories = below.into_iter().chain(directories.map(PathBuf::from));
    directories.map(|directory| directory.join(file)).find_map(|path| path.canonicalize().ok())
}
