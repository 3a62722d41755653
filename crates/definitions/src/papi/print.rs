//! Prints a tree as text.

use super::ast::{Cpu, Event, Field, File, Item, Key};

/// The text of a file in its plainest form: no blanks around fields, no empty fields, texts between quotes.
///
/// Comments, blank lines and lines that cannot be read are kept; lines end in a line feed, and there is no byte order mark.
/// The printed text reads as the same definitions, and prints as itself.
///
/// ```
/// use counterpoint_definitions::papi::{parse, print};
///
/// let file = parse("# cycles\r\nEvent , CPI ,, derived_infix, N0 / N1, CYCLES,\tINSTRUCTIONS,LDESC,Cycles each\r\n").file;
/// assert_eq!(print(&file), "# cycles\nEvent,CPI,derived_infix,N0 / N1,CYCLES,INSTRUCTIONS,LDESC,\"Cycles each\"\n");
/// ```
pub fn print(file: &File<'_>) -> String {
    let mut out = String::with_capacity(file.source.len());
    let mut done = 0;
    for item in &file.items {
        let span = item.span();
        between(&mut out, file.source.get(done..span.start).unwrap_or_default(), done > 0, true);
        print_item(&mut out, item, file.source);
        out.push('\n');
        done = span.end;
    }
    between(&mut out, file.source.get(done..).unwrap_or_default(), done > 0, false);
    out
}

/// Prints comments and blank lines; the text includes the rest of the line before and the start of the line after.
fn between(out: &mut String, text: &str, rest_before: bool, start_after: bool) {
    let lines: Vec<&str> = text.split('\n').collect();
    let from = usize::from(rest_before);
    let to = if start_after || lines.last().is_some_and(|last| is_empty(last)) {
        lines.len() - 1
    } else {
        lines.len()
    };
    for line in lines.get(from..to).unwrap_or_default() {
        if line.contains(',') && is_empty(line) {
            continue;
        }
        out.push_str(
            line.trim_start_matches([' ', '\t', '\r', '\u{feff}', ','])
                .trim_end_matches([' ', '\t', '\r', '\u{feff}']),
        );
        out.push('\n');
    }
}

fn is_empty(line: &str) -> bool {
    line.trim_matches([' ', '\t', '\r', '\u{feff}', ',']).is_empty()
}

fn print_item(out: &mut String, item: &Item<'_>, source: &str) {
    let span = item.span();
    let as_written = source.get(span.clone()).unwrap_or_default();
    match item {
        Item::Cpu(cpu) if cpu.name.text.is_empty() => out.push_str(as_written),
        Item::Cpu(Cpu { name, number, .. }) => {
            out.push_str(as_written.get(.."CPU".len()).unwrap_or("CPU"));
            std::iter::once(name).chain(number).for_each(|field| print_field(out, *field));
        }
        Item::Component(component) => {
            out.push_str(component.name.text);
            if !component.arch.text.is_empty() {
                print_field(out, component.arch);
            }
        }
        Item::Event(event) => print_event(out, event, source),
        Item::Unreadable(_) => out.push_str(as_written),
    }
}

fn print_event(out: &mut String, event: &Event<'_>, source: &str) {
    let keyword = event.keyword.name();
    out.push_str(source.get(event.span.start..event.span.start + keyword.len()).unwrap_or(keyword));
    print_field(out, event.name);
    out.push(',');
    out.push_str(source.get(event.kind_span()).unwrap_or(event.kind.name()));
    if let Some(formula) = &event.formula {
        print_field(out, formula.field);
    }
    event.terms.iter().for_each(|term| print_field(out, *term));
    for text in &event.texts {
        print_field(out, text.name);
        match text.value {
            Some(value)
                if value.quote.is_none()
                    && (text.key != Key::Unknown || !value.text.is_empty()) =>
            {
                out.push_str(",\"");
                out.push_str(value.text);
                out.push('"');
            }
            Some(value) => print_field(out, value),
            None => {}
        }
    }
}

fn print_field(out: &mut String, field: Field<'_>) {
    out.push(',');
    match field.quote {
        None => out.push_str(field.text),
        Some(quote) => {
            out.push(quote.mark);
            out.push_str(field.text);
            out.push(quote.mark);
        }
    }
}
