//! The names of addresses, which a thread finds: files of symbols may take long to read.

use crate::failure::Failure;
use counterpoint::profil::write::Symbol;
use counterpoint::profile::{Module, Profiled, Symbols, code_files};
use counterpoint::symbols::{Binaries, DebugFiles};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

/// A question about an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Question {
    /// The function and the source line that it is in.
    Symbol(u64),
    /// The functions that it is in, with those that were inlined.
    Frames(u64),
}

/// The names of the addresses of an event, as far as they are known.
#[derive(Default)]
pub struct Names {
    known: HashMap<Question, Vec<Symbol>>,
    /// The questions that had no answer.
    missing: RefCell<HashSet<Question>>,
    /// The modules with such an address, by their first addresses; `None` is code without a module.
    unread: HashSet<Option<u64>>,
    /// True if questions are being answered.
    is_reading: bool,
}

/// The thread that finds names.
pub struct Finder {
    asked: Sender<Asked>,
    found: Receiver<(usize, Found)>,
}

/// Questions about the addresses of an event.
struct Asked {
    event: usize,
    profiled: Arc<Profiled>,
    questions: Vec<Question>,
}

/// The answer to a question; `None` after the last one.
pub type Found = Option<(Question, Vec<Symbol>)>;

/// The name of code whose file is being read.
const READING: &str = "[reading symbols]";
/// The names that are kept of an event.
const MOST: usize = 1 << 17;

impl Question {
    fn address(self) -> u64 {
        match self {
            Question::Symbol(address) | Question::Frames(address) => address,
        }
    }

    fn answer(self, symbols: &Symbols<'_>) -> Vec<Symbol> {
        match self {
            Question::Symbol(address) => symbols.symbol(address).into_iter().collect(),
            Question::Frames(address) => symbols.frames(address),
        }
    }
}

impl Names {
    /// The answer; if it is not known or the module is unread, the name of the module.
    pub fn of(&self, question: Question, profiled: &Profiled) -> Vec<Symbol> {
        let known = self.known.get(&question);
        if known.is_none() {
            self.missing.borrow_mut().insert(question);
        }
        let module = || module_of(question, profiled);
        let is_unread = || self.unread.contains(&module().map(|module| module.range.start));
        if let Some(known) = known.filter(|_| self.unread.is_empty() || !is_unread()) {
            return known.clone();
        }
        let name = |path: &Path| {
            path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
        };
        let module = module().map(|module| name(&module.path));
        vec![Symbol { module, ..Symbol::new(READING) }]
    }

    /// Finds the modules with an address that had no name; returns true if there are any.
    ///
    /// None of their functions has a name then, because it might have only a part of its samples.
    pub fn find_unread(&mut self, profiled: &Profiled) -> bool {
        let start = |of: &Question| module_of(*of, profiled).map(|module| module.range.start);
        self.unread = self.missing.get_mut().iter().map(start).collect();
        !self.unread.is_empty()
    }

    /// Begins with the samples of an interval, of which nothing has been asked.
    pub fn begin(&mut self) {
        self.missing.get_mut().clear();
        self.unread.clear();
    }

    /// Adds an answer.
    pub fn add(&mut self, found: Found) {
        let Some((question, answer)) = found else {
            self.is_reading = false;
            return;
        };
        if self.known.len() == MOST {
            self.known.clear();
        }
        self.known.insert(question, answer);
    }

    pub fn is_reading(&self) -> bool {
        self.is_reading
    }
}

impl Finder {
    pub fn start(debug_directory: PathBuf) -> io::Result<Finder> {
        let (asked, questions) = channel();
        let (to, found) = channel();
        let find = move || find(&debug_directory, questions, &to);
        thread::Builder::new().name("symbols".into()).spawn(find)?;
        Ok(Finder { asked, found })
    }

    /// Asks for the names of an event that are missing, unless others of it are on their way.
    pub fn ask(&self, event: usize, names: &mut Names, profiled: &Arc<Profiled>) {
        let missing = names.missing.take();
        if names.is_reading || missing.is_empty() {
            return;
        }
        let mut questions: Vec<Question> = missing.into_iter().collect();
        // Each file is read when the first address of it is asked for.
        questions.sort_unstable_by_key(|question| question.address());
        // If the thread is gone, that is found when answers are received.
        names.is_reading =
            self.asked.send(Asked { event, profiled: profiled.clone(), questions }).is_ok();
    }

    /// Passes on what was found since the last call, with the number of its event; returns true if there is anything.
    pub fn receive(&self, mut add: impl FnMut(usize, Found)) -> Result<bool, Failure> {
        let mut has_new = false;
        loop {
            match self.found.try_recv() {
                Ok((event, found)) => add(event, found),
                Err(TryRecvError::Empty) => return Ok(has_new),
                // It has said why.
                Err(TryRecvError::Disconnected) => {
                    return Err(Failure::new("symbols cannot be looked up"));
                }
            }
            has_new = true;
        }
    }
}

/// The module of the address of a question.
fn module_of(question: Question, profiled: &Profiled) -> Option<&Module> {
    profiled.modules.iter().find(|module| module.range.contains(&question.address()))
}

/// Answers questions until nobody asks or waits any more.
fn find(debug_directory: &Path, asked: Receiver<Asked>, to: &Sender<(usize, Found)>) {
    let binaries = Binaries::new(code_files(), DebugFiles::below(debug_directory));
    for Asked { event, profiled, questions } in asked {
        let symbols = Symbols::new(&binaries, &profiled);
        let answers =
            questions.into_iter().map(|question| Some((question, question.answer(&symbols))));
        for answer in answers.chain([None]) {
            if to.send((event, answer)).is_err() {
                return;
            }
        }
    }
}
