//! Which PMUs a processor has, for every family, model and stepping.

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_pmu::{
    Context, CpuId, Layer, Machine, PmuKind, Privilege, all, detect, encode, find,
};

use super::columns::Columns;

fn numbers(text: &str) -> BTreeSet<u32> {
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).expect("digits"),
        None => text.parse().expect("a number"),
    };
    let range = |range: &str| match range.split_once('-') {
        Some((from, till)) => number(from)..=number(till),
        None => number(range)..=number(range),
    };
    text.split(',').flat_map(range).collect()
}

fn names(cpu: &CpuId) -> Vec<&'static str> {
    detect(cpu).iter().map(|pmu| pmu.name).collect()
}

fn x86(vendor: &str, family: u32, model: u32, stepping: u32) -> CpuId {
    CpuId::X86 { vendor: vendor.to_owned(), family, model, stepping, architectural: 0 }
}

/// A row of the fixture for x86: PMU, vendor, family if it matters, models, steppings if they matter.
type Row = (String, String, Option<u32>, BTreeSet<u32>, Option<BTreeSet<u32>>);

#[test]
fn every_x86_processor_has_the_pmus_that_libpfm_finds() {
    let columns = Columns::read(include_bytes!("../../../../fixtures/pmu/detect.gz"));
    let mut rows: Vec<Row> = Vec::new();
    for row in 0..columns.len() {
        let get = |name: &str| columns.get(row, name);
        if !matches!(get("key"), "GenuineIntel" | "AuthenticAMD") || get("pmu") == "ix86arch" {
            continue;
        }
        let family = get("family").parse().ok();
        let steppings = (get("steppings") != "*").then(|| numbers(get("steppings")));
        let [pmu, key] = ["pmu", "key"].map(|name| get(name).to_owned());
        rows.push((pmu, key, family, numbers(get("models")), steppings));
    }
    assert_eq!(rows.len(), 571);
    let mut found = 0;
    for vendor in ["GenuineIntel", "AuthenticAMD"] {
        for family in 1..=28 {
            for model in 0..=255 {
                for stepping in [0, 4, 5] {
                    let fits = |row: &&Row| {
                        row.1 == vendor
                            && row.2.is_none_or(|known| known == family)
                            && row.3.contains(&model)
                            && row.4.as_ref().is_none_or(|known| known.contains(&stepping))
                    };
                    let expected: BTreeSet<&str> =
                        rows.iter().filter(fits).map(|row| row.0.as_str()).collect();
                    if expected.is_empty() && model % 16 != 0 {
                        // Most processors never were; a sixteenth of them is enough.
                        continue;
                    }
                    let cpu = x86(vendor, family, model, stepping);
                    // Those from 900 on are of processors that libpfm does not know.
                    let ours = detect(&cpu).into_iter().filter(|pmu| pmu.number < 900);
                    let ours: BTreeSet<&str> = ours.map(|pmu| pmu.name).collect();
                    // `ice-lake-d` of the list of differences.
                    let is_server = vendor == "GenuineIntel" && family == 6 && model == 108;
                    let moved = |pmu| if is_server && pmu == "icl" { "icx" } else { pmu };
                    let expected: BTreeSet<&str> = expected.into_iter().map(moved).collect();
                    assert_eq!(ours, expected, "{cpu:?}");
                    found += ours.len();
                }
            }
        }
    }
    assert!(found > 10_000, "{found}");
}

