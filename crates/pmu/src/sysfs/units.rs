//! The fields that Linux gives the PMUs of units beside the cores, such as memory controllers, for processors whose sysfs is
//! not at hand.

use super::pmu::Pmu;
use crate::cpu::CpuId;

/// A file of a PMU's directory, and its text.
type File = (&'static str, &'static str);

const EVENT: File = ("event", "config:0-7");
const UMASK: File = ("umask", "config:8-15");
const EDGE: File = ("edge", "config:18");
const THREAD: File = ("tid_en", "config:19");
const INV: File = ("inv", "config:23");
const THRESH: File = ("thresh", "config:24-31");
const THRESH_5: File = ("thresh", "config:24-28");
const THRESH_IO: File = ("thresh", "config:24-35");
const FREE_RUNNING: &[File] = &[EVENT, UMASK];

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

/// The power control unit until Broadwell selects a state in the place of a unit mask.
const POWER: &[File] = &[
    EVENT,
    ("occ_sel", "config:14-15"),
    EDGE,
    THRESH_5,
    ("occ_invert", "config:30"),
    ("occ_edge", "config:14-51"),
    ("filter_band0", "config1:0-7"),
    ("filter_band1", "config1:8-15"),
    ("filter_band2", "config1:16-23"),
    ("filter_band3", "config1:24-31"),
    INV,
];
/// That of Ivy Bridge does not invert.
const POWER_IVB: &[File] = POWER.split_at(POWER.len() - 1).0;

const LINK: &[File] = &[("event", "config:0-7,21"), UMASK, EDGE, INV, THRESH];
const UBOX: &[File] = &[EVENT, UMASK, EDGE, INV, THRESH_5];
const PLAIN: &[File] = &[EVENT, UMASK, EDGE, INV, THRESH];

/// The fields of the units of one kind of processors, by how their names begin behind `uncore_`, of which the first that fits
/// counts, and the events of its memory controllers.
struct Kind {
    units: &'static [(&'static str, &'static [File])],
    memory: &'static [File],
}

/// The formats of `arch/x86/events/intel/uncore_snb.c`, whose threshold is `cmask`.
const CLIENT: Kind = Kind {
    units: &[("", &[EVENT, UMASK, EDGE, INV, THRESH, ("cmask", "config:24-28")])],
    memory: &[],
};
// The formats of `arch/x86/events/intel/uncore_snbep.c`.
const SNB_EP: Kind = Kind {
    units: &[
        ("ubox", UBOX),
        (
            "cbox",
            &[
                EVENT,
                UMASK,
                EDGE,
                THREAD,
                INV,
                THRESH,
                ("filter_tid", "config1:0-4"),
                ("filter_nid", "config1:10-17"),
                ("filter_state", "config1:18-22"),
                ("filter_opc", "config1:23-31"),
            ],
        ),
        ("pcu", POWER),
        ("qpi", LINK),
        ("", PLAIN),
    ],
    memory: &MEMORY_SNB,
};

/// The boxes of the last-level cache of Ivy Bridge to Broadwell, which do not invert.
const fn cache(thread: File, link: File, state: File) -> [File; 13] {
    [
        EVENT,
        UMASK,
        EDGE,
        THREAD,
        THRESH,
        thread,
        link,
        state,
        ("filter_nid", "config1:32-47"),
        ("filter_opc", "config1:52-60"),
        ("filter_nc", "config1:62"),
        ("filter_c6", "config1:61"),
        ("filter_isoc", "config1:63"),
    ]
}

