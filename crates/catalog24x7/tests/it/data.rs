//! Buffers of `H_GET_24X7_DATA`, packed by hand here and decoded by the crate.

use crate::base;
use crate::mutants::results;
use counterpoint_catalog24x7::data::{
    BUFFER, Counter, Counters, InterfaceVersion, Request, RequestBuffer, ResultBuffer,
};
use counterpoint_catalog24x7::{
    Catalog, CatalogBuilder, Code, Diagnostic, Domain, Event, Field, FieldKind, Group, Schema,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// The finding, its record and its offset.
type Told = (Code, Option<usize>, usize);

fn told(diagnostics: &[Diagnostic]) -> Vec<Told> {
    diagnostics.iter().map(|found| (found.code, found.index, found.offset)).collect()
}

fn read(bytes: &[u8]) -> (Option<ResultBuffer>, Vec<Told>) {
    let decoded = ResultBuffer::decode(bytes);
    (decoded.buffer, told(&decoded.diagnostics))
}

#[test]
fn a_request_buffer_of_either_version() {
    let request = Request {
        first_index: 3,
        max_indexes: 2,
        ..Request::new(Domain::VCPU_HOME_CORE, 0x12345678, 64)
    };
    let bytes = RequestBuffer::new(InterfaceVersion::V1, vec![request]).encode().unwrap();
    let mut expected = vec![1, 1];
    expected.resize(16, 0);
    expected.extend([3, 0, 0, 64, 0x12, 0x34, 0x56, 0x78, 0xff, 0xff, 0, 1, 0, 3, 0, 2]);
    assert_eq!(bytes, expected);

    let bytes = RequestBuffer::new(InterfaceVersion::V2, vec![request; 2]).encode().unwrap();
    expected[..2].copy_from_slice(&[2, 2]);
    expected.extend([0, 0xff]);
    expected.resize(48, 0);
    let again = expected[16..].to_vec();
    expected.extend(again);
    assert_eq!(bytes, expected);
    let decoded = RequestBuffer::decode(&bytes);
    assert_eq!(told(&decoded.diagnostics), []);
    assert_eq!(decoded.buffer.unwrap().requests, [request; 2]);
}

#[test]
fn a_request_buffer_holds_what_a_page_does() {
    for (version, most) in [(InterfaceVersion::V1, 255), (InterfaceVersion::V2, 127)] {
        let request = Request::new(Domain::CHIP, 0, 8);
        let encode = |count| RequestBuffer::new(version, vec![request; count]).encode();
        assert!(encode(most).unwrap().len() <= BUFFER);
        assert!(encode(most + 1).is_err());
    }
}

#[test]
fn what_is_odd_in_requests() {
    let mut bytes = vec![1, 2, 0, 9];
    bytes.resize(16, 0);
    bytes.extend([7, 1, 0, 12, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 1]);
    let decoded = RequestBuffer::decode(&bytes);
    assert_eq!(
        told(&decoded.diagnostics),
        [
            (Code::Reserved, None, 2),
            (Code::UnknownDomain, Some(0), 16),
            (Code::Reserved, Some(0), 17),
            (Code::DataSize, Some(0), 18),
            (Code::UnalignedOffset, Some(0), 20),
            (Code::PastBuffer, Some(1), 32),
        ]
    );
    assert_eq!(decoded.buffer.unwrap().requests.len(), 1);
}

#[test]
fn a_result_buffer_of_either_version() {
    for version in [1, 2] {
        let (buffer, told) = read(&results(version));
        assert_eq!(told, []);
        let buffer = buffer.unwrap();
        assert_eq!(
            (buffer.version.number(), buffer.configuration, buffer.catalog_version),
            (version, 1, 17)
        );
        let lengths: Vec<Vec<usize>> = buffer
            .results
            .iter()
            .map(|result| result.elements.iter().map(|element| element.data.len()).collect())
            .collect();
        assert_eq!(lengths, [vec![64, 64], vec![8]]);
        let element = &buffer.results[0].elements[1];
        assert_eq!((element.lpar, element.index, element.lpar_configuration), (1, 1, u32::MAX));
        assert_eq!(element.thread_group, (version == 2).then_some(7));
        assert_eq!(element.data[..3], [16, 17, 18]);
    }
}

/// The change: offset, new bytes, expected findings, and the number of elements of each result.
type Change<'c> = (&'c str, usize, &'c [u8], &'c [Told], &'c [usize]);

/// In a buffer of version 1, the header has 32 bytes, the first result 8 + 2 * 72 and the second 8 + 16.
#[test]
fn what_is_wrong_in_results() {
    let second = 32 + 8 + 2 * 72;
    let cases: &[Change<'_>] = &[
        (
            "more results than present",
            1,
            &[3],
            &[(Code::PastBuffer, Some(2), second + 24)],
            &[2, 1],
        ),
        ("fewer results than present", 1, &[1], &[(Code::Tail, None, second)], &[2]),
        ("65535 elements", 34, &[255, 255], &[(Code::ElementsPastBuffer, Some(0), 34)], &[2]),
        (
            "no element",
            second + 2,
            &[0, 0],
            &[(Code::NoElements, Some(1), second + 2), (Code::Tail, None, second + 9)],
            &[2, 0],
        ),
        (
            "size 65528",
            second + 4,
            &[255, 248],
            &[(Code::ElementsPastBuffer, Some(1), second + 2)],
            &[2, 0],
        ),
        ("not complete", 33, &[0], &[(Code::Incomplete, Some(0), 33)], &[2, 1]),
        ("answered twice", second, &[0], &[(Code::RepeatedResult, Some(1), second)], &[2, 1]),
        ("a reserved byte", 38, &[1], &[(Code::Reserved, Some(0), 38)], &[2, 1]),
        ("the call failed", 3, &[1, 0, 0, 0, 9], &[(Code::ReturnCode, None, 4)], &[2, 1]),
    ];
    for (what, at, change, expected, elements) in cases {
        let mut bytes = results(1);
        bytes[*at..at + change.len()].copy_from_slice(change);
        let (buffer, told) = read(&bytes);
        assert_eq!(told, *expected, "{what}");
        let there: Vec<usize> =
            buffer.unwrap().results.iter().map(|result| result.elements.len()).collect();
        assert_eq!(there, *elements, "{what}");
    }
}

#[test]
fn sizes_that_are_no_multiple_of_8() {
    for (size, told_first) in [([0, 0], Code::DataSize), ([0, 4], Code::DataSize)] {
        let mut bytes = results(1);
        let second = 32 + 8 + 2 * 72;
        bytes[second + 4..second + 6].copy_from_slice(&size);
        let (buffer, told) = read(&bytes);
        assert_eq!(told[0], (told_first, Some(1), second + 4));
        assert_eq!(told[1].0, Code::Tail, "the data of the element is left over");
        assert_eq!(buffer.unwrap().results[1].elements[0].data.len(), usize::from(size[1]));
    }
}

#[test]
fn buffers_that_cannot_be_read() {
    for version in [0, 3, 255] {
        let mut bytes = results(1);
        bytes[0] = version;
        assert_eq!(read(&bytes), (None, vec![(Code::Interface, None, 0)]));
    }
    assert_eq!(read(&results(1)[..31]), (None, vec![(Code::NoHeader, None, 0)]));
    // A buffer of version 1 marked as version 2, in which elements are longer.
    let mut bytes = results(1);
    bytes[0] = 2;
    let (_, told) = read(&bytes);
    assert!(!told.is_empty());
    let mut long = results(1);
    long.resize(BUFFER + 1, 0);
    assert_eq!(read(&long).1, [(Code::BufferLength, None, BUFFER)]);
}

#[test]
fn what_the_requests_and_the_catalog_tell() {
    let buffer = ResultBuffer::decode(&results(1)).buffer.unwrap();
    let catalog = Catalog::decode_strict(&base()).unwrap();
    let requests = [Request::new(Domain::CORE, 0, 64), Request::new(Domain::CORE, 64, 8)];
    assert_eq!(told(&buffer.check(Some(&requests), Some(&catalog))), []);
    let second = 32 + 8 + 2 * 72;
    assert_eq!(
        told(&buffer.check(Some(&requests[..1]), None)),
        [(Code::RequestNumber, Some(1), second)]
    );
    let swapped = [requests[1], requests[0]];
    assert_eq!(
        told(&buffer.check(Some(&swapped), None)),
        [(Code::SizeDiffers, Some(0), 36), (Code::SizeDiffers, Some(1), second + 4)]
    );
    let other = CatalogBuilder::new(18).build().unwrap();
    assert_eq!(told(&buffer.check(None, Some(&other))), [(Code::CatalogVersion, None, 16)]);
}

/// A result of version 1 with these elements, given as index and data.
fn result(elements: &[(u8, Vec<u8>)]) -> ResultBuffer {
    let mut bytes = vec![1, 1];
    bytes.resize(32, 0);
    let [high, low] = (elements[0].1.len() as u16).to_be_bytes();
    bytes.extend([0, 1, 0, elements.len() as u8, high, low, 0, 0]);
    for (index, data) in elements {
        bytes.extend([0, 0, 0, *index, 255, 255, 255, 255]);
        bytes.extend(data);
    }
    let decoded = ResultBuffer::decode(&bytes);
    assert_eq!(told(&decoded.diagnostics), []);
    decoded.buffer.unwrap()
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

fn value(counters: &Counters, index: u16, address: u32) -> Option<&Counter> {
    counters.iter().find(|counter| (counter.index, counter.address) == (index, address))
}

/// The table "HPMC-IMA Core Domain Record": three words, four counters, a status and 48 bits of timebase.
#[test]
fn hpmc_ima_core_domain_record() {
    let catalog = Catalog::decode_strict(&base()).unwrap();
    let group = &catalog.groups[1];
    assert_eq!(group.schema_index, Schema::CORE_INDEX);
    let data = |timebase: u64, counters: [u64; 4]| {
        let mut data = words(&[timebase, 2, 3]);
        data.extend(words(&counters));
        data.extend([0xab, 0xcd]);
        data.extend(&timebase.to_be_bytes()[2..]);
        data
    };
    let requests = [Request::of_group(group)];
    let read = |cores: [Vec<u8>; 2]| {
        let [first, second] = cores;
        Counters::read(&result(&[(0, first), (4, second)]), &requests, &catalog)
    };
    let near_the_end = (1 << 48) - 10;
    let before = read([data(near_the_end, [1, 0, 10, u64::MAX]), data(near_the_end, [5, 0, 0, 0])]);
    let after =
        read([data(near_the_end + 30, [101, 7, 30, 19]), data(near_the_end + 20, [6, 0, 5, 40])]);
    assert_eq!(after.iter().len(), 2 * 9);
    let field = |counters: &Counters, kind| {
        let field = catalog.schemas[0].field(kind).unwrap();
        let counter = value(counters, 4, 64 + u32::from(field.offset)).unwrap();
        (counter.width, counter.value)
    };
    assert_eq!(field(&after, FieldKind::STATUS_FLAGS), (2, 0xabcd));
    assert_eq!(field(&after, FieldKind::TIMEBASE_FENCE), (6, 10), "48 bits of the timebase");
    let grown = after.since(&before);
    assert_eq!(field(&grown, FieldKind::TIMEBASE_FENCE), (6, 20), "modulo 2^48");
    assert_eq!(field(&grown, FieldKind::TIMEBASE_UPDATE), (8, 20));
    assert_eq!(grown.sum(&catalog.events[2]), Some(101), "100 on the first core, 1 on the fifth");
    assert_eq!(grown.of_event(&catalog.events[2]).count(), 2);
    let elapsed = grown.elapsed(&catalog);
    assert_eq!(elapsed.timebase, Some(30), "the longest");
    assert_eq!((elapsed.instructions, elapsed.cycles), (Some(20 + 5), Some(20 + 40)));
    assert_eq!(elapsed.seconds(15.0), Some(2.0));
}

/// The table "PRE-SLW-IMA Chip Domain Record": time of day, update count, period, counters, and the last sample of each.
#[test]
fn pre_slw_ima_chip_domain_record() {
    let fields =
        [(55, 0), (50, 8), (52, 16), (1, 24), (2, 32), (53, 40), (3, 48), (4, 56), (56, 64)];
    let fields =
        fields.map(|(kind, offset)| Field { kind: FieldKind(kind), offset, length: 8, flags: 0 });
    let event = |name, counter_offset| Event {
        group_record_offset: 0x200,
        group_record_length: 72,
        counter_offset,
        ..Event::new(name, Domain::CHIP)
    };
    let group = Group {
        group_record_offset: 0x200,
        group_record_length: 72,
        ..Group::new("XLINK", Domain::CHIP, &[0, 1, 2, 3])
    };
    let catalog = CatalogBuilder::new(0)
        .schema(Schema::new(1, 1, fields.to_vec()))
        .event(event("XLINK", 24))
        .event(event("ALINK", 32))
        .event(event("XLINK_LAST_SAMPLE", 48))
        .event(event("ALINK_LAST_SAMPLE", 56))
        .group(group)
        .build()
        .unwrap();
    let results = result(&[(1, words(&[900, 3, 30, 700, 70, 10, 7, 5, 900]))]);
    let requests = [Request::of_group(&catalog.groups[0])];
    assert_eq!((requests[0].data_offset, requests[0].data_size), (0x200, 72));
    let counters = Counters::read(&results, &requests, &catalog);
    let read: Vec<u64> = counters.iter().map(|counter| counter.value).collect();
    assert_eq!(read, [900, 3, 30, 700, 70, 10, 7, 5, 900]);
    let sums: Vec<Option<u128>> = catalog.events.iter().map(|event| counters.sum(event)).collect();
    assert_eq!(sums, [Some(700), Some(70), Some(7), Some(5)]);
    assert_eq!(value(&counters, 1, 0x200).unwrap().value, 900);
    assert_eq!(counters.elapsed(&catalog).cycles, None, "chips have no such counter");
}

#[test]
fn one_counter_alone_and_virtual_cpus() {
    let catalog = Catalog::decode_strict(&base()).unwrap();
    let gamma = &catalog.events[2];
    let requests = [Request { domain: Domain::VCPU_HOME_CHIP, ..Request::of_event(gamma) }];
    // The group record begins at 64 and the counter at its byte 24.
    assert_eq!((requests[0].data_offset, requests[0].data_size), (64 + 24, 8));
    let results = result(&[(0, words(&[5])), (1, words(&[6]))]);
    let counters = Counters::read(&results, &requests, &catalog);
    assert_eq!(counters.sum(gamma), Some(11));
    assert_eq!(counters.sum(&catalog.events[0]), None, "it was not requested");
    assert_eq!(counters.iter().len(), 2);
}

#[test]
fn what_the_catalog_does_not_name_is_read_by_words() {
    let catalog = CatalogBuilder::new(0).build().unwrap();
    let requests = [Request::new(Domain::CHIP, 0x40, 20)];
    let mut data = words(&[1, 2]);
    data.extend([0, 0, 0, 3]);
    let bytes = {
        let mut bytes = vec![1, 1];
        bytes.resize(32, 0);
        bytes.extend([0, 1, 0, 1, 0, 20, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]);
        bytes.extend(data);
        bytes
    };
    let buffer = ResultBuffer::decode(&bytes).buffer.unwrap();
    let counters = Counters::read(&buffer, &requests, &catalog);
    let read: Vec<(u32, u64)> =
        counters.iter().map(|counter| (counter.address, counter.value)).collect();
    assert_eq!(read, [(0x40, 1), (0x48, 2)]);
}

#[test]
fn only_what_is_in_both_has_grown() {
    let catalog = CatalogBuilder::new(0).build().unwrap();
    let requests = [Request::new(Domain::CHIP, 0, 8)];
    let read =
        |index, value| Counters::read(&result(&[(index, words(&[value]))]), &requests, &catalog);
    assert_eq!(read(0, 9).since(&read(1, 4)).iter().len(), 0);
    assert_eq!(read(1, 3).since(&read(1, 4)).iter().next().unwrap().value, u64::MAX);
}

#[test]
fn what_changed_between_two_results_is_told() {
    let before = result(&[(0, words(&[1])), (2, words(&[1]))]);
    let after = result(&[(0, words(&[2])), (2, words(&[3]))]);
    assert_eq!(told(&after.check_since(&before)), []);
    let mut anew = ResultBuffer { configuration: before.configuration + 1, ..after.clone() };
    anew.results[0].elements[1].lpar_configuration = 7;
    let changed = (Code::Configuration, Some(0), 32 + 8 + 16 + 4);
    assert_eq!(told(&anew.check_since(&before)), [(Code::Configuration, None, 8), changed]);
    let more = result(&[(0, words(&[2])), (3, words(&[3]))]);
    assert_eq!(told(&more.check_since(&before)), [(Code::NewElement, Some(0), 32 + 8 + 16)]);
}

/// Reading field by field for each group and result would take minutes.
#[test]
fn groups_that_share_a_record_cost_little_more_than_one() {
    let fields: Vec<Field> = (0..8000)
        .map(|k| Field { kind: FieldKind(k % 31 + 1), offset: k * 8 % 2048, length: 8, flags: 0 })
        .collect();
    let group = Group { group_record_length: 2048, ..Group::new("", Domain::CORE, &[]) };
    let mut builder = CatalogBuilder::new(0).schema(Schema::new(0, 1, fields));
    for _ in 0..20_000 {
        builder = builder.group(group.clone());
    }
    let catalog = builder.build().unwrap();
    let one = result(&[(0, words(&[5; 256]))]);
    let results = ResultBuffer { results: vec![one.results[0].clone(); 100], ..one };
    let start = std::time::Instant::now();
    let counters = Counters::read(&results, &[Request::of_group(&group)], &catalog);
    assert_eq!(counters.iter().len(), 256);
    let elapsed = counters.elapsed(&catalog);
    assert_eq!((elapsed.instructions, elapsed.timebase), (Some(5), None));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

proptest! {
    #[test]
    fn requests_read_back(
        version in 1..=2_u8,
        rows in vec((1..=6_u8, any::<[u16; 5]>(), any::<u32>(), any::<[u8; 2]>()), 0..100),
    ) {
        let version = InterfaceVersion::from_number(version).unwrap();
        let requests = rows.into_iter().map(|(domain, words, offset, groups)| {
            let groups = if version == InterfaceVersion::V2 { groups } else { [0; 2] };
            Request {
                first_lpar: words[1],
                max_lpars: words[2],
                first_index: words[3],
                max_indexes: words[4],
                first_thread_group: groups[0],
                max_thread_groups: groups[1],
                ..Request::new(Domain(domain), offset, words[0])
            }
        });
        let buffer = RequestBuffer::new(version, requests.collect());
        let decoded = RequestBuffer::decode(&buffer.encode().unwrap());
        prop_assert_eq!(decoded.buffer.unwrap(), buffer);
    }
}
