//! `grammar.rs` is the output of lalrpop for `grammar.lalrpop`.

use std::fs;
use std::path::Path;

#[test]
fn the_committed_parser_is_fresh() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/papi");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("grammar");
    fs::create_dir_all(&out).unwrap();
    lalrpop::Configuration::new()
        .force_build(true)
        .emit_rerun_directives(false)
        .set_out_dir(&out)
        .process_file(dir.join("grammar.lalrpop"))
        .unwrap();
    let generated = fs::read_to_string(out.join("grammar.rs")).unwrap();
    let committed = dir.join("grammar.rs");
    if std::env::var_os("COUNTERPOINT_UPDATE").is_some() {
        fs::write(&committed, &generated).unwrap();
    }
    assert!(
        fs::read_to_string(&committed).unwrap() == generated,
        "grammar.rs is stale: run this test once with COUNTERPOINT_UPDATE=1"
    );
}
