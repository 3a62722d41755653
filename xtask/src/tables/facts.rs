//! From facts in columns (`events.tsv.gz`, `umasks.tsv.gz`, `pmus.tsv` …) to the text tables.

use super::files::write;
use super::hardware::Hardware;
use super::names;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Bits of the flags columns and what the text tables call them.
const FLAGS: [(u64, &str); 22] = [
    (0x1, "ncombo"),
    (0x2, "fallback-gen"),
    (0x4, "pebs"),
    (0x8, "default"),
    (0x10, "grp-excl"),
    (0x20, "offcore"),
    (0x40, "excl-grp-gt"),
    (0x80, "fixed"),
    (0x100, "no-autoencode"),
    (0x200, "code-override"),
    (0x400, "ldlat"),
    (0x800, "grp-dfl-none"),
    (0x1000, "frontend"),
    (0x2000, "fethr"),
    (0x4000, "excl-grp-but-0"),
    (0x8000, "grp-req"),
    (0x1_0000, "filt-umask"),
    (0x2_0000, "force-filt0"),
    (0x4_0000, "spec"),
    (0x8_0000, "deprecated"),
    (0x10_0000, "code-dup"),
    (0x20_0000, "no-mods"),
];

const AMD_FLAGS: [(u64, &str); 5] =
    [(1, "ncombo"), (2, "ibs-fetch"), (4, "ibs-op"), (8, "default"), (0x10, "omit")];

/// A file in columns: its rows by column name.
struct Columns {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    fn read(folder: &Path, name: &str) -> Result<Columns, String> {
        let path = folder.join(name);
        let program = if name.ends_with(".gz") { "zcat" } else { "cat" };
        let output = Command::new(program).arg(&path).output();
        let output = output.map_err(|error| format!("{program}: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let split = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines();
        let header = split(lines.next().ok_or_else(|| format!("{} is empty", path.display()))?);
        Ok(Columns { header, rows: lines.map(split).collect() })
    }

    fn get<'a>(&self, row: &'a [String], name: &str) -> &'a str {
        let column = self.header.iter().position(|known| known == name);
        column.and_then(|column| row.get(column)).map_or("-", String::as_str)
    }
}

fn number(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap_or(0),
        None => text.parse().unwrap_or(0),
    }
}

pub(super) fn vendor(table: &str, arch: &str) -> Option<&'static str> {
    Some(match arch {
        "x86" if table.starts_with("amd64") => "amd",
        "x86" => "intel",
        "arm" | "arm64" => "arm",
        "powerpc" => "power",
        "s390x" => "s390x",
        "sparc" => "sparc",
        "mips" => "mips",
        _ => return None,
    })
}

/// A table's file, without the vendor where its folder says it.
fn file_of(table: &str, vendor: &str) -> String {
    let table = table.strip_prefix("intel_").unwrap_or(table);
    let table = if vendor == "arm" { table.strip_prefix("arm_").unwrap_or(table) } else { table };
    table.to_owned()
}

