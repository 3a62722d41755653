//! The places at which PAPI 7 reads a file differently from this crate, or stops.

mod formula;

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::papi::ast::{DerivedType, Event, Field, File, Item, Key, Keyword, Text};

/// The limits of PAPI 7.
const MOST_TERMS: usize = 12;
const MOST_USER_EVENTS: usize = 50;
const LONGEST_LINE: usize = 2046;
const LONGEST_SHORT_DESCRIPTION: usize = 63;
const LONGEST_TEXT: usize = 1023;
const LONGEST_TERM: usize = 255;
const LONGEST_NAME: usize = 127;

/// Reports where PAPI 7 reads a file differently from this crate: limits, blanks, signs, quotes and nesting.
///
/// None of this is an error in itself; it matters for files that both must read.
///
/// ```
/// use counterpoint_definitions::papi;
///
/// let file = papi::parse("CPU,skx\nEVENT,X,DERIVED_INFIX,N0-N1-N2,A,B,C\n").file;
/// let findings = papi::differences(&file);
/// assert_eq!(findings[0].message, "PAPI first computes everything to the right of the preceding `-`");
/// assert_eq!(findings[0].span, 35..36);
/// ```
pub fn differences(file: &File<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    check_bytes(file, &mut findings);
    check_order(file, &mut findings);
    check_user_events(file, &mut findings);
    for event in file.events() {
        check_event(event, &mut findings);
    }
    check_nesting(file, &mut findings);
    findings.sort_by_key(|finding| finding.span.start);
    findings
}

fn check_bytes(file: &File<'_>, findings: &mut Vec<Diagnostic>) {
    if file.source.starts_with('\u{feff}') {
        findings.push(
            Diagnostic::new(
                Code::PapiByteOrderMark,
                0..3,
                "PAPI treats the byte order mark as part of the first word",
            )
            .help("save the file as UTF-8 without a byte order mark"),
        );
    }
    if let Some(at) = file.source.find("\r\n") {
        findings.push(
            Diagnostic::new(
                Code::PapiCarriageReturn,
                at..at + 1,
                "PAPI treats the carriage return as part of the line, so no CPU line matches",
            )
            .help("end each line with a line feed only"),
        );
    }
    let mut start = 0;
    for line in file.source.split('\n') {
        if line.len() > LONGEST_LINE {
            let message = format!(
                "PAPI reads {LONGEST_LINE} bytes of a line, and treats the rest as another line"
            );
            let at = start + LONGEST_LINE;
            findings.push(Diagnostic::new(Code::PapiLongLine, at..start + line.len(), message));
        }
        start += line.len() + 1;
    }
}

/// Reports the first line at which PAPI stops.
fn check_order(file: &File<'_>, findings: &mut Vec<Diagnostic>) {
    let stops = |item: &&Item<'_>| match item {
        Item::Component(_) => true,
        Item::Unreadable(line) => line.keyword.is_none(),
        _ => false,
    };
    let after_cpu = file.items.iter().skip_while(|item| !matches!(item, Item::Cpu(_)));
    if let Some(item) = after_cpu.into_iter().find(stops) {
        findings.push(
            Diagnostic::new(
                Code::PapiStops,
                item.span(),
                "PAPI stops reading at this line if an earlier CPU line has matched",
            )
            .help("move it to the end of the file"),
        );
    }
}

/// Reports user events of a PMU beyond the number that PAPI accepts.
fn check_user_events(file: &File<'_>, findings: &mut Vec<Diagnostic>) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut list: Vec<String> = Vec::new();
    let mut events: Vec<&Event<'_>> = Vec::new();
    for item in &file.items {
        match item {
            Item::Cpu(cpu) => {
                if !events.is_empty() {
                    count_block(&mut counts, &mut list, &mut events, findings);
                }
                list.push(cpu.name.text.to_ascii_uppercase());
            }
            Item::Event(event) => events.push(event),
            _ => {}
        }
    }
    count_block(&mut counts, &mut list, &mut events, findings);
}

/// Counts the events of a block for each of its PMUs, and empties it.
fn count_block<'f>(
    counts: &mut HashMap<String, usize>,
    list: &mut Vec<String>,
    events: &mut Vec<&'f Event<'f>>,
    findings: &mut Vec<Diagnostic>,
) {
    events.retain(|event| event.keyword == Keyword::Event);
    let mut full = Vec::new();
    list.sort_unstable();
    list.dedup();
    for name in list.drain(..) {
        let count = counts.entry(name).or_default();
        full.extend(MOST_USER_EVENTS.checked_sub(*count).filter(|left| *left < events.len()));
        *count += events.len();
    }
    full.sort_unstable();
    full.dedup();
    for event in full {
        let message = format!(
            "PAPI accepts at most {MOST_USER_EVENTS} user events for a PMU and drops this one"
        );
        let span = events[event].name.span();
        findings.push(Diagnostic::new(Code::PapiUserEvents, span, message));
    }
    events.clear();
}

