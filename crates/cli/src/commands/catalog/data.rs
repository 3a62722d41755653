use super::args::DataArgs;
use super::file::File;
use super::formula::value_keys;
use super::table::{self, Side};
use super::{check, json};
use crate::commands::eval::inputs;
use crate::failure::Failure;
use crate::show::{self, decimal, grouped};
use counterpoint::catalog::data::{Counter, Counters, Request, RequestBuffer, ResultBuffer};
use counterpoint::catalog::{
    Catalog, Diagnostic, Domain, Links, Measured, Metric, MetricError, MetricValue, Metrics,
    Severity, WithMetrics, sysfs::Unit,
};
use counterpoint::formula::Number;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
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
        report.write_json(&mut out)?;
        for (metric, value) in metrics.iter().zip(&values) {
            let mut object =
                json!({"schema": 1, "record": "metric", "name": metric.name, "unit": metric.unit});
            if let Value::Object(object) = &mut object {
                object.extend(value_keys(value));
            }
            writeln!(out, "{object}")?;
        }
    } else {
        report.write_text(&mut out)?;
        write_metrics(&mut out, &metrics, &values)?;
    }
    out.flush()?;
    write_findings(&mut out, &findings, args.json)?;
    Ok(u8::from(findings.iter().any(|(_, found)| found.severity == Severity::Error)))
}

fn write_findings(out: &mut impl Write, findings: &Findings, is_json: bool) -> io::Result<()> {
    for (file, found) in findings {
        if is_json {
            let mut object = check::as_json(found, file);
            object["record"] = json!("finding");
            writeln!(out, "{object}")?;
        } else {
            check::write_text(&mut show::stderr(), found, file)?;
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
    /// Whether they are known; otherwise the numbers are printed as they are.
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
    let group =
        catalog.groups.iter().find(|group| group.name() == Some(name)).map(Request::of_group);
    let event = Links::new(catalog).by_name(name).and_then(|event| catalog.events.get(event));
    let event = event.map(Request::of_event);
    let (first, second) = if size == 8 { (event, group) } else { (group, event) };
    first.or(second).ok_or_else(|| {
        let names = catalog.groups.iter().filter_map(|group| group.name());
        let names = names.chain(catalog.events.iter().filter_map(|event| event.name()));
        let similar = counterpoint::pmu::similar(name, names);
        let failure = Failure::new(format!("no group or event is called `{name}`"));
        match similar.is_empty() {
            true => failure.help("`counterpoint catalog dump` lists them"),
            false => failure.help(format!("did you mean `{}`?", similar.join("`, `"))),
        }
    })
}

/// The only group whose records have this size, or else 64-bit words of an unknown domain.
fn guessed(catalog: &Catalog, size: u16) -> Request {
    let mut groups = catalog.groups.iter().filter(|group| group.group_record_length == size);
    match (groups.next(), groups.next()) {
        (Some(group), None) => Request::of_group(group),
        _ => Request::new(UNKNOWN, 0, size),
    }
}

const UNKNOWN: Domain = Domain(0);

/// A buffer with the names that the catalog has for its numbers.
struct Report<'r> {
    names: Names,
    results: &'r ResultBuffer,
    counters: Counters,
    grown: Option<Counters>,
}

impl Report<'_> {
    /// How much a counter grew since the earlier buffer.
    fn grown(&self, counter: &Counter) -> Option<u64> {
        self.grown.as_ref()?.at(counter)
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let results = self.results;
        writeln!(
            out,
            "result buffer: interface {}, catalog version {}, {} of {} results",
            results.version.number(),
            results.catalog_version,
            results.results.len(),
            results.result_count
        )?;
        let counters: Vec<&Counter> = self.counters.iter().collect();
        for unit in counters.chunk_by(|a, b| a.unit() == b.unit()) {
            writeln!(out, "\n{}", unit.first().map(|first| title(first)).unwrap_or_default())?;
            self.write_unit(out, unit)?;
        }
        if counters.iter().any(|counter| counter.domain == UNKNOWN) {
            writeln!(
                out,
                "\nThe results do not hold what was requested: add --requests FILE or --name NAME."
            )?;
        }
        Ok(())
    }

    fn write_unit(&self, out: &mut impl Write, unit: &[&Counter]) -> io::Result<()> {
        let row = |counter: &&Counter| {
            let (events, fields) = self.names.of(counter);
            let grown = self.grown(counter).map(|grown| grouped(grown.into()));
            [
                format!("{:#x}", counter.address),
                grouped(counter.value.into()),
                grown.unwrap_or_default(),
                fields.join(" or "),
                events.join(" "),
            ]
        };
        let rows: Vec<[String; 5]> = unit.iter().map(row).collect();
        let [address, value, grown, field, event] = [
            ("address", Side::Right),
            ("value", Side::Right),
            ("grown by", Side::Right),
            ("field", Side::Left),
            ("event", Side::Left),
        ];
        if self.grown.is_some() {
            return table::write(out, [address, value, grown, field, event], &rows);
        }
        let rows: Vec<[String; 4]> = rows.into_iter().map(|[a, v, _, f, e]| [a, v, f, e]).collect();
        table::write(out, [address, value, field, event], &rows)
    }

    fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let results = self.results;
        let buffer = json!({
            "schema": 1,
            "record": "buffer",
            "interface_version": results.version.number(),
            "result_count": results.result_count,
            "failing_request": results.failing_request,
            "return_code": results.return_code,
            "configuration": results.configuration,
            "catalog_version": results.catalog_version,
        });
        writeln!(out, "{buffer}")?;
        for (index, result) in results.results.iter().enumerate() {
            let result = json!({
                "schema": 1,
                "record": "result",
                "index": index,
                "offset": result.offset,
                "request": result.request,
                "complete": result.complete,
                "element_count": result.element_count,
                "data_size": result.data_size,
                "resolved_elements": result.elements.len(),
            });
            writeln!(out, "{result}")?;
        }
        for counter in self.counters.iter() {
            let (events, fields) = self.names.of(counter);
            let known = counter.domain != UNKNOWN;
            let value = json!({
                "schema": 1,
                "record": "value",
                "domain": known.then_some(counter.domain.0),
                "lpar": counter.lpar,
                "index": counter.index,
                "thread_group": counter.thread_group,
                "address": counter.address,
                "width": counter.width,
                "value": counter.value,
                "grown": self.grown(counter),
                "fields": fields,
                "events": events,
            });
            writeln!(out, "{value}")?;
        }
        Ok(())
    }
}

