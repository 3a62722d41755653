//! The columns of the table.

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
    ($($(#[doc = $doc:literal])+ $column:ident $name:literal $holds:ident,)+) => {
        /// A column of the table, in the order in which columns are written.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Column {
            $($(#[doc = $doc])+ $column,)+
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
                    $(Column::$column => concat!($($doc, "\n"),+).trim_ascii(),)+
                }
            }
        }
    };
}

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
    /// The name of the region.
    Region "region" Text,
    /// How often the region was entered.
    Calls "calls" Integer,
    /// The id of the job in the batch system.
    Job "job" Text,
    /// The number of the process in its parallel job.
    Rank "rank" Integer,
    /// The number of ranks.
    Ranks "ranks" Integer,
    /// The number of the rank among those on its host.
    LocalRank "local_rank" Integer,
    /// The name of the host.
    Host "host" Text,
    /// The id of the process.
    Pid "pid" Integer,
    /// The event or metric, as it was written.
    Event "event" Text,
    /// Its usual name, with its PMU and its modifiers.
    Canonical "canonical" Text,
    /// The value; null if nothing was measured. A whole number beyond 2^53 is rounded here, and exact in `whole`.
    Value "value" Real,
    /// The value, if it is a whole number of 64 bits.
    Whole "whole" Integer,
    /// Whether the event was counted: `counted`, `estimated`, `not-counted` or `not-supported`.
    Status "status" Text,
    /// The unit of the value, if it has one.
    Unit "unit" Text,
    /// Why there is no value.
    Reason "reason" Text,
    /// True if another process of the host counts the event.
    CountedElsewhere "counted_elsewhere" Boolean,
    /// The counter's own number; a formula has none.
    Raw "raw" Integer,
    /// For how long the event was enabled, in nanoseconds.
    EnabledNs "enabled_ns" Integer,
    /// For how long the event was on a counter, in nanoseconds.
    RunningNs "running_ns" Integer,
    /// The share of the enabled time in which the event was on a counter.
    Coverage "coverage" Real,
    /// The factor by which the counter's number was multiplied: 1 ÷ coverage.
    Scale "scale" Real,
    /// How the event was counted, if not as requested.
    Note "note" Text,
    /// The formula of a metric.
    Definition "definition" Text,
    /// The start of the interval, in seconds since counting began.
    IntervalStart "interval_start_s" Real,
    /// The end of the interval, in seconds since counting began.
    IntervalEnd "interval_s" Real,
    /// The CPU.
    Cpu "cpu" Integer,
    /// The id of the thread.
    Thread "thread" Integer,
    /// The name of the thread.
    Comm "comm" Text,
    /// The socket.
    Socket "socket" Integer,
    /// The die, within its socket.
    Die "die" Integer,
    /// The core, within its socket.
    Core "core" Integer,
    /// The NUMA node.
    Node "node" Integer,
    /// The level of the cache that is shared.
    CacheLevel "cache_level" Integer,
    /// The first of the CPUs that share the cache.
    Cache "cache" Integer,
    /// The cgroup, by its path.
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
    /// What the report says beside the columns: a JSON object.
    Rest "rest" Text,
}