pub(super) fn write_tables(facts: &Path, tables: &Path) -> Result<(), String> {
    let pmus = Columns::read(facts, "pmus.tsv")?;
    let ids: HashMap<&str, &str> =
        pmus.rows.iter().map(|row| (pmus.get(row, "pmu_id"), pmus.get(row, "name"))).collect();
    let list = Columns::read(facts, "tables.tsv")?;
    let events = Columns::read(facts, "events.tsv.gz")?;
    let umasks = Columns::read(facts, "umasks.tsv.gz")?;
    let extra = extra(facts)?;
    let mut masks_of: BTreeMap<(&str, &str), Vec<&Vec<String>>> = BTreeMap::new();
    for row in &umasks.rows {
        let key = (umasks.get(row, "table"), umasks.get(row, "pidx"));
        masks_of.entry(key).or_default().push(row);
    }
    for row in &list.rows {
        let (table, arch) = (list.get(row, "table"), list.get(row, "arch"));
        let Some(vendor) = vendor(table, arch) else { continue };
        let amd = vendor == "amd";
        let mut entries: Vec<(String, String)> = Vec::new();
        for event in events.rows.iter().filter(|event| events.get(event, "table") == table) {
            let pidx = events.get(event, "pidx");
            let name = events.get(event, "event");
            let mut text = event_line(&events, event, &ids, amd);
            if let Some(more) = extra.get(&(table.to_owned(), pidx.to_owned())) {
                text.push_str(more);
            }
            text.push('\n');
            for mask in masks_of.get(&(table, pidx)).into_iter().flatten() {
                text.push_str(&mask_line(&umasks, mask, &ids, amd));
            }
            entries.push((name.to_ascii_uppercase(), text));
        }
        match table {
            "intel_rapl_hswep" => entries = energy_domains(facts)?,
            "cpum_cf" => entries = counter_facility(facts)?,
            _ => {}
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let users: Vec<&str> = pmus
            .rows
            .iter()
            .filter(|row| pmus.get(row, "table") == table)
            .map(|row| pmus.get(row, "name"))
            .collect();
        let mut text = format!("# {}\n", names::table_title(&users));
        text.push_str("# Names, codes and constraints, one event after another; its unit masks follow it. README.md has the columns.\n");
        text.extend(entries.into_iter().map(|(_, text)| text));
        write(&tables.join(vendor).join(file_of(table, vendor) + ".txt"), &text)?;
    }
    write_pmus(facts, &pmus, tables)
}

/// The energy counters of all processors, with the models that have them. Where the model is not known
/// there are those of servers.
fn energy_domains(facts: &Path) -> Result<Vec<(String, String)>, String> {
    let detect = Columns::read(facts, "detect.tsv")?;
    let is_rapl = |row: &&Vec<String>| detect.get(row, "pmu") == "rapl";
    let models = |domain: &str| {
        let has = |row: &&Vec<String>| detect.get(row, "note").contains(&format!("{domain}="));
        let rows = detect.rows.iter().filter(is_rapl).filter(has);
        rows.map(|row| detect.get(row, "models").to_owned()).collect::<Vec<_>>().join(",")
    };
    let domains = [("CORES", 1), ("PKG", 2), ("DRAM", 3), ("GPU", 4), ("PSYS", 5)];
    let line = |(domain, code): (&str, u8)| {
        let name = format!("RAPL_ENERGY_{domain}");
        let condition = match domain {
            "PKG" => String::new(),
            "DRAM" => format!(" models={}", models(domain)),
            _ => format!(" optional models={}", models(domain)),
        };
        (name.clone(), format!("{name} {code:#x}{condition}\n"))
    };
    Ok(domains.map(line).to_vec())
}

/// The counters of IBM Z with the types of machines that have them; under one name first that of the newest,
/// which is meant where the machine is not known.
fn counter_facility(facts: &Path) -> Result<Vec<(String, String)>, String> {
    const NEWEST: &str = "9175";
    let variants = Columns::read(facts, "s390x_cpum_cf_variants.tsv.gz")?;
    let mut of_counter: BTreeMap<(&str, bool, &str), Vec<&str>> = BTreeMap::new();
    let get = |row, name| variants.get(row, name);
    let machines: BTreeSet<&str> =
        variants.rows.iter().map(|row| get(row, "machine_type")).filter(|m| *m != "0").collect();
    let codes: BTreeSet<(&str, &str)> =
        variants.rows.iter().map(|row| (get(row, "event"), get(row, "code"))).collect();
    for (event, code) in codes {
        let has = |machine: &&&str| {
            variants.rows.iter().any(|row| {
                (get(row, "machine_type"), get(row, "event"), get(row, "code"))
                    == (**machine, event, code)
            })
        };
        let having: Vec<&str> = machines.iter().filter(has).copied().collect();
        if !having.is_empty() {
            of_counter.insert((event, !having.contains(&NEWEST), code), having);
        }
    }
    let line = |((event, is_optional, code), having): ((&str, bool, &str), Vec<&str>)| {
        let mut line = format!("{event} {code}");
        if is_optional {
            line.push_str(" optional");
        }
        if having.len() < machines.len() {
            // The smaller machine of each generation has the next number.
            let ranges: Vec<String> =
                having.iter().map(|machine| format!("{machine}-{}", number(machine) + 1)).collect();
            let _ = write!(line, " models={}", ranges.join(","));
        }
        (event.to_ascii_uppercase(), line + "\n")
    };
    Ok(of_counter.into_iter().map(line).collect())
}

/// Columns that only one family has, as items for the event's line, by table and index.
fn extra(facts: &Path) -> Result<HashMap<(String, String), String>, String> {
    let mut extra = HashMap::new();
    let netburst = Columns::read(facts, "netburst.tsv")?;
    for row in &netburst.rows {
        let get = |name| netburst.get(row, name);
        let mut items = format!(" perf={}", get("perf_code"));
        if get("event_mask_keep") != "0xffff" {
            let _ = write!(items, " keep={}", get("event_mask_keep"));
        }
        for table in ["netburst", "netburst_p"] {
            extra.insert((table.to_owned(), get("pidx").to_owned()), items.clone());
        }
    }
    let torrent = Columns::read(facts, "torrent.tsv")?;
    for row in torrent.rows.iter().filter(|row| torrent.get(row, "modmsk") != "0x0") {
        let items = format!(" mods={}", torrent.get(row, "modmsk"));
        extra.insert(("torrent".to_owned(), torrent.get(row, "pidx").to_owned()), items);
    }
    let sparc = Columns::read(facts, "sparc.tsv")?;
    let tables = HashMap::from([("ultra3p", "ultra3plus"), ("ultra4p", "ultra4plus")]);
    for row in &sparc.rows {
        let pmu = sparc.get(row, "pmu");
        let table = tables.get(pmu).copied().unwrap_or(pmu);
        let items = format!(" counters={}", sparc.get(row, "ctrl"));
        extra.insert((table.to_owned(), sparc.get(row, "pidx").to_owned()), items);
    }
    Ok(extra)
}

fn flags(bits: u64, amd: bool) -> String {
    let words: &[(u64, &str)] = if amd { &AMD_FLAGS } else { &FLAGS };
    words
        .iter()
        .filter(|(bit, _)| bits & bit != 0)
        .fold(String::new(), |text, (_, word)| text + " " + word)
}

fn condition(valid: &str, ids: &HashMap<&str, &str>) -> String {
    match valid.split_once('=') {
        Some(("pmu", id)) => format!(" only={}", ids.get(id).copied().unwrap_or(id)),
        Some(("rev", revisions)) => format!(" rev={revisions}"),
        _ => String::new(),
    }
}

/// ` key=value` for the columns that are not 0 or empty.
fn items(columns: &Columns, row: &[String], keys: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (key, column) in keys {
        let value = columns.get(row, column);
        if !matches!(value, "-" | "0" | "0x0") {
            let _ = write!(text, " {key}={value}");
        }
    }
    text
}

fn event_line(c: &Columns, row: &[String], ids: &HashMap<&str, &str>, amd: bool) -> String {
    let mut text = format!("{} {}", c.get(row, "event"), c.get(row, "code"));
    let keys =
        [("groups", "ngrp"), ("mods", "modmsk"), ("needs", "modmsk_req"), ("counters", "cntmsk")];
    text.push_str(&items(c, row, &keys));
    text.push_str(&flags(number(c.get(row, "flags")), amd));
    text.push_str(&condition(c.get(row, "valid"), ids));
    text.push_str(&items(c, row, &[("alias", "equiv")]));
    text
}

fn mask_line(c: &Columns, row: &[String], ids: &HashMap<&str, &str>, amd: bool) -> String {
    let mut text = format!("\t{} {}", c.get(row, "umask"), c.get(row, "ucode"));
    let keys = [
        ("group", "grpid"),
        ("with-group", "req_grpid"),
        ("wired", "modhw"),
        ("needs", "umodmsk_req"),
        ("filter0", "filter0"),
        ("filter1", "filter1"),
        ("counters", "ucntmsk"),
    ];
    text.push_str(&items(c, row, &keys));
    text.push_str(&flags(number(c.get(row, "uflags")), amd));
    text.push_str(&condition(c.get(row, "valid"), ids));
    text.push_str(&items(c, row, &[("alias", "equiv")]));
    text.push('\n');
    text
}

fn family(columns: &Columns, row: &[String]) -> &'static str {
    match (columns.get(row, "family"), columns.get(row, "perf_family")) {
        ("intel_core", "nhm_uncore") => "intel-client-uncore",
        ("intel_core", _) => "intel-core",
        ("intel_snbep_uncore", _) => "intel-server-uncore",
        ("nhm_uncore", _) => "nehalem-uncore",
        ("rapl", _) => "rapl",
        ("amd64", _) => "amd",
        ("amd64_rapl", _) => "amd-rapl",
        ("netburst", _) => "netburst",
        ("arm", _) => "arm",
        ("arm_tx2_uncore" | "arm_kunpeng_uncore", _) => "arm-uncore",
        ("power", "power_nest") => "power-nest",
        ("power", _) => "power",
        ("torrent", _) => "torrent",
        ("mips", _) => "mips",
        ("sparc", _) => "sparc",
        _ => "s390x",
    }
}

