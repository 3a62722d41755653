//! An event set: what it counts, how, and whether it does.

use counterpoint::definitions::CLOCK_RATE;
use counterpoint::formula::{Formula, Number};
use std::ffi::c_int;

use crate::codes::*;
use crate::event_codes::{NATIVE, Named, PRESET};
use crate::library::Library;
use crate::natives::{self, Native};
use crate::opened::{Opened, Options};
use crate::overflow::Overflow;

/// The states of `PAPI_state`.
const STOPPED: c_int = 0x1;
const RUNNING: c_int = 0x2;
const OVERFLOWING: c_int = 0x10;
const PROFILING: c_int = 0x20;
const MULTIPLEXING: c_int = 0x40;
const ATTACHED: c_int = 0x80;
const CPU_ATTACHED: c_int = 0x100;

/// An event set.
#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) component: Option<usize>,
    members: Vec<Member>,
    /// The native events of the members, each once.
    natives: Vec<&'static Native>,
    pub(crate) options: Options,
    /// The events, from when they are needed until an option changes.
    opened: Option<Opened>,
    /// The values are the counts of the open events.
    is_direct: bool,
    is_running: bool,
    overflows: Vec<Overflow>,
    buffers: Buffers,
}

/// The memory in which values are computed: a handler of overflows may read its set, and must not allocate.
#[derive(Debug, Default)]
struct Buffers {
    /// The values of the native events.
    natives: Vec<i128>,
    /// The inputs of one formula.
    inputs: Vec<i128>,
    /// The values of the members.
    values: Vec<i64>,
}

/// An event that was added.
#[derive(Debug)]
struct Member {
    code: c_int,
    value: Value,
}

/// The source of the value of a member.
#[derive(Debug)]
enum Value {
    /// A native event of the set, by its position.
    Native(usize),
    Computed {
        formula: Box<Formula>,
        /// The native event of each input; none for the rate of the clock.
        inputs: Vec<Option<usize>>,
    },
}

