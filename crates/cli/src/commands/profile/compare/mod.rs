//! `profile --compare`: the profiles of two commands that take turns, beside each other.

mod args;

pub use args::CompareArgs;

use super::args::ProfileArgs;
use super::run::{from_exec, name_off_cpu};
use super::sampled::Make;
use crate::commands::samples::diff::{self, Design, Run, Shown, Side};
use crate::commands::samples::{Format, binaries};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::shell;
use crate::show;
use crate::supervisor::{self, Supervisor};
use counterpoint::environment;
use counterpoint::profile::Profiled;
use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;

/// The rounds without `-r`.
const ROUNDS: u32 = 10;

/// The profiles of two commands that took turns.
pub struct Compared {
    pub sides: [Side; 2],
    /// Sentences about the rounds.
    pub notes: Vec<String>,
    pub exit_code: u8,
}

/// Writes the profiles of two commands beside each other.
pub fn run(args: &ProfileArgs, make: Make<'_>) -> Result<u8, Failure> {
    let is_json = match args.format() {
        Format::Table => false,
        Format::Json => true,
        _ => {
            return Err(Failure::new("--compare is for the formats table and json")
                .help("profile each command on its own for another format"));
        }
    };
    let Compared { sides, notes, exit_code } = profiled(args, make)?;
    let (html, table, output) = (args.html.as_deref(), args.table, &args.output);
    diff::write(&sides, Design::Rounds, &Shown { is_json, html, table, output, notes })?;
    Ok(exit_code)
}

/// Profiles the commands of `--compare` in turn.
pub fn profiled(args: &ProfileArgs, make: Make<'_>) -> Result<Compared, Failure> {
    // clap has seen to it that there are two.
    let [base, other] = &*args.compare.compare else { return Err(Failure::new("no commands")) };
    let titles = [base, other];
    let commands = commands(titles)?;
    let host = args.machine.host()?;
    commands.iter().try_for_each(|words| supervisor::check(words, &host))?;
    let turns = Turns { args, make, titles, commands, supervisor: Supervisor::new()? };
    let Ran { profiles, notes, exit_code } = turns.all()?;
    let (environment, binaries) = (environment(&host), binaries(args.debug.directory()));
    let side = |side: usize| {
        let environment = || Some(environment.clone());
        let run = |run: &Vec<Profiled>| Run::new(run, environment(), &binaries);
        Side { title: titles[side].clone(), runs: profiles[side].iter().map(run).collect() }
    };
    Ok(Compared { sides: [side(0), side(1)], notes, exit_code })
}

/// The words of each command; if one needs a shell, it runs all.
fn commands(texts: [&String; 2]) -> Result<[Vec<OsString>; 2], Failure> {
    let mut needing = None;
    for text in texts {
        if shell::needs_shell(text, &shell::words(text)?[0]) {
            needing = Some(text);
        }
    }
    if let Some(text) = needing {
        show::note(&format!(
            "`{text}` needs a shell: each command is run by sh, which is profiled with it"
        ));
    }
    let command = |text| shell::command(text, needing.is_some());
    Ok([command(texts[0])?, command(texts[1])?])
}

/// Commands that take turns.
struct Turns<'a> {
    args: &'a ProfileArgs,
    make: Make<'a>,
    titles: [&'a String; 2],
    commands: [Vec<OsString>; 2],
    supervisor: Supervisor,
}

/// The profiles of each run of a command.
type Runs = Vec<Vec<Profiled>>;

/// The result of the rounds.
#[derive(Default)]
struct Ran {
    profiles: [Runs; 2],
    /// Sentences about the rounds.
    notes: Vec<String>,
    exit_code: u8,
}

impl Turns<'_> {
    /// Runs each command once in every round, in an order that is random in each.
    fn all(&self) -> Result<Ran, Failure> {
        let mut ran = Ran::default();
        let mut progress = Progress::new(!self.args.compare.show_output);
        progress.show("warm-up");
        self.round()?;
        let rounds = self.args.compare.repeat.unwrap_or(ROUNDS);
        for number in 1..=rounds {
            progress.show(&format!("round {number} of {rounds}"));
            match self.round() {
                Ok(done) => {
                    ran.profiles.iter_mut().zip(done).for_each(|(runs, run)| runs.push(run))
                }
                // Of one round nothing can be said.
                Err(failure) if number <= 2 => return Err(failure),
                Err(failure) => {
                    ran.notes.push(format!("Round {number} is left out: {}.", failure.text));
                    ran.exit_code = failure.code;
                    break;
                }
            }
        }
        Ok(ran)
    }

    /// The profiles of each command in one round.
    fn round(&self) -> Result<[Vec<Profiled>; 2], Failure> {
        let mut order = [0, 1];
        fastrand::shuffle(&mut order);
        let mut done = [Vec::new(), Vec::new()];
        for command in order {
            done[command] = self.once(command)?;
        }
        Ok(done)
    }

    fn once(&self, command: usize) -> Result<Vec<Profiled>, Failure> {
        let Turns { args, make, titles, commands, supervisor } = self;
        let (words, title) = (&commands[command], titles[command]);
        let null = || File::options().write(true).open("/dev/null");
        let null = (!args.compare.show_output).then(null).transpose()?;
        let output = null.as_ref().map(File::as_fd);
        let (outcome, mut profiled) = from_exec(args, *make, supervisor, words, output)?;
        if outcome.is_interrupted {
            return Err(Failure::new("interrupted").code(outcome.exit_code()));
        }
        if let Some(how) = outcome.failure().filter(|_| !args.compare.ignore_failure) {
            return Err(Failure::new(format!("`{title}` failed: {how}")).help(
                "--show-output shows what the commands print; --ignore-failure compares them anyway",
            ));
        }
        name_off_cpu(&mut profiled);
        Ok(profiled)
    }
}
