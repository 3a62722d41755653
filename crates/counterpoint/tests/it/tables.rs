//! Events of the processor's tables, as libpfm's strings name them.

use crate::world::{asked, cpu_of, error_of, hold, holds, kernel, row, set};
use counterpoint::perf::{Attr, Errno, Exclude, pmu_type};
use counterpoint::pmu::find;
use counterpoint::{EventSet, Machine, Note, Reason, Target, Value};
use counterpoint_fixtures::FakeKernel;

const DEVICES: &str = "/sys/bus/event_source/devices";

/// A Sapphire Rapids with two boxes of its cache, which are counted on the CPUs 0 and 2.
pub(crate) fn sapphire_rapids() -> FakeKernel {
    let cpuinfo = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nstepping\t: 6\n\
        flags\t\t: fpu arch_perfmon\n";
    let mut kernel = FakeKernel::new()
        .file("/proc/cpuinfo", cpuinfo)
        .file("/sys/devices/system/cpu/online", "0-3\n")
        .file(format!("{DEVICES}/cpu/type"), "4\n");
    for (number, kind) in [(0, "31\n"), (1, "32\n")] {
        let folder = format!("{DEVICES}/uncore_cha_{number}");
        kernel = kernel
            .file(format!("{folder}/type"), kind)
            .file(format!("{folder}/cpumask"), "0,2\n")
            .file(format!("{folder}/format/event"), "config:0-7\n");
    }
    kernel
}

/// libpfm leaves guests out unless a string says otherwise.
const HOST: Exclude =
    Exclude { user: false, kernel: false, hv: false, idle: false, host: false, guest: true };

fn attr(events: &str) -> Attr {
    let asked = asked(&sapphire_rapids(), Target::ThisThread, events);
    assert_eq!(asked.len(), 1, "{events}: {asked:?}");
    asked[0].attr.clone()
}

#[test]
fn an_event_is_found_with_and_without_the_name_of_its_pmu() {
    let wanted = Attr { exclude: HOST, ..Attr::new(pmu_type::RAW, 0x151) };
    for name in ["spr::L1D:REPLACEMENT", "L1D:REPLACEMENT", "l1d.replacement", "SPR::l1d"] {
        let attr = attr(name);
        assert_eq!((attr.kind, attr.exclude), (wanted.kind, HOST), "{name}");
        if name.contains(['R', 'r']) && name.len() > 8 {
            assert_eq!(attr, wanted, "{name}");
        }
    }
    let error = error_of(&sapphire_rapids(), "skl::L1D:REPLACEMENT");
    assert_eq!(error.to_string(), "no PMU is called `skl` on the machine");
    assert_eq!(
        error.help().unwrap().to_string(),
        "its PMUs are spr, spr_unc_cha0, ix86arch, perf, perf_raw"
    );
    let unknown = FakeKernel::new().file(format!("{DEVICES}/cpu/type"), "4\n");
    let opened = asked(&unknown, Target::ThisThread, "skl::L1D:REPLACEMENT");
    assert_eq!(opened[0].attr, wanted, "a processor that is not known may be like that");
    let architectural = attr("INSTRUCTION_RETIRED");
    assert_eq!(architectural.config, 0xc0, "opened once, though ix86arch has it too");
}

#[test]
fn letters_after_the_name_are_the_events_own_and_then_perfs() {
    let of = |events: &str| attr(events);
    let user = Exclude { kernel: true, ..HOST };
    assert_eq!(of("L1D:REPLACEMENT:u").exclude, user);
    assert_eq!(of("L1D:REPLACEMENT:u=1:k=0").exclude, user);
    let (levels, hv) = (of("L1D:REPLACEMENT:uk").exclude, true);
    assert_eq!(levels, Exclude { hv, ..HOST }, "perf's, which name the hypervisor too");
    assert!(of("L1D:REPLACEMENT:D").pinned);
    assert_eq!(of("MEM_INST_RETIRED:ALL_LOADS:precise=2").precise, 2);
    let edge = of("L1D:REPLACEMENT:e:c=2");
    assert_eq!((edge.config, edge.exclusive), (0x0204_0151, false), "`e` is the table's edge");
    assert_eq!(of("{L1D:REPLACEMENT}:u").exclude, Exclude { kernel: true, hv, ..HOST });
}

