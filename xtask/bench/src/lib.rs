//! Benchmarks of Counterpoint beside other projects: `cargo bench` here.
