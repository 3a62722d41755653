//! The names of the code of a profile: from symbol tables, line numbers from DWARF.

use super::kernel::KernelSymbols;
use super::module::{Module, is_anonymous};
use super::places::{UNKNOWN, UNKNOWN_KERNEL};
use super::running::Profiled;
use counterpoint_profil::write::Symbol;
use counterpoint_symbols::{Binaries, Binary, Frame, Jit};
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The names of the code of a profile.
///
/// ```
/// use counterpoint::profile::{Profile, Symbols};
/// use counterpoint::symbols::Binaries;
/// use counterpoint::{EventSet, Target, perf::Every};
///
/// let mut set = EventSet::new(Target::ThisThread).event("task-clock:u");
/// set.profile("task-clock:u", Profile::every(Every::Period(100_000)))?;
/// let profiling = set.open_profiles()?;
/// let work: u64 = (0..3_000_000).fold(0, |sum, n| std::hint::black_box(sum ^ n));
/// let profiled = profiling.stop()?.remove(0);
/// let (binaries, mut names) = (Binaries::default(), Vec::new());
/// let symbols = Symbols::new(&binaries, &profiled);
/// for bucket in profiled.snapshot.regions.iter().flat_map(|region| &region.buckets) {
///     names.extend(symbols.symbol(bucket.first).map(|symbol| (symbol.function, bucket.count)));
/// }
/// println!("{work}: {names:?}");
/// # assert!(!names.is_empty());
/// # Ok::<(), counterpoint::Error>(())
/// ```
pub struct Symbols<'b> {
    binaries: &'b Binaries,
    kernel: KernelSymbols,
    /// The files of run-time compilers, by process.
    dumps: BTreeMap<u32, PathBuf>,
    texts: Vec<Text>,
}

/// A function with its place in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// The source name.
    pub name: String,
    /// The path of the program or library.
    pub module: PathBuf,
    /// Its addresses in the profile.
    pub addresses: Range<u64>,
    /// The place of its code.
    pub code: CodePlace,
}

/// The place of the code of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodePlace {
    /// In a file, which gives it these addresses.
    File(Range<u64>),
    /// In the kernel.
    Kernel,
    /// In the memory of a process, where a run-time compiler made it.
    Memory,
}

/// The text of a module, read when the first address of it is asked for.
struct Text {
    module: Module,
    names: OnceCell<Names>,
    /// An address had no name because the file is stripped.
    missed: Cell<bool>,
}

enum Names {
    File(Rc<Binary>),
    Jit(Rc<Jit>),
    Kernel,
    /// Memory without a file, or a file that cannot be read.
    None,
}

/// The name of code in a file without symbols.
const STRIPPED: &str = "[stripped]";
/// The name of code without a name.
const UNNAMED: &str = "[unknown]";
/// The name of code of the kernel that is in no text of it, or whose address this user may not know.
const KERNEL: &str = "[kernel]";

impl<'b> Symbols<'b> {
    /// The names of a profile's modules and of its kernel, by files that are each read once.
    pub fn new(binaries: &'b Binaries, profiled: &Profiled) -> Symbols<'b> {
        let (kernel, dumps) = (profiled.kernel.clone(), profiled.jit_dumps.clone());
        Symbols::of_modules(binaries, kernel, dumps, profiled.modules.clone())
    }

    pub(crate) fn of_modules(
        binaries: &'b Binaries,
        kernel: KernelSymbols,
        dumps: BTreeMap<u32, PathBuf>,
        modules: Vec<Module>,
    ) -> Symbols<'b> {
        let texts = modules.into_iter().map(Text::new).collect();
        Symbols { binaries, kernel, dumps, texts }
    }

