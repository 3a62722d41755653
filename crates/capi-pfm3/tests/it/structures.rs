//! Requests in JSON as the structures of C.

use std::ffi::{c_uint, c_ulong, c_ushort};

use pfm3::*;
use serde_json::Value;

/// The structure that only the model takes.
pub(crate) enum Given {
    Nothing,
    Intel(Vec<IntelCounter>),
    P6(P6Input),
    CoreDuo(CoreDuoInput),
    Core(CoreInput),
    Nehalem(NhmInput),
    Amd(AmdInput),
    Cell(CellParam),
    Itanium(Box<ItaniumInput>),
    Itanium2(Box<Itanium2Input>),
    Montecito(Box<MontecitoInput>),
}

impl Given {
    pub(crate) fn of(family: &str, from: &Value) -> Given {
        let counters = from["counters"].as_array().map_or(&[][..], Vec::as_slice);
        match family {
            _ if from.is_null() => Given::Nothing,
            "gen_ia32" => {
                // As many as there may be events.
                let mut all = vec![IntelCounter::default(); 512];
                fill(&mut all, counters, intel);
                Given::Intel(all)
            }
            "p6" => {
                let mut given = P6Input::default();
                fill(&mut given.counters, counters, short);
                Given::P6(given)
            }
            "coreduo" => {
                let mut given = CoreDuoInput::default();
                fill(&mut given.counters, counters, intel);
                Given::CoreDuo(given)
            }
            "core" | "atom" => {
                let pebs_used = int(from, "pebs_used");
                let mut given = CoreInput { pebs_used, ..CoreInput::default() };
                fill(&mut given.counters, counters, intel);
                Given::Core(given)
            }
            "nehalem" => Given::Nehalem(nehalem(from, counters)),
            "amd64" => {
                let ibs = |key: &str| IbsParam {
                    maxcnt: int(&from[key], "maxcnt"),
                    options: int(&from[key], "options"),
                };
                let (ibsfetch, ibsop) = (ibs("ibsfetch"), ibs("ibsop"));
                let flags = int(from, "flags");
                let mut given = AmdInput { flags, ibsfetch, ibsop, ..AmdInput::default() };
                fill(&mut given.counters, counters, short);
                Given::Amd(given)
            }
            "cell" => {
                let [triggers, interval, control] =
                    ["triggers", "interval", "control"].map(|key| int(from, key));
                let mut given = CellParam { triggers, interval, control, ..CellParam::default() };
                fill(&mut given.counters, counters, |from| CellCounterParam {
                    pm_control_num: int(from, "pmx"),
                    spe_subunit: int(from, "spe_subunit"),
                    polarity: int(from, "polarity"),
                    input_control: int(from, "input_control"),
                    ..CellCounterParam::default()
                });
                Given::Cell(given)
            }
            "itanium" => Given::Itanium(Box::new(itanium(from, counters))),
            "itanium2" => Given::Itanium2(Box::new(itanium2(from, counters))),
            "montecito" => Given::Montecito(Box::new(montecito(from, counters))),
            _ => Given::Nothing,
        }
    }

    pub(crate) fn pointer(&self) -> *const u8 {
        match self {
            Given::Nothing => std::ptr::null(),
            Given::Intel(given) => given.as_ptr().cast(),
            Given::P6(given) => std::ptr::from_ref(given).cast(),
            Given::CoreDuo(given) => std::ptr::from_ref(given).cast(),
            Given::Core(given) => std::ptr::from_ref(given).cast(),
            Given::Nehalem(given) => std::ptr::from_ref(given).cast(),
            Given::Amd(given) => std::ptr::from_ref(given).cast(),
            Given::Cell(given) => std::ptr::from_ref(given).cast(),
            Given::Itanium(given) => std::ptr::from_ref(&**given).cast(),
            Given::Itanium2(given) => std::ptr::from_ref(&**given).cast(),
            Given::Montecito(given) => std::ptr::from_ref(&**given).cast(),
        }
    }
}

/// A number, which may be a text in hexadecimal; 0 if there is none.
pub(crate) fn long(from: &Value, key: &str) -> u64 {
    match &from[key] {
        Value::Null => 0,
        Value::Bool(set) => u64::from(*set),
        Value::String(text) => match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).expect("hexadecimal"),
            None => text.parse().expect("a number"),
        },
        number => number.as_u64().unwrap_or_else(|| panic!("{key}: {number}")),
    }
}

pub(crate) fn int(from: &Value, key: &str) -> c_uint {
    c_uint::try_from(long(from, key)).expect("32 bits")
}

fn byte(from: &Value, key: &str) -> u8 {
    u8::try_from(long(from, key)).expect("8 bits")
}

fn fill<T>(places: &mut [T], from: &[Value], read: impl Fn(&Value) -> T) {
    places.iter_mut().zip(from).for_each(|(place, from)| *place = read(from));
}

fn intel(from: &Value) -> IntelCounter {
    IntelCounter { cnt_mask: long(from, "cnt_mask") as c_ulong, flags: int(from, "flags") }
}

fn short(from: &Value) -> ShortCounter {
    ShortCounter { cnt_mask: int(from, "cnt_mask"), flags: int(from, "flags") }
}

