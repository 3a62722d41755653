//! Where the result goes, and in which form.

use super::args::{Format, ProfileArgs};
use super::debug_files::DebugFiles;
use super::json;
use super::seen::Seen;
use super::symbols::{Binaries, Symbols};
use crate::failure::Failure;
use crate::output::Sink;
use crate::records::Process;
use crate::show;
use counterpoint::perf::Every;
use counterpoint::profil::write::{self, Profile};
use counterpoint::profile::Profiled;
use counterpoint::{Note, Reporter};
use std::io::{self, Write};
use std::path::PathBuf;

/// How many functions and lines a table shows.
const ROWS: usize = 20;

pub struct Output {
    writer: Sink,
    /// The file, where its name was not asked for.
    chosen: Option<PathBuf>,
}

impl Output {
    /// Opened before the command runs, so that nothing is run in vain.
    pub fn open(args: &ProfileArgs) -> Result<Output, Failure> {
        let has_command = !args.command.is_empty();
        let (writer, chosen) = match args.format {
            Format::Gmon => args.output.bytes("gmon.out", has_command)?,
            Format::Pprof => args.output.bytes("profile.pb", has_command)?,
            // The command has standard output, as with `counterpoint stat`.
            Format::Table => (args.output.text(true)?, None),
            Format::Svg => {
                args.output.refuse_append()?;
                (args.output.text(false)?, None)
            }
            Format::Json | Format::Folded => (args.output.text(false)?, None),
        };
        Ok(Output { writer, chosen })
    }

    pub fn write(
        mut self,
        args: &ProfileArgs,
        profiles: &[Profiled],
        seen: &Seen,
    ) -> io::Result<()> {
        let binaries = Binaries::new(DebugFiles::below(&args.debug_dir));
        let process = Process::from(&Reporter::this_process());
        for profiled in profiles {
            let symbols = Symbols::new(&binaries, &profiled.modules, &seen.maps);
            let names = |address| symbols.of(address);
            let profile = Profile {
                period: match profiled.every {
                    Every::Period(period) => period,
                    Every::Frequency(_) => 0,
                },
                lost: profiled.lost,
                symbols: &names,
                ..Profile::new(&profiled.event, &profiled.snapshot)
            };
            if args.weighted && !profiled.software {
                let event = show::printable(&profiled.event);
                writeln!(
                    show::stderr(),
                    "counterpoint: --weighted has no effect on {event}: the kernel samples it exactly at its period (--software can be late, and weights by how much)"
                )?;
            }
            match args.format {
                Format::Table => self.table(&profile, profiled, &symbols)?,
                Format::Json => {
                    writeln!(self.writer, "{}", json::profile(&profile, profiled, &process))?;
                }
                Format::Folded => self.writer.write_all(write::folded(&profile).as_bytes())?,
                Format::Svg => self.writer.write_all(write::svg(&profile).as_bytes())?,
                Format::Pprof => self.writer.write_all(&write::pprof(&profile))?,
                Format::Gmon => {
                    let first = profiled.modules.first().map(|module| module.path.as_path());
                    let program = seen.program.as_deref().or(first).map(PathBuf::from);
                    let program = program.unwrap_or_default();
                    let linked = |address| symbols.linked(&program, address);
                    self.writer.write_all(&write::gmon(&profile, &linked))?;
                    warn_of_shared(&profile)?;
                }
            }
        }
        if let Some(path) = &self.chosen {
            writeln!(show::stderr(), "counterpoint: written to {}", path.display())?;
        }
        self.writer.flush()
    }

    fn table(
        &mut self,
        profile: &Profile<'_>,
        profiled: &Profiled,
        symbols: &Symbols<'_>,
    ) -> io::Result<()> {
        write!(self.writer, "\n {}", write::table(profile, ROWS))?;
        for path in symbols.stripped() {
            let path = path.to_string_lossy();
            let path = show::printable(&path);
            writeln!(
                self.writer,
                "{path} is stripped and has no debug file: only its exported functions have names"
            )?;
        }
        if profiled.throttled > 0 {
            let times = profiled.throttled;
            writeln!(
                self.writer,
                "the kernel paused sampling {times} times because the event occurred too often"
            )?;
        }
        if !profiled.terms.is_empty() {
            let (event, terms) = (&profiled.event, profiled.terms.join(", "));
            let (event, terms) = (show::printable(event), show::printable(&terms));
            writeln!(
                self.writer,
                "{event} is a derived event: {terms} was sampled instead (--term selects another)"
            )?;
        }
        if profiled.software {
            writeln!(self.writer, "sampled in software: the event was read every 0.1 ms")?;
        }
        if let Some(note) = Note::sentence(&profiled.notes) {
            writeln!(self.writer, "{note}")?;
        }
        Ok(())
    }
}

/// A file for gprof has addresses and no names: gprof finds the functions, and does not say which are uncertain.
fn warn_of_shared(profile: &Profile<'_>) -> io::Result<()> {
    let functions = write::functions(profile);
    let shared: u64 = functions.iter().filter(|f| f.shared.is_some()).map(|f| f.count).sum();
    if shared > 0 {
        let total: u64 = functions.iter().map(|f| f.count).sum();
        writeln!(
            show::stderr(),
            "counterpoint: buckets that several functions share have {shared} of {total} {}; gprof divides them by the sizes of the functions (a greater --scale separates them)",
            profile.unit()
        )?;
    }
    Ok(())
}
