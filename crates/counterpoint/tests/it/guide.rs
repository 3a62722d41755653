//! The guide and its page on the five documents: every row of their tables names a test that there is.

use std::path::Path;

#[test]
fn every_row_is_backed_by_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |page: &str| std::fs::read_to_string(root.join("docs").join(page)).unwrap();
    let guide = read("guide.md") + &read("documents.md");
    let mut rows = 0;
    for line in
        guide.lines().filter(|line| line.starts_with("| ") && !line.contains("| shown by |"))
    {
        let shown = line.trim_end_matches('|').rsplit('|').next().unwrap().trim();
        let (file, test) = shown.trim_matches('`').split_once("::").unwrap();
        let (name, file) = file.split_once('/').unwrap_or(("counterpoint", file));
        let path = match name {
            "program" => root.join(format!("tests/program/{file}.rs")),
            _ => root.join(format!("crates/{name}/tests/it/{file}.rs")),
        };
        let source = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{shown}: {e}"));
        let pattern = format!("#[test]\nfn {test}()");
        assert!(source.contains(&pattern), "there is no test {shown}");
        rows += 1;
    }
    assert!(rows > 350, "{rows} rows");
}
