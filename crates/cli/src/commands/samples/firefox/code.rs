//! The code at the addresses of a profile, each looked up once for all threads.

use crate::commands::samples::named::Event;
use counterpoint::profil::write::Symbol;
use counterpoint::profile::{CodePlace, Module, UNKNOWN_KERNEL, code_files};
use counterpoint::symbols::{CodeFiles, hex};
use serde::Serialize;
use std::collections::HashMap;
use std::rc::Rc;

/// The categories of code, each with its colour; the profiler needs one that is grey.
pub const CATEGORIES: [(&str, &str); 3] =
    [("Other", "grey"), ("User", "yellow"), ("Kernel", "orange")];
const USER: usize = 1;
const KERNEL: usize = 2;

/// The code at an address.
pub struct Code {
    /// The number of its category.
    pub category: usize,
    /// The number of its library, and the name of that.
    pub library: Option<(usize, String)>,
    /// Its address in the library, and the function that has it.
    pub native: Option<(u64, Native)>,
    /// The functions, the outermost first: those behind the first one were inlined.
    pub frames: Vec<Symbol>,
}

/// A function by its place in a library.
pub struct Native {
    pub name: String,
    pub address: u64,
    pub size: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Library {
    arch: Option<String>,
    name: String,
    path: String,
    debug_name: String,
    debug_path: String,
    breakpad_id: String,
    code_id: Option<String>,
}

/// The code that has been looked up, and its libraries.
pub struct Codes<'e> {
    event: &'e Event<'e>,
    files: CodeFiles,
    known: HashMap<u64, Rc<Code>>,
    numbers: HashMap<(String, String), usize>,
    pub libraries: Vec<Library>,
}

impl<'e> Codes<'e> {
    pub fn new(event: &'e Event<'e>) -> Codes<'e> {
        let (known, numbers, libraries) = (HashMap::new(), HashMap::new(), Vec::new());
        Codes { event, files: code_files(), known, numbers, libraries }
    }

    /// The code at an address of the profile.
    pub fn at(&mut self, address: u64) -> Rc<Code> {
        if let Some(known) = self.known.get(&address) {
            return known.clone();
        }
        let event = self.event;
        let frames: Vec<Symbol> = event.symbols.frames(address).into_iter().rev().collect();
        let module = event.profiled.modules.iter().find(|of| of.range.contains(&address));
        let is_kernel = module.map_or(address == UNKNOWN_KERNEL, |module| module.pid.is_none());
        let name = frames.first().and_then(|outer| outer.module.clone());
        let library = module.zip(name).map(|(module, name)| (self.library(module, &name), name));
        let code = Rc::new(Code {
            category: if is_kernel { KERNEL } else { USER },
            native: library.as_ref().and_then(|_| self.native(address)),
            library,
            frames,
        });
        self.known.insert(address, code.clone());
        code
    }

    /// The place of an address in its file, counted from the beginning of that in memory.
    fn native(&self, address: u64) -> Option<(u64, Native)> {
        let symbols = self.event.symbols;
        let function = symbols.function(address)?;
        let CodePlace::File(code) = function.code else { return None };
        let base = symbols.binary(address)?.linked(0).unwrap_or(0);
        let start = code.start.wrapping_sub(base);
        let (name, size) = (function.name, code.end.saturating_sub(code.start));
        let at = start.wrapping_add(address.wrapping_sub(function.addresses.start));
        Some((at, Native { name, address: start, size }))
    }

    /// The number of the library of a module.
    fn library(&mut self, module: &Module, name: &str) -> usize {
        let path = module.path.to_string_lossy().into_owned();
        *self.numbers.entry((path.clone(), name.to_string())).or_insert_with(|| {
            let id = module.build_id_of(&self.files);
            self.libraries.push(Library {
                arch: None,
                name: name.to_string(),
                debug_name: name.to_string(),
                debug_path: path.clone(),
                path,
                breakpad_id: breakpad_id(id.as_deref().unwrap_or_default()),
                code_id: id.map(|id| hex(&id)),
            });
            self.libraries.len() - 1
        })
    }
}

/// The id by which symbol servers of Breakpad know a file: the first 16 bytes of its build id as a GUID, and an age.
fn breakpad_id(build_id: &[u8]) -> String {
    let mut guid = [0; 16];
    guid.iter_mut().zip(build_id).for_each(|(to, byte)| *to = *byte);
    for part in [0..4, 4..6, 6..8] {
        guid[part].reverse();
    }
    format!("{}0", hex(&guid).to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::breakpad_id;

    #[test]
    fn a_breakpad_id_is_a_guid_of_the_build_id() {
        let build_id: Vec<u8> = (0x10..0x24).collect();
        assert_eq!(breakpad_id(&build_id), "131211101514171618191A1B1C1D1E1F0");
        assert_eq!(breakpad_id(&[]), "0".repeat(33));
    }
}
