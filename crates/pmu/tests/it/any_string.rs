//! Laws that hold for any string at all; the fuzz target asks the same.

use counterpoint_pmu::{Context, Layer, encode};

/// No string makes the crate panic; errors point into it, and canonical strings encode to the same.
pub(crate) fn check(string: &str) {
    for layer in [Layer::Raw, Layer::PerfEvent, Layer::PerfEventExt] {
        let context = Context::new(layer);
        match encode(string, &context) {
            Ok(encoding) => {
                assert_eq!(encode(&encoding.canonical, &context).as_ref(), Ok(&encoding));
            }
            Err(error) => {
                assert!(string.get(error.span.clone()).is_some(), "{error:?}");
                assert!(!error.help().is_empty());
            }
        }
    }
}

#[test]
fn odd_strings() {
    let strings = [
        "",
        ":",
        "::",
        "::::",
        ".",
        "=",
        "spr::",
        "::spr",
        "spr::.",
        "spr::L1D=",
        "spr::L1D:=",
        "spr::L1D:==",
        "spr::L1D:0x",
        "spr::L1D:0X10",
        "perf_raw::r",
        "perf::CYCLES:u=",
        "é::é:é=é",
        "power_torrent::PM_PBUS_MCD0_PROBE_ISSUED",
        "spr::OCR:0xffffffffff",
        "rapl::RAPL_ENERGY_PKG:u",
    ];
    strings.into_iter().for_each(check);
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("any_string") {
        check(&String::from_utf8_lossy(&seed));
    }
}
