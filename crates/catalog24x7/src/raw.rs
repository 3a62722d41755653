//! The fixed parts of records, as they are in the file.

use binrw::{BinRead, BinWrite};
use std::io::Cursor;

/// Reads a value at the start of `bytes`; `None` if there are too few bytes.
#[inline]
pub(crate) fn read<T>(bytes: &[u8]) -> Option<T>
where
    T: for<'a> BinRead<Args<'a> = ()>,
{
    T::read_be(&mut Cursor::new(bytes)).ok()
}

/// Appends `value` to `out`.
pub(crate) fn write<T>(value: &T, out: &mut Vec<u8>)
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    let end = out.len() as u64;
    let mut cursor = Cursor::new(out);
    cursor.set_position(end);
    let written = value.write_be(&mut cursor);
    debug_assert!(written.is_ok(), "writing into memory cannot fail");
}

#[derive(BinRead, BinWrite)]
#[brw(big)]
pub(crate) struct Page0 {
    pub(crate) descriptor: [u8; 4],
    pub(crate) length: u32,
    pub(crate) version: u64,
    pub(crate) build_date: [u8; 16],
    pub(crate) reserved: [u8; 32],
    pub(crate) sections: [Extent; 4],
    pub(crate) domain_events: [u32; 3],
    pub(crate) domain_groups: [u32; 3],
    pub(crate) reserved_end: [u8; 8],
}

#[derive(BinRead, BinWrite)]
#[brw(big)]
pub(crate) struct Extent {
    pub(crate) offset: u16,
    pub(crate) length: u16,
    pub(crate) count: u16,
    pub(crate) reserved: u16,
}

#[derive(BinWrite)]
#[bw(big)]
pub(crate) struct Schema {
    pub(crate) length: u16,
    pub(crate) reserved: u16,
    pub(crate) descriptor: u16,
    pub(crate) version_id: u16,
    pub(crate) reserved_end: [u8; 6],
    pub(crate) field_count: u16,
}

#[derive(BinWrite)]
#[bw(big)]
pub(crate) struct Field {
    pub(crate) kind: u16,
    pub(crate) offset: u16,
    pub(crate) length: u16,
    pub(crate) flags: u16,
}

#[derive(BinWrite)]
#[bw(big)]
pub(crate) struct Event {
    pub(crate) length: u16,
    pub(crate) formula_index: u16,
    pub(crate) domain: u8,
    pub(crate) reserved: u8,
    pub(crate) group_record_offset: u16,
    pub(crate) group_record_length: u16,
    pub(crate) counter_offset: u16,
    pub(crate) flags: u32,
    pub(crate) primary_group_index: u16,
    pub(crate) group_count: u16,
}

#[derive(BinWrite)]
#[bw(big)]
pub(crate) struct Group {
    pub(crate) length: u16,
    pub(crate) reserved: u16,
    pub(crate) flags: u32,
    pub(crate) domain: u8,
    pub(crate) reserved_end: u8,
    pub(crate) group_record_offset: u16,
    pub(crate) group_record_length: u16,
    pub(crate) schema_index: u8,
    pub(crate) event_count: u8,
    pub(crate) event_indexes: [u16; 16],
}

/// The first four bytes are a 16-bit length and two reserved bytes, or a 32-bit length.
#[derive(BinWrite)]
#[bw(big)]
pub(crate) struct Formula {
    pub(crate) length: [u16; 2],
    pub(crate) flags: u32,
    pub(crate) group: u16,
    pub(crate) reserved_end: [u8; 6],
}

#[derive(BinRead, BinWrite)]
#[brw(big)]
pub(crate) struct RequestHeader {
    pub(crate) version: u8,
    pub(crate) count: u8,
    pub(crate) reserved: [u8; 14],
}

/// A request of version 1, and the first half of one of version 2.
#[derive(BinRead, BinWrite)]
#[brw(big)]
pub(crate) struct Request {
    pub(crate) domain: u8,
    pub(crate) reserved: u8,
    pub(crate) data_size: u16,
    pub(crate) data_offset: u32,
    pub(crate) first_lpar: u16,
    pub(crate) max_lpars: u16,
    pub(crate) first_index: u16,
    pub(crate) max_indexes: u16,
}

/// The second half of a request of version 2.
#[derive(BinRead, BinWrite, Default)]
#[brw(big)]
pub(crate) struct ThreadGroups {
    pub(crate) first: u8,
    pub(crate) max: u8,
    pub(crate) reserved: [u8; 14],
}

#[derive(BinRead)]
#[br(big)]
pub(crate) struct ResultHeader {
    /// Follows the version.
    #[br(pad_before = 1)]
    pub(crate) count: u8,
    pub(crate) reserved: u8,
    pub(crate) failing_request: u8,
    pub(crate) return_code: u32,
    pub(crate) configuration: u64,
    pub(crate) catalog_version: u64,
    pub(crate) reserved_end: [u8; 8],
}

#[derive(BinRead)]
#[br(big)]
pub(crate) struct RequestResult {
    pub(crate) request: u8,
    pub(crate) complete: u8,
    pub(crate) element_count: u16,
    pub(crate) data_size: u16,
    pub(crate) reserved: u16,
}

#[derive(BinRead)]
#[br(big)]
pub(crate) struct Element {
    pub(crate) lpar: u16,
    pub(crate) index: u16,
    pub(crate) lpar_configuration: u32,
}
