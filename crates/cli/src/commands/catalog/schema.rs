//! `counterpoint catalog schema`: schemas outside a catalog.

use super::args::SchemaArgs;
use super::dump::{json, text};
use super::file::File;
use crate::failure::Failure;
use crate::show;
use counterpoint::catalog::Schema;
use std::io::Write;

/// Exit status 1 if a schema cannot be read; those before it are printed.
pub fn run(args: &SchemaArgs) -> Result<u8, Failure> {
    let file = File::read(&args.file)?;
    if file.bytes.starts_with(b"24x7") {
        return Err(Failure::new(format!("{}: this is a whole catalog", file.name))
            .help("`counterpoint catalog dump` prints its schemas"));
    }
    let mut out = show::stdout();
    let (mut index, mut at) = (0, 0);
    // The bytes after the last schema, such as the rest of a page, are zero.
    while index == 0 || file.bytes[at..].iter().any(|byte| *byte != 0) {
        let schema = Schema::decode(&file.bytes[at..]).map_err(|error| {
            let (offset, field, kind) = (at + error.offset, error.field, &error.kind);
            let place = format!("{}: schema {index}, byte {offset:#x}, {field}", file.name);
            Failure::new(format!("{place}: {kind}")).code(1)
        });
        let schema = match schema {
            Ok(schema) => schema,
            Err(failure) => {
                out.flush()?;
                return Err(failure);
            }
        };
        match args.json {
            true => show::json(&mut out, &json::schema(index, at, &schema))?,
            false if index > 0 => {
                writeln!(out)?;
                text::schema(&mut out, index, &schema)?;
            }
            false => text::schema(&mut out, index, &schema)?,
        }
        at += usize::from(schema.length);
        index += 1;
    }
    out.flush()?;
    Ok(0)
}
