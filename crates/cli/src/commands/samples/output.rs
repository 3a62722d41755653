//! The destination of the result and its form.

use super::annotate::{self, Asked};
use super::asked;
use super::firefox;
use super::format::Format;
use super::html::Html;
use super::json;
use super::named::{Event, Named};
use super::notes;
use super::only;
use super::origin::Origin;
use super::ranks;
use super::seen::Seen;
use super::shown::Shown;
use super::sorted;
use super::stacks::{self, Around};
use super::threads;
use super::views::StackViews;
use crate::failure::Failure;
use crate::output::{OutputArgs, Sink};
use crate::show;
use counterpoint::profil::write::{self, CallTree, FunctionCount, Profile, Symbol, TableSize};
use counterpoint::profil::{Bucket, RegionSnapshot, Snapshot};
use counterpoint::profile::{Profiled, Symbols, code_files};
use counterpoint::symbols::{Binaries, DebugFiles, Notice, ShortNames};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub struct Output {
    writer: Sink,
    /// The file, where its name was not asked for.
    chosen: Option<PathBuf>,
    /// The file is compressed if its format need not be.
    is_packed: bool,
    /// The page of `--html`.
    page: Option<Sink>,
}

impl Output {
    /// The output of samples that are taken now; opened before the command runs, so that nothing is run in vain.
    pub fn of_samples(
        format: Format,
        output: &OutputArgs,
        append: bool,
        has_command: bool,
        page: Option<&Path>,
    ) -> Result<Output, Failure> {
        check_page(page, output)?;
        Output::of(format, output, append, has_command, true)?.with_page(page)
    }

    /// The output of `report`, whose result is the only one on standard output.
    pub fn of_file(
        format: Format,
        output: &OutputArgs,
        page: Option<&Path>,
    ) -> Result<Output, Failure> {
        check_page(page, output)?;
        Output::of(format, output, false, false, false)?.with_page(page)
    }

    fn with_page(self, page: Option<&Path>) -> Result<Output, Failure> {
        Ok(Output { page: page.map(Sink::file).transpose()?, ..self })
    }

    fn of(
        format: Format,
        output: &OutputArgs,
        append: bool,
        has_command: bool,
        to_stderr: bool,
    ) -> Result<Output, Failure> {
        let heading = append.then_some(&b""[..]);
        // The samples of a file can be read again.
        let text = |sink: Sink| if to_stderr { sink.kept() } else { sink };
        let is_packed = output.name().is_some_and(firefox::is_packed);
        let (writer, chosen) = match format {
            Format::Gmon | Format::Pprof | Format::Svg | Format::Firefox if append => {
                return Err(Failure::new("--append: a file of this format holds one result")
                    .help("give each process a file of its own, with %p or {rank} in its name"));
            }
            Format::Gmon => output.bytes("gmon.out", has_command)?,
            Format::Pprof => output.bytes("profile.pb", has_command)?,
            Format::Perf => output.bytes("perf.data", has_command)?,
            Format::Firefox if is_packed => output.bytes("profile.json.gz", has_command)?,
            // The command has standard output, as with `counterpoint stat`.
            Format::Table => (text(output.text(to_stderr, heading)?), None),
            Format::Json | Format::Folded | Format::Svg | Format::Firefox => {
                (text(output.text(false, heading)?), None)
            }
        };
        Ok(Output { writer, chosen, is_packed, page: None })
    }

