//! Further laws of some families: sets of cache events, ranges, groups, pins.

use std::collections::BTreeSet;

use counterpoint_pmu::libpfm3::ia64::{Range, Ranges};
use counterpoint_pmu::libpfm3::{Assignment, ModelInput, ModelOutput, Request};

use super::checker::Facts;

/// The fault of an assignment whose counters are each allowed, if anything is.
pub(crate) fn check(
    facts: &Facts,
    request: &Request,
    assignment: &Assignment,
) -> Result<(), String> {
    let counters: Vec<u32> = assignment.pmds.iter().map(|pmd| pmd.number).collect();
    match (facts.model, &request.input) {
        (model, Some(ModelInput::Itanium(input))) => {
            ranges(model, input.code.as_ref(), input.data.as_ref(), assignment)
        }
        (model, Some(ModelInput::Itanium2(input) | ModelInput::Montecito(input))) => {
            sets(facts, request, &counters)?;
            ranges(model, input.code.as_ref(), input.data.as_ref(), assignment)
        }
        ("itanium2" | "montecito", _) => sets(facts, request, &counters),
        ("cell", _) => pins(request, &counters, assignment),
        (model, _) if model.starts_with("power") || model.starts_with("ppc") => {
            group(facts, request, &counters, assignment)
        }
        _ => Ok(()),
    }
}

/// The cache events of a set sit beside one that selects it.
pub(crate) fn sets(facts: &Facts, request: &Request, counters: &[u32]) -> Result<(), String> {
    let of = |cache: &str| -> Vec<(u64, u64, u32)> {
        let events = request.events.iter().zip(counters);
        let chosen = events.filter_map(|(event, &counter)| {
            let mask = facts.number(event.event, "umask").unwrap_or(0);
            Some((facts.number(event.event, cache)?, mask, counter))
        });
        chosen.collect()
    };
    let names = |events: &[(u64, u64, u32)]| -> BTreeSet<u64> {
        events.iter().map(|(set, ..)| *set).collect()
    };
    let (l1d, l2) = (of("l1d"), of("l2"));
    if names(&l1d).len() > 1 || !l1d.is_empty() && l1d.iter().all(|(.., counter)| *counter != 5) {
        return Err(format!("L1D events and counters: {l1d:?}"));
    }
    let fits = if facts.model == "itanium2" {
        let key = l2.iter().find(|(.., counter)| *counter == 4);
        l2.is_empty()
            || key.is_some_and(|(set, mask, _)| {
                let same = |other: &u64| *other == 0 || other == mask;
                names(&l2).len() == 1
                    && ([1, 2].contains(set) || l2.iter().all(|(_, m, _)| same(m)))
            })
    } else {
        // A set of three events or fewer stays on the three counters of its key.
        names(&l2).len() <= 2
            && names(&l2).iter().all(|set| {
                let on: Vec<u32> = l2.iter().filter(|(s, ..)| s == set).map(|l2| l2.2).collect();
                [[4, 5, 8], [6, 7, 9]].iter().any(|slots| {
                    let near = on.iter().all(|counter| slots.contains(counter));
                    on.contains(&slots[0]) && (on.len() > 3 || near)
                })
            })
    };
    if fits { Ok(()) } else { Err(format!("L2 events and counters: {l2:?}")) }
}

fn ranges(
    model: &str,
    code: Option<&Ranges>,
    data: Option<&Ranges>,
    assignment: &Assignment,
) -> Result<(), String> {
    let Some(ModelOutput::Ia64(output)) = &assignment.output else {
        let used = code.is_some() || data.is_some();
        return if used { Err("ranges without registers".to_owned()) } else { Ok(()) };
    };
    let configuration = match model {
        "itanium" => None,
        "itanium2" => Some(14),
        _ => Some(38),
    };
    let fine = assignment
        .pmcs
        .iter()
        .any(|pmc| Some(pmc.number) == configuration && pmc.value >> 13 & 1 == 1);
    covers(code, output.code.registers(), fine)?;
    covers(data, output.data.registers(), false)
}

