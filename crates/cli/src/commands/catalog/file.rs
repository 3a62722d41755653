//! Files with a catalog or a buffer.

use super::args::{Format, Source};
use crate::args::host;
use crate::failure::Failure;
use crate::{input, show};
use counterpoint::Machine;
use counterpoint::catalog::{Catalog, Decoded, FormatVersion, PATH};
use std::io::Write;
use std::path::Path;

/// The bytes of a file, and its name for messages.
pub struct File {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl File {
    /// A file, or standard input for `-`.
    pub fn read(path: &Path) -> Result<File, Failure> {
        let name = if path == Path::new("-") {
            "standard input".to_string()
        } else {
            path.display().to_string()
        };
        match input::bytes(path) {
            Ok(bytes) => Ok(File { name, bytes }),
            Err(error) => Err(Failure::new(format!("{name}: {error}"))),
        }
    }

    /// The file that is named, or the catalog of the machine.
    pub fn of(source: &Source) -> Result<File, Failure> {
        match &source.file {
            Some(path) => File::read(path),
            None => File::of_machine(source.machine.as_deref()),
        }
    }

    pub fn of_machine(recorded: Option<&Path>) -> Result<File, Failure> {
        let bytes = Machine::new(host(recorded)?).catalog().map_err(|error| {
            Failure::new(format!("this machine does not have a 24x7 catalog: {PATH}: {error}"))
                .help("name a file, or run as root on IBM POWER8 or later under PowerVM")
        })?;
        Ok(File { name: PATH.to_string(), bytes })
    }

    pub fn decode(&self, format: Format) -> Decoded {
        Catalog::decode_as(&self.bytes, version(format))
    }

    /// The part of the catalog that could be read; the number of errors is printed to stderr.
    pub fn catalog(&self, format: Format) -> Result<Catalog, Failure> {
        let decoded = self.decode(format);
        let errors = decoded.diagnostics.len();
        let Some(catalog) = decoded.catalog else {
            let why =
                decoded.diagnostics.first().map(|found| (found.message.clone(), found.help()));
            let (message, help) = why.unwrap_or_default();
            return Err(Failure::new(format!("{}: {message}", self.name)).help(help));
        };
        if errors > 0 {
            _ = writeln!(
                show::stderr(),
                "counterpoint: {}: {errors} errors; `counterpoint catalog check` reports them",
                self.name
            );
        }
        Ok(catalog)
    }
}

fn version(format: Format) -> FormatVersion {
    match format {
        Format::V0_12 => FormatVersion::V0_12,
        Format::V0_16 => FormatVersion::V0_16,
        Format::V0_17 => FormatVersion::V0_17,
    }
}
