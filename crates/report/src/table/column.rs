//! The columns of the table.

use crate::keys::{Key, is_same};
use crate::row::{Location, Process};

/// The type of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// UTF-8 text, never empty.
    Text,
    /// A whole number of 64 bits with a sign.
    Integer,
    /// A floating-point number of 64 bits.
    Real,
    /// True or false.
    Boolean,
}

/// The version of the table, which is in the column `table` of each row; it grows if a column is removed or changes its meaning.
pub const VERSION: i64 = 1;

macro_rules! columns {
    ($($(#[doc = $doc:literal])* $column:ident $name:literal $holds:ident,)+) => {
        /// A column of the table, in the order in which columns are written.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Column {
            $($(#[doc = $doc])* #[doc = concat!("\n\nThe column `", $name, "`.")] $column,)+
        }

        /// All columns, in their order.
        pub const COLUMNS: &[Column] = &[$(Column::$column,)+];

        impl Column {
            /// Returns the name, such as `event`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Column::$column => $name,)+
                }
            }

            /// Returns what its cells hold.
            pub const fn holds(self) -> ColumnType {
                match self {
                    $(Column::$column => ColumnType::$holds,)+
                }
            }

            /// Returns what it means, in one or more sentences.
            pub const fn description(self) -> &'static str {
                match self {
                    $(Column::$column => const { description($name, concat!($($doc, "\n"),*)) },)+
                }
            }
        }
    };
}

/// The meaning of a column; that of the key of a row is declared with the row.
const fn description(name: &str, own: &'static str) -> &'static str {
    if !own.is_empty() {
        return own.trim_ascii();
    }
    match key(name) {
        Some(key) => key.description,
        None => panic!("a column that is no key of a row says itself what it means"),
    }
}

/// The key of a row that has this name.
const fn key(name: &str) -> Option<&'static Key> {
    let parts = [crate::Row::KEYS, Process::KEYS, Location::KEYS];
    let mut part = 0;
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            if is_same(parts[part][at].name, name) {
                return Some(&parts[part][at]);
            }
            at += 1;
        }
        part += 1;
    }
    None
}

/// The columns whose names are keys of rows, in the order in which reports have them.
pub(crate) const KEYS: [Column; KEY_COUNT] = {
    let mut keys = [Column::Schema; KEY_COUNT];
    let (mut at, mut count) = (0, 0);
    while at < COLUMNS.len() {
        if key(COLUMNS[at].name()).is_some() {
            keys[count] = COLUMNS[at];
            count += 1;
        }
        at += 1;
    }
    keys
};

const KEY_COUNT: usize = {
    let (mut at, mut count) = (0, 0);
    while at < COLUMNS.len() {
        count += key(COLUMNS[at].name()).is_some() as usize;
        at += 1;
    }
    count
};

columns! {
    /// The version of the table: 1.
    Table "table" Integer,
    /// What the row is: `value` (one event or metric at one place), `run` (the value of one of several runs), `merged` (a sum over processes), `member` (the value of one of those), `profile` (a profiled event), `function`, `line` and `thread` (its samples there), `timeline` (visits of regions), `summary` (the end of a report).
    Kind "kind" Text,
    /// The report that the row is from: the name of its file.
    Report "report" Text,
    /// The number of the run, from 1, in a row of the kind `run`.
    Run "run" Integer,
    /// The version of the report's format.
    Schema "schema" Integer,
    Region "region" Text,
    Calls "calls" Integer,
    Job "job" Text,
    Rank "rank" Integer,
    Ranks "ranks" Integer,
    LocalRank "local_rank" Integer,
    Host "host" Text,
    Pid "pid" Integer,
    Event "event" Text,
    Canonical "canonical" Text,
    /// The value; null if nothing was measured. A whole number beyond 2^53 is rounded here, and exact in `whole`.
    Value "value" Real,
    /// The value, if it is a whole number of 64 bits.
    Whole "whole" Integer,
    /// Whether the event was counted: `counted`, `estimated`, `not-counted` or `not-supported`.
    Status "status" Text,
    Unit "unit" Text,
    Reason "reason" Text,
    /// True if another process of the host counts the event.
    CountedElsewhere "counted_elsewhere" Boolean,
    Raw "raw" Integer,
    EnabledNs "enabled_ns" Integer,
    RunningNs "running_ns" Integer,
    Coverage "coverage" Real,
    /// The factor by which the counter's number was multiplied: 1 ÷ coverage.
    Scale "scale" Real,
    Note "note" Text,
    /// The formula of a metric.
    Definition "definition" Text,
    /// The start of the interval, in seconds since counting began.
    IntervalStart "interval_start_s" Real,
    IntervalEnd "interval_s" Real,
    Cpu "cpu" Integer,
    Thread "thread" Integer,
    ThreadNumber "thread_number" Integer,
    /// The name of the thread.
    Comm "comm" Text,
    Socket "socket" Integer,
    Die "die" Integer,
    Core "core" Integer,
    Node "node" Integer,
    CacheLevel "cache_level" Integer,
    Cache "cache" Integer,
    Cgroup "cgroup" Text,
    /// The function of samples.
    Function "function" Text,
    /// The file that contains the function.
    Module "module" Text,
    /// The source file of samples.
    File "file" Text,
    /// The first source line of samples.
    Line "line" Integer,
    /// The share of all samples, in percent.
    Percent "percent" Real,
    /// The standard error of that share, in percent.
    PercentError "percent_error" Real,
    /// The beginning of the runs, in seconds of the Unix epoch, in a row of the kind `summary`, and that of the visits in one of the kind `timeline`.
    Began "began_s" Real,
    /// The elapsed time in seconds, in a row of the kind `summary`; of several runs, the mean.
    Elapsed "elapsed_s" Real,
    /// The time of the command in user space, in seconds, likewise.
    User "user_s" Real,
    /// The time of the command in the kernel, in seconds, likewise.
    System "sys_s" Real,
    /// The command, as a shell reads it, in a row of the kind `summary`.
    Command "command" Text,
    /// The exit status of the command, in a row of the kind `summary`; null if a signal ended it.
    ExitStatus "exit_status" Integer,
    /// What the report says beside the columns: a JSON object.
    Rest "rest" Text,
}
