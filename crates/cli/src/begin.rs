//! When a measurement begins and ends, beside the command.

use crate::control::Control;
use crate::failure::Failure;
use std::time::Duration;

// When counting or sampling begins.
#[derive(clap::Args)]
pub struct BeginArgs {
    /// Begin this many milliseconds after the start of the command; with -1, when --control enables the events
    #[arg(short = 'D', long, value_name = "MS", allow_negative_numbers = true, value_parser = clap::value_parser!(i64).range(-1..))]
    delay: Option<i64>,
    /// Obey the lines `enable`, `disable`, `ping`, `evlist` and `stop` that are written to CTL, and write `ack` to ACK after each: fifo:CTL[,ACK] with FIFOs, or fd:CTL[,ACK] with file descriptors
    #[arg(long, value_name = "CTL,ACK")]
    control: Option<String>,
}

/// When a measurement begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    WithCommand,
    /// This long after the start of the command.
    After(Duration),
    /// When `--control` enables the events.
    WhenEnabled,
}

impl BeginArgs {
    /// Returns true if `-D` is given.
    pub fn has_delay(&self) -> bool {
        self.delay.is_some()
    }

    pub fn begin(&self) -> Result<Begin, Failure> {
        match self.delay {
            None | Some(0) => Ok(Begin::WithCommand),
            Some(-1) if self.control.is_none() => {
                Err(Failure::new("-D -1 starts with the events disabled, and nothing enables them").help(
                    "add --control fifo:CTL, and write the line `enable` to the FIFO CTL when it is to begin",
                ))
            }
            Some(-1) => Ok(Begin::WhenEnabled),
            Some(ms) => Ok(Begin::After(Duration::from_millis(ms.unsigned_abs()))),
        }
    }

    /// Opens the files of `--control`; to be called before anything else is open, because a descriptor is one that the program was started with.
    pub fn control(&self) -> Result<Option<Control>, Failure> {
        self.control.as_deref().map(Control::open).transpose()
    }
}
