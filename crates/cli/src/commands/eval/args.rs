use clap::ValueEnum;
use counterpoint::formula;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint eval 'N0/(N1/1000000)' N0=93 N1=812345
  counterpoint eval --batch < formulas.jsonl    lines {\"formula\",\"syntax\",\"inputs\":{…}|[…]}")]
pub struct EvalArgs {
    /// Read the formula in this syntax
    #[arg(long, value_enum, default_value_t = Syntax::Infix)]
    pub syntax: Syntax,
    /// Read requests as JSON lines from standard input, and answer each with a JSON line
    #[arg(long)]
    pub batch: bool,
    /// The formula to evaluate
    #[arg(allow_hyphen_values = true)]
    pub formula: Option<String>,
    /// The value of each name in the formula
    #[arg(value_name = "NAME=VALUE")]
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
}

impl From<Syntax> for formula::Syntax {
    fn from(syntax: Syntax) -> formula::Syntax {
        match syntax {
            Syntax::Infix => formula::Syntax::Infix,
            Syntax::Postfix => formula::Syntax::PapiPostfix,
            Syntax::Rpn => formula::Syntax::RPN_24X7,
        }
    }
}
