//! The fields that Linux gives the PMUs of units beside the cores, such as memory controllers, for processors whose sysfs is
//! not at hand.

use super::pmu::Pmu;
use crate::cpu::CpuId;

/// A file of a PMU's directory, and its text.
type File = (&'static str, &'static str);

/// `arch/x86/events/intel/uncore_{snb,snbep,discovery}.c`: the fields that all units of a processor have alike.
const INTEL: [File; 4] = [
    ("event", "config:0-7"),
    ("edge", "config:18"),
    ("inv", "config:23"),
    ("thresh", "config:24-31"),
];

/// The events of memory controllers of servers that the kernel names, by the codes of reads and of writes.
const fn memory(read: &'static str, write: &'static str) -> [File; 6] {
    [
        ("cas_count_read", read),
        ("cas_count_read.scale", "6.103515625e-5"),
        ("cas_count_read.unit", "MiB"),
        ("cas_count_write", write),
        ("cas_count_write.scale", "6.103515625e-5"),
        ("cas_count_write.unit", "MiB"),
    ]
}

const MEMORY_SNB: [File; 6] = memory("event=0x04,umask=0x03", "event=0x04,umask=0x0c");
const MEMORY_ICX: [File; 6] = memory("event=0x04,umask=0x0f", "event=0x04,umask=0x30");
const MEMORY_SPR: [File; 6] = memory("event=0x05,umask=0xcf", "event=0x05,umask=0xf0");

/// Each controller has two channels, with events of their own.
const MEMORY_GNR: [File; 12] = [
    ("cas_count_read_sch0", "event=0x05,umask=0xcf"),
    ("cas_count_read_sch0.scale", "6.103515625e-5"),
    ("cas_count_read_sch0.unit", "MiB"),
    ("cas_count_read_sch1", "event=0x06,umask=0xcf"),
    ("cas_count_read_sch1.scale", "6.103515625e-5"),
    ("cas_count_read_sch1.unit", "MiB"),
    ("cas_count_write_sch0", "event=0x05,umask=0xf0"),
    ("cas_count_write_sch0.scale", "6.103515625e-5"),
    ("cas_count_write_sch0.unit", "MiB"),
    ("cas_count_write_sch1", "event=0x06,umask=0xf0"),
    ("cas_count_write_sch1.scale", "6.103515625e-5"),
    ("cas_count_write_sch1.unit", "MiB"),
];

/// The fields of one kind of processors, and the events of its memory controllers.
struct Kind {
    umask: &'static str,
    /// The fields of boxes of the last-level cache.
    cache: &'static [File],
    /// The fields of I/O controllers.
    io: &'static [File],
    memory: &'static [File],
}

const CLIENT: Kind = Kind { umask: "config:8-15", cache: &[], io: &[], memory: &[] };
const SNB_EP: Kind = Kind {
    cache: &[
        ("filter_tid", "config1:0-4"),
        ("filter_nid", "config1:10-17"),
        ("filter_state", "config1:18-22"),
        ("filter_opc", "config1:23-31"),
    ],
    memory: &MEMORY_SNB,
    ..CLIENT
};
const IVB_EP: Kind = Kind {
    cache: &[
        ("filter_tid", "config1:0-4"),
        ("filter_link", "config1:5-8"),
        ("filter_state", "config1:17-22"),
        ("filter_nid", "config1:32-47"),
        ("filter_opc", "config1:52-60"),
        ("filter_c6", "config1:61"),
        ("filter_nc", "config1:62"),
        ("filter_isoc", "config1:63"),
    ],
    memory: &MEMORY_SNB,
    ..CLIENT
};
const HSW_EP: Kind = Kind {
    cache: &[
        ("filter_tid", "config1:0-5"),
        ("filter_link", "config1:6-8"),
        ("filter_state", "config1:17-23"),
        ("filter_nid", "config1:32-47"),
        ("filter_opc", "config1:52-60"),
        ("filter_c6", "config1:61"),
        ("filter_nc", "config1:62"),
        ("filter_isoc", "config1:63"),
    ],
    memory: &MEMORY_SNB,
    ..CLIENT
};
const SKX: Kind = Kind {
    umask: "config:8-15,32-43,45-55",
    cache: &[
        ("filter_tid", "config1:0-8"),
        ("filter_state", "config1:17-26"),
        ("filter_rem", "config1:32"),
        ("filter_loc", "config1:33"),
        ("filter_all_op", "config1:35"),
        ("filter_nm", "config1:36"),
        ("filter_not_nm", "config1:37"),
        ("filter_opc0", "config1:41-50"),
        ("filter_opc1", "config1:51-60"),
        ("filter_nc", "config1:62"),
        ("filter_isoc", "config1:63"),
    ],
    io: &[("ch_mask", "config:36-43"), ("fc_mask", "config:44-46")],
    memory: &MEMORY_SNB,
};
const ICX: Kind = Kind {
    umask: "config:8-15,32-63",
    cache: &[("filter_tid", "config1:0-9")],
    io: &[("ch_mask", "config:36-47"), ("fc_mask", "config:48-50")],
    memory: &MEMORY_ICX,
};
const SPR: Kind = Kind { memory: &MEMORY_SPR, ..ICX };
const GNR: Kind = Kind { memory: &MEMORY_GNR, ..ICX };