fn nehalem(from: &Value, counters: &[Value]) -> NhmInput {
    let lbr = &from["lbr"];
    let mut given = NhmInput {
        pebs_used: int(from, "pebs_used"),
        ld_lat_thres: int(from, "ld_lat_thres"),
        lbr_used: int(lbr, "used"),
        lbr_plm: int(lbr, "plm"),
        lbr_filter: int(lbr, "filter"),
        ..NhmInput::default()
    };
    fill(&mut given.counters, counters, intel);
    given
}

fn itanium_counter(from: &Value) -> ItaniumCounter {
    ItaniumCounter { flags: int(from, "flags"), thres: int(from, "thres"), ism: int(from, "ism") }
}

fn opcode(from: &Value) -> ItaniumOpcode {
    ItaniumOpcode { used: byte(from, "used"), pmc_val: long(from, "val") as c_ulong }
}

fn ear(from: &Value) -> ItaniumEar {
    ItaniumEar {
        used: byte(from, "used"),
        mode: int(from, "mode"),
        ism: int(from, "ism"),
        plm: int(from, "plm"),
        umask: long(from, "umask") as c_ulong,
    }
}

fn limits(from: &Value) -> Vec<(c_uint, c_ulong, c_ulong)> {
    let limits = from["limits"].as_array().map_or(&[][..], Vec::as_slice);
    let limit = |from: &Value| {
        (int(from, "plm"), long(from, "start") as c_ulong, long(from, "end") as c_ulong)
    };
    limits.iter().map(limit).collect()
}

fn old_ranges(from: &Value) -> ItaniumRanges {
    let (used, flags) = (byte(from, "used"), int(from, "flags"));
    let mut ranges = ItaniumRanges { used, flags, ..ItaniumRanges::default() };
    for (place, (plm, start, end)) in ranges.limits.iter_mut().zip(limits(from)) {
        *place = ItaniumRange { flags: 0, plm, start, end };
    }
    ranges
}

fn ranges(from: &Value) -> Itanium2Ranges {
    let (used, flags) = (byte(from, "used"), int(from, "flags"));
    let mut ranges = Itanium2Ranges { used, flags, ..Itanium2Ranges::default() };
    for (place, (plm, start, end)) in ranges.limits.iter_mut().zip(limits(from)) {
        *place = Itanium2Range { plm, start, end };
    }
    ranges
}

fn itanium(from: &Value, counters: &[Value]) -> ItaniumInput {
    let btb = &from["btb"];
    let [used, tar, tac, bac, tm, ptm, ppm] =
        ["used", "tar", "tac", "bac", "tm", "ptm", "ppm"].map(|key| byte(btb, key));
    let mut given = ItaniumInput {
        pmc8: opcode(&from["pmc8"]),
        pmc9: opcode(&from["pmc9"]),
        iear: ear(&from["iear"]),
        dear: ear(&from["dear"]),
        btb: ItaniumBranches { used, tar, tac, bac, tm, ptm, ppm, plm: int(btb, "plm") },
        drange: old_ranges(&from["drange"]),
        irange: old_ranges(&from["irange"]),
        ..ItaniumInput::default()
    };
    fill(&mut given.counters, counters, itanium_counter);
    given
}

fn itanium2(from: &Value, counters: &[Value]) -> Itanium2Input {
    let btb = &from["btb"];
    let [used, ds, tm, ptm, ppm, brt] =
        ["used", "ds", "tm", "ptm", "ppm", "brt"].map(|key| byte(btb, key));
    let mut given = Itanium2Input {
        pmc8: opcode(&from["pmc8"]),
        pmc9: opcode(&from["pmc9"]),
        iear: ear(&from["iear"]),
        dear: ear(&from["dear"]),
        btb: Itanium2Branches { used, ds, tm, ptm, ppm, brt, plm: int(btb, "plm") },
        drange: ranges(&from["drange"]),
        irange: ranges(&from["irange"]),
        ..Itanium2Input::default()
    };
    fill(&mut given.counters, counters, itanium_counter);
    given
}

fn montecito(from: &Value, counters: &[Value]) -> MontecitoInput {
    let opcode = |key: &str| {
        let from = &from[key];
        let [used, m, i, f, b] = ["used", "m", "i", "f", "b"].map(|key| byte(from, key));
        let (matches, mask) = (long(from, "match") as c_ulong, long(from, "mask") as c_ulong);
        MontecitoOpcode { used, m, i, f, b, matches, mask }
    };
    let ear = |key: &str| {
        let ItaniumEar { used, mode, plm, umask, .. } = ear(&from[key]);
        MontecitoEar { used, mode, plm, umask }
    };
    let (etb, ipear) = (&from["etb"], &from["ipear"]);
    let [used, tm, ptm, ppm, brt] = ["used", "tm", "ptm", "ppm", "brt"].map(|key| byte(etb, key));
    let mut given = MontecitoInput {
        opcm1: opcode("opcm1"),
        opcm2: opcode("opcm2"),
        iear: ear("iear"),
        dear: ear("dear"),
        etb: MontecitoBranches { used, plm: int(etb, "plm"), tm, ptm, ppm, brt },
        ipear: MontecitoIpEar {
            used: byte(ipear, "used"),
            plm: int(ipear, "plm"),
            delay: long(ipear, "delay") as c_ushort,
        },
        drange: ranges(&from["drange"]),
        irange: ranges(&from["irange"]),
        ..MontecitoInput::default()
    };
    fill(&mut given.counters, counters, |from| MontecitoCounter {
        flags: int(from, "flags"),
        thres: int(from, "thres"),
    });
    given
}
