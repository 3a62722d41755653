//! To what an address belongs.

use super::access::Access;
use super::mappings::{Mapping, Mappings};
use crate::profile::{Module, is_anonymous};
use counterpoint_perf::records::{FileId, Sample};
use counterpoint_symbols::{Binaries, Binary};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The memory to which an address belongs; it is shown with a name that is short enough for a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Object {
    /// A variable of a program or library.
    Variable {
        /// Its source name.
        name: String,
        /// The file.
        module: PathBuf,
        /// Its addresses in the file.
        addresses: Range<u64>,
    },
    /// The data of a program or library that has no name.
    Module(PathBuf),
    /// A file that is no program, also one in memory that processes share.
    File(PathBuf),
    /// The memory that a program asks for behind its data (`brk`).
    Heap,
    /// Blocks of the heap that one place of the code asked for.
    Allocated {
        /// The function that asked for them, outside of the library that has the heap.
        function: String,
        /// Its program or library.
        module: Option<PathBuf>,
    },
    /// The stack of a thread.
    Stack {
        /// The thread.
        tid: u32,
    },
    /// Memory without a file, which a C library also takes for large blocks of its heap.
    Anonymous {
        /// The process.
        pid: u32,
        /// The addresses, as the kernel joined them.
        addresses: Range<u64>,
    },
    /// Memory that the kernel gives to every process, by its name, such as `[vdso]`.
    OfKernel(PathBuf),
    /// The kernel's own data.
    Kernel,
    /// Nothing is known of the address, or there is none.
    Unknown,
}

/// The object of an access, and the place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectPlace {
    /// The number of the object.
    pub object: usize,
    /// The number of bytes from its begin.
    pub offset: u64,
}

/// Finds the objects of accesses.
pub struct Objects<'b> {
    binaries: &'b Binaries,
    mappings: Mappings,
    /// The files that have code, and what is known of them beside the records of their mappings.
    files: HashMap<PathBuf, Option<FileId>>,
    /// What is known of each mapping that was accessed.
    homes: HashMap<usize, Home>,
    numbers: HashMap<Found, usize>,
    found: Vec<Found>,
    /// The mappings in which a thread had its stack.
    stacks: HashMap<usize, u32>,
    /// The objects of the sites of allocations, by their numbers, each with the number of the object once there is one.
    sites: Vec<(Object, Option<usize>)>,
}

/// What can be at the addresses of a mapping.
#[derive(Clone)]
struct Home {
    /// The program or library that has variables there.
    of: Option<InBinary>,
    /// What has the other addresses, and what is added to an address to find the place in it.
    other: Found,
    shift: u64,
    /// The numbers of the objects, by the first address of a variable in its file; `None` for what has the others.
    known: HashMap<Option<u64>, usize>,
}

/// The addresses of a program or library in the memory of a process.
#[derive(Clone)]
struct InBinary {
    binary: Rc<Binary>,
    module: PathBuf,
    /// What is added to an address to find that of the file.
    shift: u64,
}

/// What an address belongs to, as long as it is not known which memory is a stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Found {
    Object(Object),
    /// Memory without a file, of this mapping.
    Memory(usize),
}

/// The number of mappings between memory that is zero at first and its file.
const MOST_BETWEEN: usize = 4;
/// The most bytes between a program and its heap, which the kernel chooses by chance.
const BEFORE_HEAP: u64 = 1 << 30;

impl<'b> Objects<'b> {
    /// The objects of these mappings; `modules` are of the same recording, and may know their files better than the records of mappings.
    pub fn new(binaries: &'b Binaries, mappings: Mappings, modules: &[Module]) -> Objects<'b> {
        let files = modules.iter().map(|of| (of.path.clone(), of.file));
        Objects {
            binaries,
            mappings,
            files: files.collect(),
            homes: HashMap::new(),
            numbers: HashMap::new(),
            found: Vec::new(),
            stacks: HashMap::new(),
            sites: Vec::new(),
        }
    }

    /// The functions that asked for blocks of memory, with their programs or libraries, by the numbers of the sites that [`Allocations`](super::Allocations) were given.
    #[must_use]
    pub fn sites(
        mut self,
        sites: impl IntoIterator<Item = (String, Option<PathBuf>)>,
    ) -> Objects<'b> {
        let object = |(function, module)| (Object::Allocated { function, module }, None);
        self.sites = sites.into_iter().map(object).collect();
        self
    }

