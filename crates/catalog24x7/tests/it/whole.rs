//! Runs every operation on arbitrary bytes: nothing panics, and a decoded file is encoded to the same bytes.

use counterpoint_catalog24x7::data::{
    Counters, InterfaceVersion, Request, RequestBuffer, ResultBuffer,
};
use counterpoint_catalog24x7::sysfs::{self, Kernel, Value};
use counterpoint_catalog24x7::{Catalog, CatalogBuilder, Domain, Links, View, check};

pub(crate) fn catalog(bytes: &[u8]) {
    view(bytes);
    Kernel::ALL.into_iter().for_each(|kernel| driver(bytes, kernel));
    decoded(bytes);
}

pub(crate) fn view(bytes: &[u8]) {
    let Ok(view) = View::new(bytes) else { return };
    let seen = view.schemas().filter(Result::is_ok).count()
        + view.events().filter(Result::is_ok).count()
        + view.groups().filter(Result::is_ok).count()
        + view.formulas().filter(Result::is_ok).count();
    assert!(seen <= bytes.len() / 4);
}

pub(crate) fn driver(bytes: &[u8], kernel: Kernel) {
    let listing = sysfs::list(bytes, kernel, InterfaceVersion::V2);
    assert!(listing.entries.len() + listing.skipped <= 5 * 65_535);
    for entry in listing.entries.iter().take(3) {
        let text = entry.value.to_string();
        assert_eq!(text.parse::<Value>().as_ref(), Ok(&entry.value), "{text}");
    }
}

pub(crate) fn decoded(bytes: &[u8]) {
    let decoded = Catalog::decode(bytes);
    let Some(catalog) = decoded.catalog else {
        assert!(bytes.len() < 4096);
        return;
    };
    assert!(check(&catalog).len() <= 129);
    let links = Links::new(&catalog);
    assert!(catalog.groups.iter().all(|group| links.slots(group).count() <= 16));
    assert!(catalog.encode().unwrap() == bytes, "all bytes are kept");
    drop(catalog);
    assert_eq!(Catalog::decode_strict(bytes).is_ok(), decoded.diagnostics.is_empty());
}

pub(crate) fn buffers(bytes: &[u8]) {
    if let Some(requests) = RequestBuffer::decode(bytes).buffer {
        let encoded = requests.encode().unwrap();
        let again = RequestBuffer::decode(&encoded).buffer.unwrap();
        assert_eq!(again, requests);
    }
    let Some(results) = ResultBuffer::decode(bytes).buffer else { return };
    let elements: usize = results.results.iter().map(|result| result.elements.len()).sum();
    assert!(elements <= bytes.len() / 8);
    let catalog = CatalogBuilder::new(17).build().unwrap();
    let requests = [Request::new(Domain::CHIP, 0, 64), Request::new(Domain::CHIP, 64, 8)];
    assert!(results.check(Some(&requests), Some(&catalog)).len() <= 129);
    assert!(results.check_since(&results).len() <= 129);
    let counters = Counters::read(&results, &requests, &catalog);
    assert!(counters.iter().len() <= bytes.len() / 8);
    assert!(counters.since(&counters).iter().all(|counter| counter.value == 0));
}

pub(crate) fn value(text: &str) {
    match text.parse::<Value>() {
        Ok(value) => assert_eq!(value.to_string().parse().as_ref(), Ok(&value), "{text:?}"),
        Err(error) => assert!(text.get(error.span.clone()).is_some(), "{text:?}: {error:?}"),
    }
}

#[test]
fn seeds_of_catalogs() {
    for seed in crate::seeds::of("catalog") {
        catalog(&seed);
    }
}

#[test]
fn seeds_of_buffers() {
    for seed in crate::seeds::of("buffers") {
        buffers(&seed);
    }
}

#[test]
fn seeds_of_values() {
    for seed in crate::seeds::of("values") {
        value(&String::from_utf8_lossy(&seed));
    }
}
