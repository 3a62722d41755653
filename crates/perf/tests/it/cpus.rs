use counterpoint_perf::CpuSet;
use proptest::prelude::*;

fn parse(list: &str) -> Vec<u32> {
    list.parse::<CpuSet>().unwrap().iter().collect()
}

#[test]
fn lists_are_read_as_the_kernel_writes_them() {
    assert_eq!(parse("0-3,8\n"), [0, 1, 2, 3, 8]);
    assert_eq!(parse("7"), [7]);
    assert_eq!(parse(" 5, 1 , 2-2,1-3"), [1, 2, 3, 5]);
    assert!(parse("\n").is_empty());
    assert_eq!(parse("65535"), [65_535]);
}

#[test]
fn sets_answer() {
    let cpus: CpuSet = "0-3,8".parse().unwrap();
    assert!(cpus.contains(8) && !cpus.contains(4));
    assert_eq!((cpus.len(), cpus.is_empty()), (5, false));
    assert_eq!(cpus.intersection(&"2-9".parse().unwrap()).to_string(), "2-3,8");
    assert_eq!(CpuSet::default().to_string(), "");
    assert_eq!([u32::MAX, 0].into_iter().collect::<CpuSet>().to_string(), "0,4294967295");
}

#[test]
fn a_wrong_item_is_named() {
    for (list, item) in [
        ("0,x,2", "x"),
        ("0-3,5-4", "5-4"),
        ("1,,2", ""),
        ("0-", "0-"),
        ("-1", "-1"),
        ("+1", "+1"),
        ("0-+3", "0-+3"),
        ("1-2-3", "1-2-3"),
        ("65536", "65536"),
        ("0-4294967295", "0-4294967295"),
        ("99999999999", "99999999999"),
        ("0x3", "0x3"),
        ("٣", "٣"),
    ] {
        let error = list.parse::<CpuSet>().unwrap_err();
        assert_eq!(error.item, item, "{list}");
        let text = format!(
            "`{item}` is not a CPU, and not a range from a lower to a higher one; write a list such as 0-3,8"
        );
        assert_eq!(error.to_string(), text);
    }
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(cpus in prop::collection::vec(0_u32..300, 0..200)) {
        let set: CpuSet = cpus.iter().copied().collect();
        let printed = set.to_string();
        let back: CpuSet = printed.parse().unwrap();
        prop_assert_eq!(&back, &set);
        prop_assert_eq!(back.to_string(), printed);
    }

    #[test]
    fn no_text_makes_it_panic(list in "[0-9,\\- x]{0,20}|\\PC{0,20}") {
        if let Ok(set) = list.parse::<CpuSet>() {
            prop_assert_eq!(set.to_string().parse::<CpuSet>().unwrap(), set);
        }
    }
}
