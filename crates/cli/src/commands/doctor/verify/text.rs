//! The trust report for people: a line for each event, with the kernel in which it is farthest from what is expected.

use super::machine::Of;
use crate::show::{decimal, grouped, listed};
use counterpoint::verify::{Measured, Trust, TrustReport, Unmeasured, Verdict, Way};
use std::io::{self, Write};

pub(super) fn write(out: &mut impl Write, machine: &Of, report: &TrustReport) -> io::Result<()> {
    let cpu = machine.cpu.as_deref().unwrap_or("this processor");
    let kernel = machine.kernel.as_deref().map(|kernel| format!(", Linux {kernel}"));
    writeln!(
        out,
        "What events count of code with known counts, on {cpu}{}\n",
        kernel.unwrap_or_default()
    )?;
    if let Some(why) = &report.no_hardware {
        let text = format!("none of them was verified: {why}");
        line(out, "none", "hardware events", &text)?;
    }
    for group in report.rows.chunk_by(|one, other| one.way == other.way && is_beside(one, other)) {
        write_group(out, group)?;
    }
    write_unmeasured(out, &report.rows)
}

/// Rows of one event, and all plans, stand in one line.
fn is_beside(one: &Trust, other: &Trust) -> bool {
    one.event == other.event || one.way == Way::Plan
}

fn write_group(out: &mut impl Write, rows: &[Trust]) -> io::Result<()> {
    if let ([row], true) = (rows, rows[0].way.expects_nothing()) {
        return write_measured(out, row);
    }
    let measured = |row: &'_ Trust| Some((row.clone(), *row.measured.as_ref().ok()?));
    let (wrong, right): (Vec<_>, Vec<_>) =
        rows.iter().filter_map(measured).partition(|(row, _)| row.verdict() == Verdict::Differs);
    let off = |(row, m): &(Trust, Measured)| (m.median / row.expected - 1.0).abs();
    let farthest = |rows: &[(Trust, Measured)]| {
        rows.iter().max_by(|one, other| off(one).total_cmp(&off(other))).cloned()
    };
    if let Some((row, m)) = farthest(&right) {
        let text = match (row.way, right.len() - 1) {
            (Way::Plan, _) => plans(right.len()),
            (_, 0) => amounts(&row, &m),
            (_, more) => {
                format!("{}; at least as near in {}", amounts(&row, &m), others(more, "kernel"))
            }
        };
        line(out, &mark(&row, &m), &name(&row), &text)?;
    }
    if let Some((row, m)) = farthest(&wrong) {
        let text = match (row.way, wrong.len() - 1) {
            (Way::Plan, 0) => plan(&row, &m),
            (Way::Plan, more) => format!("{}; likewise {}", plan(&row, &m), others(more, "plan")),
            (_, 0) => amounts(&row, &m),
            (_, more) => {
                format!("{}; it differs in {} too", amounts(&row, &m), others(more, "kernel"))
            }
        };
        line(out, "DIFFERS", &name(&row), &text)?;
    }
    Ok(())
}

/// The time of a read, or the skid of samples; without one, it is among the events that have no number.
fn write_measured(out: &mut impl Write, row: &Trust) -> io::Result<()> {
    let Ok(m) = &row.measured else { return Ok(()) };
    if row.way == Way::Skid {
        let text = format!(
            "{} to {} instructions from the one that caused a sample to the one that it names",
            m.least, m.greatest
        );
        return line(out, &format!("{}", m.median), &name(row), &text);
    }
    let nanoseconds = |value: f64| grouped(value.round() as i128);
    let what = match row.event.split(',').count() {
        1 => String::new(),
        _ => format!(" of the group {}", row.event.replace(',', ", ")),
    };
    let (least, greatest) = (nanoseconds(m.least), nanoseconds(m.greatest));
    let mark = format!("{} ns", nanoseconds(m.median));
    line(out, &mark, &name(row), &format!("{least} to {greatest} ns for a read{what}"))
}

fn others(number: usize, what: &str) -> String {
    format!("{number} other {what}{}", if number == 1 { "" } else { "s" })
}

fn plans(number: usize) -> String {
    match number {
        1 => "1 plan: the kernel ran the events together as planned".to_string(),
        _ => format!("{number} plans: the kernel ran the events together as planned"),
    }
}

fn plan(row: &Trust, m: &Measured) -> String {
    let (number, events) = (row.event.split(',').count(), row.event.replace(',', ", "));
    if row.expected > m.median {
        format!(
            "the kernel does not run these {number} together, of which one pass was planned: {events}"
        )
    } else {
        format!(
            "the kernel runs these {number} together, of which more passes were planned: {events}"
        )
    }
}

