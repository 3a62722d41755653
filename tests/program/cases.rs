//! Commands with their whole output, in `cases/*.trycmd`; `TRYCMD=overwrite cargo test` writes what is printed now.

use crate::root;

#[test]
fn whole_outputs() {
    std::env::set_current_dir(root()).unwrap();
    let cases = trycmd::TestCases::new();
    cases
        .register_bin("counterpoint", std::path::PathBuf::from(env!("CARGO_BIN_EXE_counterpoint")));
    cases.case("tests/program/cases/*.trycmd");
}
