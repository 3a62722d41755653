//! The functions, lines and stacks of samples, each with a number.

use crate::commands::samples::frames::Frames;
use counterpoint::profil::write::Symbol;
use counterpoint::profile::Symbols;
use counterpoint_recording::LocatedSample;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

/// A function, with its file.
pub type Function = (String, Option<String>);
/// A line of a source file, in a function.
pub type Line = (u32, String, u32);

/// Where a sample was: the numbers of its function, line and stack, and its thread.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct At {
    pub function: u32,
    /// `None` if no line is known.
    pub line: Option<u32>,
    pub stack: u32,
    pub tid: Option<u32>,
}

/// The places of samples.
pub struct Places<'b> {
    symbols: Vec<Symbols<'b>>,
    frames: Frames,
    pub functions: Numbers<Function>,
    pub lines: Numbers<Line>,
    /// The numbers of functions, the innermost first.
    pub stacks: Numbers<Vec<u32>>,
    /// The functions of each of them, each once, in order.
    members: Vec<Vec<u32>>,
    /// By the number of an address: the functions there, the innermost first, and the line.
    addresses: Vec<(Vec<u32>, Option<u32>)>,
    /// By the number of a stack of addresses.
    known: HashMap<u32, u32>,
}

/// Values with their numbers.
pub struct Numbers<T> {
    numbers: HashMap<T, u32>,
    pub values: Vec<T>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Numbers<T> {
        Numbers { numbers: HashMap::new(), values: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn of(&mut self, value: T) -> u32 {
        let next = self.values.len() as u32;
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            next
        })
    }
}

impl<'b> Places<'b> {
    pub fn new(symbols: Vec<Symbols<'b>>) -> Places<'b> {
        Places {
            symbols,
            frames: Frames::default(),
            functions: Numbers::default(),
            lines: Numbers::default(),
            stacks: Numbers::default(),
            members: Vec::new(),
            addresses: Vec::new(),
            known: HashMap::new(),
        }
    }

    pub fn of(&mut self, of: &LocatedSample<'_>) -> At {
        let stack = self.frames.stack(of);
        let innermost = self.frames.innermost();
        while let Some((event, address)) = self.frames.addresses.get(self.addresses.len()) {
            let frames = self.symbols[*event].frames(*address);
            let named = self.named(&frames);
            self.addresses.push(named);
        }
        let (functions, line) = &self.addresses[innermost as usize];
        let (function, line) = (functions.first().copied().unwrap_or_default(), *line);
        let stack = match self.known.get(&stack) {
            Some(known) => *known,
            None => {
                let functions = self.functions_of(stack);
                let mut members = functions.clone();
                members.sort_unstable();
                members.dedup();
                let number = self.stacks.of(functions);
                if self.members.len() == number as usize {
                    self.members.push(members);
                }
                self.known.insert(stack, number);
                number
            }
        };
        At { function, line, stack, tid: of.sample.tid }
    }

    /// The functions of a stack, each once, in order.
    pub fn members(&self, stack: u32) -> &[u32] {
        &self.members[stack as usize]
    }

    /// The source files of lines that may be shown.
    pub fn sources(&self) -> BTreeSet<String> {
        let files = self.lines.values.iter().map(|(_, file, _)| file);
        let may_show = |file: &&String| self.symbols.iter().all(|of| of.may_show(file));
        files.filter(may_show).cloned().collect()
    }

    fn named(&mut self, frames: &[Symbol]) -> (Vec<u32>, Option<u32>) {
        let mut function =
            |of: &Symbol| self.functions.of((of.function.clone(), of.module.clone()));
        let mut functions: Vec<u32> = frames.iter().map(&mut function).collect();
        if functions.is_empty() {
            functions.push(function(&Symbol::new("[unknown]")));
        }
        let innermost = frames.first();
        let place = innermost.and_then(|of| of.file.clone().zip(of.line));
        let line = place.map(|(file, line)| self.lines.of((functions[0], file, line)));
        (functions, line)
    }

    /// The functions of a stack; none if it is beyond the limit.
    fn functions_of(&self, stack: u32) -> Vec<u32> {
        let stack = self.frames.stacks.stack(stack as usize);
        let functions = stack.flat_map(|frame| &self.addresses[frame.address as usize].0);
        functions.copied().collect()
    }
}
