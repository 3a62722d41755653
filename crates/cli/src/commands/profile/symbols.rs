//! Names for addresses: from symbol tables, line numbers from DWARF.

use super::binary::{Binary, STRIPPED};
use super::code_files::{self, CodeFile, VDSO};
use super::debug_files::DebugFiles;
use super::jit::Jit;
use super::seen::Seen;
use super::source_files::SourceFiles;
use counterpoint::perf::records::FileId;
use counterpoint::profil::write::Symbol;
use counterpoint::profile::{KernelSymbols, Module, Profiled, UNKNOWN, UNKNOWN_KERNEL};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A function with its place in its file.
#[derive(Clone, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub module: PathBuf,
    /// Its addresses in the profile.
    pub addresses: Range<u64>,
    /// Where its code is.
    pub code: CodePlace,
}

/// Where the code of a function is.
#[derive(Clone, PartialEq, Eq)]
pub enum CodePlace {
    /// In a file, which gives it these addresses.
    File(Range<u64>),
    /// In the kernel.
    Kernel,
    /// In the memory of a process, where a run-time compiler made it.
    Memory,
}

/// The symbols of the files, each read once for all profiles.
pub struct Binaries {
    debug_files: DebugFiles,
    sources: RefCell<HashMap<Source, Rc<Names>>>,
    /// Where the files of modules were found, or that they were not.
    found: RefCell<HashMap<Mapped, Option<CodeFile>>>,
    source_files: SourceFiles,
}

/// A file that a process has mapped: its path, which file of that path it is, and the process.
type Mapped = (PathBuf, Option<FileId>, u32);

/// Where names come from.
#[derive(PartialEq, Eq, Hash)]
enum Source {
    File(CodeFile),
    /// What a run-time compiler says in this process.
    Process(u32),
}

/// The names of the profiled code.
pub struct Symbols<'b> {
    binaries: &'b Binaries,
    kernel: KernelSymbols,
    /// The files of run-time compilers, by process.
    dumps: BTreeMap<u32, PathBuf>,
    texts: Vec<Text>,
}

/// The text of a module, read when the first address of it is asked for.
struct Text {
    module: Module,
    names: OnceCell<Rc<Names>>,
    /// An address had no name because the file is stripped.
    missed: Cell<bool>,
}

enum Names {
    File(Box<Binary>),
    Jit(Jit),
    Kernel,
    /// Memory without a file, or a file that cannot be read.
    None,
}

impl Binaries {
    pub fn new(debug_files: DebugFiles) -> Binaries {
        Binaries {
            debug_files,
            sources: RefCell::default(),
            found: RefCell::default(),
            source_files: SourceFiles::default(),
        }
    }

    /// The names of a module; `dumps` has the files of run-time compilers by their processes.
    fn names(&self, module: &Module, pid: u32, dumps: &BTreeMap<u32, PathBuf>) -> Rc<Names> {
        let source = if module.is_anonymous() {
            Source::Process(pid)
        } else {
            let mut found = self.found.borrow_mut();
            let key = (module.path.clone(), module.file, pid);
            match found.entry(key).or_insert_with(|| code_files::of(module)).clone() {
                Some(file) => Source::File(file),
                None => return Rc::new(Names::None),
            }
        };
        if let Some(names) = self.sources.borrow().get(&source) {
            return names.clone();
        }
        let names = Rc::new(match &source {
            Source::Process(pid) => {
                let dump = dumps.get(pid).map(PathBuf::as_path);
                Jit::of(*pid, dump).map_or(Names::None, Names::Jit)
            }
            Source::File(file) => Names::read(file, &self.debug_files),
        });
        self.sources.borrow_mut().insert(source, names.clone());
        names
    }
}