    /// Shows the functions that a text names with their lines and instructions; returns a failure if they have no samples.
    pub fn annotate(
        mut self,
        args: &Shown<'_>,
        profiles: &[Profiled],
        seen: &Seen,
        asked: Asked<'_>,
    ) -> io::Result<Option<Failure>> {
        let binaries = binaries(args.debug_directory);
        let (mut is_found, mut missing) = (false, None);
        for profiled in profiles {
            let symbols = seen.symbols(&binaries, profiled);
            let named = Named::new(profiled, &symbols);
            let full = |address| named.full(address);
            let profile = profiled.named(&full);
            let outer = ShortNames::new(named.functions(&profile));
            let of = match asked::functions(&outer, asked.symbol) {
                Ok(wanted) => annotate::annotations(&profile, &symbols, &wanted, asked.parts),
                Err(instead) => {
                    let all = ShortNames::new(named.with_inlined(&profile));
                    let inlined = all.find(asked.symbol).map_or(Vec::new(), |wanted| {
                        asked::inlined_into(&profile, &symbols, &wanted.into_iter().collect())
                    });
                    missing.get_or_insert((instead, BTreeSet::new())).1.extend(inlined);
                    Vec::new()
                }
            };
            for of in of {
                is_found = true;
                match args.format {
                    Format::Json => {
                        let object = annotate::json::line(&profile, &args.origin.process, &of);
                        show::json(&mut self.writer, &object)?;
                    }
                    _ => annotate::text::write(&mut self.writer, &profile, &of)?,
                }
            }
        }
        if is_found {
            self.writer.publish()?;
            return Ok(None);
        }
        let failure = Failure::new(format!("no sample is in a function `{}`", asked.symbol));
        Ok(Some(match missing {
            Some((_, inlined)) if !inlined.is_empty() => {
                let into: Vec<String> = inlined.into_iter().collect();
                let into = into.join("`, `");
                failure.help(format!("it is inlined into `{into}`: annotate that in place of it"))
            }
            Some((instead, _)) => failure.help(instead),
            None => failure,
        }))
    }

    pub fn write(mut self, args: &Shown<'_>, profiles: &[Profiled], seen: &Seen) -> io::Result<()> {
        let binaries = binaries(args.debug_directory);
        let page = self.page.take();
        let mut page = page.map(|writer| Html::new(writer, args, profiles.len()));
        for profiled in profiles {
            let symbols = seen.symbols(&binaries, profiled);
            let of_modules = only::in_modules(profiled, args.modules);
            let profiled = of_modules.as_ref().unwrap_or(profiled);
            let only = args.symbol.map(|symbol| of_function(symbol, profiled, &symbols));
            let only = only.transpose()?;
            let profiled = only.as_ref().unwrap_or(profiled);
            let named = Named::new(profiled, &symbols);
            let full = |address| named.full(address);
            let profile = profiled.named(&full);
            remark(args, &profile, profiled)?;
            let is_read = page.is_some() || matches!(args.format, Format::Table | Format::Svg);
            let names = match &named.tree {
                _ if !is_read => Vec::new(),
                None if page.is_some() => named.with_inlined(&profile),
                _ => named.functions(&profile),
            };
            let names = args.table.names(names);
            let short = |address| {
                let symbol = named.full(address)?;
                Some(Symbol { function: names.short(&symbol.function).to_string(), ..symbol })
            };
            let short = Profile { symbols: &short, ..profile };
            let (symbols, tree, names) = (&symbols, named.tree.as_ref(), &names);
            let event = Event { profiled, symbols, tree, names, full: profile, short };
            if let Some(page) = &mut page {
                page.add(args, &event);
            }
            self.event(args, &event, seen)?;
        }
        page.map_or(Ok(()), Html::write)?;
        self.writer.publish()?;
        if let Some(path) = &self.chosen {
            writeln!(show::stderr(), "counterpoint: written to {}", path.display())?;
        }
        Ok(())
    }

