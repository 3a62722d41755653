use super::args::{EventsArgs, Format, Kernel};
use super::file::File;
use crate::failure::Failure;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show::{self, printable};
use counterpoint::catalog::data::InterfaceVersion;
use counterpoint::catalog::sysfs::{self, Listing, Value};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Entry<'_>>, schema_of::<Found<'_>>];

/// An event of sysfs.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Entry<'a> {
    /// The name of the file.
    name: &'a str,
    /// Its text.
    value: String,
}

/// An event whose counter a value of sysfs names.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Found<'a> {
    /// The name of the event.
    name: &'a str,
    /// The number of the event in the catalog.
    event: usize,
    /// The number of its domain.
    domain: u8,
    /// The value that was asked about.
    value: String,
}

/// Exit status 1 if the driver would not take the catalog, or no event is meant.
pub fn run(args: &EventsArgs) -> Result<u8, Failure> {
    let file = File::of(&args.source)?;
    match &args.value {
        Some(value) => find(&file, value, args.json),
        None => list(&file, args),
    }
}

fn list(file: &File, args: &EventsArgs) -> Result<u8, Failure> {
    let kernel = match args.kernel {
        Kernel::Y2014 => sysfs::Kernel::Y2014,
        Kernel::V4_1 => sysfs::Kernel::V4_1,
        Kernel::Current => sysfs::Kernel::Current,
    };
    let interface = InterfaceVersion::from_number(args.interface).unwrap_or(InterfaceVersion::V2);
    let Listing { entries, stop, refusal, .. } = sysfs::list(&file.bytes, kernel, interface);
    let mut out = show::stdout();
    let width =
        entries.iter().map(|entry| printable(&entry.name).chars().count()).max().unwrap_or(0);
    for entry in &entries {
        if args.json {
            let value = entry.value.to_string();
            show::json(&mut out, &Entry { name: &entry.name, value })?;
        } else {
            writeln!(out, "{:<width$}  {}", printable(&entry.name), entry.value)?;
        }
    }
    out.flush()?;
    if let Some(stop) = stop {
        _ = writeln!(show::stderr(), "counterpoint: {}: the driver stops here: {stop}", file.name);
    }
    match refusal {
        Some(refusal) => {
            Err(Failure::new(format!("{}: the driver rejects it: {refusal}", file.name)).code(1))
        }
        None => Ok(0),
    }
}

/// Shows the events whose counter a value of sysfs names.
fn find(file: &File, text: &str, as_json: bool) -> Result<u8, Failure> {
    let value: Value = text.parse().map_err(|error: sysfs::ValueError| {
        let wrong = text.get(error.span.clone()).unwrap_or_default();
        Failure::new(format!("`{text}`: {error}")).help(if wrong.is_empty() {
            "write for example domain=2,offset=0xe0,core=1,lpar=0x0".to_string()
        } else {
            format!("the error is in `{wrong}`")
        })
    })?;
    let catalog = file.catalog(Format::V0_17)?;
    let mut out = show::stdout();
    let mut found = false;
    for index in value.events(&catalog) {
        found = true;
        let event = &catalog.events[index];
        let name = event.name.as_ref().map(|name| name.to_printable()).unwrap_or_default();
        if as_json {
            let domain = event.domain.0;
            let value = value.to_string();
            show::json(&mut out, &Found { name: &name, event: index, domain, value })?;
        } else {
            writeln!(out, "{name}")?;
        }
    }
    out.flush()?;
    if found {
        Ok(0)
    } else {
        Err(Failure::new(format!("no event of {} has its counter there", file.name)).code(1))
    }
}
