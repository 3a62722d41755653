//! Names and lines of stripped programs, from the debug files of distributions and debuginfod.

use crate::symbols::{
    address_of, built, has_breakpoints, has_ten_samples, printed, run_with_breakpoint,
};
use crate::{counterpoint, has_tools, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = r#"
volatile int sink;
static __attribute__((noinline)) void hidden(void) { sink++; }
int main(void) { for (int n = 0; n < 10; n++) hidden(); return 0; }
"#;

/// A stripped program, its symbols and lines in another file, and the address of its hidden function.
struct Stripped {
    program: PathBuf,
    debug: PathBuf,
    hidden: u64,
    /// The digits of its build id.
    id: String,
}

/// `None` on a machine without the tools or without breakpoints.
fn stripped(name: &str) -> Option<Stripped> {
    if !has_tools(&["gcc", "nm", "objcopy", "readelf", "strip"]) {
        return None;
    }
    let program = built(name, SOURCE, &["-g", "-Wl,--build-id"]);
    if !has_breakpoints(&program) {
        return None;
    }
    // A name under which it is not looked for.
    let debug = program.with_file_name("program.kept");
    fs::copy(&program, &debug).unwrap();
    let hidden = address_of("hidden", &program);
    let notes = printed("readelf", &["-n"], &program);
    let id = notes.lines().find_map(|line| line.trim().strip_prefix("Build ID: ")).unwrap();
    let id = id.trim().to_string();
    printed("objcopy", &["--only-keep-debug"], &debug);
    printed("strip", &[], &program);
    Some(Stripped { program, debug, hidden, id })
}

impl Stripped {
    /// Moves the debug file to a path.
    fn put(&self, path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::rename(&self.debug, path).unwrap();
    }

    /// The profile of the hidden function in this environment, and what is printed on standard error.
    fn profile(&self, directory: &Path, environment: &[(&str, &Path)]) -> (Value, String) {
        let event = format!("mem:{:#x}:x:u", self.hidden);
        fs::create_dir_all(directory).unwrap();
        let directory = directory.to_str().unwrap();
        let program = self.program.to_str().unwrap();
        let options = ["profile", "--format", "json", "-c", "1", "-e", &event];
        let more = ["--debug-dir", directory, "--", program];
        let mut command = counterpoint(&[&options[..], &more].concat());
        for name in ["DEBUGINFOD_URLS", "DEBUGINFOD_CACHE_PATH", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        let output =
            run_with_breakpoint(command.envs(environment.iter().copied()), has_ten_samples);
        assert!(output.status.success(), "{}", stderr(&output));
        (serde_json::from_str(&stdout(&output)).unwrap(), stderr(&output))
    }

    fn assert_named(&self, directory: &Path, environment: &[(&str, &Path)]) {
        let (profile, _) = self.profile(directory, environment);
        assert_eq!(profile["functions"][0]["function"], "hidden", "{profile}");
        let line = &profile["lines"][0];
        assert!(line["file"].as_str().unwrap().ends_with("program.c"), "{profile}");
        assert_eq!((&line["line"], &line["last_line"]), (&3.into(), &3.into()));
    }

    fn assert_unnamed(&self, directory: &Path, environment: &[(&str, &Path)]) {
        let (profile, _) = self.profile(directory, environment);
        assert_eq!(profile["functions"][0]["function"], "[stripped]", "{profile}");
        assert_eq!(profile["lines"], Value::Array(Vec::new()));
    }
}

#[test]
fn a_debug_file_is_found_by_its_build_id() {
    let Some(stripped) = stripped("build-id") else { return };
    let directory = stripped.program.with_file_name("debug");
    stripped.assert_unnamed(&directory, &[]);
    let (first, rest) = stripped.id.split_at(2);
    let path = directory.join(format!(".build-id/{first}/{rest}.debug"));
    stripped.put(&path);
    stripped.assert_named(&directory, &[]);
    // A file of another build is not believed.
    let other = built("build-id-other", "int main(void) { return 0; }", &["-g", "-Wl,--build-id"]);
    fs::copy(other, &path).unwrap();
    stripped.assert_unnamed(&directory, &[]);
    fs::write(&path, "no object").unwrap();
    stripped.assert_unnamed(&directory, &[]);
}

#[test]
fn a_debug_file_is_found_by_its_link_if_its_crc_is_right() {
    let Some(stripped) = stripped("debuglink") else { return };
    let link = format!("--add-gnu-debuglink={}", stripped.debug.display());
    printed("objcopy", &[&link], &stripped.program);
    let folder = stripped.program.parent().unwrap();
    let directory = folder.join("global");
    let below = directory.join(folder.strip_prefix("/").unwrap());
    let places = [folder.to_path_buf(), folder.join(".debug"), below];
    let mut at = stripped.debug.clone();
    for place in places {
        let next = place.join("program.kept");
        fs::create_dir_all(&place).unwrap();
        fs::rename(&at, &next).unwrap();
        at = next;
        stripped.assert_named(&directory, &[]);
    }
    let mut bytes = fs::read(&at).unwrap();
    bytes.push(0);
    fs::write(&at, bytes).unwrap();
    stripped.assert_unnamed(&directory, &[]);
}

/// As Fedora names it, and gdb looks for it.
#[test]
fn a_debug_file_beside_the_program_or_below_the_directory_is_found_by_its_name() {
    let Some(stripped) = stripped("by-name") else { return };
    let folder = stripped.program.parent().unwrap();
    let directory = folder.join("global");
    let below = directory.join(folder.strip_prefix("/").unwrap());
    let places = [folder.join("program.debug"), below.join("program.debug"), below.join("program")];
    let mut at = stripped.debug.clone();
    for next in &places {
        fs::create_dir_all(next.parent().unwrap()).unwrap();
        fs::rename(&at, next).unwrap();
        at = next.clone();
        stripped.assert_named(&directory, &[]);
    }
    // That of another build has the name, too.
    let other = built("by-name-other", "int main(void) { return 0; }", &["-g", "-Wl,--build-id"]);
    fs::copy(other, &at).unwrap();
    stripped.assert_unnamed(&directory, &[]);
}

/// Fedora leaves the symbols of the functions, without lines, in every stripped file.
#[test]
fn the_symbols_in_gnu_debugdata_are_read() {
    let Some(stripped) = stripped("mini") else { return };
    if !has_tools(&["xz"]) {
        return;
    }
    let nowhere = &*stripped.program.with_file_name("empty");
    printed("objcopy", &["--strip-debug"], &stripped.debug);
    printed("xz", &["--keep", "--force"], &stripped.debug);
    let packed = stripped.program.with_file_name("program.kept.xz");
    let add = |section: &Path| {
        let section = format!("--add-section=.gnu_debugdata={}", section.display());
        printed("objcopy", &["--remove-section=.gnu_debugdata", &section], &stripped.program);
    };
    add(&packed);
    let (profile, _) = stripped.profile(nowhere, &[]);
    assert_eq!(profile["functions"][0]["function"], "hidden", "{profile}");
    // One that is damaged has no names, and does no harm.
    let mut bytes = fs::read(&packed).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(&packed, bytes).unwrap();
    add(&packed);
    stripped.assert_unnamed(nowhere, &[]);
}

/// The cache is where debuginfod's client keeps it, and is read without a server.
#[test]
fn the_cache_of_debuginfod_is_read() {
    let Some(stripped) = stripped("cache") else { return };
    let home = stripped.program.with_file_name("home");
    let file = format!("{}/debuginfo", stripped.id);
    let nowhere = &*stripped.program.with_file_name("empty");
    let xdg = home.join(".cache");
    let own = xdg.join("debuginfod_client");
    stripped.assert_unnamed(nowhere, &[("HOME", &home)]);
    stripped.put(&own.join(file));
    stripped.assert_named(nowhere, &[("HOME", &home)]);
    stripped.assert_named(nowhere, &[("HOME", nowhere), ("XDG_CACHE_HOME", &xdg)]);
    stripped.assert_named(nowhere, &[("HOME", nowhere), ("DEBUGINFOD_CACHE_PATH", &own)]);
    stripped.assert_unnamed(nowhere, &[("HOME", &home), ("DEBUGINFOD_CACHE_PATH", nowhere)]);
}

/// `debuginfod-find` is run where servers are named, and it is said if there is none; here a script stands for it.
#[test]
fn debug_files_are_fetched_where_servers_are_named() {
    let Some(stripped) = stripped("fetched") else { return };
    let tools = stripped.program.with_file_name("tools");
    let kept = stripped.program.with_file_name("kept");
    stripped.put(&kept);
    fs::create_dir_all(&tools).unwrap();
    let nowhere = &*stripped.program.with_file_name("empty");
    let environment =
        [("HOME", nowhere), ("PATH", &*tools), ("DEBUGINFOD_URLS", Path::new("https://localhost"))];
    let (profile, said) = stripped.profile(nowhere, &environment);
    assert_eq!(profile["functions"][0]["function"], "[stripped]");
    assert!(said.contains("debuginfod-find is not installed"), "{said}");

    let find = tools.join("debuginfod-find");
    let script = |body: &str| {
        fs::write(&find, format!("#!/bin/sh\n{body}\n")).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(&find).status().unwrap().success());
    };
    let (id, path) = (&stripped.id, kept.display());
    script(&format!("[ \"$*\" = 'debuginfo {id}' ] && echo '{path}'"));
    stripped.assert_named(nowhere, &environment);
    let (_, said) = stripped.profile(nowhere, &environment);
    assert!(said.contains("asking DEBUGINFOD_URLS for the symbols of"), "{said}");
    stripped.assert_unnamed(nowhere, &environment[..2]);
    script("exit 1");
    stripped.assert_unnamed(nowhere, &environment);
    script("echo /dev/null");
    stripped.assert_unnamed(nowhere, &environment);
}

/// Debug information that `dwz` moves out of several debug files is read from the file that they name. It is written by hand: one unit, whose directory is a text of the other file.
#[test]
fn a_supplementary_file_is_read() {
    const UNIT: &str = r#"
asm(".pushsection .text\n .globl hidden\n .type hidden, @function\n"
    "hidden:\n .file 1 \"unit.c\"\n .loc 1 7\n nop\n ret\n .size hidden, . - hidden\n"
    ".Lend:\n .popsection\n"
    ".pushsection .debug_abbrev,\"\",@progbits\n"
    ".uleb128 1, 0x11\n .byte 0\n .uleb128 0x1b, 0x1f21\n"
    ".uleb128 0x10, 0x17\n .uleb128 0x11, 0x01\n .uleb128 0x12, 0x07\n .byte 0, 0, 0\n .popsection\n"
    ".pushsection .debug_info,\"\",@progbits\n"
    ".long .Lafter - .Lbefore\n.Lbefore:\n .short 4\n .long .debug_abbrev\n .byte 8\n"
    ".uleb128 1\n .long 0\n .long .debug_line\n .quad hidden\n .quad .Lend - hidden\n"
    ".Lafter:\n .popsection\n");
void hidden(void);
int main(void) { for (int n = 0; n < 10; n++) asm volatile("call hidden" ::: "memory"); return 0; }
"#;
    if cfg!(not(target_arch = "x86_64")) {
        return println!("skipped: the assembly is that of x86-64");
    }
    let program = built("dwz", UNIT, &["-mno-red-zone"]);
    if !has_breakpoints(&program) {
        return;
    }
    const COMMON: &str =
        "asm(\".section .debug_str,\\\"\\\",@progbits\\n.asciz \\\"/from/supplement\\\"\");";
    let common = built("dwz-common", COMMON, &["-shared", "-fPIC", "-Wl,--build-id"]);
    let notes = printed("readelf", &["-n"], &common);
    let id = notes.lines().find_map(|line| line.trim().strip_prefix("Build ID: ")).unwrap().trim();
    let digit = |at: usize| u8::from_str_radix(&id[at..at + 2], 16).unwrap();
    let mut link = b"../dwz-common/program\0".to_vec();
    link.extend((0..id.len()).step_by(2).map(digit));
    let section = program.with_file_name("link");
    fs::write(&section, link).unwrap();
    let added = format!("--add-section=.gnu_debugaltlink={}", section.display());
    printed("objcopy", &[&added], &program);
    let event = format!("mem:{:#x}:x:u", address_of("hidden", &program));
    let file = || {
        let options = ["profile", "--format", "json", "-c", "1", "-e", &event, "--"];
        let arguments = [&options[..], &[program.to_str().unwrap()]].concat();
        let output = run_with_breakpoint(&mut counterpoint(&arguments), has_ten_samples);
        let profile: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(profile["functions"][0]["function"], "hidden", "{profile}");
        profile["lines"][0]["file"].clone()
    };
    assert_eq!(file(), "/from/supplement/unit.c");
    fs::remove_file(&common).unwrap();
    assert_ne!(file(), "/from/supplement/unit.c");
}
