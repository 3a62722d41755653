//! `pfm_dispatch_events`: the structures of the caller as a request, and the assignment as the caller's structures.

#![allow(unsafe_code, reason = "C programs call this function with pointers")]

use std::ffi::{c_int, c_uint, c_void};
use std::mem::offset_of;

use counterpoint_capi::guarded;
use counterpoint_pmu::Privilege;
use counterpoint_pmu::libpfm3::{
    Assignment, CounterOptions, ErrorKind, Model, ModelInput, ModelOutput, Register, Request,
    dispatch,
};

use crate::current::current;
use crate::ia64::*;
use crate::input::*;
use crate::layout::{Event, InputParam, MAX_REGISTERS, OutputParam, Reg, RegisterMask, levels};
use crate::output::{AmdOutput, ItaniumOutput};
use crate::result::{Failed, INVAL, NOTSUPP, SUCCESS};

/// `int pfm_dispatch_events(pfmlib_input_param_t *p, void *mod_in, pfmlib_output_param_t *q, void *mod_out)`
///
/// The places that a refused request would have written to are not touched.
///
/// # Safety
///
/// Each pointer is null or points to its structure: those for the model, to the structures of the current model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_dispatch_events(
    p: *mut InputParam,
    mod_in: *mut c_void,
    q: *mut OutputParam,
    mod_out: *mut c_void,
) -> c_int {
    let answer = || {
        let model = current()?;
        if (p.is_null() && mod_in.is_null()) || (q.is_null() && mod_out.is_null()) {
            return Err(INVAL);
        }
        // SAFETY: the caller's structures.
        let mut request = unsafe { request(p) }?;
        // SAFETY: the structure of this model.
        let options = unsafe { add_input(&mut request, model, mod_in) }?;
        for (event, options) in request.events.iter_mut().zip(options) {
            event.options = options;
        }
        request.wants_output = !mod_out.is_null();
        let assignment = dispatch(model, &request)?;
        // SAFETY: the caller's structure, unless it is null.
        unsafe { write(q, &assignment) };
        // SAFETY: the structure of this model, unless it is null.
        unsafe { write_output(mod_out, &assignment) };
        Ok(())
    };
    guarded(NOTSUPP.0, || answer().map_or_else(|Failed(code)| code, |()| SUCCESS))
}

/// The request without what only the model takes.
///
/// # Safety
///
/// The pointer is null or points to the structure, of which as many events are read as there are.
unsafe fn request(p: *const InputParam) -> Result<Request, Failed> {
    if p.is_null() {
        // Without events there is nothing that the levels are for, but they must be some.
        return Ok(Request::new(Privilege::USER));
    }
    let field = |offset: usize| p.cast::<u8>().wrapping_add(offset);
    let number = |offset: usize| {
        // SAFETY: a member of the caller's structure.
        unsafe { field(offset).cast::<c_uint>().read_unaligned() }
    };
    let plm = number(offset_of!(InputParam, pfp_dfl_plm));
    let count = number(offset_of!(InputParam, pfp_event_count)) as usize;
    if plm == 0 || count >= MAX_REGISTERS {
        return Err(INVAL);
    }
    if count > current()?.counters() {
        return Err(Failed(ErrorKind::TooMany.code()));
    }
    let mut request = Request::new(levels(plm)?);
    request.system_wide = number(offset_of!(InputParam, pfp_flags)) & 1 != 0;
    let unavailable = field(offset_of!(InputParam, pfp_unavail_pmcs)).cast::<RegisterMask>();
    // SAFETY: a member of the caller's structure.
    request.unavailable = unsafe { unavailable.read_unaligned() }.set();
    let events = field(offset_of!(InputParam, pfp_events)).cast::<Event>();
    for place in 0..count {
        // SAFETY: the structure has more events than these.
        let event = unsafe { events.wrapping_add(place).read_unaligned() };
        request.events.push(event.request()?);
    }
    Ok(request)
}

