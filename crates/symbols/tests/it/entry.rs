//! Where functions begin in their files.

use counterpoint_symbols::{Binary, CodeFile, DebugFiles, NoEntry, entry};
use std::path::Path;

/// A function of this file that stays one, and whose name no other has.
#[inline(never)]
pub(crate) fn planted_for_entry(number: u64) -> u64 {
    std::hint::black_box(number) + 1
}

/// Its symbol and its source name are the same place, and it has the bytes of the code.
#[test]
fn a_function_is_found_by_its_symbol_and_by_its_source_name() {
    assert_eq!(planted_for_entry(1), 2);
    let path = std::env::current_exe().unwrap();
    let binary = Binary::open(&CodeFile::Path(path.clone()), &DebugFiles::default()).unwrap();
    let is_it = |(name, _): &(&str, _)| name.ends_with("entry::planted_for_entry");
    let (name, addresses) = binary.functions().find(is_it).unwrap();
    let code = entry(&path, name).unwrap();
    assert_eq!(binary.linked(code.start), Some(addresses.start));
    assert!(code.end > code.start && code.end - code.start <= addresses.end - addresses.start);
    assert_eq!(entry(&path, "planted_for_entry").unwrap(), code);
    assert_eq!(entry(&path, &format!("{:#x}", addresses.start)).unwrap().start, code.start);
    assert!(matches!(entry(&path, "0x1"), Err(NoEntry::NoCode)));
    assert!(entry(&path, &format!("{name}()")).is_err(), "symbols of Rust have no parameters");
    assert!(entry(&path, "main").is_ok());
}

#[test]
fn what_is_no_single_function_is_refused_with_what_is_like_it() {
    let path = std::env::current_exe().unwrap();
    match entry(&path, "planted_for_entr") {
        Err(NoEntry::Missing { similar, stripped }) => {
            assert!(similar[0].contains("planted_for_entry") && !stripped, "{similar:?}");
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(entry(Path::new("/etc/passwd"), "main"), Err(NoEntry::NotElf)));
    assert!(matches!(entry(Path::new("/nowhere/solve"), "main"), Err(NoEntry::Unreadable(_))));
}
