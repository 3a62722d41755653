//! Finds circles: files of a crate that need each other's items, directly or through others.

mod modules;
mod names;

use modules::Crate;
use names::Names;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use crate::project::root;

/// For each file the files that it needs, with the names that it uses of them.
type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The circles of all crates, given the project's files.
pub fn check(files: &[String]) -> Result<Vec<String>, String> {
    let is_root = |name: &&String| name.ends_with("src/lib.rs") || name.ends_with("src/main.rs");
    let mut problems = Vec::new();
    for name in files.iter().filter(is_root) {
        let read = |file: &str| fs::read_to_string(root().join(file)).ok();
        let circles = circles(&Crate::read(name, &read)?);
        problems.extend(circles);
    }
    Ok(problems)
}

/// The circles of one crate, each as a text with a line for each arrow.
fn circles(read: &Crate) -> Vec<String> {
    let arrows = arrows(read);
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|file| (file.as_str(), reached(&arrows, file))).collect();
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for (file, others) in &reach {
        let circle: Vec<&str> = others
            .iter()
            .copied()
            .filter(|other| reach.get(other).is_some_and(|back| back.contains(file)))
            .collect();
        if !circle.is_empty() && seen.insert(circle.clone()) {
            circles.push(described(&arrows, &circle));
        }
    }
    circles
}

fn arrows(read: &Crate) -> Arrows {
    let names = Names::new(read);
    let mut arrows = Arrows::new();
    for (index, module) in read.modules.iter().enumerate() {
        if read.only_declares(&module.file) {
            continue;
        }
        for used in names.used_by(index) {
            let other = &read.modules[used.module].file;
            if *other != module.file && !read.only_declares(other) {
                let from = arrows.entry(module.file.clone()).or_default();
                from.entry(other.clone()).or_default().insert(used.name);
            }
        }
    }
    arrows
}

/// The files that a file needs, directly or through others; it is among them if it is in a circle.
fn reached<'a>(arrows: &'a Arrows, file: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        for other in arrows.get(file).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(other.as_str()) {
                open.push(other);
            }
        }
    }
    reached
}

fn described(arrows: &Arrows, circle: &[&str]) -> String {
    let mut text = format!("a circle of {} files:", circle.len());
    for file in circle {
        for (other, names) in &arrows[*file] {
            if circle.contains(&other.as_str()) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let _ = write!(text, "\n    {file} -> {other}: {}", names.join(", "));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles of a crate that consists of these files.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let read = |name: &str| {
            let file = files.iter().find(|(file, _)| *file == name);
            file.map(|(_, text)| (*text).to_string())
        };
        circles(&Crate::read("lib.rs", &read).unwrap())
    }

    #[test]
    fn a_tree_has_no_circle() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::A;"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            ("b.rs", "pub struct B;"),
        ];
        assert_eq!(found(&files), [""; 0]);
    }

    #[test]
    fn a_circle_goes_through_a_reexport_to_the_file_that_defines() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::{A as First, A};"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            ("b.rs", "use crate::First; pub struct B(Box<First>);"),
        ];
        assert_eq!(
            found(&files),
            ["a circle of 2 files:\n    a.rs -> b.rs: B\n    b.rs -> a.rs: A"]
        );
    }

    #[test]
    fn a_path_counts_where_it_stands() {
        let lib = ("lib.rs", "mod a; mod b;");
        let b = ("b.rs", "use super::a::A; pub fn b(_: A) {}");
        for a in [
            "pub struct A; fn a() { crate::b::b(A) }",
            "use crate::b; pub struct A; fn a() { b::b(A) }",
            "pub struct A; fn a() { use crate::b::b; b(A) }",
            "pub struct A; fn a() { print!(\"{:?}\", super::b::b(A)) }",
            "use crate::b::*; pub struct A; fn a() { b(A) }",
        ] {
            assert_eq!(found(&[lib, ("a.rs", a), b]).len(), 1, "{a}");
        }
        assert_eq!(found(&[lib, ("a.rs", "pub struct A; fn a(x: &X) { x.b() }"), b]), [""; 0]);
    }

    #[test]
    fn a_parent_that_defines_is_a_file_of_the_circle() {
        let child = ("a/child.rs", "use super::Shared; pub fn child(_: Shared) {}");
        let declares = ("a/mod.rs", "mod child; pub use child::child;");
        let defines = ("a/mod.rs", "mod child; pub use child::child; pub struct Shared;");
        let lib = ("lib.rs", "mod a;");
        assert_eq!(found(&[lib, declares, child]), [""; 0]);
        assert_eq!(found(&[lib, defines, child]).len(), 1);
    }

    #[test]
    fn files_lie_where_rust_and_path_attributes_say() {
        let files = [
            ("lib.rs", "mod a; #[path = \"other/place.rs\"] mod b;"),
            ("a.rs", "mod inner; pub fn a() {}"),
            ("a/inner.rs", "fn f() { crate::b::b() }"),
            ("other/place.rs", "pub fn b() { crate::a::a() }"),
        ];
        assert_eq!(found(&files), [""; 0]);
        let mut files = files;
        files[1].1 = "mod inner; pub fn a() { inner::f() }";
        assert_eq!(found(&files).len(), 1);
        let missing = Crate::read("lib.rs", &|name| (name == "lib.rs").then(|| "mod a;".into()));
        assert!(missing.is_err());
    }

    #[test]
    fn items_that_a_macro_is_given_count() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; record! { pub struct A { b: B } }"),
            ("b.rs", "use crate::a::A; pub struct B(Box<A>);"),
        ];
        assert_eq!(found(&files).len(), 1);
    }

    #[test]
    fn tests_do_not_count() {
        let files = |a| {
            [
                ("lib.rs", "mod a; mod b;"),
                ("a.rs", a),
                ("b.rs", "use crate::a::A; pub fn b(_: A) {}"),
            ]
        };
        for a in [
            "pub struct A; #[cfg(test)] mod tests { use crate::b::b; #[test] fn t() { b(super::A) } }",
            "pub struct A; impl A { #[cfg(test)] fn t() { crate::b::b(A) } }",
            "pub struct A; #[test] fn t() { crate::b::b(A) }",
        ] {
            assert_eq!(found(&files(a)), [""; 0], "{a}");
        }
        let a = "pub struct A; #[cfg(not(test))] fn f() { crate::b::b(A) }";
        assert_eq!(found(&files(a)).len(), 1);
    }
}