impl<'b> Symbols<'b> {
    /// The modules of a profile; if it has none, the mappings of the process that was seen.
    pub fn new(binaries: &'b Binaries, profiled: &Profiled, seen: &Seen) -> Symbols<'b> {
        let mapped = seen.maps.text().filter_map(|map| {
            let path = map.path.clone()?;
            let range = map.range.clone();
            let (offset, pid) = (map.offset, Some(0));
            Some(Module { path, range, offset, pid, file: None, user: None })
        });
        let modules: Vec<Module> = match profiled.modules.is_empty() {
            true => mapped.collect(),
            false => profiled.modules.clone(),
        };
        let text = |module: Module| {
            // A process may have ended before it was looked at.
            let module = Module { user: module.user.or(seen.user), ..module };
            Text { module, names: OnceCell::new(), missed: Cell::new(false) }
        };
        let texts = modules.into_iter().map(text).collect();
        let (kernel, dumps) = (profiled.kernel.clone(), profiled.jit_dumps.clone());
        Symbols { binaries, kernel, dumps, texts }
    }

    fn names<'t>(&self, text: &'t Text) -> &'t Names {
        text.names.get_or_init(|| match text.module.pid {
            None => Rc::new(Names::Kernel),
            Some(pid) => self.binaries.names(&text.module, pid, &self.dumps),
        })
    }

    pub fn of(&self, address: u64) -> Option<Symbol> {
        let text = self.texts.iter().find(|text| text.module.range.contains(&address))?;
        let range = &text.module.range;
        let mut symbol = match self.names(text) {
            Names::File(binary) => match binary.symbol_in_file(text.in_file(address)) {
                Some((linked, mut symbol)) => {
                    if let Some(file) = &symbol.file {
                        let users = [Some(binary.author), text.module.user];
                        let users = users.into_iter().flatten();
                        users.for_each(|user| self.binaries.source_files.named(file, user));
                    }
                    // From the file's addresses to those of the profile.
                    let moved = |to: u64| {
                        address.saturating_add_signed(to.wrapping_sub(linked).cast_signed())
                    };
                    symbol.addresses = symbol.addresses.map(|a| moved(a.start)..moved(a.end));
                    symbol
                }
                // Others of the file may have one.
                None => Symbol::new(UNNAMED),
            },
            others => match self.without_file(text, others, address) {
                Some((name, addresses)) => {
                    Symbol { addresses: Some(addresses), ..Symbol::new(name) }
                }
                None if address == UNKNOWN_KERNEL => Symbol::new(KERNEL),
                None => Symbol { addresses: Some(range.clone()), ..Symbol::new(UNNAMED) },
            },
        };
        text.missed.set(text.missed.get() || symbol.function == STRIPPED);
        symbol.module = Some(text.name(self.names(text)));
        symbol.addresses = symbol.addresses.map(|a| a.start.max(range.start)..a.end.min(range.end));
        Some(symbol)
    }

    /// The function that has an address, without those that were inlined there; `None` if it has no name.
    pub fn function(&self, address: u64) -> Option<Function> {
        let text = self.texts.iter().find(|text| text.module.range.contains(&address))?;
        let range = &text.module.range;
        let (name, addresses) = match self.names(text) {
            Names::File(binary) => {
                let linked = binary.linked(text.in_file(address))?;
                let (name, of_file) = binary.function(linked)?;
                let moved =
                    |to: u64| address.saturating_add_signed(to.wrapping_sub(linked).cast_signed());
                (name.to_string(), moved(of_file.start)..moved(of_file.end))
            }
            others => {
                let (name, addresses) = self.without_file(text, others, address)?;
                (name.to_string(), addresses)
            }
        };
        let addresses = addresses.start.max(range.start)..addresses.end.min(range.end);
        let code = match self.names(text) {
            Names::File(binary) => {
                let start = binary.linked(text.in_file(addresses.start))?;
                let end = start + (addresses.end - addresses.start);
                CodePlace::File(start..binary.end_of_code(start).map_or(end, |code| code.min(end)))
            }
            Names::Kernel => CodePlace::Kernel,
            Names::Jit(_) | Names::None => CodePlace::Memory,
        };
        let module = text.module.path.clone();
        Some(Function { name, module, addresses, code })
    }

    /// The file that has the code at an address.
    pub fn binary(&self, address: u64) -> Option<&Binary> {
        let text = self.texts.iter().find(|text| text.module.range.contains(&address))?;
        match self.names(text) {
            Names::File(binary) => Some(binary),
            _ => None,
        }
    }

    /// The name and the addresses of a function of the kernel, or of a run-time compiler.
    fn without_file<'a>(
        &'a self,
        text: &'a Text,
        names: &'a Names,
        address: u64,
    ) -> Option<(&'a str, Range<u64>)> {
        match names {
            Names::Jit(jit) => text.compiled(jit, address),
            Names::Kernel => self.kernel.function(address),
            Names::File(_) | Names::None => None,
        }
    }

    /// The functions at an address: those that were inlined there, the innermost first, and at last the function that has the address.
    pub fn frames(&self, address: u64) -> Vec<Symbol> {
        let unknown = match address {
            UNKNOWN => Some(UNNAMED),
            UNKNOWN_KERNEL => Some(KERNEL),
            _ => None,
        };
        if let Some(name) = unknown {
            return vec![Symbol::new(name)];
        }
        let address = self.of_handler(address).unwrap_or(address);
        let outer = self.of(address).unwrap_or_else(|| Symbol::new(UNNAMED));
        let text = self.texts.iter().find(|text| text.module.range.contains(&address));
        let inlined = text.map_or(Vec::new(), |text| match self.names(text) {
            Names::File(binary) => {
                let linked = binary.linked(text.in_file(address));
                linked.map_or(Vec::new(), |linked| binary.inlined(linked))
            }
            Names::Jit(_) | Names::Kernel | Names::None => Vec::new(),
        });
        let module = outer.module.clone();
        let inlined = inlined.into_iter();
        let inlined = inlined.map(|name| Symbol { module: module.clone(), ..Symbol::new(name) });
        inlined.chain([outer]).collect()
    }

    /// The first address of the function to which a signal handler returns, if it is behind this address: nothing was called there, so that the address before it, which is that of callers, is of another function.
    fn of_handler(&self, address: u64) -> Option<u64> {
        let next = address.checked_add(1)?;
        let text = self.texts.iter().find(|text| text.module.range.contains(&next))?;
        let Names::File(binary) = self.names(text) else { return None };
        let linked = binary.linked(text.in_file(next))?;
        let (name, range) = binary.function(linked)?;
        (range.start == linked && RETURNS.contains(&name)).then_some(next)
    }

    /// The address that a program's file gives to an address of the running program; none for other modules.
    pub fn linked(&self, program: &Path, address: u64) -> Option<u64> {
        let text = self.texts.iter().find(|text| text.module.range.contains(&address))?;
        match self.names(text) {
            Names::File(binary) if text.module.path == program => {
                binary.linked(text.in_file(address))
            }
            _ => None,
        }
    }

    /// Whether the lines of a source file may be shown to whoever sees the result.
    pub fn may_show(&self, source: &str) -> bool {
        self.binaries.source_files.may_show(source)
    }

    /// The files in which names were missed because they have been stripped of them.
    pub fn stripped(&self) -> Vec<&Path> {
        let missed = self.texts.iter().filter(|text| text.missed.get());
        missed.map(|text| text.module.path.as_path()).collect()
    }

    /// The files in which names were looked for and that are not there, each with whether another file is in its place.
    pub fn missing(&self) -> Vec<(&Path, bool)> {
        let is_nameless =
            |text: &&Text| text.names.get().is_some_and(|names| matches!(**names, Names::None));
        let modules = self.texts.iter().filter(is_nameless).map(|text| &text.module);
        let files = modules.filter(|of| of.path.is_absolute() && !of.is_anonymous());
        let missing = files.map(|of| (of.path.as_path(), code_files::reachable(of).exists()));
        let mut missing: Vec<_> = missing.collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }
}

