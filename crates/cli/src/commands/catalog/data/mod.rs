//! `counterpoint catalog data`: the values in a result buffer.

pub mod json;
mod report;
mod text;

use super::args::DataArgs;
use super::check;
use super::file::File;
use super::named::{event, group, unknown};
use crate::commands::eval::inputs;
use crate::failure::Failure;
use crate::show;
use counterpoint::catalog::data::{Counters, Request, RequestBuffer, ResultBuffer};
use counterpoint::catalog::{
    Catalog, Diagnostic, Measured, MetricError, MetricValue, Metrics, Severity, WithMetrics,
};
use counterpoint::formula::Number;
use report::{Names, Report, UNKNOWN};
use std::io::{self, Write};

/// Exit status 1 if a buffer has errors.
pub fn run(args: &DataArgs) -> Result<u8, Failure> {
    let symbols = inputs(&args.symbols)?;
    let catalog = match &args.catalog {
        Some(path) => File::read(path)?,
        None => File::of_machine(args.machine.as_deref())?,
    }
    .catalog(args.format)?;
    let mut findings = Vec::new();
    let file = File::read(&args.file)?;
    let results = results(&file, &mut findings)?;
    let before = match &args.before {
        Some(path) => {
            let file = File::read(path)?;
            Some((self::results(&file, &mut findings)?, file.name))
        }
        None => None,
    };
    let requests = requests(args, &catalog, &results, &mut findings)?;
    let asked = requests.known.then_some(&requests.list[..]);
    let mut add = |name: &str, found: Vec<Diagnostic>| {
        findings.extend(found.into_iter().map(|found| (name.to_string(), found)));
    };
    add(&file.name, results.check(asked, Some(&catalog)));
    if let Some((before, name)) = &before {
        add(name, before.check(asked, Some(&catalog)));
        add(&file.name, results.check_since(before));
    }
    let counters = Counters::read(&results, &requests.list, &catalog);
    let grown = before
        .map(|(before, _)| counters.since(&Counters::read(&before, &requests.list, &catalog)));
    let metrics = catalog.metrics();
    let values = grown
        .as_ref()
        .map(|grown| evaluate(&catalog, &metrics, grown, &symbols, args.timebase))
        .unwrap_or_default();
    let names = Names::new(&catalog, &results, &counters);
    let report = Report { names, results: &results, counters, grown };
    let mut out = show::stdout();
    if args.json {
        json::write(&mut out, &report)?;
        json::write_metrics(&mut out, &metrics, &values)?;
    } else {
        text::write(&mut out, &report)?;
        text::write_metrics(&mut out, &metrics, &values)?;
    }
    out.flush()?;
    write_findings(&mut out, &findings, args.json)?;
    Ok(u8::from(findings.iter().any(|(_, found)| found.severity == Severity::Error)))
}

fn write_findings(out: &mut impl Write, findings: &Findings, is_json: bool) -> io::Result<()> {
    for (file, found) in findings {
        if is_json {
            json::write_finding(out, found, file)?
        } else {
            check::text::write(&mut show::stderr(), found, file)?
        }
    }
    out.flush()
}

type Findings = Vec<(String, Diagnostic)>;

fn results(file: &File, findings: &mut Findings) -> Result<ResultBuffer, Failure> {
    let decoded = ResultBuffer::decode(&file.bytes);
    let Some(buffer) = decoded.buffer else {
        return Err(unreadable(file, decoded.diagnostics));
    };
    findings.extend(decoded.diagnostics.into_iter().map(|found| (file.name.clone(), found)));
    Ok(buffer)
}

fn unreadable(file: &File, diagnostics: Vec<Diagnostic>) -> Failure {
    let why = diagnostics.iter().find(|found| found.severity == Severity::Error);
    let (message, help) =
        why.map(|found| (found.message.clone(), found.help())).unwrap_or_default();
    Failure::new(format!("{}: {message}", file.name)).help(help)
}

/// The requests that the results answer.
struct Requests {
    list: Vec<Request>,
    /// True if the requests are known; otherwise the numbers are printed as they are.
    known: bool,
}

fn requests(
    args: &DataArgs,
    catalog: &Catalog,
    results: &ResultBuffer,
    findings: &mut Findings,
) -> Result<Requests, Failure> {
    if let Some(path) = &args.requests {
        let file = File::read(path)?;
        let decoded = RequestBuffer::decode(&file.bytes);
        let Some(buffer) = decoded.buffer else {
            return Err(unreadable(&file, decoded.diagnostics));
        };
        findings.extend(decoded.diagnostics.into_iter().map(|found| (file.name.clone(), found)));
        return Ok(Requests { list: buffer.requests, known: true });
    }
    let size = |number: usize| {
        let mut of = results.results.iter().filter(|result| usize::from(result.request) == number);
        of.next().map_or(0, |result| result.data_size)
    };
    if !args.names.is_empty() {
        let named = args.names.iter().enumerate();
        let list = named.map(|(number, name)| request(catalog, name, size(number)));
        return Ok(Requests { list: list.collect::<Result<_, _>>()?, known: true });
    }
    let last = results.results.iter().map(|result| usize::from(result.request) + 1).max();
    let list = (0..last.unwrap_or(0)).map(|number| guessed(catalog, size(number)));
    Ok(Requests { list: list.collect(), known: false })
}

/// The request for a group or an event; groups are often called as one of their events is.
fn request(catalog: &Catalog, name: &str, size: u16) -> Result<Request, Failure> {
    let group = group(catalog, name).map(Request::of_group);
    let event = event(catalog, name).map(Request::of_event);
    let (first, second) = if size == 8 { (event, group) } else { (group, event) };
    first.or(second).ok_or_else(|| unknown(catalog, name))
}

/// The only group whose records have this size, or else 64-bit words of an unknown domain.
fn guessed(catalog: &Catalog, size: u16) -> Request {
    let mut groups = catalog.groups.iter().filter(|group| group.group_record_length == size);
    match (groups.next(), groups.next()) {
        (Some(group), None) => Request::of_group(group),
        _ => Request::new(UNKNOWN, 0, size),
    }
}

/// The value of every formula, as far as the growth of the counters and the symbols supply it.
fn evaluate(
    catalog: &Catalog,
    metrics: &Metrics<'_>,
    grown: &Counters,
    symbols: &[(&str, Number)],
    timebase_hz: f64,
) -> Vec<Result<MetricValue, MetricError>> {
    let measured = Measured::new(catalog, grown, timebase_hz);
    metrics.evaluate(|operand| {
        let symbol = symbols.iter().find(|(name, _)| *name == operand.name);
        symbol.map(|(_, value)| *value).or_else(|| measured.value(operand))
    })
}
