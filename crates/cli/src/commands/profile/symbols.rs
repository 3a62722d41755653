//! Names for addresses: from symbol tables, line numbers from DWARF.

use super::binary::{Binary, STRIPPED};
use super::debug_files::DebugFiles;
use super::jit::Jit;
use counterpoint::perf::Maps;
use counterpoint::profil::write::Symbol;
use counterpoint::profile::{KernelSymbols, Module, Profiled, UNKNOWN, UNKNOWN_KERNEL};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A function with its place in its file.
#[derive(Clone, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub module: PathBuf,
    /// Where the contents of the module are.
    pub file: PathBuf,
    /// Its addresses in the profile.
    pub addresses: Range<u64>,
    /// Where its first address is in the file, and the address that the file gives to it; `None` if it is not of a file.
    pub in_file: Option<(u64, u64)>,
}

/// The symbols of the files, each read once for all profiles.
pub struct Binaries {
    debug_files: DebugFiles,
    files: RefCell<HashMap<PathBuf, Rc<Names>>>,
}

/// The names of the profiled code.
pub struct Symbols<'b> {
    binaries: &'b Binaries,
    kernel: KernelSymbols,
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
        Binaries { debug_files, files: RefCell::default() }
    }

    fn names(&self, module: &Module, pid: u32) -> Rc<Names> {
        let path = match module.is_anonymous() {
            true => PathBuf::from(format!("perf-{pid}.map")),
            false => reachable(module),
        };
        if let Some(names) = self.files.borrow().get(&path) {
            return names.clone();
        }
        let names = Rc::new(match module.is_anonymous() {
            true => Jit::of(pid).map_or(Names::None, Names::Jit),
            false => Names::read(&path, &self.debug_files),
        });
        self.files.borrow_mut().insert(path, names.clone());
        names
    }
}

