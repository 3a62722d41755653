//! The commands that are compared.

use super::super::args::StatArgs;
use super::super::hooks::Hooks;
use super::super::sweep::{self, Parameter, Sweep, filled, has};
use super::side::Swept;
use crate::failure::Failure;
use crate::shell::{self, needs_shell, words};
use crate::show;
use std::borrow::Cow;
use std::ffi::OsString;

pub struct Candidate {
    /// Its name, or the command as it was written.
    pub title: String,
    pub words: Vec<OsString>,
    /// What is done around its runs.
    pub hooks: Hooks,
    /// Its place in a sweep.
    pub swept: Option<Swept>,
}

/// A command as it was written, which may have parameters.
enum Command<'a> {
    /// One text, which is split into words as by a shell.
    Text(Cow<'a, str>),
    Words(Cow<'a, [OsString]>),
}

/// The reference, then those of `--compare` or the one after the options; each once for every choice of parameters.
pub fn all(args: &StatArgs) -> Result<Vec<Candidate>, Failure> {
    let texts = args.compare.compare.iter().map(|text| Command::Text(text.into()));
    let words = (!args.command.is_empty()).then(|| Command::Words((&args.command).into()));
    let commands: Vec<Command<'_>> = texts.chain(words).collect();
    let reference = args.compare.reference.as_deref().map(|text| Command::Text(text.into()));
    args.hooks.check(commands.len() + usize::from(reference.is_some()))?;
    let sweeps = args.sweep.sweeps()?;
    check_parameters(args, &sweeps, &commands, reference.as_ref())?;
    let choices = sweep::choices(&sweeps)?;
    let name = |number: usize| args.hooks.command_name.get(number);
    if name(commands.len()).is_some() {
        return Err(Failure::new("there are more names of --command-name than commands"));
    }
    let mut all: Vec<(Option<usize>, &[Parameter], Command<'_>)> = Vec::new();
    all.extend(reference.map(|command| (None, &[][..], command)));
    for (number, command) in commands.iter().enumerate() {
        let filled = choices.iter().map(|choice| (Some(number), &**choice, command.filled(choice)));
        all.extend(filled);
    }
    let is_shell = is_shell(args, all.iter().map(|(.., command)| command))?;
    let has_reference = usize::from(args.compare.reference.is_some());
    let candidates = all.into_iter().map(|(number, choice, command)| {
        let name = number.and_then(name);
        Ok(Candidate {
            title: name.map_or_else(|| command.title(), |name| filled(name, choice)),
            words: command.words(is_shell)?,
            hooks: args.hooks.of(number.map_or(0, |number| number + has_reference), choice),
            swept: (!sweeps.is_empty()).then(|| Swept {
                template: name.cloned().unwrap_or_else(|| {
                    number.map_or_else(|| command.title(), |number| commands[number].title())
                }),
                command: number.filter(|_| commands.len() > 1),
                parameters: choice.to_vec(),
            }),
        })
    });
    candidates.collect()
}

/// Refuses a parameter that is nowhere, or in the reference, which has one side only.
fn check_parameters(
    args: &StatArgs,
    sweeps: &[Sweep],
    commands: &[Command<'_>],
    reference: Option<&Command<'_>>,
) -> Result<(), Failure> {
    if args.sweep.has_scan() && args.begin.has_delay() {
        return Err(Failure::new("-D is the delay of counting, and not the step of -P")
            .help("write the step as --step: -P n 1 8 --step 2"));
    }
    for Sweep { name, .. } in sweeps {
        if reference.is_some_and(|command| command.has(name)) {
            let text = format!("--reference is one command, and has the parameter {{{name}}}");
            return Err(
                Failure::new(text).help("compare several commands: --compare 'COMMAND' 'COMMAND'")
            );
        }
        if !commands.iter().any(|command| command.has(name)) && !args.hooks.have(name) {
            let text = format!("the parameter `{name}` is in no command");
            return Err(Failure::new(text)
                .help(format!("write {{{name}}} where its value belongs: -- ./solve {{{name}}}")));
        }
    }
    Ok(())
}

/// Returns true if one of the commands needs a shell, so that sh runs all of them.
fn is_shell<'a, 'c: 'a>(
    args: &StatArgs,
    commands: impl ExactSizeIterator<Item = &'a Command<'c>>,
) -> Result<bool, Failure> {
    let count = commands.len();
    let needing = commands.map(|command| match command {
        Command::Text(text) => {
            let words = words(text)?;
            Ok(needs_shell(text, &words[0]).then_some(text))
        }
        Command::Words(_) => Ok(None),
    });
    let needing = needing.collect::<Result<Vec<_>, Failure>>()?;
    let Some(text) = needing.into_iter().flatten().next() else { return Ok(false) };
    if args.hooks.no_shell {
        return Err(Failure::new(format!("`{text}` needs a shell, and -N has none"))
            .help("without -N, sh runs all commands and is counted with each"));
    }
    let each = if count > 1 { "each command is run by sh" } else { "it is run by sh" };
    show::note(&format!("`{text}` needs a shell: {each}, which is counted with it"));
    Ok(true)
}

impl Command<'_> {
    /// With the values of parameters.
    fn filled(&self, choice: &[Parameter]) -> Command<'static> {
        match self {
            Command::Text(text) => Command::Text(filled(text, choice).into()),
            Command::Words(words) => {
                let word = |word: &OsString| match word.to_str() {
                    Some(text) => OsString::from(filled(text, choice)),
                    None => word.clone(),
                };
                Command::Words(words.iter().map(word).collect())
            }
        }
    }

    /// Returns true if it has the parameter of this name.
    fn has(&self, name: &str) -> bool {
        match self {
            Command::Text(text) => has(text, name),
            Command::Words(words) => words.iter().any(|word| has(&word.to_string_lossy(), name)),
        }
    }

    fn title(&self) -> String {
        match self {
            Command::Text(text) => text.to_string(),
            Command::Words(words) => {
                let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
                words.join(" ")
            }
        }
    }

    /// The words that are executed.
    fn words(&self, is_shell: bool) -> Result<Vec<OsString>, Failure> {
        Ok(match self {
            Command::Text(text) => shell::command(text, is_shell)?,
            Command::Words(words) if is_shell => {
                let shell = ["sh", "-c", "\"$@\"", "sh"].map(OsString::from);
                [&shell[..], words].concat()
            }
            Command::Words(words) => words.to_vec(),
        })
    }
}