const IVB_EP: Kind = Kind {
    units: &[
        ("ubox", UBOX),
        (
            "cbox",
            &cache(
                ("filter_tid", "config1:0-4"),
                ("filter_link", "config1:5-8"),
                ("filter_state", "config1:17-22"),
            ),
        ),
        ("pcu", POWER_IVB),
        ("qpi", LINK),
        ("", PLAIN),
    ],
    memory: &MEMORY_SNB,
};
const HSW_EP: Kind = Kind {
    units: &[
        (
            "ubox",
            &[
                EVENT,
                UMASK,
                EDGE,
                INV,
                THRESH_5,
                ("filter_tid", "config1:0"),
                ("filter_cid", "config1:5"),
            ],
        ),
        (
            "cbox",
            &cache(
                ("filter_tid", "config1:0-5"),
                ("filter_link", "config1:6-8"),
                ("filter_state", "config1:17-23"),
            ),
        ),
        ("sbox", &[EVENT, UMASK, EDGE, THREAD, INV, THRESH]),
        ("pcu", POWER),
        ("qpi", LINK),
        ("", PLAIN),
    ],
    memory: &MEMORY_SNB,
};
const KNL: Kind = Kind {
    units: &[
        ("ubox", &[EVENT, UMASK, EDGE, THREAD, INV, THRESH_5]),
        (
            "cha",
            &[
                EVENT,
                UMASK,
                ("qor", "config:16"),
                EDGE,
                THREAD,
                INV,
                THRESH,
                ("filter_tid", "config1:0-8"),
                ("filter_link", "config1:12"),
                ("filter_state", "config1:18-20"),
                ("filter_local", "config1:33"),
                ("filter_all_op", "config1:35"),
                ("filter_nnm", "config1:37"),
                ("filter_opc", "config1:41-60"),
                ("filter_nc", "config1:62"),
                ("filter_isoc", "config1:63"),
            ],
        ),
        ("", PLAIN),
    ],
    memory: &[],
};
/// Since Skylake, the power control unit has unit masks.
const POWER_SKX: &[File] = &[
    EVENT,
    UMASK,
    EDGE,
    INV,
    THRESH,
    ("occ_invert", "config:30"),
    ("occ_edge_det", "config:31"),
    ("filter_band0", "config1:0-7"),
    ("filter_band1", "config1:8-15"),
    ("filter_band2", "config1:16-23"),
    ("filter_band3", "config1:24-31"),
];
const SKX: Kind = Kind {
    units: &[
        ("ubox", UBOX),
        (
            "cha",
            &[
                EVENT,
                UMASK,
                EDGE,
                THREAD,
                INV,
                THRESH,
                ("filter_tid", "config1:0-8"),
                ("filter_state", "config1:17-26"),
                ("filter_rem", "config1:32"),
                ("filter_loc", "config1:33"),
                ("filter_nm", "config1:36"),
                ("filter_all_op", "config1:35"),
                ("filter_not_nm", "config1:37"),
                ("filter_opc0", "config1:41-50"),
                ("filter_opc1", "config1:51-60"),
                ("filter_nc", "config1:62"),
                ("filter_isoc", "config1:63"),
            ],
        ),
        ("iio_free", FREE_RUNNING),
        (
            "iio",
            &[
                EVENT,
                UMASK,
                EDGE,
                INV,
                THRESH_IO,
                ("ch_mask", "config:36-43"),
                ("fc_mask", "config:44-46"),
            ],
        ),
        ("pcu", POWER_SKX),
        ("upi", &[EVENT, ("umask", "config:8-15,32-43,45-55"), EDGE, INV, THRESH]),
        ("", PLAIN),
    ],
    memory: &MEMORY_SNB,
};

/// I/O controllers since Ice Lake and Snow Ridge.
const IO_ICX: &[File] =
    &[EVENT, UMASK, EDGE, INV, THRESH_IO, ("ch_mask", "config:36-47"), ("fc_mask", "config:48-50")];
const UMASK_RAW: File = ("umask", "config:8-15,32-55");

const ICX: Kind = Kind {
    units: &[
        ("ubox", UBOX),
        (
            "cha",
            &[
                EVENT,
                ("umask", "config:8-15,32-57"),
                EDGE,
                THREAD,
                INV,
                THRESH,
                ("filter_tid", "config1:0-9"),
            ],
        ),
        ("iio_free", FREE_RUNNING),
        ("imc_free", FREE_RUNNING),
        ("iio", IO_ICX),
        ("pcu", POWER_SKX),
        ("m2m", &[EVENT, ("umask", "config:8-15,32-39"), EDGE, INV, THRESH]),
        ("upi", &[EVENT, UMASK_RAW, EDGE, INV, THRESH]),
        ("", PLAIN),
    ],
    memory: &MEMORY_ICX,
};
const SPR: Kind = Kind {
    units: &[
        (
            "cha",
            &[
                EVENT,
                ("umask", "config:8-15,32-63"),
                ("tid_en", "config:16"),
                EDGE,
                INV,
                THRESH,
                ("filter_tid", "config1:0-9"),
            ],
        ),
        ("iio_free", FREE_RUNNING),
        ("imc_free", FREE_RUNNING),
        ("iio", IO_ICX),
        ("", &[EVENT, UMASK_RAW, EDGE, INV, THRESH]),
    ],
    memory: &MEMORY_SPR,
};
const GNR: Kind = Kind { memory: &MEMORY_GNR, ..SPR };

/// The kinds of processors by their models.
const INTEL_KINDS: [(&[u32], &Kind); 8] = [
    (&[45], &SNB_EP),
    (&[62], &IVB_EP),
    (&[63, 79, 86], &HSW_EP),
    (&[87, 133], &KNL),
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
    let kind = INTEL_KINDS.iter().find(|(models, _)| models.contains(&model));
    let kind = kind.map_or(&CLIENT, |(_, kind)| kind);
    let unit = name.strip_prefix("uncore_").unwrap_or(name);
    let fields = kind.units.iter().find(|(begin, _)| unit.starts_with(begin));
    let fields = fields.map_or(&[][..], |(_, fields)| fields).to_vec();
    (fields, if name == "uncore_imc" { kind.memory } else { &[] })
}
