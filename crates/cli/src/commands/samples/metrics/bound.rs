//! The formulas of metrics over the events of a recording.

use super::asked::Asked;
use counterpoint::metrics::{Meaning, Needs, SampledInput, Term};
use counterpoint_recording::file::Event;

/// A metric whose inputs are counts in the samples of a group.
pub struct Bound<'a> {
    /// The number of the metric among those that are asked for.
    pub metric: usize,
    pub needs: &'a Needs,
    pub inputs: Vec<SampledInput>,
    /// The values of places add up to that of the whole.
    pub is_sum: bool,
}

/// The kernel's own events that presets stand for, by their codes, whatever the processor calls them.
const PRESETS: [(&str, u64); 4] =
    [("PAPI_TOT_CYC", 0), ("PAPI_TOT_INS", 1), ("PAPI_BR_INS", 4), ("PAPI_BR_MSP", 5)];
const HARDWARE: u32 = 0;
const SOFTWARE: u32 = 1;
const RAW: u32 = 4;
const BREAKPOINT: u32 = 5;
/// Cycles, instructions, branches, cycles of the bus, and cycles of a fixed rate.
const EVERYWHERE: [u64; 5] = [0, 1, 4, 6, 9];
/// The kinds whose codes mean the same on every machine: the kernel's events, also those of caches.
const KINDS: [u32; 3] = [HARDWARE, SOFTWARE, 3];
/// A hybrid machine says above the code which cores are meant.
const CODE: u64 = 0xffff_ffff;

/// The metrics whose events are all among these, which samples have together.
pub fn bound<'a>(metrics: &'a [Asked], events: &[(&str, &Event)]) -> Vec<Bound<'a>> {
    let of = |(metric, asked): (usize, &'a Asked)| {
        let ways = asked.as_written.iter().chain(asked.here.as_ref().ok());
        ways.into_iter().find_map(|needs| {
            let inputs = needs.terms.iter().map(|term| input(term, events));
            Some(Bound { metric, needs, inputs: inputs.collect::<Option<_>>()?, is_sum: false })
        })
    };
    metrics.iter().enumerate().filter_map(of).collect()
}

/// Returns true if an event occurs wherever a program runs, as clocks, cycles and instructions do, so that no place is without samples.
pub fn is_everywhere(event: &Event, name: &str) -> bool {
    match event.kind() {
        SOFTWARE => event.is_clock(),
        HARDWARE => EVERYWHERE.contains(&(event.config() & CODE)),
        // Its code says nothing.
        RAW.. if event.kind() != BREAKPOINT => {
            let name = name.to_ascii_lowercase();
            ["cyc", "clk", "slots", "inst"].iter().any(|word| name.contains(word))
        }
        _ => false,
    }
}

/// Returns true if an event is counted only at the privilege levels at which another one is sampled; clocks run at all of them.
pub fn is_of_levels(counted: &Event, sampled: &Event) -> bool {
    let levels = |of: &Event| [of.excludes_user(), of.excludes_kernel()];
    let is_of_all = levels(sampled) == [false; 2];
    is_of_all || levels(counted) == levels(sampled) && !counted.is_clock()
}

/// The count for which a term stands.
fn input(term: &Term, events: &[(&str, &Event)]) -> Option<SampledInput> {
    let native = match &term.meaning {
        Ok(Meaning::Fact(fact)) => return Some(SampledInput::Fixed(fact.value)),
        Ok(Meaning::Event(native)) => Some(native),
        _ => None,
    };
    let id = native.map(|native| native.id.to_string());
    let preset = PRESETS.iter().find(|(name, _)| *name == term.name).map(|(_, code)| *code);
    let is_it = |(name, event): &(&str, &Event)| {
        let is_named = |wanted: &str| plain(name).eq_ignore_ascii_case(&plain(wanted));
        let is_preset = event.kind() == HARDWARE && preset == Some(event.config() & CODE);
        let is_coded = KINDS.contains(&event.kind())
            && native.is_some_and(|native| {
                let mut attrs = native.boxes.iter().map(|of| &of.attr);
                attrs.any(|attr| (attr.kind, attr.config) == (event.kind(), event.config()))
            });
        is_named(&term.name) || id.as_deref().is_some_and(is_named) || is_preset || is_coded
    };
    let index = events.iter().position(is_it)?;
    let factor = native.and_then(|native| native.scale).unwrap_or(1.0);
    Some(SampledInput::Count { index, factor })
}

/// The name of an event without its levels and precision, and without the PMU of a plain name, as in `cpu/cycles/u`.
fn plain(name: &str) -> String {
    const MODIFIERS: &str = "ukhGHIpPSDWeb";
    let are_modifiers = |text: &str| text.chars().all(|letter| MODIFIERS.contains(letter));
    let name = match name.rsplit_once(':') {
        Some((name, rest)) if are_modifiers(rest) => name,
        _ => name,
    };
    let inner = name.rsplit_once('/').filter(|(_, rest)| are_modifiers(rest));
    let inner = inner.and_then(|(rest, _)| rest.split_once('/'));
    match inner {
        Some((pmu, inner)) if pmu.starts_with("cpu") && !inner.contains(['=', ',', '/']) => {
            inner.to_string()
        }
        _ => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_are_compared_without_levels_and_cores() {
        for (name, expected) in [
            ("cycles", "cycles"),
            ("cycles:u", "cycles"),
            ("instructions:uppp", "instructions"),
            ("cpu/cycles/u", "cycles"),
            ("cpu_core/instructions/", "instructions"),
            ("cpu/event=0xc0/", "cpu/event=0xc0/"),
            ("spr::INST_RETIRED:ANY_P", "spr::INST_RETIRED:ANY_P"),
            ("sched:sched_switch", "sched:sched_switch"),
        ] {
            assert_eq!(plain(name), expected);
        }
    }
}
