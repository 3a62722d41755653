//! Reports as tables of DataFusion.

use counterpoint_report::table::parquet::{self, Writer};
use counterpoint_report::table::{Row, arrow::schema, partition, text};
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{DataFusionError, Result, exec_datafusion_err, plan_err};
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::logical_expr::Expr;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// The endings of files that are read in directories.
const ENDINGS: [&str; 4] = ["jsonl", "json", "csv", "parquet"];

/// The depth of directories within each other: Hive's partitions have one for each column.
const DEEPEST: usize = 16;

/// About how many bytes of reports one file of Parquet is made of, so that several executors have work.
const PART: u64 = 64 << 20;

/// A place for reports in the form that engines read: files of Parquet, which go away with it.
///
/// Executors on other machines read the same files, so that it must be on a file system that all of them have.
#[derive(Debug)]
pub struct Reports {
    folder: TempDir,
    parts: AtomicUsize,
}

impl Reports {
    /// Makes a new directory within `folder`.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be written.
    pub fn within(folder: &Path) -> Result<Reports> {
        let made = tempfile::Builder::new().prefix("counterpoint-").tempdir_in(folder);
        let folder = made.map_err(|error| error_at(folder, &error.to_string()))?;
        Ok(Reports { folder, parts: AtomicUsize::new(0) })
    }

    /// Returns reports and tables as one table with the columns of `counterpoint_report::table::COLUMNS`: files of JSON lines, CSV and Parquet, and directories of them.
    ///
    /// # Errors
    ///
    /// Returns an error that names the file which is not a report or a table.
    pub fn table(&self, names: &[PathBuf]) -> Result<Arc<dyn TableProvider>> {
        let mut files = Vec::new();
        for name in names {
            let before = files.len();
            walk(name, DEEPEST, true, &mut files)?;
            if files.len() == before {
                let what = format!("no file in it ends with .{}", ENDINGS.join(", ."));
                return Err(error_at(name, &what));
            }
        }
        let (mut paths, mut part): (Vec<PathBuf>, Option<Part>) = (Vec::new(), None);
        for file in files {
            // A file does not have the columns of its directories.
            let is_whole = partition::of_path(&file).is_empty();
            if is_whole && is_parquet(&file)? {
                paths.push(file);
                continue;
            }
            let open = match part.take() {
                Some(open) if open.read < PART => open,
                full => {
                    paths.extend(full.map(Part::finish).transpose()?);
                    self.part()?
                }
            };
            part = Some(open.add(&file)?);
        }
        paths.extend(part.map(Part::finish).transpose()?);
        listing(&paths)
    }

    fn part(&self) -> Result<Part> {
        let number = self.parts.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.path().join(format!("part-{number}.parquet"));
        let file = File::create(&path).map_err(|error| error_at(&path, &error.to_string()))?;
        let writer = Writer::new(file).map_err(|error| error_at(&path, &error.to_string()))?;
        Ok(Part { path, writer, read: 0 })
    }
}

/// A file of Parquet that is written.
struct Part {
    path: PathBuf,
    writer: Writer<File>,
    read: u64,
}

impl Part {
    fn add(mut self, file: &Path) -> Result<Part> {
        let failed = |error: &dyn std::fmt::Display| error_at(file, &error.to_string());
        let open = File::open(file).map_err(|error| failed(&error))?;
        self.read += open.metadata().map_err(|error| failed(&error))?.len();
        let mut written = Ok(());
        let columns = partition::of_path(file);
        let mut push = |row: &Row<'_>| {
            if written.is_ok() {
                let mut row = row.clone();
                partition::fill(&mut row, &columns);
                written = self.writer.push(&row);
            }
        };
        if is_parquet(file)? {
            parquet::read(open, &mut push).map_err(|error| failed(&error))?;
        } else {
            let name = file.display().to_string();
            text::read(&name, BufReader::with_capacity(1 << 16, open), &mut push)
                .map_err(|error| failed(&error))?;
        }
        written.map_err(|error| error_at(&self.path, &error.to_string()))?;
        Ok(self)
    }

    fn finish(self) -> Result<PathBuf> {
        self.writer.finish().map_err(|error| error_at(&self.path, &error.to_string()))?;
        Ok(self.path)
    }
}

/// A table of files of Parquet.
fn listing(paths: &[PathBuf]) -> Result<Arc<dyn TableProvider>> {
    let urls = paths.iter().map(|path| {
        let path = path.canonicalize().map_err(|error| error_at(path, &error.to_string()))?;
        ListingTableUrl::parse(path.to_string_lossy())
    });
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()));
    let config = ListingTableConfig::new_with_multi_paths(urls.collect::<Result<_>>()?)
        .with_listing_options(options)
        .with_schema(schema());
    Ok(Arc::new(ListingTable::try_new(config)?))
}

/// Adds a file, or those of a directory in the order of their names.
fn walk(path: &Path, depth: usize, is_named: bool, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if is_named || ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
            files.push(path.to_path_buf());
        }
        return Ok(());
    }
    if depth == 0 {
        return Err(error_at(
            path,
            &format!("more than {DEEPEST} directories are within each other"),
        ));
    }
    let entries = fs::read_dir(path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut entries = entries.map_err(|error| error_at(path, &error.to_string()))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let is_hidden = matches!(name.as_encoded_bytes().first(), Some(b'.' | b'_'));
        // A link to a directory may lead in a circle.
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        let is_left_out = is_hidden || (is_link && entry.path().is_dir());
        if !is_left_out {
            walk(&entry.path(), depth - 1, false, files)?;
        }
    }
    Ok(())
}

fn is_parquet(path: &Path) -> Result<bool> {
    let mut start = [0; 4];
    let mut file = File::open(path).map_err(|error| error_at(path, &error.to_string()))?;
    Ok(file.read_exact(&mut start).is_ok() && start == *b"PAR1")
}

fn error_at(path: &Path, what: &str) -> DataFusionError {
    exec_datafusion_err!("{}: {what}", path.display())
}

/// `cp_reports('FILE', …)`: reports, tables and directories of them, as one table.
#[derive(Debug)]
pub(crate) struct CpReports(pub(crate) Arc<Reports>);

impl TableFunctionImpl for CpReports {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let texts = args.exprs().iter().map(|expr| match expr {
            Expr::Literal(text, _) => text.try_as_str().flatten().map(PathBuf::from),
            _ => None,
        });
        match texts.collect::<Option<Vec<PathBuf>>>() {
            Some(names) if !names.is_empty() => self.0.table(&names),
            _ => {
                plan_err!("cp_reports takes the names of files or directories: cp_reports('runs')")
            }
        }
    }
}
