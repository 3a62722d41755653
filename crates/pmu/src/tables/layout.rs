//! The image of a vendor's tables: a file of texts and a file of numbers. The build script writes both from
//! `tables/VENDOR`, and the crate reads from them, at each question, the few bytes that answer it.
//!
//! # Texts
//!
//! Names, descriptions, and what aliases stand for. A line feed ends each. The first text is empty, so that none of the
//! others begins at 0. Equal texts are stored once, but no two events of a table share their name: its position tells
//! one of them from the other. After the name of an alias comes the text that it stands for.
//!
//! # Numbers
//!
//! A [`Column`] has numbers of one width, little-endian. Zeros follow the last column ([`END`]), so that each number
//! can be read as eight bytes. A table consists of columns, and its [`Layout`], which is Rust, says where they begin.
//! Its events are numbered in the order of their names, its unit masks in the order of their events. Both kinds of
//! lines have, in their [`Rows`]:
//!
//! | column | bytes | the number of a line in it |
//! |---|---|---|
//! | `names` | 3 | the position of its name in the texts |
//! | `codes` | 1 to 8, as the largest needs | its code |
//! | `facts` | 2 | the index of its [`Facts`](super::row::Facts) in the list of the vendor, which is Rust, too |
//! | `descriptions` | 3 | the position of its description in the texts, 0 if it has none |
//!
//! The [`Slots`] of these lines, 2 bytes each, lead from the hash of a name to the numbers of the lines that may have
//! it. `firsts`, 2 bytes each, has for each event the number of its first unit mask, and after the last event the
//! number of all unit masks. Slots for the names of PMUs come after all tables.
//!
//! The events that processors have by their vendors' files are [`EventRows`], each different one once, and the metrics
//! [`MetricRows`]. Those of a processor are a [`Listing`]: a column of the numbers of its rows.
//!
//! # Phrases
//!
//! Formulas, thresholds and other facts of metrics are phrases, which stand among the numbers: bytes of ASCII, and for a
//! word that repeats two bytes, of which the first has the mark [`WORD`]; they are its number, the higher bits first, in a
//! column of positions in the texts. [`PHRASE_END`] ends a phrase.

/// The position of a table in the image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) events: Rows,
    pub(crate) masks: Rows,
    pub(crate) firsts: Column<2>,
}

/// The lines of a table that are of one kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) count: u32,
    pub(crate) slots: Slots,
    pub(crate) names: Column<3>,
    pub(crate) codes: Codes,
    pub(crate) facts: Column<2>,
    pub(crate) descriptions: Column<3>,
}

/// The position of what a processor has: the numbers of rows that it may share with others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listing<T> {
    pub(crate) count: u32,
    pub(crate) rows: Column<2>,
    pub(crate) of: T,
}

/// The position of the events of a vendor's processors; a processor lists them in the order of the hashes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventRows {
    /// Names that differ in case and separators only have one hash.
    pub(crate) hashes: Column<2>,
    pub(crate) names: Column<3>,
    /// Perf's terms.
    pub(crate) terms: Column<3>,
    /// The unit, and other words between blanks.
    pub(crate) words: Column<3>,
}

/// The position of the metrics of a vendor's processors: positions of their names in the texts, and of phrases.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MetricRows {
    /// The words of the phrases.
    pub(crate) words: Column<3>,
    pub(crate) names: Column<3>,
    pub(crate) formulas: Column<3>,
    pub(crate) thresholds: Column<3>,
    /// The other facts, a line for each.
    pub(crate) facts: Column<3>,
}

/// The mark of the first byte of a word's number in a phrase.
pub(crate) const WORD: u8 = 0x80;

/// The byte after a phrase.
pub(crate) const PHRASE_END: u8 = 0;

/// Numbers of `WIDTH` bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column<const WIDTH: u32> {
    /// The position of the first one in the image.
    pub(crate) start: u32,
}

impl<const WIDTH: u32> Column<WIDTH> {
    /// The largest number of a column.
    pub(crate) const MOST: u64 = (1 << (8 * WIDTH)) - 1;

    /// Appends numbers of at most [`MOST`](Column::MOST) to an image.
    pub(crate) fn write(numbers: &[u64], image: &mut Vec<u8>) -> Column<WIDTH> {
        Column { start: append(numbers, WIDTH, image) }
    }

    /// The number at an index, less than their count.
    #[inline]
    pub(crate) fn get(self, image: &[u8], index: usize) -> Option<u64> {
        number(image, self.start, WIDTH, index)
    }
}

/// Numbers of as many bytes as the largest of them needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Codes {
    /// The position of the first one in the image.
    pub(crate) start: u32,
    /// The bytes of each, 1 to 8.
    pub(crate) width: u32,
}