fn write_pmus(facts: &Path, pmus: &Columns, tables: &Path) -> Result<(), String> {
    let detect = Columns::read(facts, "detect.tsv")?;
    let hardware = Hardware::read(tables)?;
    let mut of_vendor: BTreeMap<&str, String> = BTreeMap::new();
    for row in &pmus.rows {
        let get = |name| pmus.get(row, name);
        let (name, table) = (get("name"), get("table"));
        let Some(vendor) = vendor(table, get("arch")) else { continue };
        let mut line = String::new();
        let _ = write!(
            line,
            "{name} {} {} {} number={} counters={} fixed={} codes={} levels={}",
            file_of(table, vendor),
            get("type").replace("os_generic", "os"),
            family(pmus, row),
            get("pmu_id"),
            get("num_cntrs"),
            get("num_fixed_cntrs"),
            get("max_encoding"),
            get("supported_plm"),
        );
        line.push_str(&items(pmus, row, &[("rev", "pmu_rev"), ("device", "perf_name")]));
        if name.starts_with("cpum_") {
            let _ = write!(line, " device={name}");
        }
        for flag in get("flags").split('|').filter(|flag| *flag != "-") {
            let _ = write!(line, " {}", flag.to_lowercase().replace('_', "-"));
        }
        if get("info_style") == "filter" {
            line.push_str(" filter-info");
        }
        if name == "amd64_fam15h_nb" {
            line.push_str(" no-perf");
        }
        if get("os_check") == "1" || name.starts_with("cpum_") {
            line.push_str(" needs-device");
        }
        hardware.add(name, &mut line);
        for found in detect.rows.iter().filter(|row| detect.get(row, "pmu") == name) {
            line.push_str(&machine(&detect, found));
        }
        let text = of_vendor.entry(vendor).or_insert_with(|| TITLE.to_owned());
        let _ = writeln!(text, "{line} | {}", names::pmu_title(name));
    }
    for (vendor, text) in of_vendor {
        write(&tables.join(vendor).join("pmus.list"), &text)?;
    }
    Ok(())
}