#[test]
fn other_processors_have_the_pmus_that_libpfm_finds() {
    let columns = Columns::read(include_bytes!("../../../../fixtures/pmu/detect.gz"));
    let mut seen = 0;
    for row in 0..columns.len() {
        let get = |name: &str| columns.get(row, name);
        let models = get("models");
        let cpus: Vec<CpuId> = match get("key") {
            "GenuineIntel" | "AuthenticAMD" => continue,
            key if key.starts_with("implementer ") => {
                let [implementer] = numbers(&key[12..]).into_iter().collect::<Vec<_>>()[..] else {
                    panic!("{key}")
                };
                let parts = numbers(models.trim_start_matches("part "));
                parts
                    .into_iter()
                    .map(|part| CpuId::Arm { cores: vec![(implementer, part)] })
                    .collect()
            }
            key if key.starts_with("PVR") => {
                let versions = numbers(&models.to_lowercase());
                versions.into_iter().map(|version| CpuId::Power { version }).collect()
            }
            key if key.contains("\"pmu\" line") => vec![CpuId::Sparc { pmu: models.to_owned() }],
            key if key.contains("\"cpu model\"") => {
                vec![CpuId::Mips { model: "MIPS 74Kc V4.12  FPU V0.0".to_owned() }]
            }
            key if key.contains("cpum_") => vec![CpuId::S390x { machine: None }],
            _ => continue,
        };
        for cpu in cpus {
            assert!(names(&cpu).contains(&get("pmu")), "{} on {cpu:?}", get("pmu"));
            seen += 1;
        }
    }
    assert_eq!(seen, 121);
    assert!(names(&CpuId::Sparc { pmu: "niagara3".to_owned() }).is_empty());
    assert!(names(&CpuId::Power { version: 1 }).is_empty());
}

#[test]
fn a_processor_is_read_from_what_linux_says_of_it() {
    let id = |text| CpuId::from_cpuinfo(text);
    let intel = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: x\n\
                 stepping\t: 8\nflags\t\t: fpu arch_perfmon\n";
    let names = names(&id(intel).expect("Sapphire Rapids"));
    assert_eq!((names[0], names.last()), ("spr", Some(&"ix86arch")));
    let (without_flags, _) = intel.split_once("flags").expect("a line of them");
    let plain = detect(&id(without_flags).expect("flags are not needed"));
    assert_eq!(
        (plain[0].name, plain.last().map(|pmu| pmu.name == "ix86arch")),
        ("spr", Some(false))
    );
    let arm = "CPU implementer\t: 0x41\nCPU part\t: 0xd03\n\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n";
    let big_little = detect(&id(arm).expect("two kinds of cores"));
    let names: Vec<&str> = big_little.iter().map(|pmu| pmu.name).collect();
    assert_eq!(names, ["arm_ac53", "arm_ac72"]);
    let machine = Machine::with(big_little);
    assert_eq!(machine.pmus.len(), 4);
    assert_eq!(machine.pmus[0].kind, PmuKind::Core);
    let all = Privilege::USER | Privilege::KERNEL | Privilege::HYPERVISOR;
    assert_eq!(machine.privilege, all);
    let power =
        "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nrevision\t: 2.2 (pvr 004e 1202)\n";
    assert_eq!(id(power), Some(CpuId::Power { version: 0x4e }));
    let z = |machine| Some(CpuId::S390x { machine });
    assert_eq!(id("vendor_id       : IBM/S390\n"), z(None));
    let cpu = "processor 0: version = FF,  identification = 0133E8,  machine = 2964\n";
    let text = format!("vendor_id       : IBM/S390\n{cpu}");
    assert_eq!(id(&text), z(Some(2964)));
    assert_eq!(
        id("cpu\t\t: TI\npmu\t\t: niagara2\n"),
        Some(CpuId::Sparc { pmu: "niagara2".into() })
    );
    let p550 =
        "hart\t\t: 0\nmvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000008\nmimpid\t\t: 0x6220425\n";
    let p550 = id(p550).expect("SiFive P550");
    assert_eq!(detect(&p550)[0].name, "sifive_p550");
    assert_eq!(id("nothing"), None);
    let needy = find("spr_unc_cha0").expect("a box");
    assert!(needy.needs_device() && needy.devices().eq(["uncore_cha_0"]));
}