/// Adds the input that only the model takes, and returns the options of its counters. Models that take none do not look at
/// the pointer.
///
/// # Safety
///
/// The pointer is null or points to the structure of the model.
unsafe fn add_input(
    request: &mut Request,
    model: &Model,
    from: *const c_void,
) -> Result<Vec<CounterOptions>, Failed> {
    let take: unsafe fn(*const c_void, usize) -> Result<Taken, Failed> = match model.family() {
        _ if from.is_null() => return Ok(Vec::new()),
        "gen_ia32" => gen_ia32,
        "p6" => take::<P6Input>,
        "coreduo" => take::<CoreDuoInput>,
        "core" => take::<CoreInput>,
        "atom" => take::<AtomInput>,
        "nehalem" => take::<NhmInput>,
        "amd64" => take::<AmdInput>,
        "cell" => take::<CellParam>,
        "itanium" => take::<ItaniumInput>,
        "itanium2" => take::<Itanium2Input>,
        "montecito" => take::<MontecitoInput>,
        _ => return Ok(Vec::new()),
    };
    // SAFETY: the structure of this model.
    let (input, options) = unsafe { take(from, request.events.len()) }?;
    request.input = Some(input);
    Ok(options)
}

/// # Safety
///
/// The pointer points to the structure.
unsafe fn take<T: Given>(from: *const c_void, _events: usize) -> Result<Taken, Failed> {
    // SAFETY: the caller promises it, and any bytes are one.
    unsafe { from.cast::<T>().read_unaligned() }.taken()
}

/// The structure has options for 512 counters, of which those of the events are read.
///
/// # Safety
///
/// The pointer points to the structure.
unsafe fn gen_ia32(from: *const c_void, events: usize) -> Result<Taken, Failed> {
    let first = from.cast::<IntelCounter>();
    // SAFETY: there are fewer events than the structure has counters.
    let read = |place: usize| unsafe { first.wrapping_add(place).read_unaligned() };
    Ok((ModelInput::GenIa32, (0..events).map(|place| read(place).into()).collect()))
}

/// Fills the structure of every model; what is not used is zero.
///
/// # Safety
///
/// The pointer is null or points to the structure.
unsafe fn write(q: *mut OutputParam, assignment: &Assignment) {
    if q.is_null() {
        return;
    }
    let field = |offset: usize| q.cast::<u8>().wrapping_add(offset);
    // SAFETY: the caller's structure.
    unsafe { q.cast::<u8>().write_bytes(0, size_of::<OutputParam>()) };
    let registers = |count_at: usize, at: usize, registers: &[Register]| {
        let count = registers.len().min(MAX_REGISTERS);
        // SAFETY: a member of the caller's structure.
        unsafe { field(count_at).cast::<c_uint>().write_unaligned(count as c_uint) };
        for (place, register) in registers.iter().take(count).enumerate() {
            let place = field(at).cast::<Reg>().wrapping_add(place);
            // SAFETY: the structure has as many registers.
            unsafe { place.write_unaligned(register.into()) };
        }
    };
    let (pmc_count, pmcs) =
        (offset_of!(OutputParam, pfp_pmc_count), offset_of!(OutputParam, pfp_pmcs));
    registers(pmc_count, pmcs, &assignment.pmcs);
    let (pmd_count, pmds) =
        (offset_of!(OutputParam, pfp_pmd_count), offset_of!(OutputParam, pfp_pmds));
    registers(pmd_count, pmds, &assignment.pmds);
}

/// Fills what only the model has.
///
/// # Safety
///
/// The pointer is null or points to the structure of the model.
unsafe fn write_output(place: *mut c_void, assignment: &Assignment) {
    let Some(output) = assignment.output.as_ref().filter(|_| !place.is_null()) else { return };
    match output {
        ModelOutput::Amd64 { fetch, op } => {
            let given = AmdOutput { ibsfetch_base: *fetch, ibsop_base: *op, reserved: [0; 7] };
            // SAFETY: the structure of this model.
            unsafe { place.cast::<AmdOutput>().write_unaligned(given) };
        }
        ModelOutput::Ia64(output) => {
            // SAFETY: as above.
            unsafe { place.cast::<ItaniumOutput>().write_unaligned((&**output).into()) };
        }
        _ => {}
    }
}
