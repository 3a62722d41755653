use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The hottest functions and lines, for people
    Table,
    /// A JSON line for each event
    Json,
    /// A file for `gprof PROGRAM FILE`
    Gmon,
    /// Folded stacks, for flame graphs; without --call-graph, of one function each
    Folded,
    /// A file for `go tool pprof`
    Pprof,
    /// A file for the Firefox Profiler (https://profiler.firefox.com), of each thread over time; compressed if its name ends with .gz
    Firefox,
    /// The samples themselves, as perf.data: a file for `counterpoint report`, `perf report`, `perf script` and other tools
    Perf,
    /// A picture, as SVG: with --call-graph a flame graph, and without it bars over the addresses
    Svg,
}

impl Format {
    /// Accepts the formats that are made of a recording.
    pub fn of_recordings() -> impl TypedValueParser<Value = Format> {
        let is_made = |of: &&Format| !matches!(of, Format::Gmon | Format::Perf);
        let made = Format::value_variants().iter().filter(is_made);
        PossibleValuesParser::new(made.filter_map(Format::to_possible_value))
            .try_map(|name| Format::from_str(&name, false))
    }

    /// Returns true if a result can have several events.
    pub fn holds_several(self) -> bool {
        matches!(self, Format::Table | Format::Json | Format::Perf)
    }
}
