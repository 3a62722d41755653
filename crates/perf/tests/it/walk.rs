//! Walks everything that bytes claim to hold; the fuzz target does nothing else.

use counterpoint_perf::records::{Layout, Record};
use counterpoint_perf::{Fields, ReadFormat};

/// Takes the layout from the first four bytes, and the others for records.
pub(crate) fn any_layout(bytes: &[u8]) {
    let Some((head, records)) = bytes.split_first_chunk::<4>() else { return };
    let [low, high, group, lost] = *head;
    // The bits that are left of the other bytes are those of the fields at the end.
    let last = u64::from(group >> 1) | u64::from(lost >> 1) << 7;
    let bits = u64::from(u16::from_le_bytes([low, high])) | last << 17;
    let known = (0..25).filter_map(|bit| Fields::from_bits(bits & 1 << bit));
    let fields = known.fold(Fields::default(), |all, field| all | field);
    let read = ReadFormat { group: group & 1 == 1, lost: lost & 1 == 1 };
    let walked = walk(&Layout::new(fields, read), records);
    assert!(walked <= 4 * records.len(), "{walked} of {} bytes", records.len());
}

/// Sums what it takes: no more than the bytes can hold.
pub(crate) fn walk(layout: &Layout, bytes: &[u8]) -> usize {
    let mut walked = 0;
    for record in layout.records(bytes) {
        walked += match &record {
            Ok(Record::Sample(sample)) => {
                1 + sample.values.map_or(0, |values| values.iter().count())
                    + sample.callchain.map_or(0, |chain| chain.iter().count())
                    + sample.branches.map_or(0, |branches| branches.iter().count())
                    + sample.registers.map_or(0, |registers| usize::from(registers.is_64_bit()))
                    + sample.stack.map_or(0, <[u8]>::len)
            }
            Ok(Record::Mmap(map)) => {
                1 + map.path.as_os_str().len() + usize::from(map.range().is_empty())
            }
            Ok(other) => format!("{other:?}").len().min(1),
            Err(error) => usize::from(error.to_string().contains("record at byte")),
        };
    }
    walked
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("records") {
        any_layout(&seed);
    }
}
