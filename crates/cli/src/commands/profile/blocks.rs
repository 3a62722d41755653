use object::ReadCacheOps;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// A file that is read in blocks: a symbol table has thousands of names, and each would take two system calls.
pub struct Blocks {
    file: File,
    position: u64,
    /// The latest block, and where it begins in the file.
    block: Vec<u8>,
    start: u64,
}

const SIZE: u64 = 1 << 18;

impl Blocks {
    pub fn of(file: File) -> Blocks {
        Blocks { file, position: 0, block: Vec::new(), start: 0 }
    }

    /// What the block of the position has from there on; nothing at the end of the file.
    fn rest(&mut self) -> Result<&[u8], ()> {
        let end = self.start + self.block.len() as u64;
        if !(self.start..end).contains(&self.position) {
            self.start = self.position - self.position % SIZE;
            self.block.resize(SIZE as usize, 0);
            let length = self.file.read_at(&mut self.block, self.start).map_err(drop);
            self.block.truncate(length.unwrap_or(0));
            length?;
        }
        let skipped = (self.position - self.start) as usize;
        Ok(self.block.get(skipped..).unwrap_or_default())
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
        self.file.read_exact_at(buffer, self.position).map_err(drop)?;
        self.position += buffer.len() as u64;
        Ok(())
    }
}
