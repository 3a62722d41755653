//! Commands around the runs, which are not counted: `--setup`, `--prepare`, `--conclude` and `--cleanup`.

use super::sweep::{Parameter, filled, has};
use crate::failure::Failure;
use crate::show;
use crate::supervisor::{Outcome, Supervisor};
use counterpoint::perf::process::Streams;
use std::ffi::OsString;
use std::os::fd::BorrowedFd;

// What happens around the runs of a command.
#[derive(clap::Args)]
#[command(next_help_heading = "Runs of a command")]
pub struct HookArgs {
    /// Run each command this many times first, and leave these runs out; by default 0, and 1 in a comparison
    #[arg(long, value_name = "N")]
    pub warmup: Option<u32>,
    /// Run this with sh once before the first run of each command; as all commands here it is not counted, and may be given once for all commands or once for each
    #[arg(long, value_name = "COMMAND")]
    setup: Vec<String>,
    /// Run this with sh before each run
    #[arg(long, alias = "pre", value_name = "COMMAND")]
    prepare: Vec<String>,
    /// Run this with sh after each run
    #[arg(long, alias = "post", value_name = "COMMAND")]
    conclude: Vec<String>,
    /// Run this with sh once after the last run of each command, also if a run failed
    #[arg(long, value_name = "COMMAND")]
    cleanup: Vec<String>,
    /// Call the command by this name in the result; may be given once for each command
    #[arg(long, value_name = "NAME")]
    pub command_name: Vec<String>,
    /// Refuse a command of --compare that needs a shell, instead of running it with sh
    #[arg(short = 'N', long)]
    pub no_shell: bool,
}

/// The commands around the runs of one command.
#[derive(Clone, Default)]
pub struct Hooks {
    setup: Option<String>,
    prepare: Option<String>,
    conclude: Option<String>,
    cleanup: Option<String>,
}

impl HookArgs {
    /// Returns true if there are runs or commands around the runs of a command.
    pub fn is_any(&self) -> bool {
        self.warmup.is_some() || self.options().iter().any(|(_, texts)| !texts.is_empty())
    }

    /// Returns true if something is done once for each command, so that commands cannot take turns.
    pub fn is_once(&self) -> bool {
        !self.setup.is_empty() || !self.cleanup.is_empty()
    }

    fn options(&self) -> [(&'static str, &[String]); 4] {
        [
            ("--setup", &self.setup),
            ("--prepare", &self.prepare),
            ("--conclude", &self.conclude),
            ("--cleanup", &self.cleanup),
        ]
    }

    /// Refuses options that are given neither once nor once for each of so many commands.
    pub fn check(&self, commands: usize) -> Result<(), Failure> {
        match self.options().iter().find(|(_, texts)| texts.len() > 1 && texts.len() != commands) {
            None => Ok(()),
            Some((option, texts)) => {
                let (given, s) = (texts.len(), if commands == 1 { "" } else { "s" });
                Err(Failure::new(format!("{given} times {option} for {commands} command{s}"))
                    .help(format!("write {option} once for all commands, or once for each")))
            }
        }
    }

    /// Returns true if one of them has the parameter of this name.
    pub fn have(&self, name: &str) -> bool {
        self.options().iter().any(|(_, texts)| texts.iter().any(|text| has(text, name)))
    }

    /// Those of the command of this number.
    pub fn of(&self, command: usize, parameters: &[Parameter]) -> Hooks {
        let one = |texts: &[String]| {
            let text = texts.get(command).or(texts.first().filter(|_| texts.len() == 1))?;
            Some(filled(text, parameters))
        };
        Hooks {
            setup: one(&self.setup),
            prepare: one(&self.prepare),
            conclude: one(&self.conclude),
            cleanup: one(&self.cleanup),
        }
    }
}

/// Runs commands around others; their output goes where that of the others goes.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    pub supervisor: &'a Supervisor,
    /// `None` for the standard output of the program.
    pub output: Option<BorrowedFd<'a>>,
}

impl Hooks {
    /// Does all runs between the setup and the cleanup.
    pub fn around_runs<T>(
        &self,
        stage: Stage<'_>,
        runs: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        stage.run("--setup", self.setup.as_deref())?;
        stage.and_then(runs(), "--cleanup", self.cleanup.as_deref())
    }

    /// Does one run between what prepares and what concludes it.
    pub fn around_run<T>(
        &self,
        stage: Stage<'_>,
        run: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        stage.run("--prepare", self.prepare.as_deref())?;
        stage.and_then(run(), "--conclude", self.conclude.as_deref())
    }
}

impl Stage<'_> {
    /// Runs a command after something that may have failed, whose failure is then the one that is returned.
    fn and_then<T>(
        self,
        done: Result<T, Failure>,
        option: &str,
        command: Option<&str>,
    ) -> Result<T, Failure> {
        match (done, self.run(option, command)) {
            (Ok(_), Err(failure)) => Err(failure),
            (done, Ok(())) => done,
            (Err(failure), Err(second)) => {
                show::note(&second.text);
                Err(failure)
            }
        }
    }

    /// Runs the command of an option, if there is one.
    fn run(self, option: &str, command: Option<&str>) -> Result<(), Failure> {
        let Some(command) = command else { return Ok(()) };
        let words = ["sh", "-c", command].map(OsString::from);
        let streams = Streams { output: self.output, ..Streams::default() };
        let held = self.supervisor.hold(&words, streams)?;
        let mut run = self.supervisor.start(held, &words, None)?;
        while !run.is_over()? {
            run.wait(None, None)?;
        }
        let outcome = run.end()?;
        match outcome.failure() {
            None => Ok(()),
            Some(_) if outcome.is_interrupted => Err(interrupted(&outcome)),
            Some(how) => Err(Failure::new(format!("`{option} {command}` failed: {how}"))),
        }
    }
}

/// The failure of runs that someone interrupted.
pub fn interrupted(outcome: &Outcome) -> Failure {
    Failure::new("interrupted").code(outcome.exit_code())
}