impl<'b> Symbols<'b> {
    /// The modules of a profile; if it has none, the mappings of the process.
    pub fn new(binaries: &'b Binaries, profiled: &Profiled, maps: &Maps) -> Symbols<'b> {
        let mapped = maps.text().filter_map(|map| {
            let path = map.path.clone()?;
            Some(Module { path, range: map.range.clone(), offset: map.offset, pid: Some(0) })
        });
        let modules: Vec<Module> = match profiled.modules.is_empty() {
            true => mapped.collect(),
            false => profiled.modules.clone(),
        };
        let text = |module| Text { module, names: OnceCell::new(), missed: Cell::new(false) };
        let texts = modules.into_iter().map(text).collect();
        Symbols { binaries, kernel: profiled.kernel.clone(), texts }
    }

    pub fn of(&self, address: u64) -> Option<Symbol> {
        let text = self.texts.iter().find(|text| text.module.range.contains(&address))?;
        let range = &text.module.range;
        let mut symbol = match text.names(self.binaries) {
            Names::File(binary) => match binary.linked(text.in_file(address)) {
                Some(linked) => {
                    let mut symbol = binary.symbol(linked)?;
                    // From the file's addresses to those of the profile.
                    let moved = |to: u64| {
                        address.saturating_add_signed(to.wrapping_sub(linked).cast_signed())
                    };
                    symbol.addresses = symbol.addresses.map(|a| moved(a.start)..moved(a.end));
                    symbol
                }
                None => unknown(range),
            },
            others => match self.without_file(text, others, address) {
                Some((name, addresses)) => {
                    Symbol { addresses: Some(addresses), ..Symbol::new(name) }
                }
                None => unknown(range),
            },
        };
        text.missed.set(text.missed.get() || symbol.function == STRIPPED);
        symbol.module = Some(text.name(self.binaries));
        symbol.addresses = symbol.addresses.map(|a| a.start.max(range.start)..a.end.min(range.end));
        Some(symbol)
    }

    /// The function that has an address, without those that were inlined there; `None` if it has no name.
    pub fn function(&self, address: u64) -> Option<Function> {
        let text = self.texts.iter().find(|text| text.module.range.contains(&address))?;
        let range = &text.module.range;
        let (name, addresses, is_of_file) = match text.names(self.binaries) {
            Names::File(binary) => {
                let linked = binary.linked(text.in_file(address))?;
                let (name, of_file) = binary.function(linked)?;
                let moved =
                    |to: u64| address.saturating_add_signed(to.wrapping_sub(linked).cast_signed());
                (name.to_string(), moved(of_file.start)..moved(of_file.end), true)
            }
            others => {
                let (name, addresses) = self.without_file(text, others, address)?;
                (name.to_string(), addresses, false)
            }
        };
        let addresses = addresses.start.max(range.start)..addresses.end.min(range.end);
        let offset = text.in_file(addresses.start);
        let linked = match text.names(self.binaries) {
            Names::File(binary) if is_of_file => binary.linked(offset),
            _ => None,
        };
        let in_file = linked.map(|linked| (offset, linked));
        let module = &text.module;
        let (file, module) = (reachable(module), module.path.clone());
        Some(Function { name, module, file, addresses, in_file })
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
            UNKNOWN => Some("[unknown]"),
            UNKNOWN_KERNEL => Some("[kernel]"),
            _ => None,
        };
        if let Some(name) = unknown {
            return vec![Symbol::new(name)];
        }
        let outer = self.of(address).unwrap_or_else(|| Symbol::new("[unknown]"));
        let text = self.texts.iter().find(|text| text.module.range.contains(&address));
        let inlined = text.map_or(Vec::new(), |text| match text.names(self.binaries) {
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

    /// The address that a program's file gives to an address of the running program; none for other modules.
    pub fn linked(&self, program: &Path, address: u64) -> Option<u64> {
        let text = self.texts.iter().find(|text| text.module.range.contains(&address))?;
        match text.names(self.binaries) {
            Names::File(binary) if text.module.path == program => {
                binary.linked(text.in_file(address))
            }
            _ => None,
        }
    }

    /// The files in which names were missed because they have been stripped of them.
    pub fn stripped(&self) -> Vec<&Path> {
        let missed = self.texts.iter().filter(|text| text.missed.get());
        missed.map(|text| text.module.path.as_path()).collect()
    }

    /// The files in which names were looked for, and which do not exist.
    pub fn gone(&self) -> Vec<&Path> {
        let nameless = self
            .texts
            .iter()
            .filter(|text| text.names.get().is_some_and(|names| matches!(**names, Names::None)));
        let modules = nameless.map(|text| &text.module);
        let files = modules.filter(|of| of.path.is_absolute() && !of.is_anonymous());
        let mut gone: Vec<&Path> =
            files.filter(|of| !reachable(of).exists()).map(|of| of.path.as_path()).collect();
        gone.dedup();
        gone
    }
}

/// What has no name at any of these addresses.
fn unknown(addresses: &Range<u64>) -> Symbol {
    Symbol { addresses: Some(addresses.clone()), ..Symbol::new("[unknown]") }
}

/// The name of a file without its folders.
fn short(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl Text {
    /// The name of the module for people.
    fn name(&self, binaries: &Binaries) -> String {
        match self.names(binaries) {
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

    fn names(&self, binaries: &Binaries) -> &Names {
        self.names.get_or_init(|| match self.module.pid {
            None => Rc::new(Names::Kernel),
            Some(pid) => binaries.names(&self.module, pid),
        })
    }
}

impl Names {
    fn read(path: &Path, debug_files: &DebugFiles) -> Names {
        let binary = match path.as_os_str() == VDSO {
            true => vdso().and_then(|bytes| Binary::read(&*bytes, path, debug_files)),
            false => is_plain(path).then(|| Binary::open(path, debug_files)).flatten(),
        };
        binary.map_or(Names::None, |binary| Names::File(Box::new(binary)))
    }
}

/// The file of a module as this process finds it: that of a process with other mounts, such as one in a container, and one that was deleted or replaced, are in `/proc` as long as the process runs.
pub fn reachable(module: &Module) -> PathBuf {
    let of_process = module.pid.and_then(|pid| {
        let process = Path::new("/proc").join(pid.to_string());
        below_root(module, &process).or_else(|| deleted(module, &process))
    });
    of_process.unwrap_or_else(|| module.path.clone())
}

/// Below the root of a process with other mounts.
fn below_root(module: &Module, process: &Path) -> Option<PathBuf> {
    let own = Path::new("/proc/self/ns/mnt").read_link().ok()?;
    let mounts = process.join("ns/mnt").read_link().ok()?;
    let path = module.path.strip_prefix("/").ok().filter(|_| own != mounts)?;
    Some(process.join("root").join(path))
}

/// The contents of a file that has no name any more.
fn deleted(module: &Module, process: &Path) -> Option<PathBuf> {
    if !module.path.is_absolute() || module.path.exists() {
        return None;
    }
    let program = process.join("exe");
    let name = |path: &Path| path.to_string_lossy().trim_end_matches(" (deleted)").to_string();
    if program.read_link().is_ok_and(|link| name(&link) == name(&module.path)) {
        return Some(program);
    }
    let Range { start, end } = module.range;
    let mapped = process.join("map_files").join(format!("{start:x}-{end:x}"));
    // Only a privileged user may follow it.
    mapped.exists().then_some(mapped)
}

/// The code that the kernel maps into every process.
const VDSO: &str = "[vdso]";

/// Of a file or the vdso; a device that was mapped, such as `/dev/zero`, may have no end.
pub fn contents(path: &Path) -> Option<Vec<u8>> {
    if path.as_os_str() == VDSO {
        return vdso();
    }
    if !is_plain(path) {
        return None;
    }
    std::fs::read(path).ok()
}

/// Whether it is a file with contents that end: those of the kernel, such as `/proc/kmsg`, have no length, and may wait for ever.
pub fn is_plain(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.len() > 0)
}

/// The kernel gives every process the same one: this process's own.
fn vdso() -> Option<Vec<u8>> {
    let maps = counterpoint::perf::Host::local().maps(None).ok()?;
    let vdso = PathBuf::from(VDSO);
    let map = maps.iter().find(|map| map.path.as_ref() == Some(&vdso))?;
    let mut bytes = vec![0; usize::try_from(map.range.end - map.range.start).ok()?];
    File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, map.range.start).ok()?;
    Some(bytes)
}
