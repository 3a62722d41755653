//! Call stacks by the names of their functions.

use crate::write::proto;
use counterpoint_profil::write::{self, CallTree, PprofContext, Profile, Symbol, TableSize};
use counterpoint_profil::{Snapshot, Stacks};
use prost::Message;

/// Addresses from 10 on are in `f`, and in the function that was inlined there; 0 is in no module.
fn names(address: u64) -> Vec<Symbol> {
    let of = |name: &str| Symbol { module: Some("app".to_string()), ..Symbol::new(name) };
    match address {
        0 => vec![Symbol::new("[unknown]")],
        1 => vec![of("main")],
        2..10 => vec![of("f")],
        _ => vec![of("inlined"), of("f")],
    }
}

fn recorded(stacks: &[(&[u64], u64)], limit: usize) -> CallTree {
    let mut all = Stacks::with_limit(limit);
    for (stack, times) in stacks {
        (0..*times).for_each(|_| all.record(stack, 1));
    }
    CallTree::new(&all, &names)
}

#[test]
fn a_recursion_counts_each_sample_once() {
    let tree = recorded(&[(&[4, 3, 2, 1], 60), (&[2, 1], 30), (&[1], 10)], 100);
    let functions = tree.functions();
    let found: Vec<_> = functions.iter().map(|of| (&of.function[..], of.own, of.whole)).collect();
    assert_eq!(found, [("main", 10, 100), ("f", 90, 90)]);
    assert!((functions[1].whole_percent.1 - 3.0).abs() < 1e-9, "√(0.9 × 0.1 / 100)");
    assert_eq!(tree.folded(), "main 10\nmain;f 30\nmain;f;f;f 60\n");
    assert_eq!(tree.callers(|function| function == "f").unwrap().folded(), "f;main 90\n");
    assert_eq!(tree.callees(|function| function == "f").unwrap().folded(), "f 30\nf;f;f 60\n");
    assert!(tree.callers(|function| function == "g").is_none());
}

#[test]
fn an_inlined_function_is_called_by_the_one_that_contains_it() {
    let tree = recorded(&[(&[11, 1], 3), (&[12, 1], 1), (&[2, 1], 1)], 100);
    assert_eq!(tree.folded(), "main;f 1\nmain;f;inlined 4\n");
    assert_eq!(
        tree.callers(|function| function == "inlined").unwrap().folded(),
        "inlined;f;main 4\n"
    );
}

#[test]
fn stacks_without_room_are_a_call_of_their_own() {
    let tree = recorded(&[(&[2, 1], 6), (&[0, 1], 4)], 2);
    assert_eq!(tree.total(), 10);
    assert_eq!(tree.folded(), "[stacks beyond the limit] 4\nmain;f 6\n");
}

#[test]
fn tables_show_shares_of_all_samples_with_their_errors() {
    let tree = recorded(&[(&[2, 1], 90), (&[1], 9), (&[0, 1], 1)], 100);
    assert_eq!(
        tree.table_of_functions(&TableSize { rows: 2, ..TableSize::default() }, "samples"),
        "
   self   error  children   error  samples  function
  9.00%  ±2.86%   100.00%  ±0.97%      100  main  app
 90.00%  ±3.00%    90.00%  ±3.00%       90  f  app
        … and 1 more function
"
    );
    assert_eq!(
        tree.callees(|function| function == "main")
            .unwrap()
            .table(&TableSize::default(), "samples"),
        "   part   error  samples  function
100.00%  ±0.97%      100  main  app
 90.00%  ±3.00%       90    f  app
  1.00%  ±0.99%        1    [unknown]
"
    );
    let seldom = recorded(&[(&[2, 1], 999), (&[0, 1], 1)], 100);
    assert!(
        seldom
            .table(&TableSize::default(), "samples")
            .ends_with("        … and 1 with less than 0.5 %\n"),
        "{}",
        seldom.table(&TableSize::default(), "samples")
    );
}

/// The widths of the rectangles of a row add up to that of their caller.
#[test]
fn the_flame_graph_is_as_wide_as_the_samples() {
    let tree = recorded(&[(&[11, 1], 50), (&[2, 1], 25), (&[0, 1], 25)], 100);
    let svg = tree.flame_graph("task-clock: 100 <samples>");
    let width = |name: &str| {
        let title = svg.find(&format!("<title>{name}")).unwrap_or_else(|| panic!("{name}: {svg}"));
        let attribute = svg[title..].split(" width=\"").nth(1).unwrap();
        attribute.split('"').next().unwrap().parse::<f64>().unwrap()
    };
    let widths = ["main", "f", "inlined", "[unknown]"].map(width);
    assert_eq!(widths, [1200.0, 900.0, 600.0, 300.0]);
    assert!(svg.contains("100 &lt;samples&gt;") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains("<title>inlined (app): 50 samples, 50.00 %</title>"), "{svg}");
}

