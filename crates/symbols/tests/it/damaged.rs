//! Files that lie cost their names, and nothing else.

use counterpoint_symbols::{Binary, CodeFile, DebugFiles};
use proptest::prelude::*;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The beginning of this program, with its headers, and the end, with its tables.
fn program() -> &'static [u8] {
    static PROGRAM: OnceLock<Vec<u8>> = OnceLock::new();
    PROGRAM.get_or_init(|| std::fs::read("/proc/self/exe").unwrap())
}

/// The addresses of the first functions, of which everything is asked.
fn ask(bytes: Vec<u8>) -> Vec<Range<u64>> {
    let file = CodeFile::Bytes { name: PathBuf::from("damaged"), bytes: bytes.into() };
    let _ = file.build_id();
    let Some(binary) = Binary::open(&file, &DebugFiles::below("/nowhere")) else {
        return Vec::new();
    };
    let functions: Vec<_> = binary.functions().map(|(_, range)| range).take(20).collect();
    for range in &functions {
        let _ = (binary.symbol(range.start), binary.frames(range.start), binary.data());
        let _ = binary.code(range.clone());
    }
    functions
}

#[test]
fn the_whole_program_has_functions() {
    assert_eq!(ask(program().to_vec()).len(), 20);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn changed_headers_and_tables_are_survived(
        changes in prop::collection::vec((0_usize..4096, any::<bool>(), any::<u8>()), 1..12),
        length in 0_usize..64,
    ) {
        let mut bytes = program().to_vec();
        let end = bytes.len();
        for (place, from_end, byte) in changes {
            let place = if from_end { end - 1 - place } else { place };
            bytes[place] = byte;
        }
        bytes.truncate(end - length * 1000);
        let functions = ask(bytes);
        prop_assert!(functions.is_sorted_by_key(|range| range.start), "{functions:x?}");
        prop_assert!(functions.iter().all(|range| range.start <= range.end), "{functions:x?}");
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert_eq!(ask(bytes), []);
    }
}
