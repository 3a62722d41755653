//! `show` for people.

use super::attributes;
use super::shown::Shown;
use crate::availability::state;
use crate::descriptions::about;
use crate::show::{labelled as line, printable};
use counterpoint::definitions::{Definition, Expansion, Origin, Unavailable};
use counterpoint::events::{CandidateEvent, Native};
use counterpoint::pmu::{AttributeKind, Context, Event, Layer, encode, kernel, sysfs, vendor};
use std::io::{self, Write};

impl Shown<'_> {
    pub fn write_text(
        &self,
        out: &mut impl Write,
        event: &CandidateEvent,
        place: usize,
    ) -> io::Result<()> {
        if place > 0 {
            writeln!(out)?;
        }
        match event {
            CandidateEvent::Definition { definition, expansion, core } => {
                let words = event.description().unwrap_or("a definition");
                writeln!(out, "{}  {}", printable(definition.name()), printable(words))?;
                definition_lines(out, definition, core.as_deref())?;
                expanded(out, expansion)?;
                if let Some(errata) = self.errata_of(expansion) {
                    let text = format!("{errata}: by the vendor's list, it may count wrongly");
                    line(out, "errata", &text)?;
                }
            }
            CandidateEvent::Unsupported(preset) => {
                writeln!(out, "{}  {}", preset.name, preset.description)?;
            }
            CandidateEvent::Kernel(event) => kernel_event(out, event)?,
            CandidateEvent::Sysfs { pmu, event } => self.sysfs(out, pmu, event)?,
            CandidateEvent::Table(event) => self.table(out, event)?,
            CandidateEvent::Source(source) => {
                writeln!(out, "{}  {}", source.name(), source.description())?;
                let kind = format!("{}: it is measured, and needs no counter", source.kind());
                line(out, "kind", &kind)?;
                if let Some(unit) = source.unit() {
                    line(out, "unit", unit)?;
                }
            }
            CandidateEvent::Vendor { pmu, event } => vendors(out, pmu, event)?,
            CandidateEvent::Likwid { name, event } => {
                let words = format!("{name}  likwid's name for {event}");
                writeln!(out, "{}", printable(&words))?;
                line(out, "stands for", event)?;
            }
            _ => writeln!(out, "{}  a tracepoint of the kernel", printable(&self.name))?,
        }
        self.here(out, event)?;
        self.hidden(out)
    }

    fn sysfs(&self, out: &mut impl Write, pmu: &str, event: &sysfs::Event) -> io::Result<()> {
        let name = format!("{pmu}/{}/", event.name);
        if self.is_of_component() {
            writeln!(out, "{}  PAPI's name for {}", printable(&self.name), printable(&name))?
        } else {
            writeln!(out, "{}  an event in sysfs", printable(&name))?
        }
        let boxes = self.first.events.iter().filter(|other| self.is_box_like_the_first(other));
        let names: Vec<&str> = boxes
            .filter_map(|event| match event {
                CandidateEvent::Sysfs { pmu, .. } => Some(pmu.as_str()),
                _ => None,
            })
            .collect();
        line(out, "PMU", &if names.len() > 1 { names.join(", ") } else { pmu.to_string() })?;
        if let (true, Some(cpus)) = (self.is_of_component(), self.cpus()) {
            line(out, "CPUs", &cpus)?;
        }
        let terms: Vec<String> = event.terms.iter().map(ToString::to_string).collect();
        line(out, "terms", &terms.join(","))?;
        let scale = event.scale.map(|scale| format!(", one count is {scale:e} of it"));
        match &event.unit {
            Some(unit) => line(out, "unit", &format!("{unit}{}", scale.unwrap_or_default())),
            None => Ok(()),
        }
    }

    fn table(&self, out: &mut impl Write, event: &Event) -> io::Result<()> {
        let description = self.words.event(event).map(|words| words.text).unwrap_or_default();
        let title = format!("{}::{}  {description}", event.pmu.name, event.name);
        writeln!(out, "{}", printable(title.trim_end()))?;
        if let Some(text) = self.words.vendors(event, None).and_then(|words| words.text.as_deref())
        {
            text.lines().try_for_each(|text| writeln!(out, "  {}", printable(text)))?;
        }
        let masks = event.attributes(Layer::Raw, self.set.machine().tables());
        line(out, "description", &self.words.sources(event, &masks))?;
        line(out, "PMU", &format!("{}, {}", event.pmu.name, about(event.pmu)))?;
        let boxes = self.first.events.iter().filter(|other| self.is_box_like_the_first(other));
        match boxes.count() {
            0 | 1 => {}
            boxes => line(
                out,
                "boxes",
                &format!("{boxes} on this machine, counted together if no prefix is written"),
            )?,
        }
        if let Some(equiv) = event.equiv {
            line(out, "stands for", equiv)?;
        }
        line(out, "code", &format!("{:#x}", event.code))?;
        if let Some(counters) = event.counters() {
            line(out, "counters", &attributes::counters(counters))?;
        }
        let mut words = Vec::new();
        words.extend(event.is_precise().then_some("can be sampled without skid"));
        words.extend(event.hardware_sampling().then_some(attributes::HARDWARE_SAMPLING));
        words.extend(attributes::speculation(event.speculative()));
        words.extend(event.is_deprecated().then_some("deprecated by the vendor"));
        if !words.is_empty() {
            line(out, "notes", &words.join("; "))?;
        }
        for (errata, masks) in self.errata(event) {
            let of = if masks.is_empty() { "it".to_owned() } else { masks.join(", ") };
            line(
                out,
                "errata",
                &format!("{errata}: by the vendor's list, {of} may count wrongly"),
            )?;
        }
        for layer in &self.layers {
            let attributes = event.attributes(*layer, self.set.machine().tables());
            attributes::write(out, self.words, event, &attributes, *layer)?;
        }
        let unsupported = self.layers.iter().find_map(|layer| self.unsupported(*layer));
        if let Some(why) = unsupported {
            line(out, "unavailable", &format!("{why}, so only the layer raw can be encoded"))?;
        }
        self.encoded(out, event)
    }

    /// The errata about the terms of a definition.
    pub(super) fn errata_of(&self, expansion: &Result<Expansion, Unavailable>) -> Option<String> {
        let terms = &expansion.as_ref().ok()?.terms;
        let mut numbers: Vec<String> =
            terms.iter().flat_map(|term| self.set.errata(term)).collect();
        numbers.sort();
        numbers.dedup();
        Some(numbers.join(", ")).filter(|numbers| !numbers.is_empty())
    }

    /// The errata about an event, each with the unit masks that it is about; none for the event itself.
    pub(super) fn errata(&self, event: &Event) -> Vec<(String, Vec<&'static str>)> {
        let machine = self.set.machine();
        let cpu = machine.cpu().filter(|cpu| event.pmu.is_of(cpu));
        let cpu = cpu.or_else(|| event.pmu.processor());
        let vendor = cpu.map(|cpu| vendor::Events::built_in(&cpu)).unwrap_or_default();
        let attributes = event.attributes(Layer::Raw, machine.tables());
        let masks = attributes.iter().filter(|of| of.kind == AttributeKind::Umask);
        let masks = masks.map(|mask| Some(mask.name));
        let mut found: Vec<(String, Vec<&'static str>)> = Vec::new();
        for mask in std::iter::once(None).chain(masks) {
            let Some(errata) = vendor.errata(event.name, mask) else { continue };
            match found.iter_mut().find(|(known, _)| *known == errata) {
                Some((_, masks)) => masks.extend(mask),
                None => found.push((errata, mask.into_iter().collect())),
            }
        }
        found
    }

    /// Writes the encoding of the event as it was written, or else with the unit mask that it needs.
    fn encoded(&self, out: &mut impl Write, event: &Event) -> io::Result<()> {
        let Some(text) = self.example(event) else { return Ok(()) };
        let mut context = Context::new(Layer::Raw);
        context.machine = self.set.machine().tables().clone();
        let Ok(encoding) = encode(&text, &context) else { return Ok(()) };
        let codes: Vec<String> = encoding.codes.iter().map(|code| format!("{code:#x}")).collect();
        line(out, "encoded", &format!("{} for {text}", codes.join(" ")))?;
        context.layer = Layer::PerfEventExt;
        match encode(&text, &context).map(|encoding| encoding.perf) {
            Ok(Some(perf)) => {
                let more: Vec<String> = [perf.config1, perf.config2]
                    .iter()
                    .enumerate()
                    .filter(|(_, word)| **word != 0)
                    .map(|(place, word)| format!(" config{} {word:#x}", place + 1))
                    .collect();
                let words =
                    format!("type {} config {:#x}{}", perf.kind, perf.config, more.concat());
                line(out, "for perf", &words)
            }
            Ok(None) => Ok(()),
            Err(error) => line(out, "for perf", &error.to_string()),
        }
    }

    /// Writes whether the event can be counted on this machine, and the text with which it is counted.
    fn here(&self, out: &mut impl Write, event: &CandidateEvent) -> io::Result<()> {
        let machine = self.set.machine();
        let boxes = self.first.events.iter().filter(|other| self.is_box_like_the_first(other));
        let boxes = boxes.count();
        let written = match event {
            CandidateEvent::Unsupported(_) => {
                return line(out, "here", "no event of this processor counts it");
            }
            CandidateEvent::Table(event) if !machine.tables().pmus.contains(&event.pmu) => {
                return line(out, "here", "this machine does not have this PMU");
            }
            CandidateEvent::Table(event) => match self.example(event) {
                Some(text) if boxes > 1 => text.split("::").last().unwrap_or(&text).to_string(),
                Some(text) => text,
                None => return Ok(()),
            },
            CandidateEvent::Sysfs { pmu, event } if event.placeholders().next().is_some() => {
                let open = event.placeholders().map(|term| format!(",{term}=…"));
                let open: String = open.collect();
                return line(out, "count it", &format!("-e {pmu}/{}{open}/", event.name));
            }
            CandidateEvent::Sysfs { pmu, event } if boxes < 2 && !self.is_of_component() => {
                format!("{pmu}/{}/", event.name)
            }
            CandidateEvent::Definition { .. } | CandidateEvent::Vendor { .. }
                if self.absent.is_some() =>
            {
                let pmu = self.absent.unwrap_or_default();
                return line(out, "here", &format!("this machine does not have the PMU {pmu}"));
            }
            _ => self.name.clone(),
        };
        match self.set.availability(&written) {
            Ok(states) => {
                let mut words: Vec<String> = states.iter().map(state).collect();
                words.dedup();
                line(out, "here", &words.join(", "))?;
            }
            Err(error) => line(out, "here", &error.to_string())?,
        }
        let resolved = self.set.resolve_list(&written);
        let is_of_cpus = |native: &Native| native.boxes.iter().any(|b| b.cpumask.is_some());
        let whole = resolved.is_ok_and(|resolved| resolved.natives().iter().any(is_of_cpus));
        let whole = if whole { "-a " } else { "" };
        let files: String = match event {
            CandidateEvent::Definition { definition, .. } if !definition.origin().is_included() => {
                self.files.iter().map(|file| format!("-f {} ", file.display())).collect()
            }
            _ => String::new(),
        };
        line(out, "count it", &format!("counterpoint stat {whole}{files}-e {written} -- COMMAND"))
    }

    fn hidden(&self, out: &mut impl Write) -> io::Result<()> {
        let names =
            self.hidden.iter().flat_map(|candidate| &candidate.events).map(|hidden| match hidden {
                CandidateEvent::Definition { definition, .. }
                    if definition.origin().is_included() =>
                {
                    format!("the preset {}", definition.name())
                }
                CandidateEvent::Definition { definition, .. } => {
                    format!("the definition {} {}", definition.name(), origin(definition))
                }
                CandidateEvent::Unsupported(preset) => format!("the preset {}", preset.name),
                CandidateEvent::Kernel(event) => format!("the kernel's perf::{}", event.name),
                CandidateEvent::Sysfs { pmu, event } => format!("{pmu}/{}/", event.name),
                CandidateEvent::Table(event) => format!("{}::{}", event.pmu.name, event.name),
                CandidateEvent::Source(source) => {
                    format!("the {} event {}", source.kind(), source.name())
                }
                CandidateEvent::Tracepoint(name) => format!("the tracepoint {name}"),
                CandidateEvent::Vendor { event, .. } => format!("the vendor's {}", event.name),
                CandidateEvent::Likwid { event, .. } => format!("likwid's name for {event}"),
                _ => String::new(),
            });
        let mut names: Vec<String> = names.collect();
        // Each kind of core has its own candidate.
        names.dedup();
        if names.is_empty() { Ok(()) } else { line(out, "hides", &names.join(", ")) }
    }
}

