//! The tables of a thread: lists of columns, whose rows refer to those of other tables by their numbers.

use super::code::{Code, Codes, Native};
use counterpoint::profil::StackFrame;
use serde::Serialize;
use serde_json::Number;
use std::collections::HashMap;

/// A thread by its names and ids.
pub struct Owner {
    pub name: String,
    /// The name of its process.
    pub process: String,
    pub pid: u32,
    pub tid: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    name: String,
    is_main_thread: bool,
    process_name: String,
    process_type: &'static str,
    process_startup_time: f64,
    process_shutdown_time: Option<f64>,
    register_time: f64,
    unregister_time: Option<f64>,
    paused_ranges: [(); 0],
    pid: String,
    tid: String,
    samples: Samples,
    markers: Markers,
    stack_table: Stacks,
    frame_table: Frames,
    func_table: Functions,
    resource_table: Resources,
    native_symbols: Natives,
    string_array: Vec<String>,
    #[serde(skip)]
    known: Known,
}

/// The rows by what they are of.
#[derive(Default)]
struct Known {
    strings: HashMap<String, usize>,
    /// By library.
    resources: HashMap<usize, usize>,
    /// By library and address.
    natives: HashMap<(usize, u64), usize>,
    /// By name, resource and file.
    functions: HashMap<(usize, i64, Option<usize>), usize>,
    /// The frames of an address, the outermost first.
    frames: HashMap<u64, Vec<usize>>,
    /// The innermost row of each stack of the profile.
    stacks: HashMap<usize, Option<usize>>,
}

/// The samples in the order of their times.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Samples {
    length: usize,
    weight_type: &'static str,
    stack: Vec<Option<usize>>,
    /// In milliseconds.
    time: Vec<f64>,
    weight: Vec<Number>,
}

/// The events of other kinds, of which there are none.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Markers {
    length: usize,
    category: [(); 0],
    data: [(); 0],
    end_time: [(); 0],
    name: [(); 0],
    phase: [(); 0],
    start_time: [(); 0],
}

/// Stacks, each as that of its caller and a frame.
#[derive(Default, Serialize)]
struct Stacks {
    length: usize,
    prefix: Vec<Option<usize>>,
    frame: Vec<usize>,
}

/// Functions at addresses.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Frames {
    length: usize,
    /// In the library, or -1.
    address: Vec<i64>,
    inline_depth: Vec<usize>,
    category: Vec<usize>,
    subcategory: Vec<usize>,
    func: Vec<usize>,
    native_symbol: Vec<Option<usize>>,
    #[serde(rename = "innerWindowID")]
    inner_window_id: Vec<usize>,
    line: Vec<Option<u32>>,
    column: Vec<Option<u32>>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Functions {
    length: usize,
    name: Vec<usize>,
    #[serde(rename = "isJS")]
    is_js: Vec<bool>,
    #[serde(rename = "relevantForJS")]
    relevant_for_js: Vec<bool>,
    /// The row of the resource, or -1.
    resource: Vec<i64>,
    file_name: Vec<Option<usize>>,
    line_number: Vec<Option<u32>>,
    column_number: Vec<Option<u32>>,
}

/// The libraries that contain the functions.
#[derive(Default, Serialize)]
struct Resources {
    length: usize,
    lib: Vec<usize>,
    name: Vec<usize>,
    host: Vec<Option<usize>>,
    #[serde(rename = "type")]
    kind: Vec<u8>,
}

/// The kind of a resource that is a library.
const LIBRARY: u8 = 1;

/// The functions of libraries into which others were inlined.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Natives {
    length: usize,
    address: Vec<u64>,
    function_size: Vec<u64>,
    lib_index: Vec<usize>,
    name: Vec<usize>,
}

impl Thread {
    /// A thread without samples, whose weights will be of this type.
    pub fn new(owner: Owner, weight_type: &'static str) -> Thread {
        Thread {
            name: owner.name,
            is_main_thread: owner.pid == owner.tid,
            process_name: owner.process,
            process_type: "default",
            process_startup_time: 0.0,
            process_shutdown_time: None,
            register_time: 0.0,
            unregister_time: None,
            paused_ranges: [],
            pid: owner.pid.to_string(),
            tid: owner.tid.to_string(),
            samples: Samples { weight_type, ..Samples::default() },
            markers: Markers::default(),
            stack_table: Stacks::default(),
            frame_table: Frames::default(),
            func_table: Functions::default(),
            resource_table: Resources::default(),
            native_symbols: Natives::default(),
            string_array: Vec::new(),
            known: Known::default(),
        }
    }

    /// Adds a sample, which is not before those that were added.
    pub fn sample(&mut self, milliseconds: f64, stack: Option<usize>, weight: Number) {
        self.samples.length += 1;
        self.samples.stack.push(stack);
        self.samples.time.push(milliseconds);
        self.samples.weight.push(weight);
    }

