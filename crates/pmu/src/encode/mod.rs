//! libpfm's event strings: `pmu::EVENT:UMASK:modifier=value`, to what the kernel or a register wants.

mod error;
mod perf_events;
mod request;
mod text;

pub use error::{EncodeError, EncodeErrorKind};
pub use perf_events::PerfEncoding;
pub(crate) use request::Request;

use crate::family::{PerfText, Programmed};
use crate::machine::{Context, Layer, Machine};
use crate::pmu::{self, Event, Pmu};
use crate::similar::similar_names;
use text::{Piece, Text};

/// An event string, encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoding {
    /// The PMU.
    pub pmu: &'static str,
    /// The event, under its own name if the string used another.
    pub event: String,
    /// The string that libpfm prints for it, defaults included. Fed back it is not always accepted,
    /// nor always the same; [`Encoding::canonical`] is.
    #[doc(alias = "fstr")]
    pub fully_qualified: String,
    /// A string that encodes to the same in the same context.
    pub canonical: String,
    /// The register images.
    pub codes: Vec<u64>,
    /// What `perf_event_open` wants; nothing at [`Layer::Raw`].
    pub perf: Option<PerfEncoding>,
}

/// Encodes an event string of libpfm's grammar, `[pmu::]EVENT[:UMASK|:modifier[=value]]…`, with `.` as a
/// separator too and in any case.
///
/// The rules are those of libpfm4 (its pfm_get_os_event_encoding(3)), accidents included; what differs
/// is listed in `DIFFERENCES.md`.
///
/// ```
/// use counterpoint_pmu::{Context, Layer, encode};
///
/// let context = Context::new(Layer::PerfEventExt);
/// let encoding = encode("PERF_COUNT_HW_CACHE_L1D:READ:u:precise=2", &context).unwrap();
/// let perf = encoding.perf.unwrap();
/// assert_eq!((perf.kind, perf.config, perf.precise_ip), (3, 0x10000, 2));
/// assert!(perf.exclude_kernel && !perf.exclude_user);
///
/// let error = encode("perf::cylces", &context).unwrap_err();
/// assert_eq!((error.code(), error.span.clone()), ("NOTFOUND", 6..12));
/// assert_eq!(error.similar(), ["cycles"]);
/// ```
///
/// # Errors
///
/// Where the string is wrong and why; [`EncodeError::code`] is libpfm's name for it.
#[doc(alias = "pfm_get_os_event_encoding")]
#[doc(alias = "pfm_get_event_encoding")]
pub fn encode(event: &str, context: &Context) -> Result<Encoding, EncodeError> {
    if context.layer != Layer::Raw && !context.machine.perf_events {
        return Err(EncodeError { span: 0..event.len(), kind: EncodeErrorKind::NotSupported });
    }
    let text = Text::split(event)?;
    let named = find(&text, &context.machine)?;
    let (event, request) = requested(named, &text, context)?;
    let programmed = event.pmu.family.program(&event, &request)?;
    let mut fully_qualified = format!("{}::", event.pmu.name);
    let mut canonical = fully_qualified.clone();
    let own = format!("{}{}", programmed.event, programmed.attributes);
    canonical.push_str(&own);
    if context.layer == Layer::Raw || programmed.perf_text == PerfText::Same {
        fully_qualified.push_str(&own);
    }
    let Programmed { codes, event: name, perf, .. } = programmed;
    let perf = match context.layer {
        Layer::Raw => None,
        Layer::PerfEvent | Layer::PerfEventExt => {
            let layer = perf_events::apply(perf, &event, &request, context)?;
            fully_qualified.push_str(&layer.fully_qualified);
            canonical.push_str(&layer.canonical);
            Some(layer.perf)
        }
    };
    Ok(Encoding { pmu: event.pmu.name, event: name, fully_qualified, canonical, codes, perf })
}

/// The event that the string names, before following it to what it is another name for.
fn find(text: &Text<'_>, machine: &Machine) -> Result<Event, EncodeError> {
    let explicit = match &text.pmu {
        None => None,
        Some(prefix) => Some(pmu::find(prefix.name).ok_or_else(|| unknown_pmu(prefix))?),
    };
    let candidates =
        || explicit.into_iter().chain(machine.pmus.iter().copied().filter(|_| explicit.is_none()));
    let in_pmu = |pmu: &'static Pmu| {
        pmu.event(text.event.name).filter(|event| pmu.family.has(event, machine))
    };
    candidates().find_map(in_pmu).ok_or_else(|| {
        let known: Vec<Event> = candidates().flat_map(Pmu::events).collect();
        let kind = EncodeErrorKind::UnknownEvent {
            name: text.event.name.to_owned(),
            pmu: explicit.map(|pmu| pmu.name),
            similar: similar_names(text.event.name, known.iter().map(|event| event.name)),
        };
        EncodeError { span: text.event.span.clone(), kind }
    })
}

fn unknown_pmu(prefix: &Piece<'_>) -> EncodeError {
    let kind = EncodeErrorKind::UnknownPmu {
        name: prefix.name.to_owned(),
        similar: similar_names(prefix.name, pmu::all().map(|pmu| pmu.name)),
    };
    EncodeError { span: prefix.span.clone(), kind }
}

/// The event meant, with the attributes of the alias that was followed and then those written.
/// Only one alias is followed.
fn requested(
    named: Event,
    text: &Text<'_>,
    context: &Context,
) -> Result<(Event, Request), EncodeError> {
    let Some(equiv) = named.equiv else {
        let mut request = Request::new(named.attributes(context.layer, &context.machine));
        request.add(&named, &text.attributes)?;
        return Ok((named, request));
    };
    let at = &text.event.span;
    let alias = Text::split(equiv)?;
    let target = named.pmu.event(alias.event.name).ok_or_else(|| EncodeError {
        span: at.clone(),
        kind: EncodeErrorKind::UnknownEvent {
            name: alias.event.name.to_owned(),
            pmu: Some(named.pmu.name),
            similar: Vec::new(),
        },
    })?;
    let mut request = Request::new(target.attributes(context.layer, &context.machine));
    // Whoever wrote the alias's name did not write its attributes: they stand where the name does.
    let pieces: Vec<Piece<'_>> = alias.attributes.iter().map(|piece| piece.moved(at)).collect();
    request.add(&target, &pieces)?;
    request.add(&target, &text.attributes)?;
    Ok((target, request))
}
