//! The verbs of `cargo xtask`: what each does, and what it needs.

use crate::{
    ballista, bench, book, browser, capi, ci, conformance, dist, fuzz, hardware, mpi, msrv,
    package, prometheus, public_api, python, sanitize, tables, tidy, vm,
};

/// A verb, or one form of it.
pub struct Verb {
    /// The verb and its arguments, as they are typed.
    pub call: &'static str,
    does: &'static str,
    /// Empty if a Rust toolchain is enough.
    needs: &'static str,
    pub run: fn() -> Result<(), String>,
}

pub const VERBS: &[Verb] = &[
    Verb {
        call: "ci",
        does: "runs everything that must pass: tests, each vendor's tables alone, formatting, clippy, docs, tidy, public API, packages",
        needs: "",
        run: ci::run,
    },
    Verb {
        call: "tidy",
        does: "checks the rules that the compiler does not: arrows between crates, circles of files, printing, unsafe, generated files, paths, sizes; of dependencies the licences, the versions and the compilers that they need",
        needs: "git",
        run: tidy::run,
    },
    Verb {
        call: "tables [--check] LINUX PERFMON",
        does: "writes the events of every processor by its vendor's names, crates/pmu/tables/VENDOR/processors, from a tree of Linux's sources and a checkout of Intel's perfmon, and prints what changes; --check only prints",
        needs: "the facts that were measured from libpfm, in DIR",
        run: tables::run,
    },
    Verb {
        call: "book",
        does: "builds the book of docs, in target/book",
        needs: "mdbook, without which it is skipped",
        run: book::run,
    },
    Verb {
        call: "dist",
        does: "builds the program that is handed on, with all features, the C library in it and without relocations, and packs it with manual pages and completions: an archive, a Debian package and an RPM",
        needs: "a static C library; cargo-deb and cargo-generate-rpm for the packages, without which they are skipped",
        run: dist::run,
    },
    Verb {
        call: "capi --install DIR [--debug] [NAME…]",
        does: "builds the C libraries, shared and static, and installs them with headers and pkg-config files",
        needs: "",
        run: capi::run,
    },
    Verb {
        call: "capi --header [--bless]",
        does: "compares counterpoint.h with what cbindgen makes of the functions and structures; --bless writes it",
        needs: "the packages of xtask/header, without which it is skipped",
        run: capi::run,
    },
    Verb {
        call: "bench [NAME…] [--compare REV]",
        does: "runs all benchmarks, or those whose names contain NAME, and prints one table: ours (median and minimum of rounds in which all take turns), peer, ratio, spread, limit; fails if a row's whole spread is over its limit and xtask/bench/over.txt does not say why; with --compare, each row is beside that of another commit, in turn five times, with the spread of the ratio",
        needs: "peers (a C compiler, perf, PAPI's and libpfm4's libraries, other projects' crates); those that are not installed are skipped by name",
        run: bench::run,
    },
    Verb {
        call: "browser",
        does: "opens the pages that the program writes in a browser: no script error, the numbers of the JSON, an answer to the pointer, a picture that is not blank",
        needs: "Debian's or Ubuntu's package chromium",
        run: browser::run,
    },
    Verb {
        call: "fuzz [--seconds N] [TARGET…]",
        does: "runs every fuzz target, one after the other, in one table; for each finding, prints how to reproduce it and how to make it a test",
        needs: "nightly, cargo-fuzz",
        run: fuzz::run,
    },
    Verb {
        call: "sanitize [address|thread|valgrind]",
        does: "runs the tests of perf and the facade that reach the kernel or have threads, and those of the C libraries, under the sanitizers, and C programs over the libraries under valgrind",
        needs: "nightly with rust-src; valgrind and gcc, without which it is skipped",
        run: sanitize::run,
    },
    Verb {
        call: "msrv",
        does: "builds with the compiler that rust-version names",
        needs: "that compiler",
        run: msrv::run,
    },
    Verb {
        call: "package",
        does: "packages every crate with cargo package, and builds the packages beside each other",
        needs: "",
        run: package::run,
    },
    Verb {
        call: "public-api [--bless]",
        does: "compares the public items of each published crate with crates/NAME/public-api.txt and prints the difference; --bless accepts it",
        needs: "Rust 1.95, whose rustdoc JSON xtask/public-api reads; with another compiler it is skipped",
        run: public_api::run,
    },
    Verb {
        call: "python",
        does: "builds and installs the Python package in a virtual environment of its own, makes a wheel, checks formatting, lints and types, and runs pytest, the benchmark beside Rust and numexpr, and the example for Spark",
        needs: "Python 3.11 with venv, and its packages by name; Java for Spark, without which it is skipped",
        run: python::run,
    },
    Verb {
        call: "ballista",
        does: "builds and tests the package counterpoint-datafusion, and asks a scheduler and two executors about reports of stat",
        needs: "about ten minutes the first time",
        run: ballista::run,
    },
    Verb {
        call: "mpi [DIR]",
        does: "runs 4, 16 and 64 ranks under counterpoint stat --mpi, one of them slow: merge names it, a node is counted once, a missing report is found; a program with OpenMP has known counts in each rank and thread; with DIR, also builds the mini-apps in it, LULESH, HPCCG and CloverLeaf, and counts and profiles them in small; installs nothing",
        needs: "mpirun (Debian: openmpi-bin or mpich), whose package it names; mpicc, and for mini-apps mpicxx, mpif90 and make, with OpenMP",
        run: mpi::run,
    },
    Verb {
        call: "prometheus",
        does: "lets the system's Prometheus scrape the exporter: promtool check metrics has nothing to say, and a query answers what stat counts meanwhile; installs nothing",
        needs: "Debian's or Ubuntu's package prometheus, which it names",
        run: prometheus::run,
    },
    Verb {
        call: "vm-test [MACHINE] [TEST…]",
        does: "runs the live tests on the hardware counters of an emulated machine (arm64, riscv64, ppc64le; s390x has none), and on s390x and ppc64 those that must pass in the other byte order; writes its trust report as cargo xtask hardware does",
        needs: "Debian's package manager, and rustup for the standard library of the machine",
        run: vm::run,
    },
    Verb {
        call: "hardware",
        does: "runs the live tests and the trust report (counterpoint doctor --verify) on the PMU of this machine, and writes its record, fixtures/hardware/MACHINE.tsv, and the page of all records, docs/hardware.md; assembles the kernels for other architectures",
        needs: "a hardware PMU, without which it says so; for other architectures their standard libraries (rustup target add), without which they are skipped",
        run: hardware::run,
    },
    Verb {
        call: "conformance capi",
        does: "runs Debian's programs that call libpfm4 over our libpfm.so.4 and over libpfm4's, compares what they print, and times both",
        needs: "papi-tools, llvm-14-tools, pcp, dtrace, perf, gcc, each as far as it is installed",
        run: conformance::run,
    },
    Verb {
        call: "conformance libpfm",
        does: "compares every answer of counterpoint-pmu with that of the system's libpfm4",
        needs: "libpfm4",
        run: conformance::run,
    },
    Verb {
        call: "conformance papi [DIR]",
        does: "looks up every preset and native event that the system's PAPI lists; compiles PAPI's own tests with our headers, and counts those that pass over libpapi.so.7 and over the system's",
        needs: "papi-tools; for the tests a C compiler, and the source of PAPI in DIR",
        run: conformance::run,
    },
    Verb {
        call: "conformance vendor DIR",
        does: "compares how the tables and a vendor's files program every event that both name, of cores and of other units; fails at a difference that crates/pmu/DIFFERENCES.md does not have with a reason",
        needs: "a checkout of Linux, or of Intel's perfmon",
        run: conformance::run,
    },
    Verb {
        call: "conformance recordings DIR",
        does: "compares what is read of every recording in a folder with what perf says of the same file: header, build ids, numbers of records, mappings and processes, each field of each sample, sources of data in words, totals of reports",
        needs: "perf, without which it is skipped",
        run: conformance::run,
    },
    Verb {
        call: "conformance symbols",
        does: "compares the names that counterpoint profile prints with those of nm, gdb and perf",
        needs: "gcc, g++, rustc, nm, gdb, perf, each as far as it is installed",
        run: conformance::run,
    },
];

impl Verb {
    /// The verb without its arguments.
    pub fn name(&self) -> &'static str {
        self.call.split(' ').next().unwrap_or_default()
    }

    /// The call with the texts below it, in lines of at most 100 characters.
    pub fn help(&self) -> String {
        let mut text = format!("  {}\n", self.call);
        text.push_str(&wrapped(self.does));
        if !self.needs.is_empty() {
            text.push_str(&wrapped(&format!("needs {}", self.needs)));
        }
        text
    }
}

/// A text in indented lines.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + word.len() > 92 {
            lines.push(word.to_string());
        } else {
            let space = if lines[last].is_empty() { "" } else { " " };
            lines[last].extend([space, word]);
        }
    }
    lines.iter().map(|line| format!("      {line}\n")).collect()
}
