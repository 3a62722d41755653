//! What holds for any file of descriptions at all; the fuzz target asks the same.

use counterpoint_pmu::descriptions::{Descriptions, files};
use counterpoint_pmu::{CpuId, find};

/// Nothing panics, and errors point into the file.
pub(crate) fn check(text: &str) {
    let mut descriptions = Descriptions::default();
    let mut errors = descriptions.add_standard(text);
    errors.extend(descriptions.add(text, Some("cpu_core")));
    let cpu = CpuId::Arm { cores: vec![(0x41, 0xd0c)] };
    let (entries, of_map) = files(text, &cpu);
    errors.extend(of_map);
    for error in errors {
        assert!(text.get(error.span.clone()).is_some(), "{error:?}");
        assert!(!error.to_string().is_empty());
    }
    assert!(entries.iter().all(|entry| text.contains(entry.path)));
    let event = find("spr").and_then(|pmu| pmu.event("L2_RQSTS"));
    if let Some(found) = event.and_then(|event| descriptions.of(&event, Some("MISS"))) {
        assert!(!found.name.is_empty() && !found.term.is_empty());
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
    for seed in crate::seeds::of("any_descriptions") {
        check(&String::from_utf8_lossy(&seed));
    }
}
