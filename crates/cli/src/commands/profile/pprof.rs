//! What pprof is told besides samples, so that it finds the instructions of the files.

use super::build_ids;
use super::code_files::{self, CodeFile};
use super::debug_files::hex;
use super::origin::Origin;
use counterpoint::perf::Every;
use counterpoint::profil::write::{PprofContext, PprofMapping};
use counterpoint::profile::{Module, Profiled};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::time::UNIX_EPOCH;

/// The files, the time, and the period of a clock.
pub fn context(profiled: &Profiled, origin: &Origin) -> PprofContext {
    let began = origin.began.and_then(|began| began.duration_since(UNIX_EPOCH).ok());
    let nanoseconds = |of: std::time::Duration| u64::try_from(of.as_nanos()).unwrap_or(u64::MAX);
    // A clock that is sampled by its frequency has a fixed period.
    let clock_period = match profiled.every {
        Every::Frequency(hertz) if !profiled.by_events && hertz > 0 => 1_000_000_000 / hertz,
        _ => 0,
    };
    PprofContext {
        mappings: profiled.modules.iter().map(mapping).collect(),
        time: began.map_or(0, nanoseconds),
        duration: nanoseconds(origin.duration),
        clock_period,
    }
}

fn mapping(module: &Module) -> PprofMapping {
    let read = || match code_files::of(module)? {
        CodeFile::Path(path) => build_ids::of_file(&path),
        CodeFile::Vdso => build_ids::of_vdso(),
    };
    let id = module.build_id().map(|id| id.as_bytes().to_vec()).or_else(read);
    PprofMapping {
        addresses: module.range.clone(),
        offset: module.offset,
        file: module.path.to_string_lossy().into_owned(),
        build_id: id.map_or(String::new(), |id| hex(&id)),
    }
}

/// Writes a profile compressed, as pprof's own files are.
pub fn write(out: &mut dyn Write, profile: &[u8]) -> io::Result<()> {
    let mut packed = GzEncoder::new(out, Compression::default());
    packed.write_all(profile)?;
    packed.finish().map(drop)
}
