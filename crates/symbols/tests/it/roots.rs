//! The files below a folder are those of a container or of another machine, and no others.

use counterpoint_symbols::{
    Architecture, Binaries, Binary, CodeFile, CodeFiles, DebugFiles, FileId, MappedFile,
    build_id_of_file, hex,
};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with a copy of this program at `/opt/program`.
struct Root(PathBuf);

impl Root {
    fn new(name: &str) -> Root {
        let root = std::env::temp_dir().join(format!("symbols-{name}-{}", std::process::id()));
        fs::create_dir_all(root.join("opt")).unwrap();
        fs::copy(std::env::current_exe().unwrap(), root.join("opt/program")).unwrap();
        Root(root)
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn mapped<'m>(path: &'m str, id: Option<FileId<'m>>) -> MappedFile<'m> {
    MappedFile { path: Path::new(path), range: 0x1000..0x2000, pid: None, id }
}

#[test]
fn a_path_is_below_the_root() {
    let root = Root::new("below");
    let files = CodeFiles::below(&root.0);
    let found = files.find(&mapped("/opt/program", None));
    assert_eq!(found, Some(CodeFile::Path(root.0.join("opt/program"))));
    // This system has it, and the root does not.
    assert!(Path::new("/proc/self/exe").exists());
    assert_eq!(files.find(&mapped("/proc/self/exe", None)), None);
    assert_eq!(files.find(&mapped("[vdso]", None)), None);
}

#[test]
fn another_file_of_the_same_path_is_not_the_one_that_was_mapped() {
    let root = Root::new("other");
    let path = root.0.join("opt/program");
    let Some(id) = build_id_of_file(&path) else {
        return println_skipped("the linker writes no build ids");
    };
    let files = CodeFiles::below(&root.0);
    let of = |id: &[u8]| files.find(&mapped("/opt/program", Some(FileId::BuildId(id))));
    assert_eq!(of(&id), Some(CodeFile::Path(path.clone())));
    assert_eq!(of(&[1, 2, 3, 4]), None);
    // It was renamed.
    fs::rename(&path, root.0.join("opt/program.old")).unwrap();
    assert_eq!(of(&id), Some(CodeFile::Path(root.0.join("opt/program.old"))));
    // It is a debug file of the root.
    let digits = hex(&id);
    let (first, rest) = digits.split_at(2);
    let folder = root.0.join("usr/lib/debug/.build-id").join(first);
    fs::create_dir_all(&folder).unwrap();
    let debug = folder.join(format!("{rest}.debug"));
    fs::rename(root.0.join("opt/program.old"), &debug).unwrap();
    assert_eq!(of(&id), Some(CodeFile::Path(debug)));
}

#[allow(clippy::print_stdout, reason = "a test says what it skips")]
pub(crate) fn println_skipped(why: &str) {
    println!("skipped: {why}");
}

#[test]
fn bytes_have_the_functions_of_their_file() {
    let path = std::env::current_exe().unwrap();
    let bytes = fs::read(&path).unwrap().into();
    let bytes = CodeFile::Bytes { name: PathBuf::from("bytes"), bytes };
    let debug_files = DebugFiles::default();
    let of_bytes = Binary::open(&bytes, &debug_files).unwrap();
    let of_file = Binary::open(&CodeFile::Path(path), &debug_files).unwrap();
    assert!(of_bytes.functions().eq(of_file.functions()));
    assert!(of_file.functions().count() > 100);
    let known = [Architecture::X86_64, Architecture::Arm64];
    let other = !cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    assert!(other || known.contains(of_bytes.architecture()));
    let (name, range) =
        of_file.functions().find(|(name, _)| name.ends_with("println_skipped")).unwrap();
    assert_eq!(of_bytes.function(range.start).unwrap().0, name);
    assert_eq!(of_bytes.code(range.clone()).unwrap(), of_file.code(range).unwrap());
}

#[test]
fn a_file_is_read_once() {
    let root = Root::new("once");
    let binaries = Binaries::new(CodeFiles::below(&root.0), DebugFiles::below(&root.0));
    let first = binaries.binary(&mapped("/opt/program", None)).unwrap();
    fs::remove_file(root.0.join("opt/program")).unwrap();
    let again = binaries.binary(&mapped("/opt/program", None)).unwrap();
    assert!(std::rc::Rc::ptr_eq(&first, &again));
    assert!(binaries.binary(&mapped("/opt/other", None)).is_none());
}
