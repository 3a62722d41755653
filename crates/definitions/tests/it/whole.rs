//! What must hold for any bytes at all; the fuzz target calls the same function.

use counterpoint_definitions::ast::Item;
use counterpoint_definitions::{Diagnostic, Severity, decode, link, papi, parse, print};

/// Reads, links and prints any bytes, and checks that nothing is lost on the way.
pub(crate) fn read(bytes: &[u8]) {
    let (text, mut findings) = decode(bytes);
    assert_eq!(text.len(), bytes.len());
    let parsed = parse(&text);
    findings.extend(parsed.diagnostics.iter().cloned());
    findings.extend(papi::check(&parsed.file));

    let mut end = 0;
    for item in &parsed.file.items {
        let span = item.span();
        assert!(end <= span.start && span.start < span.end, "{span:?} after {end}");
        assert!(!text[span.clone()].contains('\n'));
        assert!(is_only_comments(&text[end..span.start]), "lost: {:?}", &text[end..span.start]);
        end = span.end;
    }
    assert!(is_only_comments(&text[end..]), "lost: {:?}", &text[end..]);
    let unreadable = parsed.file.items.iter().filter(|item| matches!(item, Item::Unreadable(_)));
    let errors = parsed.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    assert!(unreadable.count() <= errors.count(), "a line is lost and nothing is said");

    let definitions = link(&[&parsed.file], "skx");
    findings.extend(definitions.diagnostics().iter().cloned());
    for Diagnostic { span, message, .. } in &findings {
        assert!(
            text.get(span.clone()).is_some() || span.end > text.len() && span.is_empty(),
            "{span:?}: {message}"
        );
        assert!(!message.ends_with('.'));
    }

    let printed = print(&parsed.file);
    let again = parse(&printed);
    assert_eq!(print(&again.file), printed, "printing {text:?}");
    let relinked = link(&[&again.file], "skx");
    assert_eq!(definitions.len(), relinked.len(), "{text:?} printed as {printed:?}");
    for (before, after) in definitions.iter().zip(&relinked) {
        assert_eq!((&before.name, &before.terms), (&after.name, &after.terms));
        let expansion = definitions.expand(before);
        assert_eq!(expansion.is_err(), before.unavailable.is_some(), "{before:?}");
        assert_eq!(expansion, relinked.expand(after));
        assert_eq!(
            (&before.ldesc, &before.sdesc, &before.note, &before.units),
            (&after.ldesc, &after.sdesc, &after.note, &after.units)
        );
    }
}

/// Whether a text between two items, the end of a line before and the start of one after included, says nothing.
fn is_only_comments(text: &str) -> bool {
    text.split('\n').all(|line| {
        let line = line.trim_start_matches([' ', '\t', '\r', '\u{feff}', ',']);
        line.is_empty() || line.starts_with('#')
    })
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("read") {
        read(&seed);
    }
}
