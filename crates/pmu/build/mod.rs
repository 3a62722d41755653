//! From the texts in `tables` to what is compiled in: of a vendor the image of its tables, which `layout` describes, and
//! Rust for the rest; of the kernel's events Rust alone. An error names the file and the line, and says what to do.

mod derived;
mod descriptions;
mod facts;
pub(crate) mod kernel;
mod line;
mod listings;
mod metrics;
mod phrases;
mod pmus;
mod processors;
mod table;
mod texts;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::hash::hash;
use super::layout::{Codes, Column, END, Layout, Rows, Slots};
use descriptions::Descriptions;
use facts::Facts;
use line::Line;
use pmus::{PmuLine, constant};
use processors::Processor;
use table::Table;
use texts::Texts;

/// The tables of a vendor.
pub(crate) struct Tables {
    pub(crate) numbers: Vec<u8>,
    pub(crate) texts: String,
    /// The items of a module with the static `PMUS`.
    pub(crate) rust: String,
}

/// The text of a table, and the names of those whose descriptions its events have.
struct TableText<'a> {
    text: String,
    described: &'a str,
}

/// Makes the tables of a vendor from its files, which `read` finds by their names.
pub(crate) fn of_vendor(
    vendor: &str,
    processors: &[String],
    read: impl Fn(&str) -> Result<String, String>,
) -> Result<Tables, String> {
    let at = |file: &str, error: String| format!("tables/{vendor}/{file}:{error}");
    let list = read("pmus.list")?;
    let pmus = pmus::read(&list).map_err(|error| at("pmus.list", error))?;
    let descriptions = read("descriptions.txt")?;
    let mut descriptions =
        Descriptions::read(&descriptions).map_err(|error| at("descriptions.txt", error))?;
    let mut texts = Vec::new();
    for file in processors {
        texts.push((file, read(file)?));
    }
    let mut known = BTreeMap::new();
    for (file, text) in &texts {
        known.insert(file.as_str(), Processor::read(text).map_err(|error| at(file, error))?);
    }
    let mut files: BTreeMap<&str, TableText<'_>> = BTreeMap::new();
    for pmu in &pmus {
        if !files.contains_key(pmu.table) {
            let text = match derived::source(pmu.table) {
                None => read(&format!("{}.txt", pmu.table))?,
                Some((file, unit)) => {
                    let file = format!("processors/{file}.txt");
                    let processor = known.get(file.as_str());
                    let processor =
                        processor.ok_or_else(|| at(&file, " no such file".to_owned()))?;
                    derived::table(processor, unit, pmu.family)
                        .map_err(|error| at(&file, format!(" {error}")))?
                }
            };
            let described = if pmu.like.is_empty() { pmu.table } else { pmu.like };
            files.insert(pmu.table, TableText { text, described });
        }
    }
    let mut image = Image::default();
    let mut layouts = Vec::new();
    for (name, TableText { text, described }) in &files {
        let wrong = |error| at(&format!("{name}.txt"), error);
        let table = Table::read(text).map_err(wrong)?;
        let layout = image.add(described, &table, &mut descriptions).map_err(wrong)?;
        layouts.push((*name, layout));
    }
    descriptions.all_are_used().map_err(|error| at("descriptions.txt", error))?;
    let metrics = if known.is_empty() { String::new() } else { read("metrics.txt")? };
    let wrong = |error| at("metrics.txt", error);
    let metrics = metrics::read(&metrics).map_err(wrong)?;
    let statics = listings::write(&known, &metrics, &mut image.texts, &mut image.numbers);
    let statics = statics.map_err(wrong)?;
    let mut rust = image.rust(vendor, &pmus, &layouts);
    rust.push_str(&statics);
    image.numbers.extend(END);
    image.is_small_enough(pmus.len()).map_err(|what| format!("tables/{vendor}: {what}"))?;
    Ok(Tables { numbers: image.numbers, texts: image.texts.text, rust })
}

/// The image of a vendor's tables, and the facts that its numbers refer to.
#[derive(Default)]
struct Image<'a> {
    numbers: Vec<u8>,
    texts: Texts<'a>,
    facts: Facts<'a>,
}

