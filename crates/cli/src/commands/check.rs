use crate::Failure;
use crate::args::CheckArgs;
use crate::show::printable;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use counterpoint::check_definitions;
use counterpoint::definitions::{
    Diagnostic, Severity, ast, decode, explain, line_column, link, papi, parse, print,
};
use serde_json::json;
use std::borrow::Cow;
use std::io::{self, Write, stderr, stdout};
use std::path::Path;

/// Exit status 1 if a file has errors, 2 if one cannot be read or fixed.
pub fn run(args: &CheckArgs) -> Result<u8, Failure> {
    if let Some(code) = &args.explain {
        let page = explain(code).ok_or_else(|| {
            Failure::new(format!("there is no code `{code}`"))
                .help("codes stand in brackets: error[unknown-type]")
        })?;
        write!(stdout(), "{page}")?;
        return Ok(0);
    }
    if args.files.is_empty() {
        return Err(Failure::new("no file given").help("counterpoint check FILE…"));
    }
    if let Some(name) = &args.pmu {
        super::pmu(name)?;
    }
    let mut counts = Counts::default();
    let mut sources = Vec::new();
    for path in &args.files {
        match std::fs::read(path) {
            Ok(bytes) => sources.push(Source::new(path, &bytes)),
            Err(error) => counts.refuse(path, &error.to_string()),
        }
    }
    let mut out = io::BufWriter::new(stdout().lock());
    let mut trees: Vec<ast::File<'_>> = Vec::new();
    for Source { path, text, is_utf8, undecoded } in &sources {
        let mut parse = parse(text);
        let mut diagnostics = undecoded.clone();
        diagnostics.append(&mut parse.diagnostics);
        if args.papi {
            diagnostics.extend(papi::check(&parse.file));
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        for diagnostic in &diagnostics {
            counts.add(diagnostic);
            show(&mut out, diagnostic, text, path, args.json)?;
        }
        counts.files += 1;
        counts.definitions += parse.file.events().count();
        match (args.fix, is_utf8) {
            (true, true) => fix(path, text, &parse.file)?,
            (true, false) => counts
                .refuse(path, "not fixed, because it is not UTF-8\n  help: save it as UTF-8 first"),
            (false, _) => {}
        }
        trees.push(parse.file);
    }
    let trees: Vec<&ast::File<'_>> = trees.iter().collect();
    for diagnostic in check_definitions(&trees, args.pmu.as_deref()) {
        let Source { path, text, .. } = &sources[diagnostic.file];
        counts.add(&diagnostic);
        show(&mut out, &diagnostic, text, path, args.json)?;
    }
    if let Some(pmu) = args.pmu.as_deref().filter(|_| !args.json) {
        let hold = link(&trees, pmu).len();
        writeln!(out, "{hold} definitions hold for {}", printable(pmu))?;
    }
    if !args.json {
        writeln!(out, "{counts}")?;
    }
    out.flush()?;
    Ok(if counts.refused > 0 { 2 } else { u8::from(counts.errors > 0) })
}

/// A file as it was read.
struct Source<'a> {
    path: &'a Path,
    text: String,
    /// Whether the text is what stands in the file.
    is_utf8: bool,
    undecoded: Vec<Diagnostic>,
}

impl Source<'_> {
    fn new<'a>(path: &'a Path, bytes: &[u8]) -> Source<'a> {
        let (text, undecoded) = decode(bytes);
        let is_utf8 = matches!(text, Cow::Borrowed(_));
        Source { path, text: text.into_owned(), is_utf8, undecoded }
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
        _ = writeln!(stderr(), "counterpoint: {}: {why}", path.display());
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
        std::fs::write(path, plain)
            .map_err(|e| Failure::new(format!("{}: {e}", path.display())))?;
    }
    Ok(())
}

fn show(
    out: &mut impl Write,
    diagnostic: &Diagnostic,
    text: &str,
    path: &Path,
    json: bool,
) -> io::Result<()> {
    if json {
        writeln!(out, "{}", as_json(diagnostic, text, path))
    } else {
        write!(out, "{}", drawn(diagnostic, text, path))
    }
}

/// The diagnostic with its line, as compilers draw it.
pub fn drawn(diagnostic: &Diagnostic, text: &str, path: &Path) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let name = path.display().to_string();
    // The lines of the span alone, so that many findings in a large file take no longer than the file.
    let start = text
        .get(..diagnostic.span.start)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1);
    let end = text.get(diagnostic.span.end..).and_then(|after| after.find('\n'));
    let end = end.map_or(text.len(), |at| diagnostic.span.end + at);
    let span = diagnostic.span.start - start..diagnostic.span.end - start;
    let snippet = Snippet::source(text.get(start..end).unwrap_or_default())
        .line_start(line_column(text, start).0)
        .path(name.as_str())
        .annotation(AnnotationKind::Primary.span(span));
    let group = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.name())
        .element(snippet);
    let group = match diagnostic.help.as_deref() {
        Some(help) => group.element(Level::HELP.message(help)),
        None => group,
    };
    format!("{}\n", printable(&Renderer::plain().render(&[group])))
}

fn as_json(diagnostic: &Diagnostic, text: &str, path: &Path) -> serde_json::Value {
    let (line, column) = line_column(text, diagnostic.span.start);
    json!({
        "schema": 1,
        "severity": diagnostic.severity.name(),
        "code": diagnostic.code.name(),
        "file": path.display().to_string(),
        "line": line,
        "column": column,
        "span": [diagnostic.span.start, diagnostic.span.end],
        "message": diagnostic.message,
        "help": diagnostic.help,
    })
}