#[test]
fn energy_counters_are_those_of_the_processor() {
    let domains = ["PKG", "CORES", "GPU", "DRAM", "PSYS"];
    let cases = [
        (42, "PKG CORES GPU"),
        (45, "PKG CORES DRAM"),
        (143, "PKG DRAM"),
        (78, "PKG CORES GPU PSYS"),
    ];
    for (model, expected) in cases {
        let mut context = Context::new(Layer::Raw);
        context.machine = Machine::of(x86("GenuineIntel", 6, model, 0));
        let has = |domain: &&str| encode(&format!("RAPL_ENERGY_{domain}"), &context).is_ok();
        let found: Vec<&str> = domains.into_iter().filter(has).collect();
        assert_eq!(found.join(" "), expected, "model {model}");
    }
}

#[test]
fn every_pmu_with_a_processor_is_found_on_it() {
    let mut found = 0;
    for pmu in all() {
        let Some(cpu) = pmu.processor() else {
            assert!(
                ["ix86arch", "power_torrent", "perf", "perf_raw"].contains(&pmu.name),
                "{pmu:?}"
            );
            continue;
        };
        assert!(detect(&cpu).contains(&pmu), "{pmu:?} is not on {cpu:?}");
        found += 1;
    }
    assert_eq!(found, 715);
}

#[test]
fn ibm_z_has_the_counters_of_its_type() {
    let rows = Columns::read(include_bytes!("../../../../fixtures/pmu/s390x.gz"));
    let pmu = find("cpum_cf").expect("a PMU");
    let mut counts = BTreeMap::new();
    for row in 0..rows.len() {
        let machine = rows.get(row, "machine").parse().expect("a type");
        let mut context = Context::new(Layer::Raw);
        context.machine = Machine::of(CpuId::S390x { machine: Some(machine) });
        let string = format!("cpum_cf::{}", rows.get(row, "event"));
        let codes = encode(&string, &context).map(|encoding| format!("{:#x}", encoding.codes[0]));
        assert_eq!(codes.as_deref(), Ok(rows.get(row, "code")), "{string} on {machine}");
        *counts.entry(machine).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 8);
    for (machine, count) in counts {
        // The smaller machine of a generation has the same.
        for machine in [machine, machine + 1] {
            let machine = Machine::of(CpuId::S390x { machine: Some(machine) });
            assert_eq!(pmu.events_on(&machine).count(), count);
        }
    }
    let mut context = Context::new(Layer::Raw);
    context.machine = Machine::of(CpuId::S390x { machine: Some(2097) });
    assert_eq!(
        encode("cpum_cf::NNPA_INVOCATIONS", &context).map_err(|e| e.code()),
        Err("NOTFOUND")
    );
    assert_eq!(pmu.events().count(), 105);
}

#[test]
fn a_processor_says_nothing_about_the_pmus_of_others() {
    let zen =
        CpuId::from_cpuinfo("vendor_id : AuthenticAMD\ncpu family : 25\nmodel : 1\n").unwrap();
    for cpu in [zen, CpuId::Arm { cores: vec![(0x41, 0xd0c)] }] {
        let machine = Machine::of(cpu);
        for pmu in ["cpum_cf", "rapl"].into_iter().filter_map(find) {
            assert_eq!(pmu.events_on(&machine).count(), pmu.events().count(), "{pmu:?}");
        }
    }
}

#[test]
fn the_features_of_tables_that_are_left_out_are_known() {
    let left_out = counterpoint_pmu::left_out();
    for (feature, pmu) in [
        ("intel", "spr"),
        ("amd", "amd64_fam19h_zen4"),
        ("arm", "arm_n1"),
        ("power", "power9"),
        ("s390x", "cpum_cf"),
        ("sparc", "ultra12"),
        ("mips", "mips_74k"),
    ] {
        assert_eq!(counterpoint_pmu::find(pmu).is_none(), left_out.contains(&feature), "{feature}");
    }
}