impl<'a> Image<'a> {
    /// Appends a table, with the descriptions of the tables of these names.
    fn add(
        &mut self,
        described: &str,
        table: &Table<'a>,
        descriptions: &mut Descriptions<'a>,
    ) -> Result<Layout, String> {
        let names = self.texts.add_events(&table.events);
        let texts = table.events().map(|event| descriptions.get(described, event, ""));
        let events = self.add_rows(&table.events, &table.event_hashes, names, texts)?;
        let names = self.texts.add_masks(&table.masks);
        let texts = table.masks().map(|(event, mask)| descriptions.get(described, event, mask));
        let masks = self.add_rows(&table.masks, &table.mask_hashes, names, texts)?;
        Ok(Layout { events, masks, firsts: Column::write(&table.firsts, &mut self.numbers) })
    }

    fn add_rows(
        &mut self,
        lines: &[Line<'a>],
        hashes: &[u32],
        names: Vec<u64>,
        descriptions: impl Iterator<Item = &'a str>,
    ) -> Result<Rows, String> {
        let codes: Vec<u64> = lines.iter().map(|line| line.code).collect();
        let facts: Vec<u64> =
            lines.iter().map(|line| self.facts.number(line)).collect::<Result<_, _>>()?;
        let descriptions: Vec<u64> = descriptions.map(|text| self.texts.add(text, "")).collect();
        let image = &mut self.numbers;
        Ok(Rows {
            count: lines.len() as u32,
            slots: Slots::write(hashes, image),
            names: Column::write(&names, image),
            codes: Codes::write(&codes, image),
            facts: Column::write(&facts, image),
            descriptions: Column::write(&descriptions, image),
        })
    }

    /// Fails if positions or numbers do not fit in the columns. Those of lines do: [`Table::read`] counts them.
    fn is_small_enough(&self, pmus: usize) -> Result<(), String> {
        for (what, count, most) in [
            ("bytes of texts", self.texts.text.len(), Column::<3>::MOST),
            ("different facts", self.facts.literals.len(), Column::<2>::MOST),
            ("PMUs", pmus, Column::<2>::MOST),
            ("bytes of numbers", self.numbers.len(), u32::MAX.into()),
        ] {
            if count as u64 > most {
                return Err(format!(
                    "{count} {what} are more than {most}: widen their column in src/tables/layout.rs"
                ));
            }
        }
        Ok(())
    }

    /// The Rust of the vendor: its PMUs, the list of facts, and where its tables lie in the image.
    fn rust(&mut self, vendor: &str, pmus: &[PmuLine<'_>], layouts: &[(&str, Layout)]) -> String {
        let hashes: Vec<u32> = pmus.iter().map(|pmu| hash(pmu.name)).collect();
        let slots = Slots::write(&hashes, &mut self.numbers);
        let mut rust = USES.to_owned();
        let _ = write!(
            rust,
            "pub(crate) static PMUS: Pmus = Pmus {{ image: IMAGE, slots: {slots:?}, list: &LIST, processors: &PROCESSORS }};\n\
             const IMAGE: Image = Image {{ numbers: include_bytes!(\"{vendor}.numbers\"), \
             texts: include_str!(\"{vendor}.texts\"), facts: &FACTS }};\n"
        );
        let rows: String = pmus.iter().map(|pmu| format!("{},\n", pmu.literal)).collect();
        let _ = writeln!(rust, "static LIST: [Pmu; {}] = [\n{rows}];", pmus.len());
        let facts = &self.facts.literals;
        let _ = writeln!(rust, "static FACTS: [Facts; {}] = [\n{}];", facts.len(), facts.concat());
        for (name, layout) in layouts {
            let name = constant(name);
            let _ = writeln!(
                rust,
                "static {name}: Table = Table {{ image: IMAGE, layout: {layout:?} }};"
            );
        }
        rust
    }
}

/// The types of the statics.
const USES: &str = "\
use crate::family;
use crate::pmu::{Flags, Limits, Pmu, PmuKind};
use crate::tables::layout::{Codes, Column, EventRows, Layout, Listing, MetricRows, Rows, Slots};
use crate::tables::pmus::Pmus;
use crate::tables::row::*;
use crate::tables::table::{Image, Table};
use crate::vendor::processor::Processor;
";

#[cfg(test)]
mod tests {
    use super::super::{row, table};
    use super::*;

    const FILES: [(&str, &str); 5] = [
        ("processors/x.txt", "from L\non arm:1:2\nb.c event=0x1 - pebs\nB_A event=0x2 dsu\n"),
        ("pmus.list", "p t core arm number=1 | P\n"),
        ("t.txt", "A 0x3c\nB 1 alias=A:X\nb 0x10000000002 spec\n\tX 0x100\n\tY 2 alias=X\n"),
        ("descriptions.txt", "[t]\nA | Cycles\nb\n\tX | Half of them\n"),
        ("metrics.txt", "metric r\n\ton x\n\tformula B_A / b.c\n"),
    ];

    /// The tables of these files, with another text in one of them.
    fn with(name: &str, text: &str) -> Result<Tables, String> {
        of_vendor("v", &["processors/x.txt".to_owned()], |file| {
            let found = FILES.iter().find(|(known, _)| *known == file);
            let text = if file == name { Some(text) } else { found.map(|(_, text)| *text) };
            text.map(str::to_owned).ok_or_else(|| format!("{file} is missing"))
        })
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let read = Table::read(FILES[2].1).unwrap();
        let mut descriptions = Descriptions::read(FILES[3].1).unwrap();
        let mut image = Image::default();
        let layout = image.add("t", &read, &mut descriptions).unwrap();
        image.numbers.extend(END);
        assert_eq!(image.facts.literals.len(), 3);
        let image = table::Image {
            numbers: image.numbers.leak(),
            texts: image.texts.text.leak(),
            facts: &[const { row::Facts { marks: row::Marks::ALIAS, ..row::Facts::NONE } }; 3],
        };
        let table: &'static table::Table = Box::leak(Box::new(table::Table { image, layout }));
        let variant = row::Variant { pmu: "p", revision: 0 };
        let event = |name| table.find(variant, name, |_| true).unwrap();
        let (a, a_row) = event("a");
        assert_eq!((a_row.name, a_row.code, a.description()), ("A", 0x3c, Some("Cycles")));
        let (_, small) = table.find(variant, "B", |row| row.code > 1).unwrap();
        assert_eq!((small.name, small.code), ("b", 0x100_0000_0002));
        let (b, b_row) = event("B");
        assert_eq!((b_row.name, b.alias(&b_row), b.description()), ("B", Some("A:X"), None));
        assert_eq!((b.mask(variant, "X"), b.masks(variant).count()), (None, 0));
        let (place, _) = table.events(variant).last().unwrap();
        let y = place.mask(variant, "y").unwrap();
        assert_eq!((y.number, y.row.code, place.mask_alias(&y)), (1, 2, Some("X")));
        let described = place.masks(variant).map(|mask| place.mask_description(&mask));
        assert!(described.eq([Some("Half of them"), None]));
        assert_eq!(table.position(variant, small.name), Some(2));
        assert!(table.find(variant, "C", |_| true).is_none());
    }

    #[test]
    fn an_error_says_where() {
        let made = with("", "").unwrap();
        assert!(made.numbers.ends_with(&END) && made.texts.starts_with("\nA\n"));
        assert!(made.rust.contains("Pmu { name: \"p\"") && made.rust.contains("static T: Table"));
        let processor = "Processor { source: \"L\", machines: \"arm:1:2\", image: IMAGE, events: Listing { count: 2";
        assert!(made.rust.contains(processor), "{}", made.rust);
        for (file, text, error) in [
            ("pmus.list", "# Words\np t cor arm | P", "pmus.list:2: `cor` is no kind of PMU"),
            ("t.txt", "A 1\nC", "t.txt:2: a code follows the name: C"),
            ("t.txt", "A 1\nB 1 spce", "t.txt:2: `spce` is no mark"),
            ("processors/x.txt", "A event", "processors/x.txt:1: the unit follows the terms"),
            (
                "metrics.txt",
                "metric r\n\ton y\n\tformula 1",
                "metrics.txt: no processor is called y",
            ),
            ("metrics.txt", "\tformula 1", "metrics.txt:1: neither `metric NAME`"),
            ("descriptions.txt", "[t]\nA | cycles", "descriptions.txt:2: a description begins"),
            ("descriptions.txt", "[t]\nZ | Cycles", "descriptions.txt:2: no table above has it"),
        ] {
            let found = with(file, text).err().unwrap_or_default();
            assert!(found.starts_with(&format!("tables/v/{error}")), "{found}");
        }
        let missing = with("pmus.list", "p u core arm | P");
        assert_eq!(missing.err().as_deref(), Some("u.txt is missing"));
    }

    #[test]
    fn an_image_that_its_columns_cannot_hold_is_refused() {
        let mut image = Image::default();
        image.facts.literals = vec![String::new(); 0xffff];
        assert_eq!(image.is_small_enough(1), Ok(()));
        image.facts.literals.push(String::new());
        let error = image.is_small_enough(1).unwrap_err();
        assert!(error.starts_with("65536 different facts are more than 65535: widen"), "{error}");
    }
}
