//! Models and assignments for people.

use super::answer::model_output;
use super::names::{cycles, full_name, instructions};
use crate::show::{self, printable};
use counterpoint::pmu::libpfm3::{Assignment, Model, Register, Request};
use std::io::{self, Write};

/// A line of the list of models.
pub fn write_line(out: &mut impl Write, model: &Model) -> io::Result<()> {
    let [cycles, instructions] = helpers(model);
    writeln!(out, "{:<18} {:<40} {cycles:<32} {instructions}", model.name(), model.description())
}

/// The events that count cycles and instructions; `-` for none.
fn helpers(model: &Model) -> [String; 2] {
    [cycles(model), instructions(model)].map(|event| event.unwrap_or_else(|| "-".to_owned()))
}

/// A model by itself.
pub fn write_model(out: &mut impl Write, model: &Model) -> io::Result<()> {
    writeln!(out, "{}", model.description())?;
    writeln!(out, "counters      {} of {} bits", model.counters(), model.counter_width())?;
    let [cycles, instructions] = helpers(model);
    writeln!(out, "cycles        {cycles}")?;
    writeln!(out, "instructions  {instructions}")?;
    let names = (0..model.event_count()).filter_map(|event| model.event_name(event));
    writeln!(out, "events        {}", names.collect::<Vec<_>>().join(" "))
}

/// An event with its number, and a line for each of its unit masks with theirs.
pub fn write_event(
    out: &mut impl Write,
    model: &Model,
    event: usize,
    name: &str,
) -> io::Result<()> {
    writeln!(out, "{event:>4}  {name}")?;
    for (number, mask) in model.mask_names(event).enumerate() {
        writeln!(out, "      {number:>4}  :{mask}")?;
    }
    Ok(())
}

/// The counter of each event, then every register to write.
pub fn write_assignment(
    out: &mut impl Write,
    model: &Model,
    request: &Request,
    assignment: &Assignment,
) -> io::Result<()> {
    for (place, pmd) in assignment.pmds.iter().enumerate() {
        let event = request.events.get(place);
        let name =
            event.map_or_else(String::new, |event| full_name(model, event.event, &event.masks));
        writeln!(out, "{}", line("PMD", pmd, "", &name))?;
    }
    for pmc in &assignment.pmcs {
        writeln!(out, "{}", line("PMC", pmc, &format!("{:#x}", pmc.value), ""))?;
    }
    match &assignment.output {
        // Other output of the model, such as debug registers, is for programs.
        Some(output) => {
            write!(out, "mod_out ")?;
            show::json(out, &model_output(output))
        }
        None => Ok(()),
    }
}

fn line(kind: &str, register: &Register, value: &str, name: &str) -> String {
    let Register { number, address, .. } = register;
    let text = format!("{kind} {number:<3} {address:<#12x} {value:<20} {}", printable(name));
    text.trim_end().to_owned()
}
