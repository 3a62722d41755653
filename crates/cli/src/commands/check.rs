use crate::Failure;
use crate::args::CheckArgs;
use crate::show::printable;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use counterpoint::definitions::{Diagnostic, Severity, parse};
use serde_json::json;
use std::path::Path;

/// Exit status 1 if a file has errors, 2 if one cannot be read.
pub fn run(args: &CheckArgs) -> Result<u8, Failure> {
    let (mut definitions, mut warnings, mut errors, mut unreadable) = (0, 0, 0, 0);
    for file in &args.files {
        let text = match std::fs::read(file) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                eprintln!("counterpoint: {}: {error}", file.display());
                unreadable += 1;
                continue;
            }
        };
        let parse = parse(&text);
        definitions += parse.file.events().count();
        for diagnostic in &parse.diagnostics {
            match diagnostic.severity {
                Severity::Error => errors += 1,
                _ => warnings += 1,
            }
            if args.json {
                println!("{}", as_json(diagnostic, &text, file));
            } else {
                print!("{}", drawn(diagnostic, &text, file));
            }
        }
    }
    if !args.json {
        let counts = [
            (args.files.len() - unreadable, "file"),
            (definitions, "definition"),
            (warnings, "warning"),
            (errors, "error"),
        ];
        let counts = counts.map(|(n, what)| format!("{n} {what}{}", if n == 1 { "" } else { "s" }));
        println!("{}", counts.join(", "));
    }
    Ok(if unreadable > 0 { 2 } else { u8::from(errors > 0) })
}

/// The diagnostic with its line, as compilers draw it.
pub fn drawn(diagnostic: &Diagnostic, text: &str, file: &Path) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        _ => Level::INFO,
    };
    let name = file.display().to_string();
    let snippet = Snippet::source(text)
        .path(name.as_str())
        .annotation(AnnotationKind::Primary.span(diagnostic.span.clone()));
    let message = diagnostic.message.to_string();
    let group = level.primary_title(message.as_str()).id(diagnostic.code.name()).element(snippet);
    let help = diagnostic.help.as_deref().unwrap_or_default();
    let group = if help.is_empty() { group } else { group.element(Level::HELP.message(help)) };
    format!("{}\n", printable(&Renderer::plain().render(&[group])))
}

fn as_json(diagnostic: &Diagnostic, text: &str, file: &Path) -> serde_json::Value {
    let before = text.get(..diagnostic.span.start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({
        "schema": 1,
        "severity": diagnostic.severity.name(),
        "code": diagnostic.code.name(),
        "file": file.display().to_string(),
        "line": before.matches('\n').count() + 1,
        "column": before.len() - line_start + 1,
        "span": [diagnostic.span.start, diagnostic.span.end],
        "message": diagnostic.message.to_string(),
        "help": diagnostic.help,
    })
}