const TITLE: &str = "# PMUs in the order in which a string without a prefix tries them; README.md has the columns.\n";

/// ` on=KEY:…`: what identifies the processor.
fn machine(detect: &Columns, row: &[String]) -> String {
    let get = |name| detect.get(row, name);
    let key = get("key");
    let steppings = get("steppings");
    let cpuid = |vendor: &str| {
        let family = if get("family").starts_with("any") { "*" } else { get("family") };
        let steppings = if steppings == "*" { String::new() } else { format!(":{steppings}") };
        format!(" on={vendor}:{family}:{}{steppings}", get("models"))
    };
    match key {
        "GenuineIntel" if get("pmu") == "ix86arch" => " on=intel-arch".to_owned(),
        "GenuineIntel" => cpuid("intel"),
        "AuthenticAMD" => cpuid("amd"),
        _ if key.starts_with("implementer ") => {
            let part = get("models").trim_start_matches("part ");
            format!(" on=arm:{}:{part}", key.trim_start_matches("implementer "))
        }
        _ if key.starts_with("PVR") => format!(" on=pvr:{}", get("models").to_lowercase()),
        _ if key.contains("\"pmu\" line") => format!(" on=cpuinfo:{}", get("models")),
        _ if key.contains("\"cpu model\"") => " on=cpu-model:MIPS_74K".to_owned(),
        _ if get("arch") == "s390x" => " on=s390x".to_owned(),
        _ => String::new(),
    }
}
