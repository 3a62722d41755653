//! The keys of `--sort`.

use clap::ValueEnum;
use counterpoint::profile::SampleKey;

/// What samples of one row have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ValueEnum)]
pub enum Key {
    /// The function
    #[value(aliases = ["sym", "symbol"])]
    Function,
    /// The source line
    #[value(alias = "srcline")]
    Line,
    /// The program or library
    #[value(alias = "dso")]
    Module,
    /// The process
    Pid,
    /// The thread
    Tid,
    /// The name of the thread when the sample was taken
    Comm,
    /// The CPU
    Cpu,
    /// The rank in a parallel job
    Rank,
    /// The node
    Node,
}

impl Key {
    /// The key if it is not known from the address of a sample.
    pub fn apart(self) -> Option<SampleKey> {
        match self {
            Key::Function | Key::Line | Key::Module => None,
            // A rank is known by its process.
            Key::Pid | Key::Rank | Key::Node => Some(SampleKey::Pid),
            Key::Tid => Some(SampleKey::Tid),
            Key::Comm => Some(SampleKey::Name),
            Key::Cpu => Some(SampleKey::Cpu),
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Key::Function => "function",
            Key::Line => "line",
            Key::Module => "module",
            Key::Pid => "process",
            Key::Tid => "thread",
            Key::Comm => "name of the thread",
            Key::Cpu => "CPU",
            Key::Rank => "rank",
            Key::Node => "node",
        }
    }
}
