//! The catalog of a POWER machine, and counting its events.

use crate::world::{asked, cpus, hold, holds, kernel, recorded_machine, row, set};
use counterpoint::catalog::data::InterfaceVersion;
use counterpoint::catalog::sysfs::{self, Kernel};
use counterpoint::catalog::{
    Catalog, CatalogBuilder, Domain, Event, Field, FieldKind, Formula, Group, PATH, Schema, Text,
    WithMetrics, check,
};
use counterpoint::formula::Number;
use counterpoint::{Target, Value};
use counterpoint_fixtures::machine;

/// The counters of one chip group: those of memory traffic, reads before writes.
const MEMORY: [&str; 8] = [
    "PM_MCS01_128B_RD_DISP_PORT01",
    "PM_MCS01_128B_RD_DISP_PORT23",
    "PM_MCS23_128B_RD_DISP_PORT01",
    "PM_MCS23_128B_RD_DISP_PORT23",
    "PM_MCS01_128B_WR_DISP_PORT01",
    "PM_MCS01_128B_WR_DISP_PORT23",
    "PM_MCS23_128B_WR_DISP_PORT01",
    "PM_MCS23_128B_WR_DISP_PORT23",
];

fn fields(list: &[(FieldKind, u16, u16)]) -> Vec<Field> {
    list.iter().map(|&(kind, offset, length)| Field { kind, offset, length, flags: 0 }).collect()
}

/// A chip's record of so many counters, each with the increment of the last sample.
fn chip_schema(descriptor: u16, counters: u16) -> Schema {
    let mut list = vec![
        (FieldKind::TIMEBASE_UPDATE, 0, 8),
        (FieldKind::UPDATE_COUNT, 8, 8),
        (FieldKind::ACCUMULATED_MEASUREMENT_PERIOD, 16, 8),
    ];
    list.extend((1..=counters).map(|n| (FieldKind::counter(n), 16 + 8 * n, 8)));
    list.push((FieldKind::LAST_UPDATE_PERIOD, 24 + 8 * counters, 8));
    Schema::new(descriptor, 1, fields(&list))
}

fn core_schema() -> Schema {
    let list = [
        (FieldKind::TIMEBASE_UPDATE, 0, 8),
        (FieldKind::UPDATE_COUNT, 8, 8),
        (FieldKind::MEASUREMENT_PERIOD, 16, 8),
        (FieldKind::counter(1), 24, 8),
        (FieldKind::counter(2), 32, 8),
        (FieldKind::counter(3), 40, 8),
        (FieldKind::counter(4), 48, 8),
        (FieldKind::STATUS_FLAGS, 56, 2),
        (FieldKind::TIMEBASE_FENCE, 58, 6),
    ];
    Schema::new(0, 1, fields(&list))
}

fn event(name: &str, domain: Domain, record: (u16, u16), counter: u16, group: u16) -> Event {
    Event {
        group_record_offset: record.0,
        group_record_length: record.1,
        counter_offset: counter,
        primary_group_index: group,
        group_count: 1,
        ..Event::new(name, domain)
    }
}

fn group(name: &str, domain: Domain, record: (u16, u16), schema: u8, events: &[u16]) -> Group {
    let (group_record_offset, group_record_length) = record;
    Group {
        group_record_offset,
        group_record_length,
        schema_index: schema,
        ..Group::new(name, domain, events)
    }
}

/// The catalog of the recorded POWER9 machine.
fn power9() -> Catalog {
    let (core, cycles, memory) = ((0, 64), (0x68, 40), (0x100, 96));
    let mut builder = CatalogBuilder::new(9)
        .build_date("20200901120000")
        .schema(core_schema())
        .schema(chip_schema(1, 1))
        .schema(chip_schema(2, 8))
        .event(event("CPM_ADJUNCT_INST", Domain::CORE, core, 24, 0))
        .event(event("CPM_TLBIE", Domain::CORE, core, 32, 0))
        .event(Event::new("RESERVED_CORE1", Domain::CORE))
        .event(event("PM_PB_CYC", Domain::CHIP, cycles, 24, 0));
    for (number, name) in (0..).zip(MEMORY) {
        builder = builder.event(event(name, Domain::CHIP, memory, 24 + 8 * number, 1));
    }
    let reads = MEMORY[..4].join(" ");
    let bandwidth = Formula {
        unit: Some(Text::new("bytes/sec")),
        description: Some(Text::new("Memory read by the chips")),
        flags: Formula::GROUPED,
        group: 1,
        ..Formula::new("MEM_READ_BW", &format!("{reads} + + + 128 * delta-seconds /"))
    };
    let share = Formula {
        unit: Some(Text::new("bytes/cycle")),
        ..Formula::new(
            "MEM_READ_PER_CYCLE",
            "(MEM_READ_BW * delta-seconds) / PM_PB_CYC * PB_Freq / PB_Freq",
        )
    };
    builder
        .group(group("CPM_ADJUNCT_INST", Domain::CORE, core, 0, &[0, 1]))
        .group(group("PB", Domain::CHIP, cycles, 1, &[0]))
        .group(group("MCS", Domain::CHIP, memory, 2, &[1, 2, 3, 4, 5, 6, 7, 8]))
        .formula(bandwidth)
        .formula(share)
        .build()
        .unwrap()
}

