//! Files that are read in blocks.

use object::ReadCacheOps;
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// A file that is read in blocks: a symbol table has thousands of names in any order, and each would take two system calls.
pub(crate) struct Blocks {
    file: File,
    position: u64,
    /// By their numbers.
    blocks: HashMap<u64, Box<[u8]>>,
}

const SIZE: u64 = 1 << 16;
/// The most blocks that are kept.
const MOST: usize = 512;
/// The longest part that is read at once, such as a table of symbols: that of a browser has some 24 MiB, and a file that lies would fill the memory.
pub(crate) const MOST_AT_ONCE: usize = 48 << 20;

impl Blocks {
    pub(crate) fn of(file: File) -> Blocks {
        Blocks { file, position: 0, blocks: HashMap::new() }
    }

    /// The bytes of the block of the position from there on; nothing at the end of the file.
    fn rest(&mut self) -> Result<&[u8], ()> {
        let (number, skipped) = (self.position / SIZE, (self.position % SIZE) as usize);
        if !self.blocks.contains_key(&number) {
            let mut block = vec![0; SIZE as usize];
            let length = self.file.read_at(&mut block, number * SIZE).map_err(drop)?;
            block.truncate(length);
            if self.blocks.len() == MOST {
                self.blocks.clear();
            }
            self.blocks.insert(number, block.into());
        }
        Ok(self.blocks.get(&number).and_then(|block| block.get(skipped..)).unwrap_or_default())
    }
}

impl ReadCacheOps for Blocks {
    fn len(&mut self) -> Result<u64, ()> {
        Ok(self.file.metadata().map_err(drop)?.len())
    }

    fn seek(&mut self, position: u64) -> Result<u64, ()> {
        self.position = position;
        Ok(position)
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ()> {
        let rest = self.rest()?;
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.position += length as u64;
        Ok(length)
    }

    fn read_exact(&mut self, buffer: &mut [u8]) -> Result<(), ()> {
        if buffer.len() > MOST_AT_ONCE {
            return Err(());
        }
        self.file.read_exact_at(buffer, self.position).map_err(drop)?;
        self.position += buffer.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Blocks, SIZE};
    use object::{ReadCache, ReadRef};
    use std::fs::File;
    use std::io::Write;

    #[test]
    fn texts_are_read_across_blocks_and_not_beyond_the_file() {
        let path = std::env::temp_dir().join(format!("counterpoint-blocks-{}", std::process::id()));
        let name = |index: usize| format!("name {index}\0");
        let text: String = (0..20_000).map(name).collect();
        let mut file = File::options().read(true).write(true).create_new(true).open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let cache = ReadCache::new(Blocks::of(file));
        let (data, end) = (&cache, text.len() as u64);
        assert!(end > 3 * SIZE);
        assert_eq!(data.len(), Ok(end));
        let mut starts = vec![0];
        starts.extend(text.match_indices('\0').map(|(at, _)| at + 1).filter(|at| *at < text.len()));
        // From both ends, as a table that is in no order.
        for index in (0..starts.len()).flat_map(|index| [index, starts.len() - 1 - index]) {
            let read = data.read_bytes_at_until(starts[index] as u64..end, 0).unwrap();
            assert_eq!(read, format!("name {index}").as_bytes());
        }
        let over = SIZE - 5..SIZE + 5;
        let expected = &text.as_bytes()[over.start as usize..over.end as usize];
        assert_eq!(data.read_bytes_at(over.start, 10), Ok(expected));
        assert_eq!(data.read_bytes_at(end - 1, 1), Ok(&b"\0"[..]));
        assert_eq!(data.read_bytes_at(end, 1), Err(()));
        assert_eq!(data.read_bytes_at_until(end..end, 0), Err(()));
        assert_eq!(data.read_bytes_at(u64::MAX - 1, 1), Err(()));
    }
}