fn definition_lines(
    out: &mut impl Write,
    definition: &Definition,
    core: Option<&str>,
) -> io::Result<()> {
    if let Some(core) = core {
        line(out, "cores", core)?;
    }
    let origin = origin(definition);
    line(out, "defined", &format!("as {}, {origin}", definition.notation()))?;
    // The title has the long description, or else the short one.
    let short = definition.short_description();
    let short = short.filter(|_| definition.long_description().is_some());
    for (label, text) in
        [("unit", definition.units()), ("short", short), ("note", definition.note())]
    {
        if let Some(text) = text {
            line(out, label, text)?;
        }
    }
    Ok(())
}

/// The place of a definition: its file or text and the line.
fn origin(definition: &Definition) -> String {
    match definition.origin() {
        Origin::File(path) => format!("on line {} of {}", definition.line(), path.display()),
        Origin::BuiltIn | Origin::Preset => "a preset".to_string(),
        _ => format!("on line {} of its text", definition.line()),
    }
}

/// The formula and the terms of a definition, or why it is unavailable.
fn expanded(out: &mut impl Write, expansion: &Result<Expansion, Unavailable>) -> io::Result<()> {
    match expansion {
        Ok(Expansion { formula, terms, .. }) => {
            line(out, "formula", &formula.infix().to_string())?;
            line(out, "terms", &terms.join(", "))
        }
        Err(unavailable) => line(out, "unavailable", &unavailable.to_string()),
    }
}

