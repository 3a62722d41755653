//! `cargo xtask conformance symbols`: the names that `counterpoint profile` prints, compared with those of the system's
//! nm, gdb and perf, for programs in C, C++ and Rust whose names are unusual.

use crate::project::{root, target};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Functions whose names a demangler reads as types, and calls through the PLT.
const C: &str = r#"
#include <string.h>
volatile unsigned long sink;
#define SPIN for (int n = 0; n < 4000; n++) sink = sink * 31 + n;
#define FUNCTION(name) __attribute__((noinline)) void name(void) { SPIN }
FUNCTION(f) FUNCTION(i) FUNCTION(d) FUNCTION(v) FUNCTION(St) FUNCTION(Pc) FUNCTION(_Rest) FUNCTION(_Zero)
int main(int argc, char **argv) {
    for (int turn = 0; turn < 3000; turn++) {
        f(); i(); d(); v(); St(); Pc(); _Rest(); _Zero();
        for (int n = 0; n < 4000; n++) sink += strlen(argv[0] + (sink & 1));
    }
    return argc > 99;
}
"#;

/// Namespaces, templates, operators, lambdas, constructors and standard types as arguments.
const CPP: &str = r#"
#include <string>
#include <string_view>
#include <vector>
volatile unsigned long sink;
#define SPIN for (int n = 0; n < 4000; n++) sink = sink * 31 + n;
#define HOT __attribute__((noinline))
namespace { HOT void inner(int) { SPIN } }
namespace outer { namespace deep { template <class T> HOT void call(T, std::vector<T> &) { SPIN } } }
struct Number {
    int value;
    HOT Number(int value) : value(value) { SPIN }
    HOT ~Number() { SPIN }
    HOT Number &operator+=(const Number &) { SPIN return *this; }
    HOT explicit operator bool() const { SPIN return true; }
    HOT int operator()(std::string, unsigned char *, bool (*)(int)) const & { SPIN return 0; }
};
extern "C" HOT void d(void) { SPIN }
HOT void text(const std::string &, std::string_view = {}) { SPIN }
template <int N, typename... Rest> HOT void pack(Rest...) { SPIN }
int main(int argc, char **) {
    std::vector<long> longs;
    for (int turn = 0; turn < 2000; turn++) {
        inner(1);
        outer::deep::call<long>(1, longs);
        Number number(1);
        number += number;
        if (number) number("a", nullptr, nullptr);
        d();
        text("a");
        pack<3>(1, 'a', 2.0);
        auto lambda = [&](int n) HOT { SPIN return n; };
        lambda(argc);
    }
    return argc > 99;
}
"#;

