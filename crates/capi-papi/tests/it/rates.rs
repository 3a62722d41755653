//! Rates, and how they make way for the high level.

use papi::*;

use super::alone::alone;
use super::*;

const PRESETS: &str = "PRESET,PAPI_TOT_INS,NOT_DERIVED,perf::PAGE-FAULTS\n\
     PRESET,PAPI_TOT_CYC,NOT_DERIVED,perf::TASK-CLOCK\n\
     PRESET,PAPI_FP_OPS,NOT_DERIVED,perf::MINOR-FAULTS\n";

/// The result, the times, the count and the rate of `PAPI_ipc`.
fn ipc() -> (c_int, f32, f32, i64, f32) {
    let (mut real, mut process, mut count, mut rate) = (-1.0, -1.0, -1, -1.0);
    // SAFETY: places for numbers.
    let result = unsafe { PAPI_ipc(&mut real, &mut process, &mut count, &mut rate) };
    (result, real, process, count, rate)
}

#[test]
fn a_rate_is_of_the_time_since_the_call_before() {
    let presets = presets("rates", PRESETS);
    let variables = [("PAPI_CSV_EVENT_FILE", &*presets)];
    alone("rates::a_rate_is_of_the_time_since_the_call_before", &variables, || {
        assert_eq!(ipc(), (OK, 0.0, 0.0, 0, 0.0));
        touch(1000);
        std::thread::sleep(std::time::Duration::from_millis(50));
        let (result, real, .., count, rate) = ipc();
        assert!(result == OK && (1000..1200).contains(&count), "{count}");
        assert!(real >= 0.05 && rate > 0.0, "{real}");
        touch(300);
        let (result, later, process, count, _) = ipc();
        assert!(result == OK && (300..500).contains(&count), "{count}");
        assert!(later < real && process > 0.0, "{later} {process}");
        // Another rate begins anew.
        let (mut real, mut process, mut count, mut rate) = (-1.0, -1.0, -1, -1.0);
        let event = code("PAPI_FP_OPS");
        let mut flops = || {
            // SAFETY: places for numbers.
            let result =
                unsafe { PAPI_flops_rate(event, &mut real, &mut process, &mut count, &mut rate) };
            (result, count)
        };
        assert_eq!(flops(), (OK, 0));
        touch(200);
        let (result, count) = flops();
        assert!(result == OK && (200..400).contains(&count), "{count}");
        assert_eq!(ipc().3, 0);
        assert_eq!([PAPI_rate_stop(), PAPI_rate_stop()], [OK, ENOEVNT]);
    });
}

#[test]
fn events_per_cycle_need_no_reference_cycles() {
    let presets = presets("epc", PRESETS);
    let variables = [("PAPI_CSV_EVENT_FILE", &*presets)];
    alone("rates::events_per_cycle_need_no_reference_cycles", &variables, || {
        let (mut real, mut process, mut rate) = (-1.0, -1.0, -1.0);
        let [mut reference, mut core, mut count] = [-1, -1, -1];
        let mut epc = |event| {
            // SAFETY: places for numbers.
            let result = unsafe {
                PAPI_epc(
                    event,
                    &mut real,
                    &mut process,
                    &mut reference,
                    &mut core,
                    &mut count,
                    &mut rate,
                )
            };
            (result, reference, core, count, rate)
        };
        assert_eq!(epc(0), (OK, 0, 0, 0, 0.0));
        touch(500);
        let (result, reference, core, count, rate) = epc(0);
        assert_eq!((result, reference), (OK, 0));
        assert!(core > 0 && (500..700).contains(&count) && rate > 0.0, "{core} {count} {rate}");
    });
}

#[test]
fn rates_and_regions_make_way_for_each_other() {
    let presets = presets("ways", PRESETS);
    let variables = [
        ("PAPI_CSV_EVENT_FILE", &*presets),
        ("PAPI_EVENTS", "perf::TASK-CLOCK"),
        ("PAPI_OUTPUT_DIRECTORY", "/proc/nowhere"),
    ];
    alone("rates::rates_and_regions_make_way_for_each_other", &variables, || {
        let name = c("part");
        for _ in 0..2 {
            assert_eq!(ipc().0, OK);
            // SAFETY: a C string.
            assert_eq!(unsafe { PAPI_hl_region_begin(name.as_ptr()) }, OK);
            assert_eq!(PAPI_rate_stop(), ENOEVNT);
            // SAFETY: a C string.
            assert_eq!(unsafe { PAPI_hl_region_end(name.as_ptr()) }, OK);
        }
        assert_eq!(ipc().0, OK);
        assert_eq!(PAPI_hl_stop(), ENOEVNT);
    });
}
