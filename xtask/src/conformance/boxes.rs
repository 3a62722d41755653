//! The fields that Linux gives the units beside the cores, for processors that are not at hand.

use counterpoint_pmu::{Pmu, sysfs};

/// A field: its name and its bits.
type Field = (&'static str, &'static str);

/// Fields that all of Intel's servers have.
const SERVER: [Field; 4] = [
    ("event", "config:0-7"),
    ("umask", "config:8-15"),
    ("edge", "config:18"),
    ("inv", "config:23"),
];

const THRESHOLD: Field = ("thresh", "config:24-31");
const THREAD: Field = ("tid_en", "config:19");

/// The fields of the boxes whose names begin so, beside those of [`SERVER`], which they may replace; as
/// `arch/x86/events/intel/uncore_snbep.c` and the drivers of other vendors have them. The first line that fits counts.
const BOXES: &[(&str, &[Field])] = &[
    (
        "snbep_unc_cbo",
        &[
            THREAD,
            THRESHOLD,
            ("filter_tid", "config1:0-4"),
            ("filter_nid", "config1:10-17"),
            ("filter_state", "config1:18-22"),
            ("filter_opc", "config1:23-31"),
        ],
    ),
    (
        "ivbep_unc_cbo",
        &[
            THREAD,
            THRESHOLD,
            ("filter_tid", "config1:0-4"),
            ("filter_link", "config1:5-8"),
            ("filter_state", "config1:17-22"),
            ("filter_nid", "config1:32-47"),
            ("filter_opc", "config1:52-60"),
            ("filter_c6", "config1:61"),
            ("filter_nc", "config1:62"),
            ("filter_isoc", "config1:63"),
        ],
    ),
    ("hswep_unc_cbo", HASWELL_CACHE),
    ("bdx_unc_cbo", HASWELL_CACHE),
    ("snbep_unc_ubo", UBOX),
    ("ivbep_unc_ubo", UBOX),
    ("hswep_unc_ubo", UBOX),
    ("bdx_unc_ubo", UBOX),
    ("skx_unc_ubo", UBOX),
    ("icx_unc_ubo", UBOX),
    ("snbep_unc_pcu", POWER),
    ("ivbep_unc_pcu", POWER),
    ("hswep_unc_pcu", POWER),
    ("bdx_unc_pcu", POWER),
    ("skx_unc_pcu", POWER),
    ("icx_unc_pcu", POWER),
    ("snbep_unc_qpi", LINK),
    ("ivbep_unc_qpi", LINK),
    ("hswep_unc_qpi", LINK),
    ("bdx_unc_qpi", LINK),
    (
        "knl_unc_cha",
        &[
            THREAD,
            THRESHOLD,
            ("qor", "config:16"),
            ("filter_tid", "config1:0-8"),
            ("filter_link", "config1:9"),
            ("filter_state", "config1:17-26"),
            ("filter_local", "config1:32"),
            ("filter_all_op", "config1:35"),
            ("filter_nnm", "config1:37"),
            ("filter_opc3", "config1:41-60"),
            ("filter_nc", "config1:62"),
            ("filter_isoc", "config1:63"),
        ],
    ),
    (
        "skx_unc_cha",
        &[
            THREAD,
            THRESHOLD,
            ("filter_tid", "config1:0-8"),
            ("filter_state", "config1:17-26"),
            ("filter_rem", "config1:32"),
            ("filter_loc", "config1:33"),
            ("filter_nm", "config1:36"),
            ("filter_not_nm", "config1:37"),
            ("filter_opc_0", "config1:41-50"),
            ("filter_opc_1", "config1:51-60"),
            ("filter_nc", "config1:62"),
            ("filter_isoc", "config1:63"),
        ],
    ),
    (
        "skx_unc_iio",
        &[("thresh", "config:24-35"), ("ch_mask", "config:36-43"), ("fc_mask", "config:44-46")],
    ),
    ("skx_unc_upi", &[THRESHOLD, ("umask", "config:8-15,32-43,45-55")]),
    (
        "icx_unc_cha",
        &[THREAD, THRESHOLD, ("umask", "config:8-15,32-57"), ("filter_tid", "config1:0-9")],
    ),
    (
        "icx_unc_iio",
        &[("thresh", "config:24-35"), ("ch_mask", "config:36-47"), ("fc_mask", "config:48-50")],
    ),
    ("icx_unc_upi", &[THRESHOLD, ("umask", "config:8-15,32-55")]),
    ("icx_unc_m2m", &[THRESHOLD, ("umask", "config:8-15,32-39")]),
    (
        "spr_unc_cha",
        &[THREAD, THRESHOLD, ("umask", "config:8-15,32-63"), ("filter_tid", "config1:0-9")],
    ),
    ("spr_unc", &[THRESHOLD, ("umask", "config:8-15,32-55")]),
    ("gnr_unc", &[THRESHOLD, ("umask", "config:8-15,32-55")]),
    ("snb_unc_cbo", CLIENT),
    ("ivb_unc_cbo", CLIENT),
    ("amd64_fam19h_zen3_l3", ZEN3_CACHE),
    ("amd64_fam1ah_zen5_l3", ZEN3_CACHE),
    ("amd64_fam1ah_zen6_l3", ZEN3_CACHE),
    ("hisi_sccl", &[]),
    ("tx2_", &[]),
    ("", &[THRESHOLD, THREAD]),
];

const HASWELL_CACHE: &[Field] = &[
    THREAD,
    THRESHOLD,
    ("filter_tid", "config1:0-5"),
    ("filter_link", "config1:6-9"),
    ("filter_state", "config1:17-23"),
    ("filter_nid", "config1:32-47"),
    ("filter_opc", "config1:52-60"),
    ("filter_c6", "config1:61"),
    ("filter_nc", "config1:62"),
    ("filter_isoc", "config1:63"),
];

const UBOX: &[Field] =
    &[("thresh", "config:24-28"), ("filter_tid", "config1:0"), ("filter_cid", "config1:1-4")];

const POWER: &[Field] = &[
    ("event", "config:0-7,21"),
    ("umask", ""),
    ("occ_sel", "config:14-15"),
    ("thresh", "config:24-28"),
    ("occ_invert", "config:30"),
    ("occ_edge", "config:31"),
    ("filter_band0", "config1:0-7"),
    ("filter_band1", "config1:8-15"),
    ("filter_band2", "config1:16-23"),
    ("filter_band3", "config1:24-31"),
];

const LINK: &[Field] = &[("event", "config:0-7,21"), THRESHOLD];

const CLIENT: &[Field] = &[("cmask", "config:24-28")];

const ZEN3_CACHE: &[Field] = &[
    ("coreid", "config:42-44"),
    ("enallslices", "config:46"),
    ("enallcores", "config:47"),
    ("sliceid", "config:48-50"),
    ("threadmask", "config:56-57"),
];

/// The PMU of sysfs that counts the events of a PMU of the tables, with its fields.
pub(super) fn fields(pmu: &Pmu) -> Option<sysfs::Pmu> {
    let (_, own) = BOXES.iter().find(|(begin, _)| pmu.name.starts_with(begin))?;
    let usual = SERVER.iter().filter(|(name, _)| own.iter().all(|(known, _)| known != name));
    let all = usual.chain(own.iter()).filter(|(_, bits)| !bits.is_empty()).copied();
    Some(sysfs::Pmu::from_files(pmu.devices().next()?, 4, all, []))
}
