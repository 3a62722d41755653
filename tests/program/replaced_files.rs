//! Files that are not what they were when they were sampled.

use crate::symbols::folder;
use crate::{counterpoint, has_tools, run, stderr, stdout};
use std::path::Path;
use std::process::Command;

const WORK: &str = "volatile unsigned long sink;\n__attribute__((noinline)) void NAME(long n) \
                    { for (long i = 0; i < n; i++) sink += i; }\n";

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

fn gcc(arguments: &[&str], folder: &Path) {
    let status = Command::new("gcc").args(arguments).current_dir(folder).status().unwrap();
    assert!(status.success(), "{arguments:?}");
}

/// Builds a program whose time goes to one function.
fn build(folder: &Path, function: &str) {
    let text = WORK.replace("NAME", function);
    let main = format!("int main(void) {{ {function}(200000000); return 0; }}\n");
    std::fs::write(folder.join("program.c"), text + &main).unwrap();
    gcc(&["-O1", "-g", "-Wl,--build-id", "-o", "program", "program.c"], folder);
}

#[test]
fn a_program_that_was_built_again_since_it_was_recorded_has_no_names_but_those_of_a_copy() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let folder = folder("rebuilt");
    for entry in std::fs::read_dir(&folder).unwrap().flatten() {
        let _ = std::fs::remove_file(entry.path());
    }
    build(&folder, "before");
    let (program, perf) = (folder.join("program"), folder.join("rebuilt.perf"));
    let (program, perf) = (program.to_str().unwrap(), perf.to_str().unwrap());
    let record = ["profile", "-e", "task-clock:u", "--format", "perf", "-o", perf, "--", program];
    assert!(run(&record).status.success());
    let kept = folder.join("kept");
    std::fs::copy(program, &kept).unwrap();
    let home = folder.join("home");
    let report = |format: &str| {
        let mut command = counterpoint(&["report", perf, "--format", format]);
        let output = command.env("HOME", &home).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(report("table").contains("before"));
    build(&folder, "after");
    // A copy in the same folder is found by its build id.
    assert!(report("folded").contains("before"));
    let elsewhere = folder.join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::rename(&kept, elsewhere.join("kept")).unwrap();
    for format in ["table", "json", "folded"] {
        let text = report(format);
        assert!(!text.contains("before") && !text.contains("after"), "{text}");
        assert!(text.contains("[unknown]"), "{text}");
        assert!(format == "folded" || text.contains("program"), "{text}");
    }
    assert!(report("table").contains("is not the file that was sampled"));
    // perf's cache.
    if has_tools(&["readelf"]) {
        let kept = elsewhere.join("kept");
        let notes = crate::symbols::printed("readelf", &["-n"], &kept);
        let id = notes.lines().find_map(|line| line.trim().strip_prefix("Build ID: ")).unwrap();
        let (first, rest) = id.trim().split_at(2);
        let cache = home.join(".debug/.build-id").join(first).join(rest);
        std::fs::create_dir_all(&cache).unwrap();
        std::fs::copy(kept, cache.join("elf")).unwrap();
        assert!(report("table").contains("before"));
        std::fs::remove_dir_all(&home).unwrap();
    }
}

const LOADS: &str = r#"
#include <dlfcn.h>
#include <stdlib.h>
int main(void) {
    for (int round = 0; round < 4; round++) {
        for (int second = 0; second < 2; second++) {
            system(second ? "cp libb.so new.so && mv new.so cur.so" : "cp liba.so new.so && mv new.so cur.so");
            void *library = dlopen("./cur.so", RTLD_NOW);
            void (*work)(long) = dlsym(library, second ? "fb" : "fa");
            work(second ? 40000000 : 120000000);
            dlclose(library);
        }
    }
    return 0;
}
"#;

/// Both are called `cur.so`, one after the other.
#[test]
fn a_library_that_took_the_place_of_another_does_not_get_its_samples() {
    if !has_tools(&["gcc", "sh", "cp"]) {
        return;
    }
    let folder = folder("replaced-library");
    for (library, function) in [("liba.so", "fa"), ("libb.so", "fb")] {
        std::fs::write(folder.join("library.c"), WORK.replace("NAME", function)).unwrap();
        let options = ["-O1", "-shared", "-fPIC", "-Wl,--build-id", "-o", library, "library.c"];
        gcc(&options, &folder);
    }
    std::fs::write(folder.join("loads.c"), LOADS).unwrap();
    gcc(&["-O1", "-o", "loads", "loads.c", "-ldl"], &folder);
    let options = ["profile", "-e", "task-clock:u", "--format", "json", "--", "./loads"];
    let output = counterpoint(&options).current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let profile = crate::profile::json(&output);
    let (fa, fb) = (crate::profile::count(&profile, "fa"), crate::profile::count(&profile, "fb"));
    let share = fa / (fa + fb);
    assert!(fa + fb > 50.0 && (0.65..0.85).contains(&share), "{fa} {fb}: {profile}");
}

