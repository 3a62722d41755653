//! The events that three generations of the Linux driver show.

use crate::base;
use crate::packer::{file, record, text};
use counterpoint_catalog24x7::data::InterfaceVersion;
use counterpoint_catalog24x7::sysfs::{
    Kernel, Listing, Refusal, StopKind, Unit, Value, ValueErrorKind, list,
};
use counterpoint_catalog24x7::{Catalog, Domain};
use proptest::option::of;
use proptest::prelude::*;

/// An event record with this domain, record offset, record length, counter offset, and name.
fn event(domain: u8, offset: u16, length: u16, counter: u16, name: &str) -> Vec<u8> {
    let words = [offset, length, counter].map(u16::to_be_bytes).concat();
    record(&[&[255, 255, domain, 0], &words, &[0; 8], &text(name), &text(""), &text("")])
}

fn shown(events: &[Vec<u8>], kernel: Kernel, interface: InterfaceVersion) -> Listing {
    list(&file([&[], events, &[], &[]]), kernel, interface)
}

fn lines(listing: &Listing) -> Vec<String> {
    listing.entries.iter().map(|entry| format!("{} {}", entry.name, entry.value)).collect()
}

#[test]
fn a_core_event() {
    let events = [event(2, 192, 64, 32, "HPM_0THRD_NON_IDLE_CCYC")];
    let lines = |kernel| lines(&shown(&events, kernel, InterfaceVersion::V2));
    assert_eq!(
        lines(Kernel::Y2014),
        [
            "HPM_0THRD_NON_IDLE_CCYC domain=0x2,offset=0xe0,starting_index=core,lpar=sibling_guest_id",
            "HPM_0THRD_NON_IDLE_CCYC__vcpu_home_core domain=0x3,offset=0xe0,starting_index=vcpu,lpar=sibling_guest_id",
            "HPM_0THRD_NON_IDLE_CCYC__vcpu_home_chip domain=0x4,offset=0xe0,starting_index=vcpu,lpar=sibling_guest_id",
            "HPM_0THRD_NON_IDLE_CCYC__vcpu_home_node domain=0x5,offset=0xe0,starting_index=vcpu,lpar=sibling_guest_id",
            "HPM_0THRD_NON_IDLE_CCYC__vcpu_remote_node domain=0x6,offset=0xe0,starting_index=vcpu,lpar=sibling_guest_id",
        ]
    );
    assert_eq!(
        lines(Kernel::V4_1),
        [
            "HPM_0THRD_NON_IDLE_CCYC__PHYS_CORE domain=0x2,offset=0xe0,core=?,lpar=0x0",
            "HPM_0THRD_NON_IDLE_CCYC__VCPU_HOME_CORE domain=0x3,offset=0xe0,vcpu=?,lpar=?",
            "HPM_0THRD_NON_IDLE_CCYC__VCPU_HOME_CHIP domain=0x4,offset=0xe0,vcpu=?,lpar=?",
            "HPM_0THRD_NON_IDLE_CCYC__VCPU_HOME_NODE domain=0x5,offset=0xe0,vcpu=?,lpar=?",
            "HPM_0THRD_NON_IDLE_CCYC__VCPU_REMOTE_NODE domain=0x6,offset=0xe0,vcpu=?,lpar=?",
        ]
    );
    assert_eq!(
        lines(Kernel::Current),
        ["HPM_0THRD_NON_IDLE_CCYC domain=?,offset=0xe0,core=?,lpar=0x0"]
    );
}

#[test]
fn a_chip_event_and_one_of_virtual_cpus() {
    let events = [event(1, 0x100, 96, 24, "PM_XLINK_CYCLES"), event(4, 8, 64, 16, "VIRTUAL")];
    let lines = |kernel| lines(&shown(&events, kernel, InterfaceVersion::V2));
    assert_eq!(
        lines(Kernel::Y2014),
        [
            "PM_XLINK_CYCLES__phys_chip domain=0x1,offset=0x118,starting_index=chip,lpar=sibling_guest_id"
        ]
    );
    assert_eq!(
        lines(Kernel::V4_1),
        ["PM_XLINK_CYCLES__PHYS_CHIP domain=0x1,offset=0x118,core=?,lpar=0x0"]
    );
    assert_eq!(
        lines(Kernel::Current),
        [
            "PM_XLINK_CYCLES domain=1,offset=0x118,chip=?,lpar=0x0",
            "VIRTUAL domain=?,offset=0x18,vcpu=?,lpar=?",
        ]
    );
    let power8 = shown(&events, Kernel::Current, InterfaceVersion::V1);
    assert_eq!((power8.entries.len(), power8.skipped), (1, 1));
}

