//! A second packer, independent of the crate: it puts bytes where the document's tables define them.

/// A text with its length before it: NUL-terminated and of even length; just the length 2 if it is empty.
pub(crate) fn text(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    if !bytes.is_empty() {
        bytes.resize(bytes.len() / 2 * 2 + 2, 0);
    }
    [((bytes.len() + 2) as u16).to_be_bytes().to_vec(), bytes].concat()
}

/// A record with these parts after its length, padded to a multiple of 16.
pub(crate) fn record(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = [vec![0, 0], parts.concat()].concat();
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    let length = (bytes.len() as u16).to_be_bytes();
    bytes[..2].copy_from_slice(&length);
    bytes
}

/// A file with these records: schemas, events, groups and formulas.
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
