use clap::ValueEnum;
use counterpoint::formula::{self, PowReading, RemReading};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint eval 'N0/(N1/1000000)' N0=93 N1=812345
  counterpoint eval 'misses/accesses' misses=4000±120 accesses=96000±800
  counterpoint eval --syntax rpn --rem remainder 'A B rem' A=9 B=2
  counterpoint eval --syntax perf 'd_ratio(a, b) if has_event(a) else 0' a=3 b=4 'has_event(a)=1'
  counterpoint eval --batch < formulas.jsonl    lines {\"formula\",\"syntax\",\"inputs\":{…}|[…]}

In perf's syntax, the values of literals and of functions are inputs by their names: '#smt_on=1' 'source_count(a)=2' 'strcmp_cpuid_str(PATTERN)=1'. A line of --batch may also have {\"literals\":{\"#smt_on\":1},\"has_event\":[…],\"source_count\":{…},\"aggr_nr\":{…},\"cpuid\":{…}}.

In every syntax, the remainder of `%` and `mod` has the sign of the divisor: -7 % 3 is 2, and 7 % -3 is -2.")]
pub struct EvalArgs {
    /// Read the formula in this syntax
    #[arg(long, value_enum, default_value_t = Syntax::Infix)]
    pub syntax: Syntax,
    #[command(flatten)]
    pub readings: RpnReadings,
    /// Read requests as JSON lines from standard input, and answer each with a JSON line
    #[arg(long)]
    pub batch: bool,
    /// The formula to evaluate
    #[arg(allow_hyphen_values = true)]
    pub formula: Option<String>,
    /// The value of each name in the formula; with standard errors behind values, that of the result is printed, too
    #[arg(value_name = "NAME=VALUE[±ERROR]")]
    pub inputs: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Syntax {
    /// `N0-(N1+(N2*5))`
    Infix,
    /// `N0|N1|N2|5|*|+|-|`, as in PAPI's files
    Postfix,
    /// `delta-cycles delta-seconds /`, as in 24x7 catalogs
    Rpn,
    /// `100 * a / b if #smt_on else 0`, as in the metrics of Linux perf
    Perf,
}

impl Syntax {
    /// The syntax, with these readings of 24x7 text.
    pub fn read_as(self, readings: RpnReadings) -> formula::Syntax {
        match self {
            Syntax::Infix => formula::Syntax::Infix,
            Syntax::Postfix => formula::Syntax::PapiPostfix,
            Syntax::Rpn => readings.syntax(),
            Syntax::Perf => formula::Syntax::PerfMetric,
        }
    }
}

// The readings of the operators of 24x7 formulas that the catalog document leaves in doubt; clap would show a doc comment
// as the description of the command.
#[derive(clap::Args, Clone, Copy, Default)]
pub struct RpnReadings {
    /// With --syntax rpn, read `A B rem` as this
    #[arg(long, value_enum, default_value = "quotient")]
    pub rem: Rem,
    /// With --syntax rpn, read `A B x^y` as B to the power A (x^y, as in the catalog document), or as A to the power B (y^x)
    #[arg(long, value_enum, default_value = "x^y")]
    pub pow: Pow,
}

#[derive(Clone, Copy, Default, ValueEnum)]
pub enum Rem {
    /// The floor quotient of A and B
    #[default]
    Quotient,
    /// The remainder, with the sign of A
    Remainder,
}

#[derive(Clone, Copy, Default, ValueEnum)]
pub enum Pow {
    /// The last value raised to the one before it
    #[default]
    #[value(name = "x^y")]
    LastIsBase,
    /// The value before raised to the last one
    #[value(name = "y^x")]
    LastIsExponent,
}

impl RpnReadings {
    /// The syntax of 24x7 formulas, read in this way.
    pub fn syntax(self) -> formula::Syntax {
        let rem = match self.rem {
            Rem::Quotient => RemReading::Quotient,
            Rem::Remainder => RemReading::Remainder,
        };
        let pow = match self.pow {
            Pow::LastIsBase => PowReading::LastIsBase,
            Pow::LastIsExponent => PowReading::LastIsExponent,
        };
        formula::Syntax::Rpn24x7 { rem, pow }
    }
}