/// The functions to which signal handlers return: of glibc, of musl, and of the kernel on arm64 and RISC-V.
const RETURNS: [&str; 5] =
    ["__restore_rt", "__restore", "__kernel_rt_sigreturn", "__vdso_rt_sigreturn", "__rt_sigreturn"];

/// Code without a name.
const UNNAMED: &str = "[unknown]";
/// Code of the kernel that is in no text of it, or whose address this user may not know.
const KERNEL: &str = "[kernel]";

/// The name of a file without its folders.
fn short(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl Text {
    /// The name of the module for people.
    fn name(&self, names: &Names) -> String {
        match names {
            Names::Jit(_) => "[JIT]".to_string(),
            Names::None if self.module.path.as_os_str() == "//anon" => "[anonymous]".to_string(),
            _ => short(&self.module.path),
        }
    }

    /// The function at an address of the profile that a run-time compiler made, and its addresses.
    fn compiled<'a>(&self, jit: &'a Jit, address: u64) -> Option<(&'a str, Range<u64>)> {
        let (name, of_process) = jit.function(self.in_file(address))?;
        let moved =
            |to: u64| to.wrapping_sub(self.module.offset).wrapping_add(self.module.range.start);
        Some((name, moved(of_process.start)..moved(of_process.end)))
    }

    fn in_file(&self, address: u64) -> u64 {
        (address - self.module.range.start).wrapping_add(self.module.offset)
    }
}

impl Names {
    fn read(file: &CodeFile, debug_files: &DebugFiles) -> Names {
        let binary = match file {
            CodeFile::Vdso => code_files::vdso()
                .and_then(|bytes| Binary::read(&*bytes, Path::new(VDSO), debug_files)),
            CodeFile::Path(path) => Binary::open(path, debug_files),
        };
        binary.map_or(Names::None, |binary| Names::File(Box::new(binary)))
    }
}
