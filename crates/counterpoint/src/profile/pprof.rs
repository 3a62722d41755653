//! Profiles in pprof's format, and those of a program that runs on, such as a service.

use super::code_files::code_files;
use super::module::Module;
use super::request::Profile;
use super::running::{Profiled, Profiling};
use super::symbols::Symbols;
use crate::error::Error;
use crate::event_set::EventSet;
use counterpoint_perf::Every;
use counterpoint_profil::write::{self, PprofContext, PprofMapping};
use counterpoint_symbols::{Binaries, CodeFiles, DebugFiles, hex};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Samples that are taken of a program that runs on, to be returned in pprof's format.
///
/// ```
/// use counterpoint::profile::{CallGraph, Pprof, Profile};
/// use counterpoint::{EventSet, Target, perf::Every};
/// use std::time::Duration;
///
/// let set = EventSet::new(Target::Processes(vec![std::process::id()]));
/// let profile = Profile::every(Every::Frequency(99)).call_graph(CallGraph::FramePointers);
/// let pprof = Pprof::begin(set, "cycles:u|task-clock:u", profile)?;
/// std::thread::sleep(Duration::from_millis(200));
/// let bytes: Vec<u8> = pprof.finish()?;
/// # assert_eq!(bytes[..2], [0x1f, 0x8b]);
/// # Ok::<(), counterpoint::Error>(())
/// ```
///
/// The bytes are what `go tool pprof`, Pyroscope and Parca read; a service answers `/debug/pprof/profile` with them.
#[derive(Debug)]
pub struct Pprof {
    profiling: Profiling,
    /// When it began, for people and for its length.
    time: SystemTime,
    begun: Instant,
}

impl Pprof {
    /// Begins to sample an event for the target of a set, which may have definitions; of several events with `|` between them, the first that can be counted.
    ///
    /// # Errors
    /// Returns an error if none of the events can be counted here, and if the one that can be cannot be sampled.
    pub fn begin(set: EventSet, event: &str, profile: Profile) -> Result<Pprof, Error> {
        let choice = set.choose(event)?;
        let mut set = set.chosen(&choice);
        set.profile(&choice.event, profile)?;
        let (time, begun) = (SystemTime::now(), Instant::now());
        let mut profiling = set.open_profiles()?;
        profiling.start()?;
        Ok(Pprof { profiling, time, begun })
    }

    /// Stops sampling, looks up the names of the functions, and returns the file: `profile.proto`, compressed by gzip.
    ///
    /// # Errors
    /// Returns an error if the kernel cannot read the samples.
    pub fn finish(self) -> Result<Vec<u8>, Error> {
        let duration = self.begun.elapsed();
        let profiles = self.profiling.stop()?;
        // One event was asked for.
        let Some(profiled) = profiles.first() else { return Ok(Vec::new()) };
        let binaries = Binaries::new(code_files(), DebugFiles::default());
        let symbols = Symbols::new(&binaries, profiled);
        Ok(profiled.to_pprof(&symbols, Some(self.time), duration))
    }
}

impl Profiled {
    /// The profile in pprof's format, `profile.proto`, compressed by gzip: with call stacks, if it has some. `began` and `duration` are when it was taken and for how long; zero if that is not known.
    pub fn to_pprof(
        &self,
        symbols: &Symbols<'_>,
        began: Option<SystemTime>,
        duration: Duration,
    ) -> Vec<u8> {
        let began = began.and_then(|began| began.duration_since(UNIX_EPOCH).ok());
        let (name, frames) = (|address| symbols.symbol(address), |address| symbols.frames(address));
        let (profile, files) = (self.named(&name), code_files());
        let context = PprofContext {
            mappings: self.modules.iter().map(|module| mapping(module, &files)).collect(),
            time: began.map_or(0, nanoseconds),
            duration: nanoseconds(duration),
            clock_period: self.clock_period(),
        };
        let file = match &self.stacks {
            Some(of) if of.has_callers() => {
                write::pprof_of_stacks(&profile, &of.stacks, &frames, &context)
            }
            _ => write::pprof(&profile, &context),
        };
        packed(&file)
    }

    /// The period in nanoseconds of a clock that was sampled by its frequency; 0 of other events.
    fn clock_period(&self) -> u64 {
        match self.every {
            Every::Frequency(hertz) if !self.by_events && hertz > 0 => 1_000_000_000 / hertz,
            _ => 0,
        }
    }
}

fn mapping(module: &Module, files: &CodeFiles) -> PprofMapping {
    PprofMapping {
        addresses: module.range.clone(),
        offset: module.offset,
        file: module.path.to_string_lossy().into_owned(),
        build_id: module.build_id_of(files).map_or(String::new(), |id| hex(&id)),
    }
}

fn nanoseconds(of: Duration) -> u64 {
    u64::try_from(of.as_nanos()).unwrap_or(u64::MAX)
}

/// Compressed, as pprof's own files are.
fn packed(file: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    // Memory takes everything.
    let written = packed.write_all(file).and_then(|()| packed.finish());
    written.unwrap_or_default()
}
