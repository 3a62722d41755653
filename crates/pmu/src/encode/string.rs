//! From an event string to its encoding.

use std::borrow::Cow;

use super::codes::Codes;
use super::error::{EncodeError, EncodeErrorKind};
use super::matching::{Matching, integer};
use super::perf_events::{self, PerfEncoding};
use super::print;
use super::programmed::Programmed;
use super::text::Text;
use crate::layer::Layer;
use crate::list;
use crate::machine::Context;
use crate::pmu::{Event, Pmu};

/// An event string, encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoding {
    /// The PMU.
    pub pmu: &'static str,
    /// The event, under its own name if the string used another.
    pub event: Cow<'static, str>,
    /// The name in its PMU's list of the event that counts, after an alias is followed.
    pub listed: &'static str,
    /// The string that libpfm prints for it, defaults included. Fed back it is not always accepted,
    /// nor always the same; [`Encoding::canonical`] is.
    #[doc(alias = "fstr")]
    pub fully_qualified: String,
    /// A string that encodes to the same in the same context.
    pub canonical: String,
    /// The register images.
    pub codes: Codes,
    /// The counters that may count it, a bit for each, where that is known.
    pub counters: Option<u64>,
    /// The fields for `perf_event_open`; `None` at [`Layer::Raw`].
    pub perf: Option<PerfEncoding>,
}

/// The registers of an event string, without its spellings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Program {
    /// The PMU.
    pub pmu: &'static Pmu,
    /// The name in its PMU's list of the event that counts, after an alias is followed.
    pub listed: &'static str,
    /// The register images.
    pub codes: Codes,
    /// The fields for `perf_event_open`; `None` at [`Layer::Raw`].
    pub perf: Option<PerfEncoding>,
}

/// Encodes an event string of libpfm's grammar, `[pmu::]EVENT[:UMASK|:modifier[=value]]…`, with `.` as a
/// separator too and in any case.
///
/// The rules are those of libpfm4 (its pfm_get_os_event_encoding(3)), accidents included; the differences
/// are listed in `DIFFERENCES.md`.
///
/// ```
/// use counterpoint_pmu::{Context, Layer, encode};
///
/// let context = Context::new(Layer::PerfEventExt);
/// let encoding = encode("spr::INST_RETIRED:ANY_P:u:precise=2", &context).unwrap();
/// let perf = encoding.perf.unwrap();
/// assert_eq!((perf.kind, perf.config, perf.precise_ip), (4, 0xc0, 2));
/// assert!(perf.exclude_kernel && !perf.exclude_user);
///
/// let error = encode("spr::INST_RETRIED", &context).unwrap_err();
/// assert_eq!((error.code(), error.span.clone()), ("NOTFOUND", 5..17));
/// assert_eq!(error.similar()[0], "INST_RETIRED");
/// ```
///
/// # Errors
///
/// [`EncodeError`] with the position and the kind of the error; [`EncodeError::code`] is libpfm's name for it.
#[doc(alias = "pfm_get_os_event_encoding")]
#[doc(alias = "pfm_get_event_encoding")]
pub fn encode(event: &str, context: &Context) -> Result<Encoding, EncodeError> {
    programmed(event, context, |matching, named, programmed, perf| {
        let spelled = print::spelled(matching, named, programmed, perf.as_ref(), context);
        Encoding {
            pmu: matching.event.pmu.name,
            event: spelled.event,
            listed: matching.event.name,
            fully_qualified: spelled.fully_qualified,
            canonical: spelled.canonical,
            codes: programmed.codes,
            counters: counters(matching),
            perf,
        }
    })
}

/// The same without the spellings, which take half of the time.
///
/// ```
/// use counterpoint_pmu::{Context, Layer, program};
///
/// let program = program("snb::L2_LINES_IN:ANY:u", &Context::new(Layer::Raw)).unwrap();
/// assert_eq!(program.codes, [0x5107f1]);
/// ```
///
/// # Errors
///
/// Those of [`encode()`].
pub fn program(event: &str, context: &Context) -> Result<Program, EncodeError> {
    programmed(event, context, |matching, _, programmed, perf| Program {
        pmu: matching.event.pmu,
        listed: matching.event.name,
        codes: programmed.codes,
        perf,
    })
}