#[test]
fn an_uncore_event_is_counted_on_all_boxes_or_on_the_one_that_is_named() {
    let on = |events: &str| -> Vec<(u32, Option<u32>)> {
        let asked = asked(&sapphire_rapids(), Target::AllCpus, events);
        asked.iter().map(|opening| (opening.attr.kind, cpu_of(opening))).collect()
    };
    let all = [(31, Some(0)), (31, Some(2)), (32, Some(0)), (32, Some(2))];
    assert_eq!(on("UNC_CHA_CLOCKTICKS"), all);
    assert_eq!(on("spr_unc_cha1::UNC_CHA_CLOCKTICKS"), all[2..]);
    let kernel = sapphire_rapids();
    let mut counters = set(&kernel, Target::AllCpus).event("UNC_CHA_CLOCKTICKS").open().unwrap();
    hold(&kernel, holds(10, 1, 1), |_| true);
    assert_eq!(row(counters.read().unwrap(), "UNC_CHA_CLOCKTICKS").raw, Some(40));
    let error = error_of(&sapphire_rapids(), "UNC_CHA_CLOCKTICKS");
    assert!(error.to_string().contains("counts for whole CPUs"), "{error}");
}

#[test]
fn an_event_with_a_cpu_is_counted_there_and_for_no_process() {
    let kernel = sapphire_rapids();
    let mut counters = set(&kernel, Target::AllCpus).event("L1D:REPLACEMENT:cpu=2").open().unwrap();
    let places: Vec<_> = kernel.opened().iter().map(cpu_of).collect();
    assert_eq!(places, [Some(2)]);
    hold(&kernel, holds(10, 1, 1), |_| true);
    assert_eq!(counters.read().unwrap().rows[0].raw, Some(10));
    let error = error_of(&kernel, "L1D:REPLACEMENT:cpu=2");
    assert!(error.to_string().contains("counts for whole CPUs"), "{error}");
}

#[test]
fn on_a_hybrid_machine_every_kind_of_core_that_has_the_event_counts_it() {
    let on = |events: &str| -> Vec<(u32, u64)> {
        let asked = asked(&kernel("intel-hybrid"), Target::ThisThread, events);
        asked.iter().map(|opening| (opening.attr.kind, opening.attr.config)).collect()
    };
    assert_eq!(on("INST_RETIRED:ANY_P"), [(4, 0xc0), (10, 0xc0)]);
    assert_eq!(on("adl_grt::INST_RETIRED:ANY_P"), [(10, 0xc0)]);
    assert_eq!(on("L1D:REPLACEMENT"), [(4, 0x151)], "the small cores have no such event");
    assert_eq!(on("MEM_BOUND_STALLS:LOAD"), [(10, 0x734)]);
}

#[test]
fn terms_of_definitions_are_events_of_the_tables_of_their_pmu() {
    let text = "CPU,skl\nEVENT,MISSES,NOT_DERIVED,NO_SUCH\n\
        CPU,spr\nEVENT,MISSES,DERIVED_ADD,L1D:REPLACEMENT,L2_LINES_IN:ALL\n";
    let kernel = sapphire_rapids();
    let mut counters =
        set(&kernel, Target::ThisThread).define(text).event("MISSES").open().unwrap();
    hold(&kernel, holds(7, 1, 1), |_| true);
    let report = counters.read().unwrap();
    assert_eq!(row(report, "MISSES").value.as_f64(), Some(14.0));

    let kernel = crate::world::kernel("intel-hybrid");
    let text = "CPU,adl_glc\nEVENT,DONE,NOT_DERIVED,INST_RETIRED:ANY_P\n\
        CPU,adl_grt\nEVENT,DONE,DERIVED_INFIX,N0*2,INST_RETIRED:ANY_P\n";
    let mut counters = set(&kernel, Target::ThisThread).define(text).event("DONE").open().unwrap();
    hold(&kernel, holds(5, 1, 1), |_| true);
    let report = counters.read().unwrap();
    let values: Vec<_> =
        report.rows.iter().map(|row| (row.id.to_string(), row.value.as_f64())).collect();
    let wanted = [("cpu_atom/DONE/", Some(10.0)), ("cpu_core/DONE/", Some(5.0))];
    assert_eq!(values, wanted.map(|(id, value)| (id.to_string(), value)));
}

#[test]
fn a_definition_may_be_called_like_a_raw_code() {
    let kernel = sapphire_rapids();
    let set = set(&kernel, Target::ThisThread).define("EVENT,race,NOT_DERIVED,page-faults\n");
    set.event("race:u").open().unwrap();
    assert_eq!(kernel.asked()[0].attr.kind, pmu_type::SOFTWARE);
}