    /// The same for the modules of a profile that has none itself, because it counts in a histogram of the caller.
    #[must_use]
    pub fn with_modules(self, modules: Vec<Module>) -> Symbols<'b> {
        Symbols { texts: modules.into_iter().map(Text::new).collect(), ..self }
    }

    fn text(&self, address: u64) -> Option<&Text> {
        self.texts.iter().find(|text| text.module.range.contains(&address))
    }

    fn names<'t>(&self, text: &'t Text) -> &'t Names {
        text.names.get_or_init(|| {
            let module = &text.module;
            let Some(pid) = module.pid else { return Names::Kernel };
            if is_anonymous(&module.path) {
                let dump = self.dumps.get(&pid).map(PathBuf::as_path);
                return self.binaries.jit(pid, dump).map_or(Names::None, Names::Jit);
            }
            self.binaries.binary(&module.mapped_file()).map_or(Names::None, Names::File)
        })
    }

    /// The function, the source line and the module of an address of the profile; `None` if no module has it.
    ///
    /// The name is `[stripped]` in a file without symbols, `[unknown]` elsewhere without one, and `[kernel]` in the kernel.
    pub fn symbol(&self, address: u64) -> Option<Symbol> {
        let text = self.text(address)?;
        let range = &text.module.range;
        let mut symbol = match self.names(text) {
            Names::File(binary) => self.in_file(text, binary, address),
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

    /// The symbol that a file has for an address, moved to the addresses of the profile.
    fn in_file(&self, text: &Text, binary: &Binary, address: u64) -> Symbol {
        let linked = binary.linked(text.offset(address));
        let Some((linked, found)) = linked.and_then(|at| Some((at, binary.symbol(at)?))) else {
            // Others of the file may have one.
            return Symbol::new(UNNAMED);
        };
        if let Some(file) = &found.file {
            let users = [Some(binary.author()), text.module.user].into_iter().flatten();
            users.for_each(|user| self.binaries.source_files().named(file, user));
        }
        let unknown = if binary.is_stripped() { STRIPPED } else { UNNAMED };
        let moved = |to: u64| address.saturating_add_signed(to.wrapping_sub(linked).cast_signed());
        Symbol {
            file: found.file,
            line: found.line,
            addresses: Some(moved(found.addresses.start)..moved(found.addresses.end)),
            ..Symbol::new(found.function.unwrap_or(unknown))
        }
    }

    /// The function that has an address, without those that were inlined there; `None` if it has no name.
    pub fn function(&self, address: u64) -> Option<Function> {
        let text = self.text(address)?;
        let range = &text.module.range;
        let (name, addresses) = match self.names(text) {
            Names::File(binary) => {
                let linked = binary.linked(text.offset(address))?;
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
                let start = binary.linked(text.offset(addresses.start))?;
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
        let text = self.text(address)?;
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

    /// The functions at an address, each with the line that ran there: those that were inlined there, the innermost first, and at last the function that has the address.
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
        let mut outer = self.symbol(address).unwrap_or_else(|| Symbol::new(UNNAMED));
        let text = self.text(address);
        let mut frames = text.map_or(Vec::new(), |text| match self.names(text) {
            Names::File(binary) => {
                let linked = binary.linked(text.offset(address));
                linked.map_or(Vec::new(), |linked| binary.frames(linked))
            }
            Names::Jit(_) | Names::Kernel | Names::None => Vec::new(),
        });
        if let Some(Frame { file, line, .. }) = frames.pop() {
            (outer.file, outer.line) = (file, line);
        }
        let module = outer.module.clone();
        let inlined = frames.into_iter();
        let inlined = inlined.map(|Frame { function, file, line, .. }| {
            let module = module.clone();
            Symbol { module, inlined: true, file, line, ..Symbol::new(function) }
        });
        inlined.chain([outer]).collect()
    }

    /// The first address of the function to which a signal handler returns, if it is behind this address: nothing was called there, so that the address before it, which is that of callers, is of another function.
    fn of_handler(&self, address: u64) -> Option<u64> {
        let next = address.checked_add(1)?;
        let text = self.text(next)?;
        let Names::File(binary) = self.names(text) else { return None };
        let linked = binary.linked(text.offset(next))?;
        let (name, range) = binary.function(linked)?;
        (range.start == linked && RETURNS.contains(&name)).then_some(next)
    }

    /// The address that a program's file gives to an address of the running program; none for other modules.
    pub fn linked(&self, program: &Path, address: u64) -> Option<u64> {
        let text = self.text(address)?;
        match self.names(text) {
            Names::File(binary) if text.module.path == program => {
                binary.linked(text.offset(address))
            }
            _ => None,
        }
    }

    /// Returns true if the lines of a source file may be shown to whoever sees the result.
    pub fn may_show(&self, source: &str) -> bool {
        self.binaries.source_files().may_show(source)
    }

    /// The files in which names were missed because they have been stripped of them.
    pub fn stripped(&self) -> Vec<&Path> {
        let missed = self.texts.iter().filter(|text| text.missed.get());
        missed.map(|text| text.module.path.as_path()).collect()
    }

    /// The files in which names were looked for and that are not there; true for one in whose place is another file.
    pub fn missing(&self) -> Vec<(&Path, bool)> {
        let is_nameless =
            |text: &&Text| text.names.get().is_some_and(|names| matches!(names, Names::None));
        let modules = self.texts.iter().filter(is_nameless).map(|text| &text.module);
        let files = modules.filter(|of| of.path.is_absolute() && !of.is_anonymous());
        let missing = files.map(|of| {
            (of.path.as_path(), self.binaries.files().reachable(&of.mapped_file()).exists())
        });
        let mut missing: Vec<_> = missing.collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }
}

/// The functions to which signal handlers return: of glibc, of musl, and of the kernel on arm64 and RISC-V.
const RETURNS: [&str; 5] =
    ["__restore_rt", "__restore", "__kernel_rt_sigreturn", "__vdso_rt_sigreturn", "__rt_sigreturn"];

/// The name of a file without its folders.
fn short(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl Text {
    fn new(module: Module) -> Text {
        Text { module, names: OnceCell::new(), missed: Cell::new(false) }
    }

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
        let (name, of_process) = jit.function(self.offset(address))?;
        let moved =
            |to: u64| to.wrapping_sub(self.module.offset).wrapping_add(self.module.range.start);
        Some((name, moved(of_process.start)..moved(of_process.end)))
    }

    /// The offset of an address of the profile in the file.
    fn offset(&self, address: u64) -> u64 {
        (address - self.module.range.start).wrapping_add(self.module.offset)
    }
}

impl fmt::Debug for Symbols<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modules: Vec<&Module> = self.texts.iter().map(|text| &text.module).collect();
        f.debug_struct("Symbols").field("modules", &modules).finish_non_exhaustive()
    }
}
