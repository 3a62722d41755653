//! Laws that hold for any bytes where the kernel writes texts; the fuzz target asks the same.

use counterpoint_perf::{CpuSet, Errno, Maps};

/// Nothing panics; a list of CPUs that can be read is written and read again, an error quotes what is wrong.
pub(crate) fn check(bytes: &[u8]) {
    let maps = Maps::parse(bytes);
    assert!(maps.iter().len() <= bytes.len());
    for map in maps.iter() {
        assert_eq!(map.file_offset(map.range.end), None);
        assert!(maps.at(map.range.start).is_some() || map.range.is_empty());
    }
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<CpuSet>() {
        Ok(cpus) => assert_eq!(cpus.to_string().parse().as_ref(), Ok(&cpus)),
        Err(error) => assert!(text.contains(&error.item)),
    }
    if let Ok(errno) = text.parse::<Errno>() {
        assert_eq!(errno.to_string().split_whitespace().next(), Some(&*text));
    }
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("texts") {
        check(&seed);
    }
}