/// `COUNTERPOINT_BLESS=1` writes the file.
#[test]
fn the_recorded_catalog_is_the_one_described_here() {
    let bytes = power9().encode().unwrap();
    let path = machine("power9").join(PATH.trim_start_matches('/'));
    if std::env::var_os("COUNTERPOINT_BLESS").is_some() {
        std::fs::write(&path, &bytes).unwrap();
    }
    assert_eq!(recorded_machine("power9").catalog().unwrap(), bytes);
    let catalog = Catalog::decode_strict(&bytes).unwrap();
    let warnings =
        check(&catalog).into_iter().filter(|found| found.code.name() != "readings-differ");
    assert_eq!(warnings.collect::<Vec<_>>(), []);
}

#[test]
fn the_events_of_the_catalog_are_those_in_sysfs() {
    let machine = recorded_machine("power9");
    let listing = sysfs::list(&machine.catalog().unwrap(), Kernel::Current, InterfaceVersion::V2);
    let folder = "/sys/bus/event_source/devices/hv_24x7/events";
    let mut made: Vec<(String, String)> =
        listing.entries.into_iter().map(|entry| (entry.name, entry.value.to_string())).collect();
    let host = machine.host();
    let mut there: Vec<(String, String)> = host
        .names(folder)
        .into_iter()
        .map(|name| (name.clone(), host.text(format!("{folder}/{name}")).unwrap()))
        .collect();
    made.sort();
    there.sort();
    assert_eq!(made, there);
}

#[test]
fn a_machine_without_power_has_no_catalog() {
    assert!(recorded_machine("amd-zen4").catalog().is_err());
}

#[test]
fn events_are_counted_on_the_cpu_that_asks_the_hypervisor() {
    let kernel = kernel("power9");
    let text = "hv_24x7/CPM_TLBIE,core=3/,hv_24x7/PM_PB_CYC,chip=1/";
    let mut counters = set(&kernel, Target::AllCpus).event(text).open().unwrap();
    hold(&kernel, holds(700, 1, 1), |o| o.attr.config == 0x20_0003_0002);
    hold(&kernel, holds(900, 1, 1), |o| o.attr.config == 0x80_0001_0001);
    let report = counters.read().unwrap();
    let value = |event| row(report, event).value.clone();
    assert_eq!(value("hv_24x7/CPM_TLBIE,core=3/"), Value::Counted(Number::Int(700)));
    assert_eq!(value("hv_24x7/PM_PB_CYC,chip=1/"), Value::Counted(Number::Int(900)));
}

#[test]
fn a_core_means_its_domain_unless_another_is_named() {
    let config = |text: &str| {
        let asked = asked(&kernel("power9"), Target::Cpus(cpus("0")), text);
        asked.into_iter().map(|opening| opening.attr.config).collect::<Vec<_>>()
    };
    assert_eq!(config("hv_24x7/CPM_TLBIE,core=0/"), [0x20_0000_0002]);
    assert_eq!(config("hv_24x7/CPM_TLBIE,core=5,domain=3/"), [0x20_0005_0003]);
    assert_eq!(config("hv_24x7/domain=1,offset=0x80,chip=0/"), [0x80_0000_0001]);
    let machine = kernel("power9");
    let error = set(&machine, Target::AllCpus).event("hv_24x7/CPM_TLBIE/").open().err().unwrap();
    assert!(error.to_string().contains("domain"), "{error}");
}

#[test]
fn formulas_of_the_machine_are_computed() {
    let catalog = Catalog::decode_strict(&recorded_machine("power9").catalog().unwrap()).unwrap();
    let metrics = catalog.metrics();
    let needs: Vec<&str> = metrics.needs(1).iter().map(|operand| operand.name.as_str()).collect();
    assert_eq!(needs[..3], ["delta-seconds", "PM_PB_CYC", "PB_Freq"]);
    assert_eq!(needs.len(), 3 + 4);
    let values = metrics.evaluate(|operand| match operand.name.as_str() {
        "delta-seconds" => Some(2.0.into()),
        "PM_PB_CYC" => Some(1_000_i64.into()),
        "PB_Freq" => Some(2_000_000_000_i64.into()),
        name => name.starts_with("PM_MCS").then_some(25_i64.into()),
    });
    assert_eq!(values[0].as_ref().unwrap().number.as_f64(), 6_400.0);
    assert_eq!(values[1].as_ref().unwrap().number.as_f64(), 12.8);
}

#[test]
fn an_operand_says_where_it_first_stands() {
    let spans = |text: &str| {
        let catalog = CatalogBuilder::new(1).formula(Formula::new("F", text)).build().unwrap();
        let metrics = catalog.metrics();
        let operands = metrics.iter().flat_map(|metric| metric.operands.clone());
        operands.map(|operand| (operand.name, operand.span)).collect::<Vec<_>>()
    };
    let named = |name: &str, span| (name.to_string(), span);
    assert_eq!(spans("A_B B A_B - +"), [named("A_B", 0..3), named("B", 4..5)]);
    assert_eq!(
        spans("(A_B+`B C`*C/2.5e1)"),
        [named("A_B", 1..4), named("B C", 6..9), named("C", 11..12)]
    );
    let many: Vec<String> = (0..9000).map(|n| format!("N{n}")).collect();
    let places = spans(&format!("({})", many.join("+")));
    assert_eq!((places.len(), &places[8999]), (9000, &named("N8999", 52_885..52_890)));
}
