//! `cargo xtask conformance papi`: every preset of `papi_avail`, and every event of `papi_native_avail`, must be an event
//! here by the same name. With a folder, which has the source of PAPI (`apt-get source papi`), its tests too.

use super::papi_tests;
use super::symbols::counterpoint;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

pub fn compare() -> Result<(), String> {
    let program = counterpoint()?;
    let presets = presets(&output("papi_avail")?);
    let natives = natives(&output("papi_native_avail")?);
    if presets.is_empty() {
        return Err("papi_avail lists no presets".to_owned());
    }
    let mut unknown = Vec::new();
    for name in presets.iter().chain(&natives) {
        let shown = Command::new(&program).args(["show", "--json", name]).output();
        let shown = shown.map_err(|error| format!("{}: {error}", program.display()))?;
        if !shown.status.success() {
            unknown.push(name.as_str());
        }
    }
    println!("{} presets and {} native events compared", presets.len(), natives.len());
    if natives.is_empty() {
        println!("papi_native_avail lists no native events on this machine");
    }
    if !unknown.is_empty() {
        return Err(format!("not known here: {}", unknown.join(", ")));
    }
    match std::env::args().nth(3) {
        Some(folder) => papi_tests::compare(Path::new(&folder)),
        None => {
            println!(
                "skipped: PAPI's own tests need the folder of its source (apt-get source papi)"
            );
            Ok(())
        }
    }
}

fn output(tool: &str) -> Result<String, String> {
    let output = Command::new(tool).output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("{tool} is not installed: apt-get install papi-tools"),
        _ => format!("{tool}: {error}"),
    })?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The first word of each line that names a preset and its code.
fn presets(text: &str) -> Vec<String> {
    let words = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let named = words.filter(|words| words.first().is_some_and(|word| word.starts_with("PAPI_")));
    let coded = named.filter(|words| words.get(1).is_some_and(|code| code.starts_with("0x8")));
    coded.map(|words| words[0].to_owned()).collect()
}

/// The names between bars at the beginning of lines: `| perf::TASK-CLOCK   |`; unit masks begin with a colon or blanks.
fn natives(text: &str) -> Vec<String> {
    let cells = text.lines().filter_map(|line| line.strip_prefix("| ")?.split('|').next());
    let names = cells.filter(|cell| cell.starts_with(|c: char| c.is_ascii_alphanumeric()));
    names.map(|cell| cell.trim().to_owned()).filter(|name| !name.contains(' ')).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_read_from_the_tables_of_the_tools() {
        let text = "    Name        Code    Avail Deriv Description (Note)\n\
            PAPI_L1_DCM  0x80000000  No    No   Level 1 data cache misses\n\
            PAPI version             : 7.0.0.0\n";
        assert_eq!(super::presets(text), ["PAPI_L1_DCM"]);
        let text = "| ix86arch::UNHALTED_CORE_CYCLES                                    |\n\
            |            count core clock cycles whenever the clock signal is running |\n\
            |     :e=0                                                            |\n\
            | perf::TASK-CLOCK      |\n";
        assert_eq!(super::natives(text), ["ix86arch::UNHALTED_CORE_CYCLES", "perf::TASK-CLOCK"]);
    }
}
