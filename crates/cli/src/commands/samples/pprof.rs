//! The context that pprof needs besides samples, to find the instructions of the files.

use super::origin::Origin;
use counterpoint::perf::Every;
use counterpoint::profil::write::{PprofContext, PprofMapping};
use counterpoint::profile::{Module, Profiled, code_files};
use counterpoint::symbols::{CodeFiles, hex};
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
    let files = code_files();
    PprofContext {
        mappings: profiled.modules.iter().map(|module| mapping(module, &files)).collect(),
        time: began.map_or(0, nanoseconds),
        duration: nanoseconds(origin.duration),
        clock_period,
    }
}

fn mapping(module: &Module, files: &CodeFiles) -> PprofMapping {
    PprofMapping {
        addresses: module.range.clone(),
        offset: module.offset,
        file: module.path.to_string_lossy().into_owned(),
        build_id: build_id(module, files).map_or(String::new(), |id| hex(&id)),
    }
}

/// The build id that a module had when it was sampled, or else that of its file now.
pub fn build_id(module: &Module, files: &CodeFiles) -> Option<Vec<u8>> {
    let read = || module.code_file(files)?.build_id();
    module.build_id().map(|id| id.as_bytes().to_vec()).or_else(read)
}

/// Writes a profile compressed, as pprof's own files are.
pub fn write(out: &mut dyn Write, profile: &[u8]) -> io::Result<()> {
    let mut packed = GzEncoder::new(out, Compression::default());
    packed.write_all(profile)?;
    packed.finish().map(drop)
}