#[test]
fn what_is_wrong_with_a_name_is_said_with_what_is_near() {
    let similar = |events: &str| {
        let error = error_of(&sapphire_rapids(), events);
        (error.code(), error.similar().to_vec())
    };
    let (code, near) = similar("INST_RETRIED:ANY_P");
    assert_eq!((code, near[0].as_str()), ("NOTFOUND", "INST_RETIRED"));
    assert_eq!(similar("UNC_CHA_CLOCKTICK").1[0], "UNC_CHA_CLOCKTICKS", "of every active PMU");
    assert_eq!(similar("L1D:REPLACEMNT"), ("ATTR", vec!["REPLACEMENT".to_string()]));
    assert_eq!(similar("spr::L1D:REPLACEMNT:D").0, "ATTR");
    let error = error_of(&sapphire_rapids(), "page-faults,L1D:REPLACEMNT");
    assert_eq!(error.span(), Some(16..26), "the unit mask, not the whole event");
}

#[test]
fn an_event_of_other_processors_is_said_to_be_theirs() {
    let error = error_of(&sapphire_rapids(), "RETIRED_FUSED_INSTRUCTIONS:u,cycles");
    assert!(error.is_unknown_event());
    let text = error.to_string();
    assert!(text.starts_with("`RETIRED_FUSED_INSTRUCTIONS` is an event of amd64_"), "{text}");
    assert!(text.ends_with("but not of a PMU of the machine"), "{text}");
    let many = error_of(&sapphire_rapids(), "UOPS_DISPATCHED_PORT:PORT_0").to_string();
    assert!(many.contains(" more PMUs, but not of a PMU"), "{many}");
}

#[test]
fn who_may_not_count_the_kernel_counts_table_events_in_user_space() {
    let kernel = sapphire_rapids()
        .file("/proc/sys/kernel/perf_event_paranoid", "2\n")
        .refuse_with(Errno::EACCES, |opening| !opening.attr.exclude.kernel);
    let mut counters =
        set(&kernel, Target::ThisThread).event("L1D:REPLACEMENT,L1D:REPLACEMENT:k").open().unwrap();
    hold(&kernel, holds(3, 1, 1), |_| true);
    let report = counters.read().unwrap();
    assert_eq!((report.rows[0].raw, &*report.rows[0].notes), (Some(3), &[Note::UserOnly][..]));
    let refused = matches!(&report.rows[1].value, Value::NotSupported(Reason::NotOpened(_)));
    assert!(refused, "the kernel was asked for: {:?}", report.rows[1]);
}

#[test]
fn events_of_the_top_down_register_are_known_without_sysfs() {
    let config = |pmu: &str, name: &str| {
        let machine = Machine::of_pmu(find(pmu).unwrap());
        let set = EventSet::with_machine(machine, Target::ThisThread).event(name);
        let resolved = set.resolve().ok()?;
        Some(resolved.natives()[0].boxes[0].attr.config)
    };
    for pmu in ["icl", "spr", "adl_glc"] {
        assert_eq!(config(pmu, "slots"), Some(0x400), "{pmu}");
        assert_eq!(config(pmu, "topdown-be-bound"), Some(0x8300), "{pmu}");
    }
    assert_eq!(config("spr", "topdown-mem-bound"), Some(0x8700));
    assert_eq!(config("adl_glc", "topdown-mem-bound"), Some(0x8700));
    assert_eq!(config("icl", "topdown-mem-bound"), None, "only the first level is in the register");
    for pmu in ["skl", "adl_grt", "amd64_fam19h_zen4", "arm_n1"] {
        assert_eq!(config(pmu, "slots"), None, "{pmu}");
    }
}

#[test]
fn the_latency_of_samples_is_said_to_be_no_count() {
    let machine = Machine::of_pmu(find("gnr").unwrap());
    let set = EventSet::with_machine(machine, Target::ThisThread);
    let error = set.event("MEM_INST_RETIRED.LOCK_LOADS:retire_latency").resolve().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`MEM_INST_RETIRED.LOCK_LOADS:retire_latency` is the latency of samples, which is not counted"
    );
    let help = error.help().unwrap().to_string();
    assert_eq!(help, "measure it with `perf record -W -e MEM_INST_RETIRED.LOCK_LOADS:P`");
}
