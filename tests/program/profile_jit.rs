//! Profiles of code that was made at run time.

use crate::profile::{count, json};
use crate::{has_tools, run};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// Copies a function to two places of memory without a file, tells their names in `/tmp/perf-PID.map`, and calls the second for two thirds of its time.
const COMPILES: &str = r#"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
__attribute__((noinline, noclone)) long work(long n) {
    long sum = 0;
    for (volatile long i = 0; i < n; i++) sum += i;
    return sum;
}
__attribute__((noinline)) void after(void) { __asm__ volatile(""); }
int main(void) {
    char *code = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) return 1;
    long (*copies[2])(long);
    char name[64];
    snprintf(name, sizeof name, "/tmp/perf-%d.map", (int)getpid());
    FILE *map = fopen(name, "w");
    if (!map) return 1;
    for (int i = 0; i < 2; i++) {
        memcpy(code + 1024 * i, (char *)work, 256);
        copies[i] = (long (*)(long))(code + 1024 * i);
        fprintf(map, "%lx 100 Compiled.%s(int, long)\n", (unsigned long)copies[i], i ? "twice" : "once");
    }
    fclose(map);
    if (mprotect(code, 8192, PROT_READ | PROT_EXEC)) return 1;
    __builtin___clear_cache(code, code + 8192);
    for (time_t end = time(0) + 60; time(0) < end;) {
        copies[0](100000);
        copies[1](200000);
    }
    after();
    return 0;
}
"#;

/// The file in which the program writes the names of its code.
fn names(pid: impl std::fmt::Display) -> PathBuf {
    PathBuf::from(format!("/tmp/perf-{pid}.map"))
}

/// The program, which is ended with its file.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
        let _ = std::fs::remove_file(names(self.0.id()));
    }
}

fn compiles() -> Option<PathBuf> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("compiles.c"), folder.join("compiles"));
    static BUILT: std::sync::Once = std::sync::Once::new();
    BUILT.call_once(|| {
        std::fs::write(&source, COMPILES).unwrap();
        let mut gcc = Command::new("gcc");
        assert!(gcc.arg("-O1").arg("-o").arg(&program).arg(&source).status().unwrap().success());
    });
    Some(program)
}

/// Asserts that two thirds of the samples are in the second function.
fn assert_named(profile: &serde_json::Value) {
    let once = count(profile, "Compiled.once(int, long)");
    let twice = count(profile, "Compiled.twice(int, long)");
    let (part, all) = (twice / (once + twice), once + twice);
    // A machine that is busy with other tests gives it a part of the time only.
    assert!(all > 50.0, "{profile}");
    let error = (2.0 / 9.0 / all).sqrt();
    assert!((part - 2.0 / 3.0).abs() < 5.0 * error + 0.02, "{part} ± {error}: {profile}");
    let functions = profile["functions"].as_array().unwrap();
    assert!(functions.iter().any(|of| of["module"] == "[JIT]"), "{profile}");
}

#[test]
fn functions_of_a_runtime_compiler_have_the_names_that_it_tells() {
    let Some(program) = compiles() else { return };
    let running = Running(Command::new(&program).spawn().unwrap());
    let pid = running.0.id().to_string();
    while !names(&pid).exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    let options = ["-e", "task-clock:u", "--format", "json", "-p", &pid, "--timeout", "1500"];
    assert_named(&json(&run(&[&["profile"], &options[..]].concat())));
}

#[test]
fn they_have_them_in_a_profile_from_the_start_and_in_a_recording() {
    let Some(program) = compiles() else { return };
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiles.perf");
    let file = file.to_str().unwrap();
    let options = ["-e", "task-clock:u", "--timeout", "1500", "--format"];
    let command = ["--", program.to_str().unwrap()];
    let live = json(&run(&[&["profile"], &options[..], &["json"], &command].concat()));
    run(&[&["profile"], &options[..], &["perf", "-o", file], &command].concat());
    let recorded = json(&run(&["report", "--format", "json", file]));
    for profile in [live, recorded] {
        assert_named(&profile);
        std::fs::remove_file(names(&profile["threads"][0]["pid"])).unwrap();
    }
}

/// The same with jitdump: the file is mapped, so that profilers see its name, and its functions are records.
const DUMPS: &str = r#"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
__attribute__((noinline, noclone)) long work(long n) {
    long sum = 0;
    for (volatile long i = 0; i < n; i++) sum += i;
    return sum;
}
__attribute__((noinline)) void after(void) { __asm__ volatile(""); }
struct header { uint32_t magic, version, size, machine, pad, pid; uint64_t time, flags; };
struct load { uint32_t kind, size; uint64_t time; uint32_t pid, tid; uint64_t vma, address, length, number; };
static void dump(int file, void *address, const char *name, uint64_t number) {
    struct load load = {0, sizeof load + strlen(name) + 1 + 256, number, getpid(), getpid(),
                        (uint64_t)address, (uint64_t)address, 256, number};
    write(file, &load, sizeof load);
    write(file, name, strlen(name) + 1);
    write(file, address, 256);
}
int main(int argc, char **argv) {
    char name[4096];
    snprintf(name, sizeof name, "%s/jit-%d.dump", argv[1], (int)getpid());
    int file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
    struct header header = {0x4a695444, 1, sizeof header, 62, 0, getpid(), 0, 0};
    write(file, &header, sizeof header);
    if (mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED) return 1;
    char *code = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) return 1;
    long (*copies[2])(long);
    for (int i = 0; i < 2; i++) {
        memcpy(code + 1024 * i, (char *)work, 256);
        copies[i] = (long (*)(long))(code + 1024 * i);
    }
    if (mprotect(code, 8192, PROT_READ | PROT_EXEC)) return 1;
    __builtin___clear_cache(code, code + 8192);
    /* A record of another kind, and a function that is compiled again at the same place. */
    uint32_t other[6] = {9, 24, 0, 0, 0, 0};
    write(file, other, sizeof other);
    dump(file, copies[0], "Compiled.stale", 0);
    dump(file, copies[0], "Compiled.once(int, long)", 1);
    dump(file, copies[1], "Compiled.twice(int, long)", 2);
    for (int i = 0; i < 2500; i++) {
        copies[0](100000);
        copies[1](200000);
    }
    after();
    return 0;
}
"#;

#[test]
fn functions_of_jitdump_have_their_names() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("dumps.c"), folder.join("dumps"));
    std::fs::write(&source, DUMPS).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-w", "-o"]).arg(&program).arg(&source);
    assert!(gcc.status().unwrap().success());
    let (program, folder) = (program.to_str().unwrap(), folder.to_str().unwrap());
    let options = ["profile", "-e", "task-clock:u", "--format", "json", "--", program, folder];
    let profile = json(&run(&options));
    assert_named(&profile);
    assert_eq!(count(&profile, "Compiled.stale"), 0.0, "{profile}");
    let pid = profile["threads"][0]["pid"].as_u64().unwrap();
    std::fs::remove_file(format!("{folder}/jit-{pid}.dump")).unwrap();
}
