//! Catalogs of maximum size, and catalogs packed twice.

use crate::base;
use crate::packer::{file, record, text};
use counterpoint_catalog24x7::{Catalog, CatalogBuilder, Section};

#[test]
fn a_catalog_of_the_full_number_of_records_is_read_and_written() {
    let count = usize::from(u16::MAX);
    let event = |n: usize| {
        let fixed = [255, 255, 2, 0, 0, 0, 0, 64, 0, 24, 0, 0, 0, 0, 0, 0, 0, 1];
        record(&[&fixed, &text(&format!("EVENT_{n}")), &text(""), &text("")])
    };
    let events: Vec<Vec<u8>> = (0..count).map(event).collect();
    let bytes = file([&[], &events, &[], &[]]);
    let catalog = Catalog::decode_strict(&bytes).unwrap();
    assert_eq!(catalog.events.len(), count);
    assert_eq!(catalog.events[count - 1].name(), Some("EVENT_65534"));
    assert_eq!(catalog.encode().unwrap(), bytes);
    assert_eq!(*catalog.offsets(Section::Event).last().unwrap(), 4096 + events.concat().len());
}

#[test]
fn the_builder_packs_the_base_again() {
    let bytes = base();
    let catalog = Catalog::decode_strict(&bytes).unwrap();
    let built = CatalogBuilder::from_catalog(&catalog).build().unwrap();
    assert_eq!(built.encode().unwrap(), bytes);
}