fn check_event(event: &Event<'_>, findings: &mut Vec<Diagnostic>) {
    if let Some(term) = event.terms.get(MOST_TERMS) {
        let message = format!("PAPI reads at most {MOST_TERMS} terms, and no text after them");
        findings.push(
            Diagnostic::new(Code::PapiTerms, term.span(), message)
                .help("define a sum of some of the terms, and use it here"),
        );
    }
    if event.name.text.len() > LONGEST_NAME {
        let message = format!("PAPI returns only the first {LONGEST_NAME} characters of this name");
        findings.push(
            Diagnostic::new(Code::PapiLongName, event.name.span(), message)
                .help("use a shorter name"),
        );
    }
    let formula = event.formula.as_ref().map(|line| line.field);
    for field in [event.name].into_iter().chain(formula).chain(event.terms.iter().copied()) {
        check_quote(field, findings);
    }
    if let Some(term) = event.terms.iter().find(|term| term.text.len() > LONGEST_TERM) {
        let message = format!("PAPI keeps only the first {LONGEST_TERM} characters of a term");
        findings.push(Diagnostic::new(Code::PapiLongText, term.span(), message));
    }
    for (index, text) in event.texts.iter().enumerate() {
        check_text(event, index, text, findings);
    }
    if let Some(field) = formula.filter(|field| field.quote.is_none()) {
        formula::check(field, event.kind, findings);
    }
}

fn check_quote(field: Field<'_>, findings: &mut Vec<Diagnostic>) {
    if field.quote.is_some() {
        findings.push(
            Diagnostic::new(
                Code::PapiQuotedField,
                field.span(),
                "PAPI treats these quotes as part of the field",
            )
            .help("remove the quotes"),
        );
    }
}

fn check_text(event: &Event<'_>, index: usize, text: &Text<'_>, findings: &mut Vec<Diagnostic>) {
    let key = text.name.span();
    if text.key == Key::Units {
        let message = match index {
            0 => "PAPI does not support UNITS: it takes the key for an event and drops the line",
            _ => "PAPI does not support UNITS and skips it together with its text",
        };
        findings.push(
            Diagnostic::new(Code::PapiUnits, key.clone(), message)
                .help("put UNITS after LDESC, SDESC or NOTE"),
        );
    }
    let Some(value) = text.value else { return };
    let follows = index + 1 < event.texts.len();
    if value.text.is_empty() && follows {
        findings.push(Diagnostic::new(
            Code::PapiEmptyText,
            value.span(),
            "PAPI ignores all texts after an empty one",
        ));
    }
    if let Some(comma) = value.text.find(',') {
        let at = value.text_start() + comma;
        findings.push(
            Diagnostic::new(
                Code::PapiComma,
                at..at + 1,
                "PAPI ends the text at this comma, even between quotes",
            )
            .help("write the text without commas"),
        );
    }
    if value.quote.is_none() && in_pair(value.text) {
        findings.push(Diagnostic::new(
            Code::PapiPunctuation,
            value.span(),
            "PAPI treats the first and last characters of this text as quotes",
        ));
    }
    let longest =
        if text.key == Key::ShortDescription { LONGEST_SHORT_DESCRIPTION } else { LONGEST_TEXT };
    if value.text.len() > longest {
        let message =
            format!("PAPI shows only {longest} bytes of this text, which has {}", value.text.len());
        findings.push(Diagnostic::new(Code::PapiLongText, key.start..value.span().end, message));
    }
}

/// Returns true if a text begins and ends in characters that PAPI removes as quotes.
fn in_pair(text: &str) -> bool {
    let mut chars = text.chars();
    match (chars.next(), chars.next_back()) {
        (Some(first), Some(last)) => {
            matches!((first, last), ('(', ')') | ('[', ']') | ('{', '}') | ('<', '>'))
                || (first == last && first.is_ascii_punctuation())
        }
        _ => false,
    }
}

/// Reports terms that are definitions of the same file, where PAPI handles them differently.
fn check_nesting(file: &File<'_>, findings: &mut Vec<Diagnostic>) {
    let mut first: HashMap<String, &Event<'_>> = HashMap::new();
    for event in file.events() {
        first.entry(event.name.text.to_ascii_uppercase()).or_insert(event);
    }
    for event in file.events() {
        for term in event.terms.iter() {
            let Some(needed) = first.get(&term.text.to_ascii_uppercase()) else { continue };
            if needed.line >= event.line {
                let message = format!(
                    "PAPI does not know {} before its definition, and drops this line",
                    term.text
                );
                findings.push(
                    Diagnostic::new(Code::PapiForward, term.span(), message)
                        .help(format!("move this line after line {}", needed.line)),
                );
            } else if needed.kind != DerivedType::NotDerived {
                let message =
                    format!("PAPI loses parts of {}, which is itself a derived event", term.text);
                findings.push(
                    Diagnostic::new(Code::PapiNested, term.span(), message)
                        .help(format!("write the terms of line {} here", needed.line)),
                );
            }
        }
    }
}
