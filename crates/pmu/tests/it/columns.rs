//! The compressed files of `fixtures/pmu`, column after column (its README.md).

use std::io::Read;

use flate2::read::GzDecoder;

/// The columns of a file, by name.
pub(crate) struct Columns {
    columns: Vec<(String, Vec<String>)>,
}

impl Columns {
    pub(crate) fn read(bytes: &[u8]) -> Columns {
        let mut text = String::new();
        GzDecoder::new(bytes).read_to_string(&mut text).expect("a compressed text");
        let mut lines = text.lines().filter(|line| !line.starts_with("# "));
        let names: Vec<&str> = lines.next().expect("a header").split('\t').collect();
        let cells: Vec<&str> = lines.collect();
        assert_eq!(cells.len() % names.len(), 0, "columns of one length");
        let mut read = Columns { columns: Vec::new() };
        for (name, cells) in names.iter().zip(cells.chunks(cells.len() / names.len())) {
            let (name, base) = name.split_once('/').unwrap_or((name, ""));
            let column = match base {
                "" => repeated(cells),
                _ => read.continued(base, cells),
            };
            read.columns.push((name.to_owned(), column));
        }
        read
    }

    pub(crate) fn len(&self) -> usize {
        self.columns[0].1.len()
    }

    /// The cell of a row; nothing when there is no such column.
    pub(crate) fn get(&self, row: usize, name: &str) -> &str {
        let column = self.columns.iter().find(|(known, _)| known == name);
        column.map_or("", |(_, cells)| cells[row].as_str())
    }

    /// `N|rest`: the first N bytes of the other column's cell, or all of it, then the rest.
    fn continued(&self, base: &str, cells: &[&str]) -> Vec<String> {
        let one = |(row, cell): (usize, &&str)| {
            let base = self.get(row, base);
            let (length, rest) = cell.split_once('|').expect("a bar");
            let length = if length.is_empty() { base.len() } else { length.parse().expect("N") };
            format!("{}{rest}", &base[..length])
        };
        cells.iter().enumerate().map(one).collect()
    }
}

/// Nothing repeats the cell before; `=` stands before a new one. Columns without either are as they are.
fn repeated(cells: &[&str]) -> Vec<String> {
    let coded = cells.iter().all(|cell| cell.is_empty() || cell.starts_with('='))
        && cells.first().is_some_and(|first| first.starts_with('='));
    let mut last = String::new();
    let one = |cell: &&str| {
        match (coded, cell.strip_prefix('=')) {
            (false, _) => last = (*cell).to_owned(),
            (true, Some(cell)) => last = cell.to_owned(),
            (true, None) => {}
        }
        last.clone()
    };
    cells.iter().map(one).collect()
}