    /// The object of an access.
    pub fn find(&mut self, access: &Access) -> ObjectPlace {
        let mapping = if access.is_kernel() { None } else { self.mappings.find(access) };
        let Some(mapping) = mapping else {
            // No record tells of memory that `mremap` moved, but its block is known.
            if let Some(place) = self.block(access) {
                return place;
            }
            let object = if access.is_kernel() { Object::Kernel } else { Object::Unknown };
            return ObjectPlace { object: self.number(Found::Object(object)), offset: 0 };
        };
        if !self.homes.contains_key(&mapping) {
            let home = self.home(mapping, access);
            self.homes.insert(mapping, home);
        }
        if self.may_be_heap(mapping, access)
            && let Some(place) = self.block(access)
        {
            return place;
        }
        let Objects { homes, numbers, found, .. } = self;
        let Some(Home { of, other, shift, known }) = homes.get_mut(&mapping) else {
            return ObjectPlace { object: 0, offset: 0 };
        };
        let in_file = |of: &InBinary| access.address.wrapping_add(of.shift);
        let of = of.as_ref().filter(|of| of.binary.has(in_file(of)));
        let variable = of.and_then(|of| of.binary.variable(in_file(of)));
        let offset = match (&of, &variable) {
            (Some(of), Some((_, addresses))) => in_file(of) - addresses.start,
            (Some(of), None) => in_file(of),
            (None, _) => access.address.wrapping_add(*shift),
        };
        let start = variable.as_ref().map(|(_, addresses)| addresses.start);
        let start = start.or(of.map(|_| u64::MAX));
        let object = *known.entry(start).or_insert_with(|| {
            let object = match (of, variable) {
                (Some(InBinary { module, .. }), Some((name, addresses))) => {
                    let (name, module) = (name.to_string(), module.clone());
                    Found::Object(Object::Variable { name, module, addresses })
                }
                (Some(InBinary { module, .. }), None) => {
                    Found::Object(Object::Module(module.clone()))
                }
                (None, _) => other.clone(),
            };
            numbered(numbers, found, object)
        });
        ObjectPlace { object, offset }
    }

    /// Returns true for memory without a file that has no variables.
    fn may_be_heap(&self, mapping: usize, access: &Access) -> bool {
        self.homes.get(&mapping).is_some_and(|home| {
            let is_memory = matches!(home.other, Found::Memory(_) | Found::Object(Object::Heap));
            let has = |of: &InBinary| of.binary.has(access.address.wrapping_add(of.shift));
            is_memory && !home.of.as_ref().is_some_and(has)
        })
    }

    /// The block of the heap that an access is in.
    fn block(&mut self, access: &Access) -> Option<ObjectPlace> {
        if self.sites.is_empty() || access.is_kernel() {
            return None;
        }
        let (site, offset) = self.mappings.block(access)?;
        let (object, known) = self.sites.get(site as usize)?;
        let object = match known {
            Some(number) => *number,
            None => self.number(Found::Object(object.clone())),
        };
        self.sites[site as usize].1 = Some(object);
        Some(ObjectPlace { object, offset })
    }

    fn number(&mut self, of: Found) -> usize {
        numbered(&mut self.numbers, &mut self.found, of)
    }

