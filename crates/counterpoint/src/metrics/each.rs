//! Metrics that have a value for each chip or core of a machine.

use crate::machine::pmus::Machine;
use crate::report::values::Reason;
use counterpoint_definitions::{Definition, Each, Expansion};

/// The expansions of a metric: one, or one for each number that `?` stands for in the names of its terms.
pub(super) fn of_each(
    machine: &Machine,
    definition: &Definition,
    whole: Expansion,
) -> Result<Vec<(Option<u32>, Expansion)>, Reason> {
    if !whole.formula.inputs().any(|input| input.contains('?')) {
        return Ok(vec![(None, whole)]);
    }
    let each = definition.metric().and_then(|metric| metric.each);
    let numbered = |number: u32| {
        let formula = whole.formula.rename_inputs(|name| name.replace('?', &number.to_string()));
        let terms = formula.inputs().map(str::to_string).collect();
        let mut one = whole.clone();
        (one.formula, one.terms) = (formula, terms);
        (Some(number), one)
    };
    Ok((0..count(machine, each)?).map(numbered).collect())
}

/// The number of chips, or of cores in each, as the hypervisor's PMU shows it.
fn count(machine: &Machine, each: Option<Each>) -> Result<u32, Reason> {
    let (name, file) = match each {
        Some(Each::Core) => ("the number of cores of a chip", "coresperchip"),
        _ => ("the number of chips", "sockets"),
    };
    let path = format!("/sys/bus/event_source/devices/hv_24x7/interface/{file}");
    let text = machine.host().text(&path).ok();
    let number = text.as_deref().map(str::trim).and_then(|text| match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    });
    // No machine has more, and each is a metric of its own.
    const MOST: u32 = 1024;
    number
        .filter(|number| (1..=MOST).contains(number))
        .ok_or_else(|| Reason::UnknownMachineValue { name: name.to_string(), looked_at: path })
}
