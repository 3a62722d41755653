//! Files for results.

use counterpoint_perf::output::{OutputFile, append, create};
use std::fs;
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("output-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_file_has_its_name_when_it_is_published() {
    let folder = folder("published");
    let path = folder.join("result");
    for old in [None, Some("old")] {
        let _ = fs::remove_file(&path);
        old.iter().for_each(|text| fs::write(&path, text).unwrap());
        let mut file = create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), old, "not before");
        file.publish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        // Files of samples are completed where they begin.
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(b"N").unwrap();
        file.publish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "New");
        assert_eq!(names(&folder), ["result"]);
    }
}

#[test]
fn a_file_that_is_dropped_changes_nothing() {
    let folder = folder("dropped");
    let path = folder.join("result");
    let begin = || create(&path).unwrap().write_all(b"new").unwrap();
    begin();
    assert_eq!(names(&folder), [""; 0]);
    fs::write(&path, "old").unwrap();
    begin();
    assert_eq!(
        (names(&folder), fs::read_to_string(&path).unwrap()),
        (vec!["result".to_string()], "old".to_string())
    );
}

#[test]
fn a_file_has_one_writer_also_before_it_has_its_name() {
    let folder = folder("locked");
    let path = folder.join("result");
    let is_refused = |opened: std::io::Result<OutputFile>| {
        assert_eq!(opened.unwrap_err().kind(), ErrorKind::WouldBlock);
    };
    for old in [None, Some("old")] {
        let _ = fs::remove_file(&path);
        old.iter().for_each(|text| fs::write(&path, text).unwrap());
        let mut first = create(&path).unwrap();
        is_refused(create(&path));
        is_refused(append(&path, b""));
        first.write_all(b"first").unwrap();
        first.publish().unwrap();
        is_refused(create(&path));
        drop(first);
        let mut second = append(&path, b"heading").unwrap();
        is_refused(create(&path));
        second.write_all(b" and second").unwrap();
        drop(second);
        // The first has not ended its line.
        assert_eq!(fs::read_to_string(&path).unwrap(), "first\n and second");
        // A process that another test is starting has what is open here until it executes its program.
        let is_free = || {
            std::thread::sleep(std::time::Duration::from_millis(1));
            create(&path).is_ok()
        };
        assert!((0..1000).any(|_| is_free()), "nobody holds it any longer");
    }
}

#[test]
fn a_heading_is_written_once_and_lines_begin_as_such() {
    let folder = folder("appended");
    let path = folder.join("result");
    for line in ["a\n", "torn", "b\n", "c\n"] {
        append(&path, b"heading\n").unwrap().write_all(line.as_bytes()).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "heading\na\ntorn\nb\nc\n");
}

#[test]
fn devices_and_long_names_are_written_too() {
    let mut null = create(Path::new("/dev/null")).unwrap();
    null.write_all(b"nothing").unwrap();
    null.publish().unwrap();
    let folder = folder("long");
    let path = folder.join("x".repeat(255));
    let mut file = create(&path).unwrap();
    file.write_all(b"long").unwrap();
    file.publish().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "long");
}

/// A link is followed, and stays one; in a circle, it is an error.
#[test]
fn links_are_followed_to_their_file() {
    let folder = folder("links");
    let (link, file) = (folder.join("link"), folder.join("file"));
    std::os::unix::fs::symlink("file", &link).unwrap();
    let mut output = create(&link).unwrap();
    output.write_all(b"text").unwrap();
    output.publish().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "text");
    let circle = folder.join("circle");
    std::os::unix::fs::symlink("circle", &circle).unwrap();
    assert!(create(&circle).is_err());
}