impl Codes {
    /// Appends numbers to an image.
    pub(crate) fn write(numbers: &[u64], image: &mut Vec<u8>) -> Codes {
        let bits = numbers.iter().fold(0, |bits, number| bits | number);
        let width = (8 - bits.leading_zeros() / 8).max(1);
        Codes { start: append(numbers, width, image), width }
    }

    /// The number at an index, less than their count.
    #[inline]
    pub(crate) fn get(self, image: &[u8], index: usize) -> Option<u64> {
        number(image, self.start, self.width, index)
    }
}

/// What follows the last column.
pub(crate) const END: [u8; 7] = [0; 7];

/// Appends numbers of a width, and returns where they begin.
fn append(numbers: &[u64], width: u32, image: &mut Vec<u8>) -> u32 {
    let start = image.len() as u32;
    numbers.iter().for_each(|number| image.extend(&number.to_le_bytes()[..width as usize]));
    start
}

/// The number at an index of those of this width that begin here.
#[inline]
fn number(image: &[u8], start: u32, width: u32, index: usize) -> Option<u64> {
    // In 32 bits, so that adding to it cannot overflow.
    let at = start.wrapping_add((index as u32).wrapping_mul(width)) as usize;
    let word = u64::from_le_bytes(image.get(at..at + 8)?.try_into().ok()?);
    // The other bytes are of the next numbers.
    let others = 64 - 8 * width;
    Some(word << others >> others)
}

/// An open-addressed table: the number of a line plus one is at the index that the lower bits of its hash are, or at
/// the next one that was free; after the last index comes the first. 0 is free.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slots {
    pub(crate) column: Column<2>,
    /// Their count, a power of two, less one. At least a third of them is free.
    pub(crate) last: u32,
}

impl Slots {
    /// Appends the slots of the lines with these hashes to an image.
    pub(crate) fn write(hashes: &[u32], image: &mut Vec<u8>) -> Slots {
        let count = (hashes.len() * 3 / 2 + 1).next_power_of_two();
        let last = count - 1;
        let mut slots = vec![0; count];
        for (number, hash) in (1..).zip(hashes) {
            let mut index = *hash as usize & last;
            while slots[index] != 0 {
                index = (index + 1) & last;
            }
            slots[index] = number;
        }
        Slots { column: Column::write(&slots, image), last: last as u32 }
    }

    /// The first result for one of the lines that a hash leads to.
    #[inline]
    pub(crate) fn find<T>(
        self,
        image: &[u8],
        hash: u32,
        mut found: impl FnMut(usize) -> Option<T>,
    ) -> Option<T> {
        let mut index = hash;
        loop {
            let number = self.column.get(image, (index & self.last) as usize)?.checked_sub(1)?;
            if let Some(found) = found(number as usize) {
                return Some(found);
            }
            index = index.wrapping_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let columns: [&[u64]; 5] =
            [&[1, 0, 255], &[256], &[Column::<3>::MOST, 0x1_0000], &[u64::MAX, 0], &[0, 0]];
        let mut image = Vec::new();
        let codes = columns.map(|numbers| Codes::write(numbers, &mut image));
        let fixed = columns.map(|numbers| Column::<3>::write(numbers, &mut image));
        assert_eq!(codes.map(|codes| codes.width), [1, 2, 3, 8, 1]);
        assert_eq!(image.len(), 3 + 2 + 6 + 16 + 2 + 3 * (3 + 1 + 2 + 2 + 2));
        image.extend(END);
        for ((numbers, codes), column) in columns.into_iter().zip(codes).zip(fixed) {
            for (index, number) in numbers.iter().enumerate() {
                assert_eq!(codes.get(&image, index), Some(*number));
                assert_eq!(column.get(&image, index), Some(*number & Column::<3>::MOST));
            }
        }
        assert_eq!(codes[0].get(&image, image.len()), None);
    }

    #[test]
    fn a_hash_leads_to_its_lines_and_no_hash_beyond_a_free_slot() {
        // The lower bits of all but one are equal.
        let hashes = [7, 15, 0, 23, 31];
        let mut image = Vec::new();
        let slots = Slots::write(&hashes, &mut image);
        let empty = Slots::write(&[], &mut image);
        image.extend(END);
        assert_eq!((slots.last, empty.last), (7, 0));
        let reached = |hash| {
            let mut reached = Vec::new();
            slots.find(&image, hash, |number| {
                reached.push(number);
                None::<()>
            });
            reached
        };
        assert_eq!(reached(7), [0, 1, 2, 3, 4]);
        assert_eq!(reached(u32::MAX), [0, 1, 2, 3, 4]);
        assert_eq!(reached(0), [1, 2, 3, 4]);
        assert_eq!(reached(5), [] as [usize; 0]);
        assert_eq!(empty.find(&image, 7, Some), None);
    }
}
