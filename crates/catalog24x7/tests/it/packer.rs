//! A second packer, which knows nothing of the crate: bytes put where the document's tables say.

use crate::base;
use counterpoint_catalog24x7::{Catalog, CatalogBuilder, Section};

/// A text with its length in front: NUL-terminated, of even length; 2 and nothing more if it is empty.
pub(crate) fn text(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    if !bytes.is_empty() {
        bytes.resize(bytes.len() / 2 * 2 + 2, 0);
    }
    [((bytes.len() + 2) as u16).to_be_bytes().to_vec(), bytes].concat()
}

/// A record of these parts, behind its length and padded to a multiple of 16.
pub(crate) fn record(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = [vec![0, 0], parts.concat()].concat();
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    let length = (bytes.len() as u16).to_be_bytes();
    bytes[..2].copy_from_slice(&length);
    bytes
}

/// A file of these records: schemas, events, groups and formulas.
pub(crate) fn file(sections: [&[Vec<u8>]; 4]) -> Vec<u8> {
    let mut file = vec![0; 4096];
    file[..4].copy_from_slice(b"24x7");
    for (number, records) in sections.into_iter().enumerate() {
        let mut bytes = records.concat();
        bytes.resize(bytes.len().next_multiple_of(4096), 0);
        let words = [file.len() / 4096, bytes.len() / 4096, records.len()];
        for (word, value) in words.into_iter().enumerate() {
            let at = 0x40 + 8 * number + 2 * word;
            file[at..at + 2].copy_from_slice(&(value as u16).to_be_bytes());
        }
        file.extend(bytes);
    }
    let pages = (file.len() / 4096) as u32;
    file[4..8].copy_from_slice(&pages.to_be_bytes());
    file
}

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