    /// The number of the memory that processes share and the address in it, if the access is in such memory.
    pub fn shared(&mut self, access: &Access) -> Option<(usize, u64)> {
        let number = self.mappings.find(access)?;
        let mapping = self.mappings.get(number);
        if !mapping.shared {
            return None;
        }
        let at = access.address - mapping.range.start + mapping.offset;
        // Processes have memory without a name in common only if one has it from the other, at the same addresses.
        let is_named = is_file(&mapping.path) || is_named_memory(&mapping.path);
        let object = if is_named {
            Object::File(mapping.path.clone())
        } else {
            Object::Anonymous { pid: 0, addresses: mapping.range.clone() }
        };
        let memory = self.number(Found::Object(object));
        Some((memory, at))
    }

    /// Learns from a sample where its thread has its stack, if the sample has registers.
    pub fn learn(&mut self, sample: &Sample<'_>) {
        let (Some(registers), Some(pid), Some(tid)) = (sample.registers, sample.pid, sample.tid)
        else {
            return;
        };
        let time = sample.time.unwrap_or(u64::MAX - 1);
        if let Some(number) = self.mappings.at(pid, time, registers.sp()) {
            let path = &self.mappings.get(number).path;
            if is_anonymous(path) && path.as_os_str() != "[heap]" {
                self.stacks.entry(number).or_insert(tid);
            }
        }
    }

    /// The objects, by their numbers.
    pub fn finish(&self) -> Vec<Object> {
        let object = |found: &Found| match found {
            Found::Object(object) => object.clone(),
            Found::Memory(number) => {
                let Mapping { pid, range, .. } = self.mappings.get(*number);
                match self.stacks.get(number) {
                    Some(tid) => Object::Stack { tid: *tid },
                    None => Object::Anonymous { pid: *pid, addresses: range.clone() },
                }
            }
        };
        self.found.iter().map(object).collect()
    }

    /// What can be at the addresses of a mapping.
    fn home(&mut self, number: usize, access: &Access) -> Home {
        let Mapping { path, range, offset, .. } = self.mappings.get(number);
        let (path, offset, start) = (path.clone(), *offset, range.start);
        let alone =
            |other: Found, shift: u64| Home { of: None, other, shift, known: HashMap::new() };
        let object = |object: Object| alone(Found::Object(object), start.wrapping_neg());
        match path.to_str() {
            Some("[heap]") => object(Object::Heap),
            Some(name) if name.starts_with("[stack") => object(Object::Stack { tid: access.pid }),
            Some("//anon") => self.without_file(number, access),
            Some(name) if name.starts_with("[anon") => {
                alone(Found::Memory(number), start.wrapping_neg())
            }
            Some(name) if name.starts_with('[') => object(Object::OfKernel(path)),
            _ => {
                let of = self.in_binary(number, access);
                let is_module = of.is_some() || self.files.contains_key(&path);
                let other = if is_module { Object::Module(path) } else { Object::File(path) };
                let shift = offset.wrapping_sub(start);
                Home { of, ..alone(Found::Object(other), shift) }
            }
        }
    }

    /// What can be at addresses without a file: variables that are zero at first follow the file that has them, and the heap follows the program, which is the file at the lowest addresses.
    fn without_file(&mut self, number: usize, access: &Access) -> Home {
        let below: Vec<usize> = self.mappings.below(access).collect();
        let file = |of: &&usize| is_file(&self.mappings.get(**of).path);
        let near = below.iter().take(MOST_BETWEEN).find(file).copied();
        let program = below.iter().rev().find(file).copied();
        let of = near.and_then(|near| self.in_binary(near, access));
        let start = self.mappings.get(number).range.start;
        let follows = |near: usize| {
            let (near, program) = (self.mappings.get(near), self.mappings.get(program?));
            let gap = start.checked_sub(near.range.end)?;
            let is_program = near.path == program.path && self.files.contains_key(&near.path);
            Some(is_program && gap <= BEFORE_HEAP)
        };
        let is_heap = near.and_then(follows).unwrap_or(false);
        let other = if is_heap { Found::Object(Object::Heap) } else { Found::Memory(number) };
        Home { of, other, shift: start.wrapping_neg(), known: HashMap::new() }
    }

