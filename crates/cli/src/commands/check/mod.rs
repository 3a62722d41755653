mod args;

pub use args::CheckArgs;

use crate::failure::Failure;
use crate::finding::Source;
use crate::input;
use crate::names;
use crate::show;
use counterpoint::check_definitions;
use counterpoint::definitions::{
    Diagnostic, Pmu, Severity, ast, decode, explain, link, papi, parse, print,
};
use counterpoint::perf::output::create;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// Exit status 1 if a file has errors, 2 if one cannot be read or fixed.
pub fn run(args: &CheckArgs) -> Result<u8, Failure> {
    if let Some(code) = &args.explain {
        let page = explain(code).ok_or_else(|| {
            Failure::new(format!("there is no code `{code}`"))
                .help("codes stand in brackets: error[unknown-type]")
        })?;
        show::print(page.trim_end())?;
        return Ok(0);
    }
    if args.files.is_empty() {
        return Err(Failure::new("no file given").help("counterpoint check FILE…"));
    }
    let pmu = args.pmu.as_deref().map(names::pmu).transpose()?;
    let mut counts = Counts::default();
    let mut sources = Vec::new();
    for path in &args.files {
        match input::bytes(path) {
            Ok(bytes) => sources.push(Read::new(path, &bytes)),
            Err(error) => counts.refuse(path, &error.to_string()),
        }
    }
    let mut out = show::stdout();
    let mut trees: Vec<ast::File<'_>> = Vec::new();
    for Read { path, source, is_utf8, undecoded } in &sources {
        let mut parse = parse(&source.text);
        let mut diagnostics = undecoded.clone();
        diagnostics.append(&mut parse.diagnostics);
        if args.papi {
            diagnostics.extend(papi::check(&parse.file));
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        for diagnostic in &diagnostics {
            counts.add(diagnostic);
            show(&mut out, diagnostic, source, args.json)?;
        }
        counts.files += 1;
        counts.definitions += parse.file.events().count();
        match (args.fix, is_utf8) {
            (true, true) => fix(path, &source.text, &parse.file)?,
            (true, false) => counts
                .refuse(path, "not fixed, because it is not UTF-8\n  help: save it as UTF-8 first"),
            (false, _) => {}
        }
        trees.push(parse.file);
    }
    let trees: Vec<&ast::File<'_>> = trees.iter().collect();
    for diagnostic in check_definitions(&trees, args.pmu.as_deref()) {
        counts.add(&diagnostic);
        show(&mut out, &diagnostic, &sources[diagnostic.file].source, args.json)?;
    }
    if let Some(pmu) = pmu.filter(|_| !args.json) {
        let hold = link(&trees, Pmu { name: pmu.name, number: Some(pmu.number.into()) }).len();
        let definitions = if hold == 1 { "definition holds" } else { "definitions hold" };
        writeln!(out, "{hold} {definitions} for {}", pmu.name)?;
    }
    if !args.json {
        writeln!(out, "{counts}")?;
    }
    out.flush()?;
    Ok(if counts.refused > 0 { 2 } else { u8::from(counts.errors > 0) })
}

/// A file as it was read.
struct Read<'a> {
    path: &'a Path,
    source: Source<'a>,
    /// Whether the text is what stands in the file.
    is_utf8: bool,
    undecoded: Vec<Diagnostic>,
}

impl Read<'_> {
    fn new<'a>(path: &'a Path, bytes: &[u8]) -> Read<'a> {
        let (text, undecoded) = decode(bytes);
        let is_utf8 = matches!(text, Cow::Borrowed(_));
        Read { path, source: Source::new(path, text.into_owned()), is_utf8, undecoded }
    }
}

#[derive(Default)]
struct Counts {
    files: usize,
    definitions: usize,
    warnings: usize,
    errors: usize,
    refused: usize,
}

impl Counts {
    fn add(&mut self, diagnostic: &Diagnostic) {
        match diagnostic.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Info => {}
        }
    }

    /// A file with which nothing can be done.
    fn refuse(&mut self, path: &Path, why: &str) {
        _ = writeln!(show::stderr(), "counterpoint: {}: {why}", path.display());
        self.refused += 1;
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = [
            (self.files, "file"),
            (self.definitions, "definition"),
            (self.warnings, "warning"),
            (self.errors, "error"),
        ];
        let counts = counts.map(|(n, what)| format!("{n} {what}{}", if n == 1 { "" } else { "s" }));
        f.write_str(&counts.join(", "))
    }
}

/// Writes the file in its plain form, if that is another.
fn fix(path: &Path, text: &str, file: &ast::File<'_>) -> Result<(), Failure> {
    let plain = print(file);
    if plain != text {
        create(path)
            .and_then(|mut file| file.write_all(plain.as_bytes()))
            .map_err(|e| Failure::new(format!("{}: {e}", path.display())))?;
    }
    Ok(())
}

fn show(
    out: &mut impl Write,
    diagnostic: &Diagnostic,
    source: &Source<'_>,
    json: bool,
) -> io::Result<()> {
    if json {
        writeln!(out, "{}", source.as_json(diagnostic))
    } else {
        write!(out, "{}", source.drawn(diagnostic))
    }
}
