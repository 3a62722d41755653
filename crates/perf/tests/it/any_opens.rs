//! Laws that hold for any bytes as the answers of a recorded machine, its `opens.tsv`; the fuzz target asks the same.

use counterpoint_perf::{Attr, Errno, Exclude, Host, Placement};
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

/// A file that cannot be read is refused by its first bad line; of one that can, every line is what the machine answers.
pub(crate) fn check(bytes: &[u8]) {
    let folder = Folder::new();
    fs::write(folder.0.join("opens.tsv"), bytes).unwrap();
    let text = String::from_utf8_lossy(bytes);
    // Not `lines`: what comes after the last newline is one too, and is empty.
    let lines: Vec<&str> =
        text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let answers = |line: &&str| !line.is_empty();
    match Host::recorded(&folder.0) {
        Ok(host) => {
            let last: HashMap<String, (Attr, Option<Errno>)> =
                lines.iter().skip(1).copied().filter(|line| answers(line)).map(answer).collect();
            for (attr, expected) in last.into_values() {
                let answer = host.probe(&attr, &Placement::ThisThread).err().map(|e| e.errno);
                // A refusal with all levels may be explained by the one without the kernel.
                let is_same = answer == expected || !attr.exclude.kernel && expected.is_some();
                assert!(is_same && answer.is_some() == expected.is_some(), "{attr:?}: {answer:?}");
            }
        }
        Err(error) => {
            let error = error.to_string();
            let place = error.split_once("opens.tsv:").unwrap().1.split_once(':').unwrap().0;
            let number: usize = place.parse().unwrap();
            assert!(number > 1 && answers(&lines[number - 1]), "{error}: {text:?}");
        }
    }
}

/// The result of a line, with the event in one way of writing it.
fn answer(line: &str) -> (String, (Attr, Option<Errno>)) {
    let &[kind, config, config1, config2, exclude, result] =
        line.split('\t').collect::<Vec<_>>().as_slice()
    else {
        panic!("{line:?} is read")
    };
    let hex = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap();
    let attr = Attr {
        kind: kind.parse().unwrap(),
        config: hex(config),
        config1: hex(config1),
        config2: hex(config2),
        exclude: Exclude::from_letters(exclude).unwrap(),
        ..Attr::default()
    };
    (format!("{attr:?}"), (attr, (result != "ok").then(|| result.parse().unwrap())))
}

/// A directory of this process, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        // In memory, where there is such a place: a fuzzer writes many thousand files a second.
        let memory = PathBuf::from("/dev/shm");
        let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
        let folder = parent.join(format!("counterpoint-opens-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("opens") {
        check(&seed);
    }
}