/// The unit that a counter belongs to: `core 3`, `vcpu 1 of partition 2 (home chip)`.
fn title(counter: &Counter) -> String {
    let thread_group = match counter.thread_group {
        Some(group) if group != 0 => format!(", thread group {group}"),
        _ => String::new(),
    };
    let (index, lpar) = (counter.index, counter.lpar);
    let place = match counter.domain {
        UNKNOWN => format!("index {index} of partition {lpar}"),
        domain @ (Domain::CHIP | Domain::CORE) => format!("{} {index}", Unit::of(domain).name()),
        domain => {
            let home = match domain {
                Domain::VCPU_HOME_CORE => "home core",
                Domain::VCPU_HOME_CHIP => "home chip",
                Domain::VCPU_HOME_NODE => "home node",
                _ => "remote node",
            };
            format!("vcpu {index} of partition {lpar} ({home})")
        }
    };
    format!("{place}{thread_group}")
}

/// The names that a catalog has for counters: events and fields of schemas, by domain, address and width.
#[derive(Default)]
struct Names {
    events: Places,
    fields: Places,
}

impl Names {
    fn new(catalog: &Catalog, results: &ResultBuffer, counters: &Counters) -> Names {
        let there: HashSet<(u32, u8)> =
            counters.iter().map(|counter| (counter.address, counter.width)).collect();
        let mut names = Names::default();
        for event in catalog.events.iter().filter(|event| event.group_record_length > 0) {
            let address = event.counter_address();
            if there.contains(&(address, 8)) {
                let place = (event.domain, address, 8);
                names.events.entry(place).or_default().extend(json::name(event.name.as_ref()));
            }
        }
        let sizes: HashSet<u16> = results.results.iter().map(|result| result.data_size).collect();
        // Groups may share a record: each kind of record at each place once.
        let mut records: Vec<(u8, Domain, u16)> = Vec::new();
        for group in &catalog.groups {
            records.push((group.schema_index, group.domain, group.group_record_offset));
            if sizes.contains(&group.group_record_length) {
                records.push((group.schema_index, UNKNOWN, 0));
            }
        }
        records.sort_unstable();
        records.dedup();
        for (schema, domain, offset) in records {
            let schema = catalog.schemas.get(usize::from(schema));
            for field in schema.iter().flat_map(|schema| &schema.fields) {
                let Ok(width) = u8::try_from(field.length) else { continue };
                let address = u32::from(offset) + u32::from(field.offset);
                if !there.contains(&(address, width)) {
                    continue;
                }
                let Some(name) = field.kind.name() else { continue };
                let names = names.fields.entry((domain, address, width)).or_default();
                if !names.iter().any(|known| *known == name) {
                    names.push(name.to_string());
                }
            }
        }
        names
    }

    /// The names of the events and of the fields there; virtual CPUs have those of cores.
    fn of(&self, counter: &Counter) -> (&[String], &[String]) {
        (at(&self.events, counter), at(&self.fields, counter))
    }
}

/// Names by domain, address and width.
type Places = HashMap<(Domain, u32, u8), Vec<String>>;

fn at<'n>(names: &'n Places, counter: &Counter) -> &'n [String] {
    let of = |domain| names.get(&(domain, counter.address, counter.width));
    let is_virtual = counter.domain.is_virtual();
    let found = of(counter.domain).or_else(|| of(Domain::CORE).filter(|_| is_virtual));
    found.map(Vec::as_slice).unwrap_or_default()
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

fn write_metrics(
    out: &mut impl Write,
    metrics: &Metrics<'_>,
    values: &[Result<MetricValue, MetricError>],
) -> io::Result<()> {
    let row = |(metric, value): (&Metric, &Result<MetricValue, MetricError>)| {
        let (value, why) = match value {
            Ok(MetricValue { number, note: None }) => (shown(*number), String::new()),
            Ok(MetricValue { number, note: Some(note) }) => (number.to_string(), note.to_string()),
            Err(error) => ("<not counted>".to_string(), error.to_string()),
        };
        [metric.name.clone(), value, metric.unit.clone().unwrap_or_default(), why]
    };
    let rows: Vec<[String; 4]> = metrics.iter().zip(values).map(row).collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let headings =
        [("formula", Side::Left), ("value", Side::Right), ("unit", Side::Left), ("", Side::Left)];
    table::write(out, headings, &rows)
}

fn shown(number: Number) -> String {
    match number {
        Number::Int(whole) => grouped(whole),
        Number::Real(real) => decimal(real),
    }
}
