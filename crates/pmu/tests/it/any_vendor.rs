//! Laws that hold for any vendor's file at all; the fuzz target asks the same.

use counterpoint_pmu::vendor::{Events, files};
use counterpoint_pmu::{CpuId, find, sysfs};

/// Nothing panics, and errors point into the file.
pub(crate) fn check(text: &str) {
    let mut events = Events::default();
    let mut errors = events.add_standard(text);
    errors.extend(events.add(text, Some("cpu_core")));
    let cpu = CpuId::Arm { cores: vec![(0x41, 0xd0c)] };
    let (entries, of_map) = files(text, &cpu);
    errors.extend(of_map);
    for error in errors {
        assert!(text.get(error.span.clone()).is_some(), "{error:?}");
        let before = &text[..error.span.start];
        let line = before.rsplit('\n').next().unwrap_or_default();
        assert_eq!(error.line, before.matches('\n').count() + 1);
        assert_eq!(error.column, line.len() + 1);
        assert!(!error.to_string().is_empty());
    }
    assert!(entries.iter().all(|entry| text.contains(entry.path)));
    let event = find("spr").and_then(|pmu| pmu.event("L2_RQSTS"));
    if let Some(found) = event.and_then(|event| events.of(&event, Some("MISS"))) {
        assert!(!found.name.is_empty() && !found.terms.is_empty());
    }
    let core = sysfs::standard_core(&cpu, 0).expect("Arm's cores have fields");
    for event in events.iter() {
        assert!(events.named(&event.name).any(|found| found == event), "{event:?}");
        let terms = event.for_pmu(&core).terms;
        assert!(!terms.is_empty(), "{event:?}");
        // A field that the PMU lacks, or a number that is too big, is an error.
        let _ = core.encode(&terms);
        // A comma stands for a number, which the name of a PMU has.
        let pmus = event.pmus().into_iter().map(|pmu| pmu.replace(',', "0_"));
        assert!(pmus.into_iter().all(|pmu| event.is_on(&pmu, false)), "{event:?}");
    }
}

#[test]
fn odd_files() {
    let deep = "[".repeat(100_000);
    let texts = [
        "",
        "[",
        "[{}",
        "[{}]",
        "[{\"EventName\":\"L2_RQSTS.MISS\"}]",
        "[{\"EventName\":\"\"},{\"EventName\":\"a,b/c\",\"Unit\":\",\"},{\"EventName\":\"\u{e9}\",\"Unit\":\"\u{e9}\"}]",
        "[{\"EventName\":\"A\",\"CounterType\":\"FREERUN\",\"Unit\":\"IIO\"},{\"EventName\":\"_MC9PARTf\",\"CounterType\":\"FREERUN\",\"Unit\":\"\u{130}\"}]",
        "[{\"EventName\":\"A\",\"Filter\":\"a=b=c,,\"},{\"EventName\":\"B\",\"Filter\":\"=\"},{\"EventName\":\"C\",\"ScaleUnit\":\"1e999\u{e9}\"}]",
        "[1,null,[],[{}],\"\",{\"EventName\":[1]},{\"EventName\":7,\"EventCode\":18446744073709551616}]",
        "{\"Events\":{\"EventName\":\"A\"}}",
        "{\"Events\":[],\"Events\":[]}",
        "[{\"EventName\":\"A\",\"EventCode\":\"0xffffffffffffffff\",\"UMaskExt\":\"0xffffffffffffffff\",\"ExtSel\":\"0xff\"}]",
        "[{\"EventName\":\"A\",\"Counter\":\"0,63,64\"},{\"EventName\":\"B\",\"Counter\":\"Fixed counter 99\"}]",
        "{\"a\":[{\"b\":\"\\\"\"}],\"Events\":[{\"EventName\":\"\\ud83d\\ude00\"}]}",
        "0x00000000410fd0c0,v1,a/b,core\n((((,v1,c,core\n[[:alpha:]]{1000}{1000}{1000},v1,c,core\n",
        "\u{feff}[]",
        "\u{feff}(,v1,a,core",
        "\u{feff}(\u{e9},v1,a,core",
        "\u{feff}{\"a\": 1}",
        &deep,
    ];
    texts.into_iter().for_each(check);
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("any_vendor") {
        check(&String::from_utf8_lossy(&seed));
    }
}