fn vendors(out: &mut impl Write, pmu: &str, event: &vendor::Event) -> io::Result<()> {
    let heading = format!("{}  {}", event.name, event.brief);
    writeln!(out, "{}", printable(heading.trim_end()))?;
    let text = event.text.as_deref().unwrap_or_default();
    text.lines().try_for_each(|text| writeln!(out, "  {}", printable(text)))?;
    let author = match event.brief.as_str() {
        "" => "none; --vendor-events DIR reads the vendor's",
        _ => "the vendor's",
    };
    line(out, "description", author)?;
    line(out, "PMU", pmu)?;
    line(out, "terms", &event.terms)?;
    if let Some(counters) = event.counters {
        line(out, "counters", &attributes::counters(counters))?;
    }
    if let Some((factor, unit)) = &event.scale {
        line(out, "unit", &format!("{unit}, one count is {factor:e} of it"))?;
    }
    let successor = event.successor.as_deref();
    let deprecated = || match successor {
        Some(name) => format!("deprecated by the vendor: use {name}"),
        None => "deprecated by the vendor".to_string(),
    };
    if let Some(errata) = &event.errata {
        line(out, "errata", &format!("{errata}: by the vendor's list, it may count wrongly"))?;
    }
    let notes = [
        event.is_precise.then(|| "can be sampled without skid".to_string()),
        event.is_deprecated.then(deprecated),
    ];
    match notes.into_iter().flatten().collect::<Vec<_>>().join("; ") {
        none if none.is_empty() => Ok(()),
        notes => line(out, "notes", &notes),
    }
}

fn kernel_event(out: &mut impl Write, event: &kernel::KernelEvent) -> io::Result<()> {
    writeln!(out, "{}  {}", event.name, event.description)?;
    let kind = match event.group {
        kernel::Group::Hardware => "hardware: the kernel maps it to the processor",
        kernel::Group::Software => "software: the kernel counts it",
        _ => "cache: the kernel maps it to the processor",
    };
    line(out, "kind", kind)?;
    let names: Vec<&str> = event.aliases().chain([event.constant]).collect();
    line(out, "also", &names.join(", "))?;
    if event.unit == kernel::Unit::Nanoseconds {
        line(out, "unit", "ns")?;
    }
    line(out, "for perf", &format!("type {} config {:#x}", event.kind(), event.config))?;
    line(out, "modifiers", "u k h (levels), H G (host, guest), I, p P, D, e, W")
}