#[test]
fn what_each_kernel_skips() {
    let events = [
        event(1, 0, 0, 0, "PM_NO_RECORD"),
        event(2, 0, 64, 24, "RESERVED_NEST1"),
        event(0, 0, 64, 24, "NOWHERE"),
    ];
    let counts = |kernel| {
        let listing = shown(&events, kernel, InterfaceVersion::V2);
        (listing.entries.len(), listing.skipped)
    };
    assert_eq!(counts(Kernel::Y2014), (6, 1), "the one without a record is kept");
    assert_eq!(counts(Kernel::V4_1), (5, 2));
    assert_eq!(counts(Kernel::Current), (0, 3));
}

#[test]
fn names_that_come_again_are_numbered() {
    let events = [
        event(2, 0, 64, 24, "TWICE"),
        event(2, 0, 64, 32, "TWICE"),
        event(1, 0, 64, 24, "TWICE"),
        event(2, 0, 64, 40, "TWICE"),
    ];
    let names = |kernel| -> Vec<String> {
        let entries = shown(&events, kernel, InterfaceVersion::V2).entries;
        let physical = |name: &String| !name.to_lowercase().contains("vcpu");
        entries.into_iter().map(|entry| entry.name).filter(physical).collect()
    };
    assert_eq!(
        names(Kernel::V4_1),
        ["TWICE__PHYS_CORE", "TWICE__PHYS_CORE__1", "TWICE__PHYS_CHIP", "TWICE__PHYS_CORE__2"]
    );
    // The driver numbers names per domain, although sysfs does not distinguish domains.
    assert_eq!(names(Kernel::Current), ["TWICE", "TWICE__1", "TWICE", "TWICE__2"]);
    assert_eq!(names(Kernel::Y2014), ["TWICE", "TWICE", "TWICE__phys_chip", "TWICE"]);
}

#[test]
fn where_the_driver_stops() {
    let good = event(2, 0, 64, 24, "GOOD");
    let stop = |second: Vec<u8>, kernel| {
        let listing = shown(&[good.clone(), second], kernel, InterfaceVersion::V2);
        assert_eq!(
            listing.entries.len(),
            shown(std::slice::from_ref(&good), kernel, InterfaceVersion::V2).entries.len()
        );
        listing.stop.map(|stop| (stop.event, stop.kind))
    };
    let with = |at: usize, bytes: [u8; 2]| {
        let mut bad = good.clone();
        bad[at..at + 2].copy_from_slice(&bytes);
        bad
    };
    let current = |second| stop(second, Kernel::Current);
    assert_eq!(current(with(0, [0xff, 0xf0])), Some((1, StopKind::Length(0xfff0))));
    assert_eq!(current(with(0, [0, 0])), Some((1, StopKind::Record)));
    assert_eq!(current(with(0x14, [0, 1])), Some((1, StopKind::Texts)));
    assert_eq!(current(with(0x14, [0xff, 0])), Some((1, StopKind::Texts)));
    let mut long = event(2, 0, 64, 24, "LONG");
    long.resize(4096 + 16, 0);
    long[0] = 0x10;
    long[1] = 0x10;
    assert_eq!(stop(long, Kernel::Y2014), Some((1, StopKind::LongerThanPage(0x1010))));
}

#[test]
fn texts_may_run_over_the_record_by_its_fixed_part() {
    // The driver omits 20 bytes when it adds up the texts; a decoder does not.
    let mut event = event(2, 0, 64, 24, "AN_EVENT_OF_A_NAME");
    assert_eq!(event.len(), 48, "20 fixed bytes, 22 of the name, two empty texts, padding");
    event[0x14 + 22 + 2 + 1] = 20;
    let bytes = file([&[], &[event], &[], &[]]);
    assert_eq!(list(&bytes, Kernel::Current, InterfaceVersion::V2).entries.len(), 1);
    assert!(Catalog::decode_strict(&bytes).is_err());
}

