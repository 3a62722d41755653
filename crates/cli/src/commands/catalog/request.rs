//! `counterpoint catalog request`: a request buffer for the hypervisor.

use super::args::{Format, Range, RequestArgs};
use super::file::File;
use super::named::{event, group, unknown};
use crate::failure::Failure;
use crate::show;
use counterpoint::catalog::Catalog;
use counterpoint::catalog::data::{InterfaceVersion, Request, RequestBuffer};
use std::io::Write;

/// Exit status 2 if a name is unknown, or the requests do not fit one buffer.
pub fn run(args: &RequestArgs) -> Result<u8, Failure> {
    let catalog = match &args.catalog {
        Some(path) => File::read(path)?,
        None => File::of_machine(args.machine.as_deref())?,
    };
    let catalog = catalog.catalog(Format::V0_17)?;
    let requests = args.names.iter().map(|name| {
        let request = named(&catalog, name, args.records)?;
        let request = in_range(request, args);
        lpars_fit(name, &request, args)?;
        Ok(request)
    });
    let requests = requests.collect::<Result<Vec<Request>, Failure>>()?;
    let version = InterfaceVersion::from_number(args.interface).unwrap_or(InterfaceVersion::V2);
    let count = requests.len();
    let bytes = RequestBuffer::new(version, requests).encode().map_err(|_| {
        Failure::new(format!("{count} requests do not fit the 4096 bytes of a buffer")).help(
            "name fewer, in several buffers: version 1 has room for 255, and version 2 for 127",
        )
    })?;
    let (mut out, chosen) = args.output.bytes("requests.bin", false)?;
    out.write_all(&bytes)?;
    out.publish()?;
    if let Some(path) = chosen {
        writeln!(show::stderr(), "counterpoint: written to {}", path.display())?;
    }
    Ok(0)
}

/// The request for the counter of an event or its whole record, or for the record of a group.
fn named(catalog: &Catalog, name: &str, records: bool) -> Result<Request, Failure> {
    match event(catalog, name) {
        None => {
            let group = group(catalog, name).ok_or_else(|| unknown(catalog, name))?;
            Ok(Request::of_group(group))
        }
        Some(event) if !records => Ok(Request::of_event(event)),
        Some(event) if event.group_record_length == 0 => {
            Err(Failure::new(format!("the event `{name}` has no group record"))
                .help("request it without --records"))
        }
        Some(event) => Ok(Request::of_record(event)),
    }
}

/// The request for the chips, cores, virtual CPUs and partitions that are asked for.
fn in_range(request: Request, args: &RequestArgs) -> Request {
    let (first_index, max_indexes) = range(args.indexes);
    let (first_lpar, max_lpars) = match args.lpars.filter(|_| request.domain.is_virtual()) {
        Some(lpars) => range(lpars),
        None => (request.first_lpar, request.max_lpars),
    };
    Request { first_index, max_indexes, first_lpar, max_lpars, ..request }
}

/// The first, and how many.
fn range(range: Range) -> (u16, u16) {
    match range {
        Range::One(index) => (index, 1),
        Range::All => (0, Request::ALL),
    }
}

/// Only virtual domains have partitions.
fn lpars_fit(name: &str, request: &Request, args: &RequestArgs) -> Result<(), Failure> {
    if args.lpars.is_none() || request.domain.is_virtual() {
        return Ok(());
    }
    let domain = request.domain.name().unwrap_or("unknown");
    Err(Failure::new(format!(
        "`{name}` is counted in the domain {domain}, which has no partitions"
    ))
    .help("remove --lpars"))
}
