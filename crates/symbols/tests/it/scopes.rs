//! The names of inlined functions of C++ that the linker never sees.

use crate::roots::println_skipped;
use counterpoint_symbols::{Binary, CodeFile, DebugFiles};
use object::{Object, ObjectSection};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each of the functions is inlined into `step` or `main`.
const PROGRAM: &str = r#"
#define INLINE inline __attribute__((always_inline))
volatile double sink;
namespace app {
namespace {
INLINE double scaled(double x) { for (int i = 0; i < 50; i++) x = x * 1.1 + sink; return x; }
struct Hidden {
    double factor;
    INLINE double apply(double x) const { for (int i = 0; i < 50; i++) x = x * factor + sink; return x; }
};
}
template <typename T> static INLINE T twice(T x) { for (int i = 0; i < 50; i++) x = x * 2 + sink; return x; }
struct Solver {
    double state = 1;
    double step(double x);
};
__attribute__((noinline)) double Solver::step(double x) {
    return state += scaled(x) + Hidden{0.5}.apply(x) + twice(x);
}
}
int main() {
    struct Local {
        double factor;
        INLINE double apply(double x) { for (int i = 0; i < 50; i++) x = x * factor + sink; return x; }
    };
    auto update = [](double x) __attribute__((always_inline)) {
        for (int i = 0; i < 50; i++) x = x * 0.5 + sink;
        return x;
    };
    app::Solver solver;
    double x = 0;
    for (int i = 0; i < 100; i++) x += solver.step(i) + update(i) + Local{0.5}.apply(x);
    sink = x;
}
"#;

/// The program as a compiler builds it; `None` without the compiler.
fn program(compiler: &str, debug: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("scopes-{compiler}{debug}");
    let (source, program) = (folder.join(format!("{name}.cc")), folder.join(name));
    std::fs::write(&source, PROGRAM).unwrap();
    let built =
        Command::new(compiler).args(["-O2", debug, "-o"]).args([&program, &source]).status();
    if built.is_ok_and(|status| status.success()) {
        return Some(program);
    }
    println_skipped(&format!("{compiler} is not here"));
    None
}

/// The names of the functions that were inlined into `step` and `main`.
fn inlined(program: &Path) -> BTreeSet<String> {
    let file = CodeFile::Path(program.to_path_buf());
    let binary = Binary::open(&file, &DebugFiles::below("/nowhere")).unwrap();
    let code = binary.functions().filter(|(name, _)| *name == "main" || name.contains("step"));
    let mut names = BTreeSet::new();
    for address in code.flat_map(|(_, addresses)| addresses) {
        let mut frames = binary.frames(address);
        frames.pop();
        names.extend(frames.into_iter().map(|frame| frame.function));
    }
    names
}

#[test]
fn functions_that_the_linker_never_sees_have_their_scopes() {
    for (compiler, debug) in [("g++", "-g"), ("g++", "-gdwarf-4"), ("clang++", "-g")] {
        let Some(program) = program(compiler, debug) else { continue };
        let names = inlined(&program);
        let expected = [
            "app::(anonymous namespace)::scaled",
            "app::(anonymous namespace)::Hidden::apply",
            "app::twice<double>",
            "main::Local::apply",
            "main::{lambda",
        ];
        for expected in expected {
            // Where the compiler gives a name for the linker, it has parameters, too.
            let is_there = names.iter().any(|name| {
                let name = name.replace("main()::", "main::");
                name.trim_start_matches("double ").starts_with(expected)
            });
            assert!(is_there, "{compiler} {debug}: no {expected} in {names:#?}");
        }
    }
}

/// Debug information that lies costs names, and nothing else.
#[test]
fn damaged_scopes_are_survived() {
    let Some(program) = program("g++", "-gdwarf-5") else { return };
    let bytes = std::fs::read(&program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let sections = [".debug_info", ".debug_abbrev", ".debug_str", ".debug_rnglists"];
    let places: Vec<usize> = sections
        .into_iter()
        .filter_map(|name| file.section_by_name(name)?.file_range())
        .flat_map(|(start, length)| start..start + length)
        .map(|place| place as usize)
        .collect();
    let damaged = program.with_extension("damaged");
    let mut random: u64 = 1;
    for _ in 0..200 {
        let mut bytes = bytes.clone();
        for _ in 0..4 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            bytes[places[(random >> 33) as usize % places.len()]] = (random >> 25) as u8;
        }
        std::fs::write(&damaged, &bytes).unwrap();
        assert!(inlined(&damaged).iter().all(|name| name.len() < 1 << 16));
    }
}