/// The function of a request, of the name of its event as it was written, and of what comes out of it:
/// all this is large, and stays where it is, as does what the functions that are always inlined return.
fn programmed<T>(
    event: &str,
    context: &Context,
    made: impl FnOnce(&Matching<'_>, &'static str, &Programmed, Option<PerfEncoding>) -> T,
) -> Result<T, EncodeError> {
    if context.layer != Layer::Raw && !context.machine.perf_events {
        return Err(EncodeError { span: 0..event.len(), kind: EncodeErrorKind::NotSupported });
    }
    let text = Text::split(event)?;
    let at_event = |error: EncodeError| {
        if error.span.is_empty() {
            // An error that no attribute has caused is the event's.
            EncodeError { span: text.span(), ..error }
        } else {
            as_written(error, event)
        }
    };
    let named = find(&text, context)?;
    let mut matching = match named.equiv {
        None => Matching::new(named, context),
        Some(alias) => aliased(&named, alias, context).map_err(at_event)?,
    };
    matching.add(text.attributes())?;
    let Matching { event, request, .. } = &mut matching;
    let family = event.pmu.family;
    let programmed = (family.program)(event, request, context.privilege).map_err(at_event)?;
    let perf = match context.layer {
        Layer::Raw => None,
        Layer::PerfEvent | Layer::PerfEventExt => {
            let device = context.machine.device(event.pmu);
            let words = (family.perf)(event, request, &programmed, device).map_err(at_event)?;
            Some(perf_events::apply(words, event, request, context).map_err(at_event)?)
        }
    };
    Ok(made(&matching, named.name, &programmed, perf))
}

/// The error with its number as the string has it: it may be negative or octal, or have too many digits.
#[cold]
fn as_written(mut error: EncodeError, event: &str) -> EncodeError {
    // A number that an alias stands for is not in the string.
    let written = event.get(error.span.clone()).filter(|text| integer(text.as_bytes()).is_some());
    let number = match &mut error.kind {
        EncodeErrorKind::OutOfRange { value, .. } => Some(value),
        EncodeErrorKind::RawUmask { name, .. } => Some(name),
        _ => None,
    };
    if let (Some(number), Some(written)) = (number, written) {
        written.clone_into(number);
    }
    error
}

/// The counters that take the event with its unit masks.
fn counters(matching: &Matching<'_>) -> Option<u64> {
    let of_masks = matching.request.masks().map(|mask| mask.row.counters);
    let known = of_masks.filter(|counters| *counters != 0);
    known.reduce(|all, mask| all & mask).or_else(|| matching.event.counters())
}

/// The event that the string names, before an alias is followed.
#[inline(always)]
fn find(text: &Text<'_>, context: &Context) -> Result<Event, EncodeError> {
    let machine = &context.machine;
    let known = machine.known();
    let in_pmu = |pmu: &'static Pmu| pmu.find_event(text.event(), Some(&known));
    let explicit = match text.pmu() {
        None => None,
        Some(name) => Some(list::find(name).ok_or_else(|| unknown_pmu(name))?),
    };
    let searched = || machine.pmus.iter().copied().filter(|pmu| !pmu.is_deprecated());
    let found = match explicit {
        Some(pmu) => in_pmu(pmu),
        None => searched().find_map(in_pmu),
    };
    found.ok_or_else(|| {
        let kind = EncodeErrorKind::UnknownEvent {
            name: text.event().to_owned(),
            pmu: explicit.map(|pmu| pmu.name),
            searched: explicit
                .map_or_else(|| searched().map(|pmu| pmu.name).collect(), |pmu| vec![pmu.name]),
        };
        EncodeError { span: text.span(), kind }
    })
}

fn unknown_pmu(name: &str) -> EncodeError {
    let kind = EncodeErrorKind::UnknownPmu { name: name.to_owned() };
    EncodeError { span: 0..name.len(), kind }
}

/// The request of another name for an event. Only one alias is followed. Whoever wrote it did not write
/// its attributes, so that no error in them has a span.
fn aliased<'c>(
    named: &Event,
    alias: &str,
    context: &'c Context,
) -> Result<Matching<'c>, EncodeError> {
    let alias = Text::split(alias)?;
    let target = named.pmu.event(alias.event()).ok_or_else(|| EncodeError {
        span: 0..0,
        kind: EncodeErrorKind::UnknownEvent {
            name: alias.event().to_owned(),
            pmu: Some(named.pmu.name),
            searched: Vec::new(),
        },
    })?;
    let mut matching = Matching::new(target, context);
    matching.add_alias(alias.attributes())?;
    Ok(matching)
}