    /// The program or library that a mapping is of.
    ///
    /// A page of the file may be mapped twice, as the end of one segment and as the begin of another: where the file is, its first page tells.
    fn in_binary(&mut self, number: usize, access: &Access) -> Option<InBinary> {
        let below: Vec<usize> = self.mappings.below(access).collect();
        let path = &self.mappings.get(number).path;
        let of_file = below.into_iter().map(|of| (of, self.mappings.get(of)));
        let mut of_file = of_file.skip_while(|(of, _)| *of != number);
        let first = of_file.find(|(_, of)| of.offset == 0 && of.path == *path);
        let first = first.map_or(number, |(first, _)| first);
        let Mapping { pid, range, offset, path, file, .. } = self.mappings.get(first);
        let file = self.files.get(path).copied().flatten().or(*file);
        let module = Module {
            path: path.clone(),
            range: range.clone(),
            offset: *offset,
            pid: Some(*pid),
            file,
            user: None,
        };
        let read = || self.binaries.binary(&module.mapped_file());
        let binary = is_file(path).then(read).flatten()?;
        let shift = binary.linked(*offset)?.wrapping_sub(range.start);
        Some(InBinary { binary, module: path.clone(), shift })
    }
}

/// The number of what was found.
fn numbered(numbers: &mut HashMap<Found, usize>, found: &mut Vec<Found>, of: Found) -> usize {
    let next = found.len();
    *numbers.entry(of).or_insert_with_key(|of| {
        found.push(of.clone());
        next
    })
}

/// Returns true if a mapping is of a file that a program or library can be in.
fn is_file(path: &Path) -> bool {
    path.is_absolute() && !is_anonymous(path) && !is_named_memory(path)
}

/// Returns true if a mapping is of memory that processes share by its name.
fn is_named_memory(path: &Path) -> bool {
    ["/dev/", "/memfd:", "/SYSV"].iter().any(|begin| {
        path.to_str().is_some_and(|path| path.starts_with(begin) && !path.starts_with("/dev/zero"))
    })
}

impl Object {
    /// The program, library or file.
    pub fn module(&self) -> Option<&Path> {
        match self {
            Object::Variable { module, .. } | Object::Module(module) => Some(module),
            Object::File(path) => Some(path),
            Object::Allocated { module, .. } => module.as_deref(),
            _ => None,
        }
    }

    /// The kind, in one word: `variable`, `data` (of a module, without a name), `file`, `heap`, `allocated`, `stack`, `anonymous`, `kernel` or `unknown`.
    pub fn kind(&self) -> &'static str {
        match self {
            Object::Variable { .. } => "variable",
            Object::Module(_) => "data",
            Object::File(_) => "file",
            Object::Heap => "heap",
            Object::Allocated { .. } => "allocated",
            Object::Stack { .. } => "stack",
            Object::Anonymous { .. } => "anonymous",
            Object::OfKernel(_) | Object::Kernel => "kernel",
            Object::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Object::Variable { name, .. } => f.write_str(name),
            Object::Module(_) => f.write_str("[data]"),
            Object::File(_) => f.write_str("[file]"),
            Object::Heap => f.write_str("[heap]"),
            Object::Allocated { function, .. } => write!(f, "[allocated by {function}]"),
            Object::Stack { tid } => write!(f, "[stack of {tid}]"),
            Object::Anonymous { addresses, .. } => {
                let bytes = addresses.end.saturating_sub(addresses.start);
                write!(f, "[anonymous {} KiB at {:#x}]", bytes.div_ceil(1024), addresses.start)
            }
            Object::OfKernel(name) => f.write_str(&name.to_string_lossy()),
            Object::Kernel => f.write_str("[kernel]"),
            Object::Unknown => f.write_str("[unknown]"),
        }
    }
}

impl fmt::Debug for Objects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objects").field("found", &self.found).finish_non_exhaustive()
    }
}