#[test]
fn what_the_driver_refuses() {
    let refusal = |bytes: &[u8]| list(bytes, Kernel::Current, InterfaceVersion::V2).refusal;
    assert_eq!(refusal(&base()), None);
    assert_eq!(refusal(&base()[..4095]), Some(Refusal::NoPage0));
    assert_eq!(refusal(&base()[..8192]), Some(Refusal::NoPage));
    assert_eq!(refusal(&file([&[], &[], &[], &[]])), Some(Refusal::NoEvents));
    let mut short = base();
    short[7] = 2;
    assert_eq!(refusal(&short), Some(Refusal::PastLength));
    let mut unnamed = base();
    unnamed[0] = b'3';
    assert_eq!(refusal(&unnamed), None, "it does not check the descriptor");
}

#[test]
fn a_value_leads_back_to_its_event() {
    let catalog = Catalog::decode_strict(&base()).unwrap();
    for kernel in Kernel::ALL {
        let listing = list(&base(), kernel, InterfaceVersion::V2);
        assert!(!listing.entries.is_empty());
        for entry in listing.entries {
            let value: Value = entry.value.to_string().parse().unwrap();
            assert_eq!(value, entry.value);
            assert!(value.events(&catalog).any(|event| event == entry.event), "{value}");
        }
    }
    let filled: Value = "domain=3,vcpu=5,offset=0x58,lpar=0xffff".parse().unwrap();
    assert_eq!(filled.events(&catalog).collect::<Vec<_>>(), [2], "virtual CPUs count core events");
    assert_eq!((filled.unit, filled.index, filled.lpar), (Unit::Vcpu, Some(5), Some(0xffff)));
}

#[test]
fn what_is_no_value() {
    let cases = [
        ("domain=1,offset=0x80,chip", 21..25, ValueErrorKind::NoValue),
        ("domain=1,offset=0x80,chip=1,socket=1", 28..36, ValueErrorKind::UnknownField),
        ("domain=1,offset=0x80,chip=1,core=1", 28..34, ValueErrorKind::Twice),
        ("domain=1,offset=0xzz,chip=1", 9..20, ValueErrorKind::NoNumber),
        ("domain=1,offset=?,chip=1", 9..17, ValueErrorKind::NoNumber),
        ("domain=0,offset=0,chip=1", 0..8, ValueErrorKind::UnknownDomain),
        ("domain=7,offset=0,chip=1", 0..8, ValueErrorKind::UnknownDomain),
        ("domain=256,offset=0,chip=1", 0..10, ValueErrorKind::TooBig(255)),
        ("domain=1,offset=0x100000000,chip=1", 9..27, ValueErrorKind::TooBig(u32::MAX)),
        ("domain=1,offset=0x80,chip=1", 27..27, ValueErrorKind::Missing("lpar")),
        ("", 0..0, ValueErrorKind::NoValue),
    ];
    for (text, span, kind) in cases {
        let error = text.parse::<Value>().unwrap_err();
        assert_eq!((error.span, error.kind), (span, kind), "{text}");
    }
}

proptest! {
    #[test]
    fn any_value_reads_back(
        kernel in 0..3_usize, domain in of(1..7_u8), offset in any::<u32>(),
        unit in 0..3_usize, index in of(any::<u16>()), lpar in of(any::<u16>()),
    ) {
        let kernel = Kernel::ALL[kernel];
        // Only the newest driver leaves the domain open, and a number in the oldest format does not determine the unit of the index.
        let domain = if kernel == Kernel::Current { domain } else { Some(domain.unwrap_or(2)) };
        let domain = domain.map(Domain);
        let unit = match (kernel, index, domain) {
            (Kernel::Y2014, Some(_), Some(domain)) => Unit::of(domain),
            _ => Unit::ALL[unit],
        };
        let value = Value { kernel, domain, offset, unit, index, lpar };
        prop_assert_eq!(value.to_string().parse::<Value>(), Ok(value));
    }

    #[test]
    fn any_text_is_a_value_or_not(text in "[a-z_=,0-9x?]{0,60}") {
        if let Ok(value) = text.parse::<Value>() {
            prop_assert_eq!(value.to_string().parse::<Value>(), Ok(value));
        }
    }
}