impl Set {
    pub(crate) fn new(options: Options) -> Set {
        Set {
            component: None,
            members: Vec::new(),
            natives: Vec::new(),
            options,
            opened: None,
            is_direct: false,
            is_running: false,
            overflows: Vec::new(),
            buffers: Buffers::default(),
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.is_running
    }

    pub(crate) fn state(&self) -> c_int {
        let is_profiling = self.overflows.iter().any(Overflow::is_profile);
        let flags = [
            (self.is_running, RUNNING),
            (!self.is_running, STOPPED),
            (!self.overflows.is_empty(), OVERFLOWING),
            (is_profiling, PROFILING),
            (self.options.multiplexed.is_some(), MULTIPLEXING),
            (self.options.thread.is_some(), ATTACHED),
            (self.options.cpu.is_some(), CPU_ATTACHED),
        ];
        flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum()
    }

    /// The codes of the events, in the order in which they were added.
    pub(crate) fn codes(&self) -> impl ExactSizeIterator<Item = c_int> {
        self.members.iter().map(|member| member.code)
    }

    /// The set, if it is not counting.
    pub(crate) fn stopped(&mut self) -> Result<&mut Set, Failed> {
        if self.is_running { Err(EISRUN) } else { Ok(self) }
    }

    /// The component, which a set has from its first event on.
    pub(crate) fn assigned(&self) -> Result<usize, Failed> {
        self.component.ok_or(ENOCMP)
    }

    /// Adds an event; after an error, the set is as before.
    pub(crate) fn add(&mut self, library: &Library, code: c_int) -> Result<(), Failed> {
        self.stopped()?;
        let (terms, formula) = terms(library, code)?;
        let component = component_of(&terms)?;
        if self.component.is_some_and(|own| own != component) {
            return Err(EINVAL);
        }
        if self.members.iter().any(|member| member.code == code) {
            return Err(ECNFLCT);
        }
        let before = self.natives.len();
        for native in terms {
            if !self.natives.iter().any(|own| own.code == native.code) {
                self.natives.push(native);
            }
        }
        match self.value(library, code, formula).and_then(|value| {
            let opened = Opened::open(library, &self.natives, &self.options)?;
            Ok((value, opened))
        }) {
            Ok((value, opened)) => {
                self.members.push(Member { code, value });
                self.keep(opened);
                self.component = Some(component);
                Ok(())
            }
            Err(failed) => {
                self.natives.truncate(before);
                Err(failed)
            }
        }
    }

    fn value(
        &self,
        library: &Library,
        code: c_int,
        formula: Option<Formula>,
    ) -> Result<Value, Failed> {
        let place = |code| self.natives.iter().position(|native| native.code == code).ok_or(EBUG);
        let Some(formula) = formula else { return place(code).map(Value::Native) };
        let mut inputs = Vec::new();
        for input in formula.inputs() {
            inputs.push(match input {
                CLOCK_RATE => None,
                event => Some(place(natives::by_name(library, event)?.code)?),
            });
        }
        Ok(match (&inputs[..], formula.ops().len()) {
            ([Some(only)], 1) => Value::Native(*only),
            _ => Value::Computed { formula: Box::new(formula), inputs },
        })
    }

    /// Removes an event; after an error, the set is as before.
    pub(crate) fn remove(&mut self, library: &Library, code: c_int) -> Result<(), Failed> {
        self.stopped()?.assigned()?;
        let place = self.members.iter().position(|member| member.code == code).ok_or(EINVAL)?;
        let mut needed: Vec<usize> = Vec::new();
        for (_, member) in self.members.iter().enumerate().filter(|(number, _)| *number != place) {
            for native in member.value.natives() {
                if !needed.contains(&native) {
                    needed.push(native);
                }
            }
        }
        let natives = needed.iter().map(|native| self.natives.get(*native).copied().ok_or(EBUG));
        let natives: Vec<&'static Native> = natives.collect::<Result<_, Failed>>()?;
        let opened = match &natives[..] {
            [] => None,
            natives => Some(Opened::open(library, natives, &self.options)?),
        };
        self.overflows.retain(|overflow| overflow.code != code);
        self.members.remove(place);
        for member in &mut self.members {
            for native in member.value.natives_mut() {
                *native = needed.iter().position(|own| own == native).ok_or(EBUG)?;
            }
        }
        self.natives = natives;
        self.opened = None;
        opened.into_iter().for_each(|opened| self.keep(opened));
        Ok(())
    }

    /// Removes all events and options.
    pub(crate) fn clear(&mut self, options: Options) -> Result<(), Failed> {
        self.stopped()?;
        *self = Set::new(options);
        Ok(())
    }

    /// Counts in another way; after an error, as before.
    pub(crate) fn change(&mut self, library: &Library, options: Options) -> Result<(), Failed> {
        self.stopped()?;
        if !self.natives.is_empty() {
            self.keep(Opened::open(library, &self.natives, &options)?);
        }
        self.options = options;
        Ok(())
    }

    /// Opens the events if they are not; the thread that has opened them.
    pub(crate) fn open(&mut self, library: &Library) -> Result<u32, Failed> {
        self.stopped()?.assigned()?;
        if self.members.is_empty() {
            return Err(EINVAL);
        }
        // A pinned group that lost its counter once does not count again, until it is opened anew.
        if self.opened.as_ref().is_none_or(Opened::has_lost_counter) {
            self.keep(Opened::open(library, &self.natives, &self.options)?);
        }
        self.opened.as_ref().map(Opened::thread).ok_or(EBUG)
    }

    /// Starts counting from zero.
    pub(crate) fn start(&mut self, library: &Library, number: c_int) -> Result<(), Failed> {
        let opener = self.open(library)?;
        let opened = self.opened.as_mut().ok_or(EBUG)?;
        opened.check_process()?;
        let codes: Vec<c_int> = self.members.iter().map(|member| member.code).collect();
        let open = |overflow: &mut Overflow| {
            let position = codes.iter().position(|code| *code == overflow.code);
            overflow.open(library, number, position.unwrap_or_default(), &self.options, opener)
        };
        let started = (self.overflows.iter_mut().try_for_each(open))
            .and_then(|()| opened.start())
            .and_then(|()| self.overflows.iter_mut().try_for_each(Overflow::start));
        if started.is_err() {
            self.overflows.iter_mut().for_each(Overflow::stop);
            // A set that did not start need not stop.
            let _ = opened.stop();
        }
        self.is_running = started.is_ok();
        started
    }

    /// Stops counting; the values are kept.
    pub(crate) fn stop(&mut self) -> Result<(), Failed> {
        self.assigned()?;
        if !self.is_running {
            return Err(ENOTRUN);
        }
        let opened = self.opened.as_mut().ok_or(EBUG)?;
        opened.check_process()?;
        self.overflows.iter_mut().for_each(Overflow::stop);
        opened.stop()?;
        self.is_running = false;
        Ok(())
    }

    /// Makes the present counts the zero of later ones.
    pub(crate) fn reset(&mut self) -> Result<(), Failed> {
        self.assigned()?;
        self.opened.as_mut().map_or(Ok(()), Opened::reset)
    }

    /// Like [`Set::read`]; the values are the zero of later ones.
    pub(crate) fn take(&mut self, each: impl FnMut(usize, i64)) -> Result<(), Failed> {
        self.read_computed(each)?;
        self.opened.iter_mut().for_each(Opened::reset_to_last);
        Ok(())
    }

    /// Reads the values and calls `each` with them, in the order in which the events were added: with all, or none.
    #[inline(always)]
    pub(crate) fn read(&mut self, each: impl FnMut(usize, i64)) -> Result<(), Failed> {
        match &mut self.opened {
            Some(opened) if self.is_direct => opened.read_direct(each),
            _ => self.read_computed(each),
        }
    }

    #[cold]
    fn read_computed(&mut self, mut each: impl FnMut(usize, i64)) -> Result<(), Failed> {
        let Some(opened) = &mut self.opened else { return self.assigned().map(drop) };
        let Buffers { natives, inputs, values } = &mut self.buffers;
        opened.values(natives)?;
        for (member, value) in self.members.iter().zip(&mut *values) {
            *value = member.value.compute(natives, inputs)?;
        }
        values.iter().enumerate().for_each(|(number, value)| each(number, *value));
        Ok(())
    }

    /// Keeps the open events.
    fn keep(&mut self, opened: Opened) {
        let mut values = self.members.iter().map(|member| &member.value).enumerate();
        let is_own = |(number, value): (usize, &Value)| matches!(value, Value::Native(native) if *native == number);
        let is_each = self.members.len() == self.natives.len() && values.all(is_own);
        self.is_direct = is_each && opened.is_direct();
        self.opened = Some(opened);
        let natives = self.natives.len();
        self.buffers = Buffers {
            natives: vec![0; natives],
            inputs: Vec::with_capacity(natives + 1),
            values: vec![0; self.members.len()],
        };
    }

    /// Has an action taken each time an event has occurred so often; 0 ends it.
    pub(crate) fn set_overflow(&mut self, overflow: Overflow) -> Result<(), Failed> {
        self.check_overflow(overflow.code)?;
        self.overflows.retain(|own| own.code != overflow.code);
        self.overflows.push(overflow);
        Ok(())
    }

    /// Ends the action of an event.
    pub(crate) fn clear_overflow(&mut self, code: c_int) -> Result<(), Failed> {
        let before = self.overflows.len();
        self.overflows.retain(|own| own.code != code);
        if self.overflows.len() == before { Err(EINVAL) } else { Ok(()) }
    }

    /// An event that can overflow: a native one of the set.
    pub(crate) fn check_overflow(&self, code: c_int) -> Result<&'static Native, Failed> {
        let member = self.members.iter().find(|member| member.code == code).ok_or(ENOEVNT)?;
        match member.value {
            Value::Native(native) => self.natives.get(native).copied().ok_or(EBUG),
            Value::Computed { .. } => Err(EINVAL),
        }
    }
}

