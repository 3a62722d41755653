//! Today's processors: which counters can count what.

use counterpoint_pmu::counters::{self, CounterSet, FIXED, METRIC, demand, registers};
use counterpoint_pmu::kernel::Group;
use counterpoint_pmu::plan::{Claim, Demand, Over, place};
use counterpoint_pmu::{Context, Layer, Privilege, all, encode, find};

fn demands(events: &[&str]) -> Vec<Demand> {
    let context = Context::new(Layer::Raw);
    let encoded = events.iter().map(|event| encode(event, &context).expect("an event"));
    encoded.map(|encoding| demand(&encoding).expect("a known PMU")).collect()
}

fn counters_of(event: &str) -> u64 {
    demands(&[event])[0].counters
}

fn sizes(pmu: &str) -> Option<(u32, u32)> {
    let CounterSet { general, fixed, .. } = counters::of(find(pmu).expect("a PMU"))?;
    Some((general.count_ones(), fixed.count_ones()))
}

#[test]
fn pmus_have_the_counters_of_their_processors() {
    let expected = [
        ("nhm", 4, 3),
        ("skl", 8, 3),
        ("icx", 8, 4),
        ("spr", 8, 4),
        ("gnr", 8, 4),
        ("adl_glc", 8, 4),
        ("adl_grt", 6, 3),
        ("knl", 2, 3),
        ("amd64_fam17h_zen2", 6, 0),
        ("amd64_fam1ah_zen5", 6, 0),
        ("amd64_fam1ah_zen5_l3", 6, 0),
        ("arm_n1", 6, 1),
        ("arm_v2", 6, 1),
        ("arm_ac7", 4, 1),
        ("power8", 4, 2),
        ("power10", 4, 2),
    ];
    for (pmu, general, fixed) in expected {
        assert_eq!(sizes(pmu), Some((general, fixed)), "{pmu}");
    }
    assert_eq!(sizes("power7"), None);
    assert_eq!(sizes("perf"), None);
}

#[test]
fn every_pmu_has_one_number_of_counters() {
    let mut seen = 0;
    for pmu in all() {
        seen += 1;
        let counted = (u32::from(pmu.counters), u32::from(pmu.fixed_counters));
        assert!(sizes(pmu.name).is_none_or(|sizes| sizes == counted), "{}", pmu.name);
    }
    assert_eq!(seen, 719);
}

#[test]
fn libpfm_reports_other_numbers_of_some() {
    let numbers = |pmu: &str| find(pmu).expect("a PMU").libpfm_counters();
    assert_eq!(numbers("spr"), (16, 4));
    assert_eq!(numbers("skl"), (8, 3));
    assert_eq!(numbers("arm_n1"), (6, 0));
    assert_eq!(numbers("amd64_fam1ah_zen5_l3"), (4, 0));
}

#[test]
fn threads_of_a_core_share_the_counters_of_some() {
    let shared =
        |pmu: &str| counters::of(find(pmu).expect("a PMU")).map(|counters| counters.other_thread);
    let with: Vec<&str> = all().map(|pmu| pmu.name).filter(|pmu| shared(pmu) > Some(0)).collect();
    let expected =
        ["snb", "snb_ep", "ivb", "ivb_ep", "hsw", "hsw_ep", "bdw", "bdw_ep", "skl", "skx", "clx"];
    assert_eq!(with, expected);
    assert_eq!(shared("clx"), Some(0xf0));
}

