//! PAPI's own preset file, if it is installed; `COUNTERPOINT_PAPI_EVENTS` can name it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use counterpoint_definitions::papi::{self, decode, parse, print};
use counterpoint_definitions::{Code, Definition, Library, Origin, Severity, line_column, link};

const INSTALLED: [&str; 2] =
    ["/usr/share/papi/papi_events.csv", "/usr/local/share/papi/papi_events.csv"];

const SKIPPED: &str =
    "skipped: no papi_events.csv is installed, and COUNTERPOINT_PAPI_EVENTS names none";

fn papi_events() -> Option<Vec<u8>> {
    let named = std::env::var_os("COUNTERPOINT_PAPI_EVENTS").map(PathBuf::from);
    let path = named.or_else(|| INSTALLED.iter().map(PathBuf::from).find(|path| path.exists()))?;
    Some(std::fs::read(path).expect("the file that COUNTERPOINT_PAPI_EVENTS names"))
}

#[test]
fn papis_presets_are_read_completely() {
    let Some(bytes) = papi_events() else {
        println!("{SKIPPED}");
        return;
    };
    let (text, undecodable) = decode(&bytes);
    assert_eq!(undecodable, []);
    let parsed = parse(&text);
    let words =
        text.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
    assert_eq!(parsed.file.items.len(), words.count());
    let errors: Vec<_> =
        parsed.diagnostics.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert!(errors.iter().all(|error| error.code == Code::JoinedLines), "{errors:?}");
    let printed = print(&parsed.file);
    let again = parse(&printed);
    assert_eq!(print(&again.file), printed);
    let [whole, printed] = [Library::from(&*text), Library::from(&*printed)];
    for cpu in parsed.file.cpus() {
        let own = papi::read_for(&text, Origin::Text, &[cpu.name.text.into()]);
        assert!(own.len() < 100, "{} of {}", own.len(), whole.len());
        let [before, after, own] = [&whole, &printed, &own].map(|library| {
            let definitions = link(std::slice::from_ref(library), cpu.name.text);
            let expansion = |d: Definition| (d.name().to_owned(), definitions.expand(&d));
            definitions.iter().map(expansion).collect::<Vec<_>>()
        });
        assert!(
            before == after
                && before == own
                && before.iter().all(|(_, expansion)| expansion.is_ok())
        );
    }
}

/// The faults in the file of PAPI 7.3, which has 2,812 lines.
#[test]
fn the_faults_of_papis_presets_are_reported() {
    let Some(bytes) = papi_events() else {
        println!("{SKIPPED}");
        return;
    };
    let text = String::from_utf8(bytes).unwrap();
    if text.lines().count() != 2812 {
        println!("skipped: this is another version of papi_events.csv");
        return;
    }
    let parsed = parse(&text);
    assert_eq!(parsed.file.events().count(), 1976);
    let mut lines: BTreeMap<Code, Vec<usize>> = BTreeMap::new();
    for finding in parsed.diagnostics.iter().chain(&papi::differences(&parsed.file)) {
        lines.entry(finding.code).or_default().push(line_column(&text, finding.span.start).0);
    }
    let twice = [182, 183, 248, 249, 1255, 1257, 1274, 1461, 1858, 1880, 2309, 2344, 2379];
    assert_eq!(lines.remove(&Code::DefinedTwice).unwrap(), twice);
    assert_eq!(lines.remove(&Code::JoinedLines).unwrap(), [1581]);
    assert_eq!(lines.remove(&Code::OneTerm).unwrap(), [540, 2120, 2133, 2211]);
    assert_eq!(lines.remove(&Code::FirstTermOnly).unwrap().len(), 12);
    assert_eq!(lines.remove(&Code::RepeatedTerm).unwrap(), [1640]);
    assert_eq!(lines.remove(&Code::EmptyField).unwrap(), [2792]);
    assert_eq!(lines.remove(&Code::PapiComma).unwrap(), [97, 1383]);
    assert_eq!(lines.remove(&Code::PapiTerms).unwrap(), [2781, 2796, 2810]);
    assert_eq!(lines.remove(&Code::PapiStops).unwrap(), [2402]);
    assert_eq!(lines, BTreeMap::new());
}
