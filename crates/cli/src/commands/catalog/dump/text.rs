//! A catalog for people.

use crate::commands::catalog::table::{self, Side};
use crate::commands::catalog::words::{build_date, domain_name};
use crate::show::{grouped, printable};
use counterpoint::catalog::{Catalog, Event, Field, Formula, Group, Links, Schema, Section, Text};
use std::io::{self, Write};

pub fn write(out: &mut impl Write, catalog: &Catalog) -> io::Result<()> {
    let links = Links::new(catalog);
    page0(out, catalog)?;
    schemas(out, catalog)?;
    events(out, catalog, &links)?;
    groups(out, catalog, &links)?;
    formulas(out, catalog)
}

fn text(text: &Option<Text>) -> String {
    text.as_ref().map_or_else(|| "(unreadable)".to_string(), Text::to_printable)
}

fn page0(out: &mut impl Write, catalog: &Catalog) -> io::Result<()> {
    let page0 = &catalog.page0;
    let (size, pages) = (grouped(catalog.size() as i128), page0.length);
    writeln!(
        out,
        "24x7 catalog, version {}, built {}, {pages} pages, {size} bytes\n",
        page0.version,
        match page0.build_date() {
            Some(date) => dashed(date),
            None => build_date(page0),
        }
    )?;
    let row = |section: Section| {
        let (extent, offsets) = (page0.extent(section), catalog.offsets(section));
        let used = offsets.first().zip(offsets.last()).map_or(0, |(first, last)| last - first);
        [
            format!("{}s", section.name()),
            extent.offset.to_string(),
            extent.length.to_string(),
            grouped(extent.count.into()),
            grouped(catalog.len(section) as i128),
            grouped(used as i128),
        ]
    };
    let headings = [
        ("section", Side::Left),
        ("page", Side::Right),
        ("pages", Side::Right),
        ("counted", Side::Right),
        ("read", Side::Right),
        ("bytes used", Side::Right),
    ];
    table::write(out, headings, &Section::OF_RECORDS.map(row))
}

/// `20150520120000` as `2015-05-20 12:00:00`.
fn dashed(date: &str) -> String {
    let part = |from: usize, to: usize| date.get(from..to).unwrap_or_default();
    format!(
        "{}-{}-{} {}:{}:{}",
        part(0, 4),
        part(4, 6),
        part(6, 8),
        part(8, 10),
        part(10, 12),
        part(12, 14)
    )
}

fn schemas(out: &mut impl Write, catalog: &Catalog) -> io::Result<()> {
    catalog.schemas.iter().enumerate().try_for_each(|(index, of)| {
        writeln!(out)?;
        schema(out, index, of)
    })
}

pub fn schema(out: &mut impl Write, index: usize, schema: &Schema) -> io::Result<()> {
    let (descriptor, version) = (schema.descriptor, schema.version_id);
    writeln!(out, "schema {index}: descriptor {descriptor}, version {version}")?;
    let row = |field: &Field| {
        let name = field.kind.name().map_or_else(|| "(no name)".to_string(), |n| n.into());
        let (offset, length) = (field.offset.to_string(), field.length.to_string());
        [offset, length, field.kind.0.to_string(), flags(field.flags.into()), name]
    };
    let headings = [
        ("offset", Side::Right),
        ("length", Side::Right),
        ("enum", Side::Right),
        ("flags", Side::Right),
        ("field", Side::Left),
    ];
    table::write(out, headings, &schema.fields.iter().map(row).collect::<Vec<_>>())
}

/// The flags in hexadecimal, as no bit but that of grouped formulas has a name.
fn flags(flags: u32) -> String {
    format!("{flags:#x}")
}

fn events(out: &mut impl Write, catalog: &Catalog, links: &Links<'_>) -> io::Result<()> {
    let events: Vec<(usize, &Event)> = catalog.events.iter().enumerate().collect();
    for run in events.chunk_by(|a, b| a.1.domain == b.1.domain) {
        let domain = run.first().map(|(_, event)| domain_name(event.domain)).unwrap_or_default();
        writeln!(out, "\n{domain} events ({})", grouped(run.len() as i128))?;
        let row = |(index, event): &(usize, &Event)| {
            let group = links.primary_group(event).and_then(|group| catalog.groups.get(group));
            let (description, detailed) =
                (text(&event.description), text(&event.detailed_description));
            let separator = if description.is_empty() || detailed.is_empty() { "" } else { "; " };
            [
                index.to_string(),
                text(&event.name),
                format!("{:#x}", event.counter_address()),
                format!("{:#x}+{}", event.group_record_offset, event.group_record_length),
                event.counter_offset.to_string(),
                flags(event.flags),
                links.formula(event).map(|formula| formula.to_string()).unwrap_or_default(),
                group.map(|group| text(&group.name)).unwrap_or_default(),
                format!("{description}{separator}{detailed}"),
            ]
        };
        let headings = [
            ("event", Side::Right),
            ("name", Side::Left),
            ("address", Side::Right),
            ("record", Side::Right),
            ("counter", Side::Right),
            ("flags", Side::Right),
            ("formula", Side::Right),
            ("group", Side::Left),
            ("description", Side::Left),
        ];
        table::write(out, headings, &run.iter().map(row).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn groups(out: &mut impl Write, catalog: &Catalog, links: &Links<'_>) -> io::Result<()> {
    let groups: Vec<(usize, &Group)> = catalog.groups.iter().enumerate().collect();
    for run in groups.chunk_by(|a, b| a.1.domain == b.1.domain) {
        let domain = run.first().map(|(_, group)| domain_name(group.domain)).unwrap_or_default();
        writeln!(out, "\n{domain} groups ({})", grouped(run.len() as i128))?;
        let row = |(index, group): &(usize, &Group)| {
            let event = |event: Option<usize>| match event.and_then(|at| catalog.events.get(at)) {
                Some(event) => text(&event.name),
                None => "(no such event)".to_string(),
            };
            let events: Vec<String> = links.slots(group).map(|slot| event(slot.event)).collect();
            [
                index.to_string(),
                text(&group.name),
                format!("{:#x}+{}", group.group_record_offset, group.group_record_length),
                flags(group.flags),
                group.schema_index.to_string(),
                events.join(" "),
                text(&group.description),
            ]
        };
        let headings = [
            ("group", Side::Right),
            ("name", Side::Left),
            ("record", Side::Right),
            ("flags", Side::Right),
            ("schema", Side::Right),
            ("events", Side::Left),
            ("description", Side::Left),
        ];
        table::write(out, headings, &run.iter().map(row).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn formulas(out: &mut impl Write, catalog: &Catalog) -> io::Result<()> {
    for (index, formula) in catalog.formulas.iter().enumerate() {
        let unit = text(&formula.unit);
        let unit = if unit.is_empty() { unit } else { format!(" [{unit}]") };
        let grouped = match formula.flags & Formula::GROUPED {
            0 => "",
            _ => ", grouped",
        };
        writeln!(
            out,
            "\nformula {index}: {}{}, flags {}{grouped}",
            printable(&text(&formula.name)),
            printable(&unit),
            flags(formula.flags)
        )?;
        writeln!(out, "  {}", printable(&text(&formula.formula)))?;
        let description = text(&formula.description);
        if !description.is_empty() {
            writeln!(out, "  {}", printable(&description))?;
        }
    }
    Ok(())
}
