//! Benchmarks that compare Counterpoint with other projects: run `cargo bench` here.