/// Generics, traits, closures and modules.
const RUST: &str = r#"
use std::hint::black_box;
#[inline(never)] fn spin() -> u64 { (0..4000_u64).fold(0, |sum, n| black_box(sum.wrapping_mul(31) + n)) }
macro_rules! work { () => { (0..4000_u64).fold(0, |sum: u64, n| black_box(sum.wrapping_mul(31) + n)) } }
mod inner { pub mod deep { #[inline(never)] pub fn plain() -> u64 { use std::hint::black_box; work!() } } }
#[inline(never)] fn generic<T: Default>() -> (u64, T) { (work!(), T::default()) }
trait Work { fn work(&self) -> u64; }
struct Own<T>(T);
impl<T: Copy> Work for Own<T> { #[inline(never)] fn work(&self) -> u64 { black_box(self.0); work!() } }
impl Work for [u8; 3] { #[inline(never)] fn work(&self) -> u64 { black_box(self); work!() + 1 } }
fn main() {
    for _ in 0..3000 {
        black_box(spin());
        black_box(inner::deep::plain());
        black_box(generic::<Vec<u8>>());
        black_box(Own(1_u8).work());
        black_box([1_u8; 3].work());
        let mut closures: Vec<Box<dyn Fn() -> u64>> = Vec::new();
        closures.push(black_box(Box::new(|| work!() + 2)));
        black_box(closures[0]());
    }
}
"#;

pub fn compare() -> Result<(), String> {
    let counterpoint = counterpoint()?;
    let folder = target().join("conformance");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let fixed: &[&str] = &["-O1", "-g", "-no-pie", "-fno-builtin", "-o"];
    let rust: &[&str] = &["-O", "-g", "-Crelocation-model=static", "-o"];
    let modern = [&["-Csymbol-mangling-version=v0"], rust].concat();
    let programs = [
        ("c", "gcc", "c.c", C, fixed),
        ("cpp", "g++", "cpp.cc", CPP, &[&["-std=c++17"], fixed].concat()),
        ("rust", "rustc", "rust.rs", RUST, rust),
        ("rust-v0", "rustc", "rust.rs", RUST, &modern),
    ];
    let mut differences = Vec::new();
    for (name, compiler, source, text, arguments) in programs {
        let (source, program) = (folder.join(source), folder.join(name));
        std::fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
        if run(Command::new(compiler).args(arguments).arg(&program).arg(&source)).is_none() {
            println!("{name}: skipped: {compiler} is not installed or does not build the program");
            continue;
        }
        differences.extend(compare_program(&counterpoint, name, &program)?);
    }
    differences.iter().for_each(|difference| println!("{difference}"));
    match differences.len() {
        0 => Ok(()),
        n => Err(format!("{n} names differ")),
    }
}

/// The program of this workspace, built.
pub(super) fn counterpoint() -> Result<PathBuf, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--package", "counterpoint-cli"]).current_dir(root());
    run(&mut cargo).ok_or("counterpoint-cli does not build")?;
    Ok(target().join("debug/counterpoint"))
}

/// The standard output of a command that succeeds.
fn run(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn compare_program(counterpoint: &Path, name: &str, program: &Path) -> Result<Vec<String>, String> {
    let mut profile = Command::new(counterpoint);
    profile.args(["profile", "--format", "json", "--scale", "131072", "-F", "4000"]);
    profile.args(["-e", "task-clock:u", "--"]).arg(program);
    let profile = run(&mut profile).ok_or_else(|| format!("{name}: cannot be profiled"))?;
    let profile: Value = serde_json::from_str(&profile).map_err(|e| format!("{name}: {e}"))?;
    let ours = names(&profile, name);
    if ours.is_empty() {
        return Err(format!("{name}: no samples in the program"));
    }
    let mut differences = Vec::new();
    // gdb prints the hashes of Rust's names, which nm and perf omit.
    let is_rust = name.starts_with("rust");
    let gdb = if is_rust { None } else { gdb(program, &ours) };
    for (tool, theirs) in [("nm", nm(program, &ours)), ("gdb", gdb)] {
        let Some(theirs) = theirs else {
            println!("{name}: {tool}: skipped: not installed, or not for this language");
            continue;
        };
        for (address, known) in &theirs {
            let our = &ours[address];
            if !known.contains(our) {
                let what = format!("`{our}` here, {known:?} there");
                differences.push(format!("{name}: {tool}: {address:#x}: {what}"));
            }
        }
        println!("{name}: {tool}: {} addresses compared", theirs.len());
    }
    match perf(program) {
        None => println!("{name}: perf: skipped: not installed, or may not sample"),
        Some(theirs) => {
            let ours = functions(&profile, name);
            println!("{name}: perf: {} functions compared", theirs.len());
            let known = |their: &str| ours.iter().any(|our| is_same(our, their));
            let only = theirs.iter().filter(|their| !known(their));
            differences
                .extend(only.map(|function| format!("{name}: perf: `{function}` only there")));
        }
    }
    Ok(differences)
}

/// The function of each address of the program that has samples.
fn names(profile: &Value, module: &str) -> BTreeMap<u64, String> {
    let symbols = profile["symbols"].as_object().into_iter().flatten();
    let named =
        symbols.filter(|(_, symbol)| symbol["module"] == module).filter_map(|(at, symbol)| {
            let address = u64::from_str_radix(at.strip_prefix("0x")?, 16).ok()?;
            Some((address, symbol["function"].as_str()?.to_owned()))
        });
    named.collect()
}

fn functions(profile: &Value, module: &str) -> BTreeSet<String> {
    let functions = profile["functions"].as_array().into_iter().flatten();
    let own = functions.filter(|function| function["module"] == module);
    own.filter_map(|function| function["function"].as_str().map(str::to_owned)).collect()
}

/// Returns true if a name is that of perf, which omits the types of arguments and results.
fn is_same(our: &str, perf: &str) -> bool {
    let bare = |at: usize| {
        (at == 0 || our[..at].ends_with(' ')) && our[at + perf.len()..].starts_with('(')
    };
    our == perf || our.match_indices(perf).any(|(at, _)| bare(at))
}

type Names = BTreeMap<u64, BTreeSet<String>>;

/// The names of the last symbol up to each address; stubs of the PLT have none in nm.
fn nm(program: &Path, ours: &BTreeMap<u64, String>) -> Option<Names> {
    let listed = run(Command::new("nm").args(["-C", "--defined-only"]).arg(program))?;
    let mut symbols: Names = BTreeMap::new();
    for line in listed.lines() {
        let (address, rest) = line.split_once(' ')?;
        if let (Ok(address), Some((_, name))) =
            (u64::from_str_radix(address, 16), rest.split_once(' '))
        {
            symbols.entry(address).or_default().insert(name.to_owned());
        }
    }
    let addresses = ours.iter().filter(|(_, name)| !name.ends_with("@plt")).map(|(at, _)| *at);
    let known = |at: u64| Some((at, symbols.range(..=at).next_back()?.1.clone()));
    Some(addresses.filter_map(known).collect())
}

/// The line that gdb's `info symbol` prints of each address: `NAME + OFFSET in section NAME`.
fn gdb(program: &Path, ours: &BTreeMap<u64, String>) -> Option<Names> {
    let commands = program.with_extension("gdb");
    let asked: String = ours.keys().map(|at| format!("info symbol {at:#x}\n")).collect();
    std::fs::write(&commands, asked).ok()?;
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch", "-x"]).arg(&commands).arg(program);
    let printed = run(&mut gdb)?;
    let answers = printed.lines().filter_map(|line| line.rsplit_once(" in section "));
    let names = answers.map(|(name, _)| {
        let offset = name.rsplit_once(" + ").filter(|(_, offset)| offset.parse::<u64>().is_ok());
        BTreeSet::from([offset.map_or(name, |(name, _)| name).to_owned()])
    });
    Some(ours.keys().copied().zip(names).collect())
}

/// The functions of the program in which perf finds more than a few samples, which other runs find too.
fn perf(program: &Path) -> Option<BTreeSet<String>> {
    let data = program.with_extension("data");
    let mut record = Command::new("perf");
    record.args(["record", "-q", "-e", "task-clock:u", "-F", "4000", "-o"]).arg(&data);
    run(record.arg("--").arg(program))?;
    let module = program.file_name()?.to_string_lossy().into_owned();
    let mut report = Command::new("perf");
    report.args(["report", "--stdio", "-q", "-F", "overhead,sym", "--percentage", "absolute"]);
    report.args(["--percent-limit", "2", "--dsos", &module, "-i"]).arg(&data);
    let printed = run(&mut report)?;
    let name = |line: &str| Some(line.split_once("[.] ")?.1.trim_end().to_owned());
    Some(printed.lines().filter_map(name).collect())
}
