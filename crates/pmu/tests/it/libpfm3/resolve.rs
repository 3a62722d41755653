//! `EVENT:MASK…` as libpfm-3 reads it.

use std::io::Read;

use counterpoint_pmu::libpfm3::Model;
use flate2::read::GzDecoder;

const FIND: &[u8] = include_bytes!("../../../../../fixtures/dispatch/find.tsv.gz");

#[test]
fn names_mean_what_they_mean_to_libpfm3() {
    let mut text = String::new();
    GzDecoder::new(FIND).read_to_string(&mut text).expect("a compressed text");
    let (mut count, mut wrong) = (0, Vec::new());
    for line in text.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [model, ret, event, masks, string] = cells[..] else { panic!("five cells: {line}") };
        let Some(model) = Model::find(model) else { continue };
        let string: String = serde_json::from_str(string).expect("a text");
        let found = match model.resolve(&string) {
            Ok((event, masks)) => {
                let masks: Vec<String> = masks.iter().map(ToString::to_string).collect();
                let masks = if masks.is_empty() { "-".to_owned() } else { masks.join(",") };
                format!("SUCCESS\t{event}\t{masks}")
            }
            Err(error) => format!("{}\t-\t-", error.kind().name()),
        };
        count += 1;
        if found != format!("{ret}\t{event}\t{masks}") {
            wrong.push(format!("{line}\n  {found}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count}: {}",
        wrong.len(),
        wrong[..wrong.len().min(9)].join("\n")
    );
    assert!(count >= 5 * Model::all().len(), "{count}");
}