    /// Writes an event in the format that was asked for.
    fn event(&mut self, args: &Shown<'_>, event: &Event<'_>, seen: &Seen) -> io::Result<()> {
        let Event { profiled, symbols, full: profile, .. } = event;
        match args.format {
            Format::Table => self.table(args, event)?,
            Format::Json => {
                let object = json::profile(args, event);
                show::json(&mut self.writer, &object)?;
            }
            Format::Folded => {
                let by_thread = stacks::by_thread(args, profiled, symbols);
                let tree = by_thread.as_ref().or(event.tree);
                let text = tree.map_or_else(|| write::folded(profile), CallTree::folded);
                self.writer.write_all(text.as_bytes())?;
            }
            Format::Svg => {
                let by_thread = stacks::by_thread(args, profiled, symbols);
                let tree = by_thread.as_ref().or(event.tree).map(|tree| event.shortened(tree));
                let graph = tree.map(|tree| stacks::flame_graph(&tree, profile));
                let svg = graph.unwrap_or_else(|| write::svg(&event.short));
                self.writer.write_all(svg.as_bytes())?;
            }
            Format::Firefox => firefox::write(&mut self.writer, args, event, self.is_packed)?,
            // The recorder has written it.
            Format::Perf => {}
            Format::Pprof => {
                let Origin { began, duration, .. } = args.origin;
                self.writer.write_all(&profiled.to_pprof(symbols, began, duration))?;
            }
            Format::Gmon => {
                let first = profiled.modules.first().map(|module| module.path.as_path());
                let program = seen.program.as_deref().or(first).map(PathBuf::from);
                let program = program.unwrap_or_default();
                let linked = |address| symbols.linked(&program, address);
                self.writer.write_all(&write::gmon(profile, &linked))?;
                warn_of_gmon(profile, &linked)?;
            }
        }
        Ok(())
    }

    fn table(&mut self, args: &Shown<'_>, event: &Event<'_>) -> io::Result<()> {
        let Event { profiled, short: profile, .. } = event;
        let size = args.table.size(self.writer.columns());
        if args.sort.is_empty() {
            write!(self.writer, "\n {}", write::table(profile, &size))?;
            threads::write(&mut self.writer, args, profiled, &size)?;
        } else {
            let rows = sorted::rows(args, profile, &profiled.parts);
            sorted::write(&mut self.writer, profile, args.sort, &rows, &size)?;
        }
        self.stacks(args, event, &size)?;
        if args.sort.is_empty() {
            ranks::text::write(&mut self.writer, event, args.ranks, &size)?;
        }
        for note in notes::sentences(args, profiled, event.symbols) {
            writeln!(self.writer, "{note}")?;
        }
        Ok(())
    }

    fn stacks(&mut self, args: &Shown<'_>, event: &Event<'_>, size: &TableSize) -> io::Result<()> {
        let StackViews { children, callers, callees } = args.views;
        let (Some(tree), unit) = (event.tree, event.full.unit()) else { return Ok(()) };
        if *children
            || (callers.is_none() && callees.is_none() && args.has_children && args.sort.is_empty())
        {
            let text = event.shortened(tree).table_of_functions(size, unit);
            self.writer.write_all(text.as_bytes())?;
        }
        let asked = [(Around::Callers, callers), (Around::Callees, callees)];
        for (around, symbol) in
            asked.into_iter().filter_map(|(of, name)| Some((of, name.as_ref()?)))
        {
            stacks::around(&mut self.writer, around, symbol, (tree, event.names), size, unit)?;
        }
        Ok(())
    }
}

/// The samples in the functions that a text names; says what to type instead if there are none.
fn of_function(symbol: &str, profiled: &Profiled, symbols: &Symbols<'_>) -> io::Result<Profiled> {
    let named = Named::new(profiled, symbols);
    let names = named.with_inlined(&profiled.named(&|address| named.full(address)));
    let names = ShortNames::new(names);
    let wanted = asked::functions(&names, symbol);
    if let Err(instead) = &wanted {
        let text = format!("no sample is in a function {symbol}: {instead}");
        writeln!(show::stderr(), "counterpoint: {}", show::printable(&text))?;
    }
    Ok(only::in_functions(profiled, symbols, &wanted.unwrap_or_default()))
}

/// Says on standard error what the format has no place for.
fn remark(args: &Shown<'_>, profile: &Profile<'_>, profiled: &Profiled) -> io::Result<()> {
    if args.is_weighted && !profiled.software {
        let event = show::printable(&profiled.event);
        writeln!(
            show::stderr(),
            "counterpoint: --weighted has no effect on {event}: the kernel samples it exactly at its period (--software can be late, and weights by how much)"
        )?;
    }
    if args.has_regions {
        warn_of_elsewhere(profile)?;
    }
    let is_silent = matches!(
        args.format,
        Format::Folded | Format::Svg | Format::Pprof | Format::Gmon | Format::Firefox
    );
    if is_silent {
        let of_ranks = args.ranks.iter().flat_map(|ranks| ranks.remarks());
        let remarks = notes::of_lost(profiled).into_iter().chain(notes::of_stacks(args, profiled));
        for remark in remarks.chain(of_ranks) {
            writeln!(show::stderr(), "counterpoint: {remark}")?;
        }
    }
    Ok(())
}

