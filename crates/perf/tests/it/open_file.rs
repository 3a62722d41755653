//! Files that are kept open and read again and again.

use counterpoint_perf::Host;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("open-file-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn each_reading_is_from_the_begin() {
    let (host, path) = (Host::local(), folder("again").join("file"));
    fs::write(&path, "12\n").unwrap();
    let file = host.open_file(&path).unwrap();
    assert_eq!(file.path(), path);
    let mut text = b"old text that is longer".to_vec();
    for (written, is_number) in [("12\n", true), ("7\n", false), ("", false), ("345\n", true)] {
        fs::write(&path, written).unwrap();
        file.read(&host, is_number, &mut text).unwrap();
        assert_eq!(text, written.as_bytes());
    }
    // A file of more than a piece is read whole, unless it holds a number.
    let long = "9".repeat(1 << 20);
    fs::write(&path, &long).unwrap();
    file.read(&host, false, &mut text).unwrap();
    assert_eq!(text, long.as_bytes());
    let mut text = Vec::new();
    file.read(&host, true, &mut text).unwrap();
    assert!((1..=1 << 14).contains(&text.len()), "{}", text.len());
    // It is read by the descriptor, also when another file has the name.
    fs::remove_file(&path).unwrap();
    assert!(file.read(&host, false, &mut text).is_ok());
    assert_eq!(host.open_file(&path).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_pipe_without_a_writer_does_not_block() {
    let (host, path) = (Host::local(), folder("pipe").join("pipe"));
    let made = Command::new("mkfifo").arg(&path).status();
    if !made.is_ok_and(|made| made.success()) {
        println!("skipped: needs mkfifo");
        return;
    }
    let mut text = b"old".to_vec();
    let read = host.open_file(&path).and_then(|file| file.read(&host, false, &mut text));
    assert!(read.is_err() && text.is_empty(), "{read:?} {text:?}");
}
