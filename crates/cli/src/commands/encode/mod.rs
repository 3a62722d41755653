//! `counterpoint encode`: event strings to what registers and the kernel want.

mod args;
pub mod perf_syntax;
pub mod text;

pub use args::EncodeArgs;

use crate::failure::Failure;
use crate::names;
use crate::show;
use counterpoint::pmu::{Context, EncodeErrorKind, Encoding, PerfEncoding, Privilege, encode};
use counterpoint::{Machine, without_component};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::Write;
use std::ops::Range;

/// Exit status 1 if a string was refused; of a batch, whose answers say so, 0.
pub fn run(args: &EncodeArgs) -> Result<u8, Failure> {
    let machine = Machine::new(args.machine.host()?);
    let context = context(args, &machine)?;
    let answer = |input: &str| match (&context, without_component(input)) {
        // libpfm has no string for the energies of PAPI's rapl, nor for other components.
        (_, Ok(Cow::Owned(_)) | Err(_)) => perf_syntax::answer(&machine, input),
        _ if args.perf_syntax => perf_syntax::answer(&machine, input),
        (Some(context), Ok(Cow::Borrowed(plain))) => libpfm(input, plain, context, &machine),
        (None, _) => no_levels(input, args.plm),
    };
    if args.batch {
        // A blank at the end is part of the string.
        return crate::batch::batch(|line| answer(&String::from_utf8_lossy(line)));
    }
    let mut out = show::stdout();
    let mut refused = false;
    for input in &args.events {
        let answer = answer(input);
        refused |= answer["ok"] == false;
        match args.json {
            true => writeln!(out, "{answer}")?,
            false => text::write(&mut out, &answer)?,
        }
    }
    out.flush()?;
    Ok(u8::from(refused))
}

/// Nothing if the levels to count at are none that exist.
fn context(args: &EncodeArgs, machine: &Machine) -> Result<Option<Context>, Failure> {
    let Some(levels) = Privilege::from_bits(args.plm) else { return Ok(None) };
    let mut context = Context::new(args.layer.into());
    context.privilege = levels;
    context.machine = machine.tables().clone();
    if let Some(name) = &args.pmu {
        context.machine.pmus = vec![names::pmu(name)?];
    }
    Ok(Some(context))
}

/// A mask with other bits than those of levels is refused before the string is read, as in libpfm.
fn no_levels(input: &str, plm: u32) -> Value {
    let message = format!("{plm:#x} is no set of privilege levels");
    let help =
        format!("masks are 0 to {:#x}; or write letters of k 1 2 u h", Privilege::ALL.bits());
    refusal(input, 0..input.len(), "INVAL", message, Some(help), &[])
}

/// The answer to a string of libpfm's, `plain` without a component that stands before it.
fn libpfm(input: &str, plain: &str, context: &Context, machine: &Machine) -> Value {
    let error = match encode(plain, context) {
        Ok(encoding) => return as_json(input, &encoding),
        Err(error) => error,
    };
    let start = input.len() - plain.len();
    let span = start + error.span.start..start + error.span.end;
    let (mut message, mut help) = (error.to_string(), Some(error.help()));
    if let EncodeErrorKind::UnknownEvent { pmu: None, .. } = error.kind {
        // Other PMUs than the machine's may have the event, or perf's syntax.
        match machine.resolve(plain) {
            Ok(_) => help = Some("write --perf-syntax to encode what `stat -e` takes".to_string()),
            Err(error) => (message, help) = (error.to_string(), error.help()),
        }
    }
    refusal(input, span, error.code(), message, help, error.similar())
}

fn as_json(input: &str, encoding: &Encoding) -> Value {
    let mut answer = json!({
        "input": input,
        "ok": true,
        "pmu": encoding.pmu,
        "event": encoding.event,
        "fully_qualified": encoding.fully_qualified,
        "canonical": encoding.canonical,
        "codes": encoding.codes.iter().map(|code| hex(*code)).collect::<Vec<_>>(),
        "counters": encoding.counters.map(hex),
    });
    if let Some(perf) = &encoding.perf {
        answer["perf"] = perf_as_json(perf);
    }
    answer
}

/// The answer to what is refused.
fn refusal(
    input: &str,
    span: Range<usize>,
    kind: &str,
    message: String,
    help: Option<String>,
    similar: &[String],
) -> Value {
    json!({
        "input": input,
        "ok": false,
        "error": {
            "kind": kind,
            "message": message,
            "span": [span.start, span.end],
            "help": help,
            "similar": similar,
        },
    })
}

/// The fields of `perf_event_attr`, with the CPU to count on: -1 is any.
fn perf_as_json(perf: &PerfEncoding) -> Value {
    json!({
        "type": perf.kind,
        "config": hex(perf.config),
        "config1": hex(perf.config1),
        "config2": hex(perf.config2),
        "exclude_user": perf.exclude_user,
        "exclude_kernel": perf.exclude_kernel,
        "exclude_hv": perf.exclude_hv,
        "exclude_host": perf.exclude_host,
        "exclude_guest": perf.exclude_guest,
        "period": perf.period,
        "freq": perf.freq,
        "precise_ip": perf.precise_ip,
        "exclusive": perf.exclusive,
        "pinned": perf.pinned,
        "cpu": perf.cpu.map_or(-1, i64::from),
    })
}

pub fn hex(number: u64) -> String {
    format!("{number:#x}")
}