/// Refuses a page in the file of the result.
pub fn check_page(page: Option<&Path>, output: &OutputArgs) -> Result<(), Failure> {
    if page.is_some() && page == output.name() {
        Err(Failure::new("-o and --html name the same file")
            .help("give the page a name of its own"))
    } else {
        Ok(())
    }
}

/// The debug files below a directory and those of servers, which may take long, so that it is said.
fn debug_files(directory: &Path) -> DebugFiles {
    let notify = |notice: &Notice| {
        let notice = notice.to_string();
        let _ = writeln!(show::stderr(), "counterpoint: {}", show::printable(&notice));
    };
    DebugFiles::below(directory).with_servers().notify(notify)
}

/// The samples of an event by function, and its calls if they were counted.
pub struct Counted {
    pub event: String,
    pub functions: Vec<FunctionCount>,
    pub tree: Option<CallTree>,
}

/// The files of code of this machine, whose names are looked up once for all profiles.
pub fn binaries(debug_directory: &Path) -> Binaries {
    Binaries::new(code_files(), debug_files(debug_directory))
}

/// The functions of each event.
pub fn counted(profiles: &[Profiled], binaries: &Binaries) -> Vec<Counted> {
    let event = |profiled: &Profiled| {
        let symbols = Symbols::new(binaries, profiled);
        let functions = write::functions(&profiled.named(&|address| symbols.symbol(address)));
        let stacks = profiled.stacks.as_ref().map(|of| &of.stacks);
        let tree = stacks.map(|of| CallTree::new(of, &|address| symbols.frames(address)));
        Counted { event: profiled.event.clone(), functions, tree }
    };
    profiles.iter().map(event).collect()
}

/// Warns about the content that a file for gprof lacks: samples elsewhere than in the program, and which functions are uncertain, because it has addresses and no names.
fn warn_of_gmon(profile: &Profile<'_>, linked: &dyn Fn(u64) -> Option<u64>) -> io::Result<()> {
    let Snapshot { regions, outside, .. } = profile.snapshot;
    let placed = regions.iter().filter(|region| !region.region.is_catch_all());
    let written: Vec<&Bucket> = placed
        .flat_map(|region| &region.buckets)
        .filter(|bucket| linked(bucket.first).is_some())
        .collect();
    let counted: u64 = written.iter().map(|bucket| bucket.count).sum();
    let total = profile.snapshot.total().saturating_add(*outside);
    let (unit, mut out) = (profile.unit(), show::stderr());
    if counted < total {
        let lost = total - counted;
        writeln!(
            out,
            "counterpoint: {lost} of {total} {unit} are not in the file, because they are in libraries, in the kernel or outside all regions: gprof reads those of the program only"
        )?;
    }
    let shared = written.iter().filter(|bucket| profile.place(bucket).is_shared());
    let shared: u64 = shared.map(|bucket| bucket.count).sum();
    if shared > 0 {
        writeln!(
            out,
            "counterpoint: buckets that several functions share have {shared} of the {counted} {unit} in the file; gprof divides them by the sizes of the functions (a greater --scale separates them)"
        )?;
    }
    Ok(())
}

/// Addresses that were seen in another run are often those of nothing in this one.
fn warn_of_elsewhere(profile: &Profile<'_>) -> io::Result<()> {
    let total = profile.snapshot.total().saturating_add(profile.snapshot.outside);
    let placed = profile.snapshot.regions.iter().filter(|region| !region.region.is_catch_all());
    if total > 0 && placed.map(RegionSnapshot::total).all(|count| count == 0) {
        let event = show::printable(profile.event);
        writeln!(
            show::stderr(),
            "counterpoint: no sample of {event} is in a region of --region: the addresses of libraries, and of most programs, change from run to run (setarch -R keeps them)"
        )?;
    }
    Ok(())
}