/// Every range is matched, by each pair of debug registers written once.
pub(crate) fn covers(
    ranges: Option<&Ranges>,
    written: &[(u8, u64)],
    fine: bool,
) -> Result<(), String> {
    let Some(ranges) = ranges else { return Ok(()) };
    let numbers: BTreeSet<u8> = written.iter().map(|(number, _)| *number).collect();
    if numbers.len() != written.len() {
        return Err("a debug register twice".to_owned());
    }
    let pairs: Vec<(u64, u64)> =
        written.chunks_exact(2).map(|pair| (pair[0].1, pair[1].1 & ((1 << 56) - 1))).collect();
    let given = ranges.limits.iter().take(4).take_while(|range| (range.start, range.end) != (0, 0));
    for range in given {
        let held = if fine {
            pairs.chunks_exact(2).any(|limits| {
                let (lower, upper) = (limits[0].0, limits[1].0);
                lower <= range.start && range.end - 16 <= upper && upper - lower <= 0x1_0000
            })
        } else {
            covered(&pairs, range)
        };
        if !held {
            return Err(format!("{range:x?} is not held by {pairs:x?}, fine {fine}"));
        }
    }
    Ok(())
}

fn covered(pairs: &[(u64, u64)], range: &Range) -> bool {
    let mut next = range.start;
    while next < range.end {
        let matching = |&&(address, mask): &&(u64, u64)| (address ^ next) & mask == 0;
        let Some((_, mask)) = pairs.iter().filter(matching).min_by_key(|(_, mask)| *mask) else {
            return false;
        };
        // The addresses that agree with `next` in the mask end here.
        let size = 1u64.checked_shl(mask.trailing_zeros()).unwrap_or(0);
        let Some(end) = (next & !size.wrapping_sub(1)).checked_add(size).filter(|_| size != 0)
        else {
            return true;
        };
        next = end;
    }
    true
}

/// Some group has each event's id on its counter, and its registers but for counters that are not used.
fn group(
    facts: &Facts,
    request: &Request,
    counters: &[u32],
    assignment: &Assignment,
) -> Result<(), String> {
    let [mmcr0, mmcr1, mmcra] = [0, 1, 2].map(|register| assignment.pmcs[register].value);
    let numbers = |list: &str| -> Vec<u64> {
        let hex = |word: &str| u64::from_str_radix(word.trim_start_matches("0x"), 16);
        list.split([',', ' ']).map(|word| hex(word).expect("a number")).collect()
    };
    let row = |key: &str| facts.heads(key).next().map_or(vec![0; 8], numbers);
    let (selectors0, selectors1, levels) = (row("selectors0"), row("selectors1"), row("levels"));
    let used = |counter: usize| counters.contains(&(counter as u32 + 1));
    let kept = |selectors: &[u64]| {
        let off = selectors.iter().enumerate().filter(|(counter, _)| !used(*counter));
        !off.fold(0, |bits, (_, selector)| bits | selector)
    };
    let fits = |line: &str| {
        let (ids, registers) = line.split_once(' ').expect("ids and registers");
        let ids: Vec<&str> = ids.split(',').collect();
        let registers = numbers(registers);
        let on_counter = |(event, counter): (usize, &u32)| {
            let own = facts.word(request.events[event].event, "ids").expect("ids");
            own.split(',').nth(*counter as usize - 1) == Some(ids[*counter as usize - 1])
        };
        // Beside the group MMCR0 has what the levels and overflow interrupts need.
        mmcra == registers[2]
            && (mmcr1 ^ registers[1]) & kept(&selectors1) == 0
            && registers[0] & kept(&selectors0) & !mmcr0 & !0x6000_0001 == 0
            && counters.iter().enumerate().all(on_counter)
    };
    let plm = request
        .events
        .first()
        .map_or(request.plm, |event| if event.plm.is_empty() { request.plm } else { event.plm });
    let counts_levels = |counter: &u32| levels[*counter as usize - 1] >> plm.bits() & 1 == 1;
    if facts.heads("group").any(fits) && counters.iter().all(counts_levels) {
        Ok(())
    } else {
        Err("no group has these events on these counters".to_owned())
    }
}

/// Cell: events are where they are pinned, and each counter has both of its registers.
fn pins(request: &Request, counters: &[u32], assignment: &Assignment) -> Result<(), String> {
    let written: BTreeSet<u32> = assignment.pmcs.iter().map(|pmc| pmc.number).collect();
    for (event, &counter) in request.events.iter().zip(counters) {
        let pin = event.options.cell.counter;
        if pin != 0 && pin != counter + 1 || counter > 7 {
            return Err(format!("counter {counter} instead of pin {pin}"));
        }
        if !written.contains(&counter) || !written.contains(&(counter + 8)) {
            return Err(format!("counter {counter} is not programmed"));
        }
    }
    Ok(())
}
