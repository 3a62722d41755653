//! `counterpoint check`: errors in files of event definitions.

mod args;
mod counts;
pub mod json;
mod metrics;
mod on;
mod text;

pub use args::CheckArgs;

use crate::failure::Failure;
use crate::finding::Source;
use crate::input;
use crate::names;
use crate::show;
use counterpoint::definitions::papi::{self, Parse, ast, decode, differences, parse, print};
use counterpoint::definitions::{Diagnostic, Library, Origin, explain};
use counterpoint::perf::Host;
use counterpoint::perf::output::create;
use counterpoint::{Machine, check_definitions, definitions_on, language, papi_differences};
use counts::Counts;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// Exit status 1 if a file has errors, 2 if one cannot be read or fixed.
pub fn run(args: &CheckArgs) -> Result<u8, Failure> {
    if let Some(code) = &args.explain {
        return explained(code);
    }
    if !args.on.is_empty() {
        return on::run(args);
    }
    if !args.metrics.is_empty() {
        return metrics::run(args, &args.metrics);
    }
    let (of_metrics, papi): (Vec<_>, Vec<_>) =
        args.files.iter().cloned().partition(|f| is_of_metrics(f));
    if !of_metrics.is_empty() && papi.is_empty() {
        return metrics::run(args, &of_metrics);
    }
    if !of_metrics.is_empty() {
        return Err(Failure::new("files of metrics and of events are checked apart")
            .help("counterpoint check FILE… for each kind"));
    }
    if args.files.is_empty() {
        return Err(Failure::new("no file given").help("counterpoint check FILE…"));
    }
    let pmu = args.pmu.as_deref().map(names::pmu).transpose()?;
    let mut counts = Counts::default();
    let mut sources = Vec::new();
    for path in &args.files {
        match input::bytes(path) {
            Ok(bytes) => sources.push(Input::new(path, &bytes)),
            Err(error) => counts.refuse(path, &error.to_string()),
        }
    }
    let (mut libraries, mut found) = (Vec::<Library>::new(), Vec::new());
    for (file, input) in sources.iter().enumerate() {
        let (parse, diagnostics) = input.check(args.papi);
        found.extend(diagnostics.into_iter().map(|found| Diagnostic { file, ..found }));
        counts.files += 1;
        counts.definitions += parse.file.events().count();
        if args.fix {
            input.fix(&parse.file, &mut counts)?;
        }
        libraries.push(papi::library(parse, Origin::file(input.path)));
    }
    let machine = args.vendor.with(Machine::new(Host::local()))?;
    found.extend(check_definitions(&machine, &libraries, args.pmu.as_deref()));
    if args.papi {
        found.extend(papi_differences(&libraries));
    }
    found.sort_by_key(|found| (found.file, found.span.start));
    let mut out = show::stdout();
    for diagnostic in &found {
        counts.add(diagnostic);
        write(&mut out, diagnostic, &sources[diagnostic.file].source, args.json)?;
    }
    if !args.json {
        if let Some(pmu) = pmu {
            text::write_linked(&mut out, pmu, definitions_on(pmu, &libraries).len())?;
        }
        writeln!(out, "{counts}")?;
    }
    out.flush()?;
    Ok(counts.exit_code())
}

/// Returns true if a path is a file of metrics; a pipe, which can be read only once, is one of events.
fn is_of_metrics(path: &Path) -> bool {
    let is_file = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let text = if is_file { input::text(path).ok() } else { None };
    text.is_some_and(|text| language(path, &text) != papi::SYNTAX.name)
}

fn explained(code: &str) -> Result<u8, Failure> {
    let page = explain(code).ok_or_else(|| {
        Failure::new(format!("there is no code `{code}`"))
            .help("codes are printed in brackets: error[unknown-type]")
    })?;
    show::print(page.trim_end())?;
    Ok(0)
}

fn write(
    out: &mut impl Write,
    diagnostic: &Diagnostic,
    source: &Source<'_>,
    is_json: bool,
) -> io::Result<()> {
    if is_json {
        json::write(out, diagnostic, source)
    } else {
        write!(out, "{}", source.drawn(diagnostic))
    }
}

/// A file as it was read.
struct Input<'a> {
    path: &'a Path,
    source: Source<'a>,
    /// True if the text is the file's own, byte by byte.
    is_utf8: bool,
    undecoded: Vec<Diagnostic>,
}

impl Input<'_> {
    fn new<'a>(path: &'a Path, bytes: &[u8]) -> Input<'a> {
        let (text, undecoded) = decode(bytes);
        let is_utf8 = matches!(text, Cow::Borrowed(_));
        Input { path, source: Source::new(path, text.into_owned()), is_utf8, undecoded }
    }

    /// Parses the file, and returns the findings in it.
    fn check(&self, papi: bool) -> (Parse<'_>, Vec<Diagnostic>) {
        let parse = parse(&self.source.text);
        let mut diagnostics = self.undecoded.clone();
        diagnostics.extend(parse.diagnostics.iter().cloned());
        if papi {
            diagnostics.extend(differences(&parse.file));
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        (parse, diagnostics)
    }

    /// Writes the file in its plain form, if that differs from what is there.
    fn fix(&self, file: &ast::File<'_>, counts: &mut Counts) -> Result<(), Failure> {
        if !self.is_utf8 {
            let why = "not fixed, because it is not UTF-8\n  help: save the file as UTF-8 first";
            counts.refuse(self.path, why);
            return Ok(());
        }
        let plain = print(file);
        if plain != self.source.text {
            create(self.path)
                .and_then(|mut file| {
                    file.write_all(plain.as_bytes())?;
                    file.publish()
                })
                .map_err(|e| Failure::new(format!("{}: {e}", self.path.display())))?;
        }
        Ok(())
    }
}
