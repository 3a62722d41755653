//! Compares each file of `tests/data` with the expected result beside it; `COUNTERPOINT_UPDATE=1` rewrites the results.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use counterpoint_definitions::papi::{self, parse};
use counterpoint_definitions::{
    Code, Definition, Diagnostic, Expansion, Library, Severity, line_column, link,
};

#[test]
fn files_without_findings_give_the_expected_definitions() {
    check("ok", |text, out| {
        let parse = parse(text);
        let definitions = link(&[Library::from(text)], "skx");
        let cycles = papi::check_cycles(&definitions, |_, _| None);
        let findings = parse.diagnostics.iter().chain(definitions.diagnostics()).chain(&cycles);
        let worse = |finding: &&Diagnostic| finding.severity > Severity::Info;
        assert_eq!(findings.filter(worse).collect::<Vec<_>>(), Vec::<&Diagnostic>::new());
        for definition in definitions.iter() {
            write_definition(out, &definition, &definitions.expand(&definition).expect("a value"));
        }
    });
}

#[test]
fn files_with_findings_give_the_expected_messages() {
    check("err", |text, out| {
        let parse = parse(text);
        let definitions = link(&[Library::from(text)], "skx");
        let mut linked = definitions.diagnostics().to_vec();
        linked.extend(papi::check_cycles(&definitions, |_, _| None));
        linked.sort_by_key(|finding| finding.span.start);
        assert!(
            !parse.diagnostics.is_empty() || !linked.is_empty(),
            "there are no findings in this file"
        );
        for finding in parse.diagnostics.iter().chain(&linked) {
            write_finding(out, text, finding);
        }
        let kept: Vec<String> =
            definitions.iter().map(|definition| definition.name().to_owned()).collect();
        writeln!(out, "kept: {}", kept.join(" ")).unwrap();
    });
}

#[test]
fn files_that_papi_reads_differently_give_the_expected_messages() {
    check("papi", |text, out| {
        let parse = parse(text);
        let errors = parse.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
        assert_eq!(errors.count(), usize::from(text.contains("stray")));
        for finding in papi::differences(&parse.file) {
            write_finding(out, text, &finding);
        }
    });
}

/// Compares the result of each `.csv` file of a directory with the `.txt` file beside it.
fn check(theme: &str, read: impl Fn(&str, &mut String)) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(theme);
    let update = std::env::var_os("COUNTERPOINT_UPDATE").is_some();
    let mut files = 0;
    for entry in fs::read_dir(&dir).expect("the test data") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "csv") {
            continue;
        }
        files += 1;
        let text = fs::read_to_string(&path).expect("a text");
        let mut found = String::new();
        read(&text, &mut found);
        let expected = path.with_extension("txt");
        if update {
            fs::write(&expected, &found).expect("written");
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(found, expected, "{}", path.display());
    }
    assert!(files > 3, "only {files} files in {}", dir.display());
}

fn write_finding(out: &mut String, text: &str, finding: &Diagnostic) {
    let (line, column) = line_column(text, finding.span.start);
    let Diagnostic { severity, code, .. } = finding;
    // These messages belong to the formula crate.
    let message = if *code == Code::BadFormula { "…" } else { &finding.message };
    writeln!(out, "{line}:{column}+{} {severity}[{}]: {message}", finding.span.len(), code.name())
        .expect("a string");
    if let Some(help) = &finding.help {
        writeln!(out, "    help: {help}").expect("a string");
    }
}

fn write_definition(out: &mut String, definition: &Definition, expansion: &Expansion) {
    writeln!(out, "{} = {}", definition.name(), expansion.formula).expect("a string");
    let (line, notation) = (definition.line(), definition.notation());
    writeln!(out, "    line {line}, {notation}, opens {}", expansion.terms.join(" "))
        .expect("a string");
    let texts = [
        ("ldesc", definition.long_description()),
        ("sdesc", definition.short_description()),
        ("note", definition.note()),
        ("units", definition.units()),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            writeln!(out, "    {key}: {text}").expect("a string");
        }
    }
}