/// The events that have no number, by the reason.
fn write_unmeasured(out: &mut impl Write, rows: &[Trust]) -> io::Result<()> {
    let mut reasons: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for row in rows {
        let (mark, reason) = match &row.measured {
            Ok(_) => continue,
            Err(Unmeasured::NotSupported(why)) => ("none", why.as_str()),
            Err(Unmeasured::NotCounted(why)) => ("none", why.as_str()),
            Err(_) => ("-", "no code has a number of them that is known"),
        };
        let name = name(row);
        match reasons.iter_mut().find(|(_, known, _)| *known == reason) {
            Some((_, _, names)) if names.contains(&name) => {}
            Some((_, _, names)) => names.push(name),
            None => reasons.push((mark, reason, vec![name])),
        }
    }
    for (mark, reason, names) in &reasons {
        match names.as_slice() {
            [name] => line(out, mark, name, reason)?,
            names => {
                let number = format!("{} events", names.len());
                line(out, mark, &number, &format!("{reason}: {}", listed(names, usize::MAX)))?;
            }
        }
    }
    Ok(())
}

fn name(row: &Trust) -> String {
    let event = &row.event;
    match row.way {
        Way::UserRead => format!("{event} (rdpmc)"),
        Way::Multiplexed => format!("{event} (in turns)"),
        Way::Overflow => format!("{event} (samples)"),
        Way::Skid => format!("{event} (skid)"),
        Way::Plan => "plans".to_string(),
        Way::ReadTime => match event.split(',').count() {
            1 => format!("{event} (read)"),
            number => format!("{number} events (read)"),
        },
        Way::UserReadTime => format!("{event} (rdpmc time)"),
        _ => event.clone(),
    }
}

/// By how much the median differs.
fn mark(row: &Trust, m: &Measured) -> String {
    if row.verdict() == Verdict::Exact {
        return "exact".to_string();
    }
    let percent = (m.median / row.expected - 1.0) * 100.0;
    // As many digits as it needs to be no 0.
    let digits = (-percent.abs().log10()).ceil().clamp(1.0, 5.0);
    let digits = if percent == 0.0 { 0 } else { digits as usize };
    format!("{percent:+.digits$} %")
}

fn amounts(row: &Trust, m: &Measured) -> String {
    let number = |value: f64| {
        // An estimate of a count is no nearer than a whole number; a share may be.
        let is_whole = value.fract() == 0.0 || row.expected >= 1000.0;
        if is_whole { grouped(value.round() as i128) } else { decimal(value) }
    };
    let spread = if m.least == m.greatest {
        String::new()
    } else {
        format!(" ({} to {})", number(m.least), number(m.greatest))
    };
    let errata = match row.errata.as_str() {
        "" => String::new(),
        errata => format!(" (errata {errata})"),
    };
    let (measured, expected) = (number(m.median), number(row.expected));
    format!("{measured} of {expected}{spread} in {}{errata}", row.kernel)
}

fn line(out: &mut impl Write, mark: &str, name: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{mark:>9}  {name:<23}  {text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint::perf::Host;
    use counterpoint::verify::verify;
    use counterpoint_fixtures::{FakeKernel, machine};
    use std::time::Duration;

    /// The text about a scripted machine whose events count the same whatever runs.
    fn text(kernel: FakeKernel) -> String {
        let kernel = kernel.files_of(&machine("amd-zen4"));
        let host = Host::with_kernel(kernel.runs_until_stopped(Duration::from_millis(1)));
        let mut out = Vec::new();
        write(&mut out, &Of::new(&host), &verify(&host)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn events_of_the_processor_are_named_with_what_they_count() {
        let text = text(FakeKernel::new().counters(4));
        let has = |line: &str| assert!(text.lines().any(|own| own == line), "{line}\n{text}");
        has("  DIFFERS  branch-misses            0 of 100,000 in coin");
        has(
            "    exact  plans                    7 plans: the kernel ran the events together as planned",
        );
        let starts = |begin: &str| assert!(text.lines().any(|l| l.starts_with(begin)), "{text}");
        starts("What events count of code with known counts, on ");
        starts(
            "  DIFFERS  plans                    the kernel does not run these 6 together, of which one pass was planned: instructions, ",
        );
        starts(
            "     none  2 events                 the kernel does not let a thread read its counters itself: instructions (rdpmc) and instructions (rdpmc time)",
        );
        starts(
            "        -  7 events                 no code has a number of them that is known: cycles, ref-cycles",
        );
    }

    #[test]
    fn a_skid_is_a_number_of_instructions() {
        let mut report = verify(&Host::with_kernel(FakeKernel::new()));
        let measured = Measured { median: 7.0, least: 0.0, greatest: 80.0, rounds: 200 };
        let row = report.rows.first_mut().unwrap();
        (row.event, row.way, row.measured) = ("branches:p".to_string(), Way::Skid, Ok(measured));
        let mut out = Vec::new();
        write_group(&mut out, &report.rows[..1]).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "        7  branches:p (skid)        0 to 80 instructions from the one that caused a sample to the one that it names\n"
        );
    }
}