#[test]
fn names_do_no_harm_in_folded_stacks_tables_and_pictures() {
    let mut stacks = Stacks::with_limit(10);
    stacks.record(&[1], 1);
    let tree = CallTree::new(&stacks, &|_| vec![Symbol::new("a;b\u{1b}[2J<&>")]);
    assert_eq!(tree.folded(), "a:b [2J<&> 1\n");
    assert!(
        !tree.table(&TableSize::default(), "samples").contains('\u{1b}')
            && !tree.table_of_functions(&TableSize::default(), "samples").contains('\u{1b}')
    );
    let svg = tree.flame_graph("");
    assert!(svg.contains("[2J&lt;&amp;&gt;") && !svg.contains('\u{1b}'), "{svg}");
}

/// Each stack is a sample of pprof, whose locations have the inlined functions, the innermost first.
#[test]
fn pprof_has_the_stacks_with_their_inlined_functions() {
    let mut stacks = Stacks::with_limit(4);
    for (stack, times) in [(&[11, 2, 1][..], 3), (&[2, 1], 2), (&[40, 50], 5)] {
        stacks.add(stack, times, times);
    }
    let snapshot = Snapshot::default();
    let profile = Profile { period: 10, ..Profile::new("clock", &snapshot) };
    let bytes = write::pprof_of_stacks(&profile, &stacks, &names, &PprofContext::default());
    let read = proto::Profile::decode(bytes.as_slice()).unwrap();
    let function = |line: &proto::Line| {
        let function = read.function.iter().find(|of| of.id == line.function_id).unwrap();
        read.string_table[function.name as usize].as_str()
    };
    let stack = |sample: &proto::Sample| {
        let location = |id: &u64| read.location.iter().find(|of| of.id == *id).unwrap();
        let locations = sample.location_id.iter().map(location);
        let names: Vec<&str> = locations.flat_map(|of| &of.line).map(function).collect();
        (names.join(";"), sample.value.clone())
    };
    let mut samples: Vec<_> = read.sample.iter().map(stack).collect();
    samples.sort();
    let text = |text: &str, count: i64| (text.to_string(), vec![count, 10 * count]);
    let expected =
        [text("[stacks beyond the limit]", 5), text("f;main", 2), text("inlined;f;f;main", 3)];
    assert_eq!(samples, expected);
    assert_eq!(read.location.iter().filter(|of| of.address == 1).count(), 1, "main is one place");
}

/// The names of C++ and of C in a table for a narrow terminal.
#[test]
fn a_line_is_cut_to_the_terminal() {
    let mut stacks = Stacks::with_limit(1000);
    stacks.record(&[4, 3, 2, 1], 9);
    stacks.record(&[5, 1], 2);
    let name = |address: u64| match address {
        1 => Symbol::new("main"),
        2 => Symbol::new("outer::space::Grid<…>::each"),
        3 => Symbol { inlined: true, ..Symbol::new("outer::space::Grid<…>::step") },
        4 => Symbol::new("a_very_long_name_of_a_function_of_c"),
        _ => Symbol::new("wait"),
    };
    let tree = CallTree::new(&stacks, &|address| vec![name(address)]);
    let size = TableSize { columns: 70, ..TableSize::default() };
    let table = tree.table_of_functions(&size, "samples");
    assert!(table.lines().all(|line| line.chars().count() <= 70), "{table}");
    for shown in
        ["  …::space::Grid<…>::each\n", "  …::step (inlined)\n", "  a_very_long_name_of_a_f…\n"]
    {
        assert!(table.contains(shown), "{shown:?}: {table}");
    }
    // Of fewer rows, those that show nothing of their own are left out first.
    let table = tree.table_of_functions(&TableSize { rows: 2, ..size }, "samples");
    assert!(table.contains("a_very_long") && table.contains("main") && !table.contains("each"));
    assert!(
        table.ends_with("(2 of them have no samples of their own and call one other function)\n"),
        "{table}"
    );
}

#[test]
fn times_are_shown_in_the_unit_of_their_sum() {
    let mut stacks = Stacks::with_limit(1000);
    stacks.record(&[1], 36_301_866);
    let tree = CallTree::new(&stacks, &|_| vec![Symbol::new("wait")]);
    let table = tree.table(&TableSize::default(), "µs");
    assert!(table.contains("       s  function\n100.00%  ±23.57%  36.302  wait\n"), "{table}");
}