    /// The row of a stack, by the innermost of all frames of the profile.
    pub fn stack(
        &mut self,
        innermost: usize,
        all: &[StackFrame],
        codes: &mut Codes<'_>,
    ) -> Option<usize> {
        let (mut new, mut next) = (Vec::new(), Some(innermost));
        let mut row = loop {
            let Some(at) = next else { break None };
            if let Some(known) = self.known.stacks.get(&at) {
                break *known;
            }
            new.push(at);
            next = all.get(at).and_then(|frame| frame.caller);
        };
        for at in new.into_iter().rev() {
            for frame in all.get(at).map_or(Vec::new(), |of| self.frames(of.address, codes)) {
                row = Some(self.push_stack(row, frame));
            }
            self.known.stacks.insert(at, row);
        }
        row
    }

    /// A stack of one frame that is only a name.
    pub fn label(&mut self, name: &str) -> Option<usize> {
        let function = self.function(name, -1, None);
        let frame = self.frame(function, Place { category: 0, native: None }, 0, None);
        Some(self.push_stack(None, frame))
    }

    fn push_stack(&mut self, prefix: Option<usize>, frame: usize) -> usize {
        self.stack_table.prefix.push(prefix);
        self.stack_table.frame.push(frame);
        added(&mut self.stack_table.length)
    }

    /// The frames at an address of the profile, the outermost first.
    fn frames(&mut self, address: u64, codes: &mut Codes<'_>) -> Vec<usize> {
        if let Some(known) = self.known.frames.get(&address) {
            return known.clone();
        }
        let code = codes.at(address);
        let resource =
            code.library.as_ref().map_or(-1, |(library, name)| self.resource(*library, name));
        let place = Place { category: code.category, native: self.native(&code) };
        let mut rows = Vec::new();
        for (depth, of) in code.frames.iter().enumerate() {
            let function = self.function(&of.function, resource, of.file.as_deref());
            rows.push(self.frame(function, place, depth, of.line));
        }
        self.known.frames.insert(address, rows.clone());
        rows
    }

    fn frame(&mut self, function: usize, place: Place, depth: usize, line: Option<u32>) -> usize {
        let frames = &mut self.frame_table;
        frames.address.push(place.native.map_or(-1, |(address, _)| address));
        frames.inline_depth.push(depth);
        frames.category.push(place.category);
        frames.subcategory.push(0);
        frames.func.push(function);
        frames.native_symbol.push(place.native.map(|(_, symbol)| symbol));
        frames.inner_window_id.push(0);
        frames.line.push(line);
        frames.column.push(None);
        added(&mut frames.length)
    }

    fn function(&mut self, name: &str, resource: i64, file: Option<&str>) -> usize {
        let (name, file) = (self.string(name), file.map(|file| self.string(file)));
        let functions = &mut self.func_table;
        *self.known.functions.entry((name, resource, file)).or_insert_with(|| {
            functions.name.push(name);
            functions.is_js.push(false);
            functions.relevant_for_js.push(false);
            functions.resource.push(resource);
            functions.file_name.push(file);
            functions.line_number.push(None);
            functions.column_number.push(None);
            added(&mut functions.length)
        })
    }

    fn resource(&mut self, library: usize, name: &str) -> i64 {
        let name = self.string(name);
        let resources = &mut self.resource_table;
        let row = *self.known.resources.entry(library).or_insert_with(|| {
            resources.lib.push(library);
            resources.name.push(name);
            resources.host.push(None);
            resources.kind.push(LIBRARY);
            added(&mut resources.length)
        });
        row as i64
    }

    /// The address of code in its library, and the row of the function that has it.
    fn native(&mut self, code: &Code) -> Option<(i64, usize)> {
        let (library, _) = *code.library.as_ref()?;
        let (at, Native { name, address, size }) = code.native.as_ref()?;
        let name = self.string(name);
        let natives = &mut self.native_symbols;
        let row = *self.known.natives.entry((library, *address)).or_insert_with(|| {
            natives.address.push(*address);
            natives.function_size.push(*size);
            natives.lib_index.push(library);
            natives.name.push(name);
            added(&mut natives.length)
        });
        Some((i64::try_from(*at).ok()?, row))
    }

    fn string(&mut self, text: &str) -> usize {
        if let Some(known) = self.known.strings.get(text) {
            return *known;
        }
        self.string_array.push(text.to_string());
        self.known.strings.insert(text.to_string(), self.string_array.len() - 1);
        self.string_array.len() - 1
    }
}

/// What the frames at an address have in common.
#[derive(Clone, Copy)]
struct Place {
    category: usize,
    /// The address in the library, and the row of the function that has it.
    native: Option<(i64, usize)>,
}

/// The number of the row that was added to a table of this length.
fn added(length: &mut usize) -> usize {
    *length += 1;
    *length - 1
}