/// The kinds of processors by their models.
const INTEL_KINDS: [(&[u32], &Kind); 7] = [
    (&[45], &SNB_EP),
    (&[62], &IVB_EP),
    (&[63, 79, 86], &HSW_EP),
    (&[85], &SKX),
    (&[106, 108, 134], &ICX),
    (&[143, 207], &SPR),
    (&[173, 174, 175, 182, 221], &GNR),
];

/// `arch/x86/events/amd/uncore.c`: before family 19h, and from it on.
const AMD_L3: [&[File]; 2] = [
    &[
        ("event", "config:0-7"),
        ("umask", "config:8-15"),
        ("slicemask", "config:48-51"),
        ("threadmask", "config:56-63"),
    ],
    &[
        ("event", "config:0-7"),
        ("umask", "config:8-15"),
        ("coreid", "config:42-44"),
        ("enallslices", "config:46"),
        ("enallcores", "config:47"),
        ("sliceid", "config:48-50"),
        ("threadmask", "config:56-57"),
    ],
];
/// Before Zen 4, and from it on.
const AMD_DF: [&[File]; 2] = [
    &[("event", "config:0-7,32-35,59-60"), ("umask", "config:8-15")],
    &[("event", "config:0-7,32-37"), ("umask", "config:8-15,24-27")],
];
const AMD_UMC: &[File] = &[("event", "config:0-7"), ("rdwrmask", "config:8-9")];

/// The PMU of a unit as Linux shows it, with the type `kind`. It has the fields of the unit's boxes, and the events of
/// memory controllers of Intel's servers that the kernel names.
///
/// ```
/// use counterpoint_pmu::{find, sysfs};
///
/// let cpu = find("spr").unwrap().processor().unwrap();
/// let imc = sysfs::standard_unit(&cpu, "uncore_imc", 0x1000);
/// assert_eq!(imc.format("umask").unwrap().scatter(0x1cf), 0x1_0000_cf00);
/// assert!(imc.event("cas_count_read").is_some());
/// ```
pub fn standard_unit(cpu: &CpuId, name: &str, kind: u32) -> Pmu {
    let (fields, events) = match cpu {
        CpuId::X86 { vendor, model, .. } if vendor == "GenuineIntel" => intel(name, *model),
        CpuId::X86 { family, .. } => {
            let fields = match name {
                "amd_l3" => AMD_L3[usize::from(*family >= 0x19)],
                "amd_df" => AMD_DF[usize::from(!is_before_zen4(cpu))],
                _ => AMD_UMC,
            };
            (fields.to_vec(), &[][..])
        }
        _ => (vec![("event", "config:0-63")], &[][..]),
    };
    Pmu::from_files(name, kind, fields, events.iter().copied())
}

/// The counters of a unit, a bit for each, where the kernel's driver has their number and the vendor's files do not:
/// `NUM_COUNTERS_NB` and `NUM_COUNTERS_L3` of AMD's. Since Zen 4 the processor tells those of its data fabric.
pub fn unit_counters(cpu: &CpuId, name: &str) -> Option<u64> {
    match name {
        "amd_df" => is_before_zen4(cpu).then_some(0xf),
        "amd_l3" => Some(0x3f),
        _ => None,
    }
}

/// Returns true for AMD's families before 19h, and the models of it with Zen 3.
fn is_before_zen4(cpu: &CpuId) -> bool {
    let CpuId::X86 { family, model, .. } = cpu else { return false };
    *family < 0x19 || *family == 0x19 && matches!(model, 0..0x10 | 0x20..0x60)
}

/// The fields and the events of a unit of Intel's processors.
fn intel(name: &str, model: u32) -> (Vec<File>, &'static [File]) {
    let known = INTEL_KINDS.iter().find(|(models, _)| models.contains(&model));
    let kind = known.map_or(&CLIENT, |(_, kind)| kind);
    let is_server = known.is_some();
    let mut fields: Vec<File> = INTEL.to_vec();
    // Until Broadwell, the power control unit selects a state in the place of a unit mask.
    let selects_state = name == "uncore_pcu" && is_server && kind.io.is_empty();
    fields.push(if selects_state { ("occ_sel", "config:14-15") } else { ("umask", kind.umask) });
    match name {
        "uncore_cbox" | "uncore_cha" => fields.extend(kind.cache),
        "uncore_iio" => {
            fields.retain(|(field, _)| *field != "umask");
            fields.push(("umask", "config:8-15"));
            fields.extend(kind.io);
        }
        // The code has a bit more.
        "uncore_qpi" => fields[0].1 = "config:0-7,21",
        _ => {}
    }
    if !is_server {
        fields.push(("cmask", "config:24-28"));
    }
    (fields, if name == "uncore_imc" { kind.memory } else { &[] })
}