#[test]
fn every_event_can_be_counted_somewhere() {
    let context = Context::new(Layer::Raw);
    let mut seen = 0;
    for pmu in all() {
        let Some(set) = counters::of(pmu) else { continue };
        let metrics = 0xff << METRIC;
        for event in pmu.events() {
            let masks = event
                .attributes(Layer::Raw, &context.machine)
                .into_iter()
                .map(|attribute| format!(":{}", attribute.name));
            for mask in std::iter::once(String::new()).chain(masks) {
                let text = format!("{}::{}{mask}", pmu.name, event.name);
                let Ok(encoding) = encode(&text, &context) else { continue };
                let counters = demand(&encoding).expect("a known PMU").counters;
                assert_ne!(counters, 0, "{text} {:x?}", encoding.codes);
                assert_eq!(counters & !(set.general | set.fixed | metrics), 0, "{text}");
                seen += 1;
            }
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn intel_counts_the_architectural_events_on_fixed_counters() {
    assert_eq!(counters_of("spr::INST_RETIRED:ANY_P"), 0xff | 1 << FIXED);
    assert_eq!(counters_of("spr::INST_RETIRED:ANY"), 0xff | 1 << FIXED);
    assert_eq!(counters_of("icl::UNHALTED_CORE_CYCLES"), 0xff | 2 << FIXED);
    assert_eq!(counters_of("icl::UNHALTED_CORE_CYCLES:c=2"), 0xff);
    assert_eq!(counters_of("skl::UNHALTED_REFERENCE_CYCLES"), 4 << FIXED);
    assert_eq!(counters_of("spr::TOPDOWN_M:SLOTS"), 8 << FIXED);
    assert_eq!(counters_of("snb::L1D_PEND_MISS:OCCURRENCES"), 0x4);
    let raw = counters::demand_of(find("skl").expect("a PMU"), &[0x3c], None);
    assert_eq!(raw, Some(Demand::on(0xff | 2 << FIXED)));
    let mut events = vec!["spr::INST_RETIRED:ANY_P", "spr::UNHALTED_CORE_CYCLES"];
    events.extend(["spr::BR_INST_RETIRED"; 8]);
    assert!(place(&demands(&events)).is_ok());
    events.push("spr::BR_MISP_RETIRED");
    assert_eq!(place(&demands(&events)).unwrap_err().over, Over::Counters(0xff));
}

#[test]
fn intel_has_two_off_core_registers_and_one_latency() {
    let offcore = |mask: &str| format!("skl::OFFCORE_RESPONSE_0:{mask}");
    let events = ["DMND_DATA_RD", "DMND_RFO", "DMND_CODE_RD"].map(offcore);
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let demands_of_two = demands(&events[..2]);
    assert!(place(&demands_of_two).is_ok());
    let refused = place(&demands(&events)).unwrap_err();
    let register = registers::OFFCORE_RESPONSE;
    assert_eq!(refused.over, Over::Register { register, copies: 2 });
    let latencies = demands(&[
        "skl::MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=4",
        "skl::MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=8",
    ]);
    let register = registers::LOAD_LATENCY;
    assert_eq!(place(&latencies).unwrap_err().over, Over::Register { register, copies: 1 });
}

#[test]
fn other_processors() {
    assert_eq!(counters_of("arm_n1::CPU_CYCLES"), 0x3f | 1 << FIXED);
    assert_eq!(counters_of("arm_n1::INST_RETIRED"), 0x3f);
    assert_eq!(counters_of("arm_ac8::CPU_CYCLES"), 1 << FIXED);
    assert_eq!(counters_of("arm_ac7::CPU_CYCLES"), 0xf);
    let kernel = |pmu| counters::demand_of_kernel(find(pmu).expect("a PMU"), Group::Hardware, 0);
    assert_eq!(kernel("arm_ac7"), Some(Demand::on(1 << FIXED)));
    assert_eq!(kernel("arm_n1"), Some(Demand::on(0x3f | 1 << FIXED)));
    assert_eq!(counters_of("amd64_fam17h_zen2::RETIRED_SSE_AVX_FLOPS:MULT_FLOPS"), 0x15);
    assert_eq!(counters_of("amd64_fam19h_zen4::RETIRED_INSTRUCTIONS"), 0x3f);
    assert_eq!(counters_of("power9::PM_1FLOP_CMPL"), 1 << 3);
    assert_eq!(counters_of("power9::PM_RUN_INST_CMPL"), 1 << 3);
    assert_eq!(counters_of("power8::PM_RUN_CYC"), 2 << FIXED);
    let twice = demands(&["power9::PM_1FLOP_CMPL", "power9::PM_2FLOP_CMPL"]);
    assert_eq!(place(&twice).unwrap_err().over, Over::Counters(1 << 3));
}

#[test]
fn registers_that_events_share() {
    let pmu = |name| find(name).expect("a PMU");
    let offcore = |name| counters::demand_of(pmu(name), &[0x1b7, 0x10001], None);
    let copies = |name| offcore(name).map(|demand| demand.claims.first().map(|c| c.copies));
    assert_eq!([copies("nhm"), copies("nhm_ex")], [Some(Some(1)); 2]);
    assert_eq!([copies("wsm"), copies("skl"), copies("spr")], [Some(Some(2)); 3]);
    assert_eq!([copies("core"), copies("arm_n1")], [Some(None); 2]);
    let levels = Privilege::USER | Privilege::KERNEL;
    let claim = Claim { register: registers::LEVELS, copies: 1, value: 9 };
    for name in ["power8", "power9", "power10"] {
        assert_eq!(counters::shared_levels(pmu(name), levels), Some(claim));
    }
    assert_eq!(counters::shared_levels(pmu("spr"), levels), None);
}
