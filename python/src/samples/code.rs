//! The code at the addresses of an event's samples.

use counterpoint::profil::write::Symbol;
use counterpoint::profile::{Module, Symbols};
use std::collections::HashMap;
use std::rc::Rc;

/// The modules of an event's samples, with the addresses that were looked up.
pub(super) struct Code<'b> {
    modules: Vec<Module>,
    /// Without them, code has no names.
    symbols: Option<Symbols<'b>>,
    places: HashMap<u64, Rc<Place>>,
    frames: HashMap<u64, Rc<[Place]>>,
}

/// The addresses that are kept.
const MOST_KNOWN: usize = 1 << 16;

/// The place of an instruction, as far as it is known.
#[derive(Clone, Default)]
pub(super) struct Place {
    /// The file that was mapped, or a name such as `[kernel]`.
    pub(super) module: Option<String>,
    /// The offset in that file.
    pub(super) offset: Option<u64>,
    pub(super) function: Option<String>,
    /// The source file.
    pub(super) file: Option<String>,
    pub(super) line: Option<u32>,
}

impl<'b> Code<'b> {
    pub(super) fn new(modules: Vec<Module>, symbols: Option<Symbols<'b>>) -> Code<'b> {
        Code { modules, symbols, places: HashMap::new(), frames: HashMap::new() }
    }

    /// The instruction at an address, in the function that has it.
    pub(super) fn at(&mut self, address: u64) -> Rc<Place> {
        if let Some(known) = self.places.get(&address) {
            return Rc::clone(known);
        }
        let symbol = self.symbols.as_ref().and_then(|symbols| symbols.symbol(address));
        let place = Rc::new(self.place(address).named(symbol));
        kept(&mut self.places, address, &place);
        place
    }

    /// The calls at an address: those that were inlined there, the innermost first, and the function that has it.
    pub(super) fn frames(&mut self, address: u64) -> Rc<[Place]> {
        if let Some(known) = self.frames.get(&address) {
            return Rc::clone(known);
        }
        let place = self.place(address);
        let frames: Rc<[Place]> = match &self.symbols {
            Some(symbols) => {
                let frames = symbols.frames(address).into_iter();
                frames.map(|symbol| place.clone().named(Some(symbol))).collect()
            }
            None => [place].into(),
        };
        kept(&mut self.frames, address, &frames);
        frames
    }

    fn place(&self, address: u64) -> Place {
        let Some(module) = self.modules.iter().find(|of| of.range.contains(&address)) else {
            return Place::default();
        };
        let is_of_file = module.pid.is_some() && !module.is_anonymous();
        let offset = || (address - module.range.start).wrapping_add(module.offset);
        Place {
            module: Some(module.path.to_string_lossy().into_owned()),
            offset: is_of_file.then(offset),
            ..Place::default()
        }
    }
}

impl Place {
    fn named(self, symbol: Option<Symbol>) -> Place {
        let Some(Symbol { function, file, line, .. }) = symbol else { return self };
        Place { function: Some(function), file, line, ..self }
    }
}

/// Keeps what is at an address; what was kept is forgotten when there is too much of it.
fn kept<T: ?Sized>(known: &mut HashMap<u64, Rc<T>>, address: u64, of: &Rc<T>) {
    if known.len() == MOST_KNOWN {
        known.clear();
    }
    known.insert(address, Rc::clone(of));
}
