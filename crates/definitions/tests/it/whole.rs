//! Properties that hold for arbitrary bytes; the fuzz target calls the same function.

use counterpoint_definitions::papi::ast::Item;
use counterpoint_definitions::papi::{self, decode, parse, print};
use counterpoint_definitions::{
    Definition, Diagnostic, Library, Origin, PmuName, Pmus, Severity, link,
};

/// Reads, links and prints arbitrary bytes, and checks that nothing is lost.
pub(crate) fn read(bytes: &[u8]) {
    let (text, mut findings) = decode(bytes);
    assert_eq!(text.len(), bytes.len());
    let parsed = parse(&text);
    findings.extend(parsed.diagnostics.iter().cloned());
    findings.extend(papi::differences(&parsed.file));

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
    assert!(unreadable.count() <= errors.count(), "a line is lost without a diagnostic");

    let definitions = link(&[Library::from(&*text)], "skx");
    read_for(&text, &[PmuName::from("skx")], &parsed.diagnostics);
    let numbered = PmuName { name: "ICL", number: Some(512) };
    read_for(&text, &[numbered, PmuName::from("skx")], &parsed.diagnostics);
    findings.extend(definitions.diagnostics().iter().cloned());
    findings.extend(papi::check_cycles(&definitions, |_, _| None));
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
    let relinked = link(&[Library::from(&*printed)], "skx");
    assert_eq!(definitions.len(), relinked.len(), "{text:?} printed as {printed:?}");
    for (before, after) in definitions.iter().zip(relinked.iter()) {
        assert_eq!((before.name(), before.term_names()), (after.name(), after.term_names()));
        let expansion = definitions.expand(&before);
        assert_eq!(
            expansion.is_err(),
            definitions.unavailable(before.name()).is_some(),
            "{before:?}"
        );
        assert_eq!(expansion, relinked.expand(&after));
        let texts = |d: &Definition| {
            let texts = [d.long_description(), d.short_description(), d.note(), d.units()];
            texts.map(|text| text.map(str::to_owned))
        };
        assert_eq!(texts(&before), texts(&after));
    }
}

/// Reads what is for some PMUs, and checks that it is what the whole text has for them, and no more.
fn read_for(text: &str, pmus: &[PmuName<'_>], findings: &[Diagnostic]) {
    let own = papi::read_for(text, Origin::Text, pmus);
    assert!(own.diagnostics().iter().all(|finding| findings.contains(finding)), "{text:?}");
    let others = own.blocks().iter().filter(|block| !pmus.iter().any(|pmu| block.is_for(*pmu)));
    assert!(others.into_iter().all(|block| block.definitions.is_empty()), "{text:?}: {own:?}");
    let [own, all] = [own, Library::from(text)].map(|library| {
        let definitions = link(&[library], pmus.iter().copied().collect::<Pmus<'_>>());
        let described = |d: Definition| (format!("{d:?}"), d.span(), definitions.expand(&d));
        definitions.iter().map(described).collect::<Vec<_>>()
    });
    assert_eq!(own, all, "{text:?} for {pmus:?}");
}

/// Returns true if the text between two items, including the end of the line before and the start of the line after, has only comments.
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