/// Memory that a file claims to fill is not read: symbols of 2 GB, names of run-time compilers, a map of 1 GB.
#[test]
fn sparse_files_take_neither_memory_nor_time() {
    if !has_tools(&["gcc", "sh"]) {
        return;
    }
    let folder = folder("sparse");
    build(&folder, "work");
    let program = folder.join("program");
    let original = std::fs::read(&program).unwrap();
    // The size of each section but the smallest becomes 2 GB, and so does the file.
    let word = |at: usize| u64::from_ne_bytes(*original[at..].first_chunk().unwrap()) as usize;
    let half = |at: usize| usize::from(u16::from_ne_bytes(*original[at..].first_chunk().unwrap()));
    let (table, entry, count) = (word(40), half(58), half(60));
    let mut changed = original.clone();
    for index in 1..count {
        let at = table + index * entry + 32;
        if word(at) > 64 {
            changed[at..at + 8].copy_from_slice(&(2_u64 << 30).to_ne_bytes());
        }
    }
    let options = ["profile", "-e", "task-clock:u", "--call-graph", "dwarf", "--annotate", "work"];
    let script = "ulimit -v 2000000 && exec \"$0\" \"$@\"";
    std::fs::write(&program, &changed).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&program).unwrap();
    file.set_len(3 << 30).unwrap();
    drop(file);
    for options in [&options[..5], &options[..]] {
        let mut sh = Command::new("sh");
        sh.args(["-c", script, env!("CARGO_BIN_EXE_counterpoint")]).args(options);
        let output = sh.arg("--").arg(&program).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    std::fs::remove_file(&program).unwrap();
}

/// Debug information that is short in the file, and long when it is inflated.
#[test]
fn compressed_debug_information_has_a_bound() {
    if !has_tools(&["gcc", "objcopy"]) {
        return;
    }
    let folder = folder("inflated");
    let text = WORK.replace("NAME", "work");
    let section = ".pushsection .debug_zeros,\\\"\\\",@progbits";
    let long = format!("__asm__(\"{section}\\n.zero 300000000\\n.popsection\");\n");
    let main = "int main(void) { work(100000000); return 0; }\n";
    std::fs::write(folder.join("program.c"), text + &long + main).unwrap();
    gcc(&["-O1", "-g", "-o", "program", "program.c"], &folder);
    let program = folder.join("program");
    let mut objcopy = Command::new("objcopy");
    let status = objcopy.arg("--compress-debug-sections=zlib").arg(&program).status();
    assert!(status.unwrap().success());
    assert!(program.metadata().unwrap().len() < 10 << 20);
    let options = ["profile", "-e", "task-clock:u", "--", program.to_str().unwrap()];
    let output = run(&options);
    assert_eq!(output.status.code(), Some(0));
    let told = stderr(&output);
    assert!(told.contains("its compressed debug information has 2"), "{told}");
    assert!(told.contains("work"), "its functions have names: {told}");
    std::fs::remove_file(program).unwrap();
}

/// A program in a chroot, whose path outside is another one.
#[test]
fn a_running_program_in_a_chroot_has_its_functions() {
    if !has_tools(&["gcc", "chroot"]) || !is_root() {
        return println!("skipped: needs root, and a static C library");
    }
    let folder = folder("chroot");
    let text = WORK.replace("NAME", "inside");
    let main = "int main(void) { for (;;) inside(1000000); }\n";
    std::fs::write(folder.join("program.c"), text + main).unwrap();
    let mut built = Command::new("gcc");
    built.args(["-O1", "-g", "-static", "-o", "program", "program.c"]).current_dir(&folder);
    if !built.status().unwrap().success() {
        return println!("skipped: needs a static C library");
    }
    let mut child = Command::new("chroot").arg(&folder).arg("/program").spawn().unwrap();
    let exe = format!("/proc/{}/exe", child.id());
    let is_started = || std::fs::read_link(&exe).is_ok_and(|exe| exe.ends_with("program"));
    while !is_started() {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    let options = ["profile", "-e", "task-clock:u", "--timeout", "300", "-p", &pid];
    let text = stdout(&run(&[&options[..], &["--format", "folded"]].concat()));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(text.contains("inside"), "{text}");
}

/// A program that names a file which only root may read, and is run by somebody else.
#[test]
fn sources_that_the_user_of_a_program_may_not_read_are_not_shown() {
    if !has_tools(&["gcc", "setpriv"]) || !is_root() {
        return println!("skipped: needs root and setpriv");
    }
    // The folders of tests may be root's alone.
    let folder = std::env::temp_dir().join(format!("counterpoint-sources-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let secret = folder.join("secret");
    std::fs::write(&secret, "the secret line\n".repeat(20)).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode;
    std::fs::set_permissions(&secret, mode(0o600)).unwrap();
    std::fs::set_permissions(&folder, mode(0o755)).unwrap();
    let line = format!("#line 1 \"{}\"\n", secret.display());
    let text = WORK.replace("NAME", "leak").replace('\n', " ");
    let main = "int main(void) { leak(300000000); return 0; }\n";
    std::fs::write(folder.join("program.c"), line + &text + main).unwrap();
    gcc(&["-O1", "-g", "-o", "program", "program.c"], &folder);
    let program = folder.join("program");
    let shown = |user: &[&str]| {
        let options = ["profile", "-e", "task-clock:u", "--annotate", "leak", "--"];
        let command = [user, &[program.to_str().unwrap()]].concat();
        stdout(&run(&[&options[..], &command].concat()))
            + &stderr(&run(&[&options[..], &command].concat()))
    };
    let own = shown(&[]);
    assert!(own.contains("the secret line"), "root may read it: {own}");
    let foreign = shown(&["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]);
    assert!(!foreign.contains("the secret line"), "{foreign}");
    assert!(foreign.contains("may not read it"), "{foreign}");
    std::fs::remove_dir_all(folder).unwrap();
}
