//! The samples of a recording, one after the other.

use super::decoder::Decoder;
use super::error::ReadError;
use super::file::{Event, Facts, Reader};
use super::joined::{Manner, identify, is_aux, name};
use super::kernel::Kernels;
use super::located::LocatedSample;
use super::reading::Reading;
use super::remark::Remark;
use super::seekable::seekable;
use super::tasks::Tasks;
use counterpoint::perf::Host;
use counterpoint::perf::records::Record;
use counterpoint::profile::{CallGraph, Module, Profile, Symbols};
use counterpoint::symbols::{Binaries, CodeFiles};
use std::fmt;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

/// The samples of a recording, which are read one after the other: what is kept in memory is what the file says of processes.
///
/// ```no_run
/// use counterpoint_recording::Samples;
/// use std::ops::ControlFlow;
///
/// let samples = Samples::open("perf.data")?;
/// samples.each(|of| {
///     println!("{:?} {:?} {:?}", of.sample.time, of.comm, of.sample.ip);
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<(), counterpoint_recording::ReadError>(())
/// ```
pub struct Samples {
    reader: Reader<File>,
    reading: Reading,
    events: Vec<String>,
    modules: Vec<Vec<Module>>,
    is_other_kernel: bool,
}

impl Samples {
    /// Reads what a file says of its events and processes.
    ///
    /// # Errors
    /// Returns an error if nothing could be read; what is damaged costs its records.
    pub fn open(path: impl AsRef<Path>) -> Result<Samples, ReadError> {
        Samples::read(File::open(path)?)
    }

    /// Reads the same of an open file, or of a pipe, which is kept in a file without a name.
    ///
    /// # Errors
    /// As [`Samples::open`].
    pub fn read(file: File) -> Result<Samples, ReadError> {
        if file.metadata()?.is_dir() {
            return Err(ReadError::Directory);
        }
        let mut reader = Reader::open(seekable(file)?).map_err(ReadError::File)?;
        let host = Host::local();
        let events: Vec<String> = reader.events().iter().enumerate().map(name).collect();
        let decoder = Decoder::new(reader.events())?;
        let with = |profile: Profile, graph: Option<CallGraph>| match graph {
            Some(graph) => profile.call_graph(graph),
            None => profile,
        };
        let is_native = reader.facts().is_native();
        let replay = |(event, name): (&Event, &String)| {
            let manner = Manner::of(event, is_native);
            manner.replay(&host, name, decoder.has_times(), &with)
        };
        let replays = reader.events().iter().zip(&events).map(replay).collect();
        let mut reading = Reading::new(decoder, replays, Tasks::default());
        reading.processes(&mut reader)?;
        let mut kernels = Kernels::default();
        let of_kernel = reading.kernel(&mut kernels, &host, reader.facts());
        let mut modules: Vec<_> = reading.replays.iter_mut().map(|of| of.modules()).collect();
        let code = CodeFiles::of_system();
        for module in modules.iter_mut().flatten() {
            identify(module, &code, reader.facts(), kernels.is_other(0));
        }
        Ok(Samples { reader, reading, events, modules, is_other_kernel: of_kernel.is_some() })
    }

    /// What is missing of the file, as far as it was read for its processes.
    pub fn remarks(&self) -> Vec<Remark> {
        let of_kernel = self.is_other_kernel.then_some(Remark::OtherKernel);
        self.reading.remarks().into_iter().chain(of_kernel).collect()
    }

    /// What the file says about the machine and the recording.
    pub fn facts(&self) -> &Facts {
        self.reader.facts()
    }

    /// How the events were opened, in the order of [`Samples::events`].
    pub fn attributes(&self) -> &[Event] {
        self.reader.events()
    }

    /// Calls `each` for every record that is no sample, in the order of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn records(&mut self, each: impl FnMut(&Record<'_>)) -> Result<(), ReadError> {
        Ok(self.reading.each_record(&mut self.reader, each)?)
    }

    /// Calls `each` for every sample, as [`Samples::each`] does, which can be called after it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn first_pass(&mut self, mut each: impl FnMut(LocatedSample<'_>)) -> Result<(), ReadError> {
        Ok(self.reading.first_pass(&mut self.reader, &mut each)?)
    }

    /// The names of the events.
    pub fn events(&self) -> &[String] {
        &self.events
    }

    /// The modules of an event's samples.
    pub fn modules(&self, event: usize) -> &[Module] {
        &self.modules[event]
    }

    /// The names of the code of each event's modules.
    pub fn symbols<'b>(&mut self, binaries: &'b Binaries) -> Vec<Symbols<'b>> {
        let replays = self.reading.replays.iter_mut().zip(&self.modules);
        replays.map(|(replay, modules)| replay.symbols(binaries, modules.clone())).collect()
    }

    /// Calls `each` for every sample in the order of the file, until it says that the rest is not wanted.
    ///
    /// Those of one CPU are in the order of their times.
    /// Returns what is missing of the file, as far as it was read.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or has the data of a processor's tracer in the place of samples.
    pub fn each(
        self,
        each: impl FnMut(LocatedSample<'_>) -> ControlFlow<()>,
    ) -> Result<Vec<Remark>, ReadError> {
        self.each_of(false, each)
    }

    /// The same, but a sample with the counts of its group (`:S` of perf) is one sample with the [growth](LocatedSample::growth) of all counts, and not one of each event.
    ///
    /// # Errors
    /// As [`Samples::each`].
    #[doc(alias = "PERF_SAMPLE_READ")]
    pub fn each_counted(
        self,
        each: impl FnMut(LocatedSample<'_>) -> ControlFlow<()>,
    ) -> Result<Vec<Remark>, ReadError> {
        self.each_of(true, each)
    }

    fn each_of(
        mut self,
        has_growth: bool,
        each: impl FnMut(LocatedSample<'_>) -> ControlFlow<()>,
    ) -> Result<Vec<Remark>, ReadError> {
        self.reading.each_sample(&mut self.reader, has_growth, each)?;
        let aux = self.reader.problems().iter().find(is_aux);
        match aux.filter(|_| self.reading.all == 0) {
            Some(aux) => Err(ReadError::AuxAlone(aux.to_string())),
            None => {
                let remarks = self.remarks();
                let problems = self.reader.into_problems().into_iter().map(Remark::File);
                Ok(problems.chain(remarks).collect())
            }
        }
    }
}

impl fmt::Debug for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples").field("events", &self.events).finish_non_exhaustive()
    }
}