impl Value {
    /// The positions of the native events that it is made of.
    fn natives(&self) -> impl Iterator<Item = usize> {
        let (own, inputs) = match self {
            Value::Native(native) => (Some(*native), &[][..]),
            Value::Computed { inputs, .. } => (None, &inputs[..]),
        };
        own.into_iter().chain(inputs.iter().filter_map(|native| *native))
    }

    fn natives_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let (own, inputs) = match self {
            Value::Native(native) => (Some(native), &mut [][..]),
            Value::Computed { inputs, .. } => (None, &mut inputs[..]),
        };
        own.into_iter().chain(inputs.iter_mut().filter_map(Option::as_mut))
    }

    /// The value by those of the native events; `inputs` is room for those of the formula.
    fn compute(&self, natives: &[i128], inputs: &mut Vec<i128>) -> Result<i64, Failed> {
        let value = |native: usize| natives.get(native).copied().ok_or(EBUG);
        match self {
            Value::Native(native) => i64::try_from(value(*native)?).map_err(|_| EBUF),
            Value::Computed { formula, inputs: places } => {
                inputs.clear();
                for place in places {
                    inputs.push(match place {
                        Some(native) => value(*native)?,
                        None => i128::from(crate::timers::megahertz().ok_or(ENOSUPP)?) * 1_000_000,
                    });
                }
                let number: Number = formula.eval_exact(inputs).map_err(|_| EINVAL)?;
                number.papi().ok_or(EBUF)
            }
        }
    }
}

/// The component of an event, whose set can have it.
pub(crate) fn component(library: &Library, code: c_int) -> Result<usize, Failed> {
    component_of(&terms(library, code)?.0)
}

fn component_of(terms: &[&'static Native]) -> Result<usize, Failed> {
    terms.first().map(|native| native.component).ok_or(ENOEVNT)
}

/// The native events of a code, and the formula if it is not native.
fn terms(
    library: &Library,
    code: c_int,
) -> Result<(Vec<&'static Native>, Option<Formula>), Failed> {
    match code as u32 & (NATIVE | PRESET) {
        0 => Err(EINVAL),
        NATIVE => {
            let native = natives::by_code(code).map_err(|_| ENOCMP)?;
            native.programmed.as_ref().map_err(|failed| *failed)?;
            Ok((vec![native], None))
        }
        _ => {
            let named = Named::of(code).map_err(|_| EINVAL)?;
            let expansion = library.presets().expand(library, named)?;
            let native = |term: &String| natives::by_name(library, term);
            let natives: Result<Vec<_>, Failed> = expansion.terms.iter().map(native).collect();
            Ok((natives?, Some(expansion.formula)))
        }
    }
}
