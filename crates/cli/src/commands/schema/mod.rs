//! `counterpoint schema`: the JSON Schema of each machine format.

mod args;
mod formats;
#[cfg(test)]
mod types;

pub use args::SchemaArgs;

use crate::failure::{Failure, did_you_mean};
use crate::show;
use counterpoint::pmu::similar;
use formats::{FORMATS, Format};
use std::io::Write;

pub fn run(args: &SchemaArgs) -> Result<u8, Failure> {
    let mut out = show::stdout();
    match &args.format {
        Some(name) => out.write_all(format(name)?.document.as_bytes())?,
        None => {
            for Format { name, of, .. } in FORMATS {
                writeln!(out, "{name:<16}  {of}")?;
            }
        }
    }
    out.flush()?;
    Ok(0)
}

fn format(name: &str) -> Result<&'static Format, Failure> {
    FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
        let near = similar(name, FORMATS.iter().map(|format| format.name));
        Failure::new(format!("there is no machine format `{name}`"))
            .help(did_you_mean(&near, "`counterpoint schema` lists all formats"))
    })
}
