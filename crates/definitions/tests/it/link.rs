//! Linking several files for one PMU.

use counterpoint_definitions::graph::Graph;
use counterpoint_definitions::papi::{self, check_cycles, parse, parse_for};
use counterpoint_definitions::{
    Code, Definitions, Entry, Expansion, Library, Origin, PmuName, Pmus, Role, Severity, Term,
    Unavailable, line_column, link,
};
use counterpoint_formula::{Formula, Syntax};

/// Links one file for the PMU `skx`.
fn skx(text: &str) -> Definitions {
    let library = Library::from(text);
    let mut findings = library.diagnostics().iter();
    assert_eq!(findings.find(|finding| finding.severity == Severity::Error), None);
    link(&[library], "skx")
}

fn expand(definitions: &Definitions, name: &str) -> Expansion {
    definitions.expand(&definitions.get(name).expect("defined")).expect("a value")
}

#[test]
fn each_derived_type_is_one_formula() {
    let definitions = skx("CPU,SKX\n\
        EVENT,not,NOT_DERIVED,A\n\
        EVENT,add,DERIVED_ADD,A,B,C\n\
        EVENT,sub,DERIVED_SUB,A,B,C\n\
        EVENT,ps,DERIVED_PS,A,B\n\
        EVENT,add_ps,DERIVED_ADD_PS,A,B,C\n\
        EVENT,cmpd,DERIVED_CMPD,A,B\n\
        EVENT,postfix,DERIVED_POSTFIX,N0|N1|2|*|-|,A,B\n\
        EVENT,infix,DERIVED_INFIX,N0-N1-#,A,B\n");
    let value = |name: &str, given: &[(&str, i128)]| {
        let formula = expand(&definitions, name).formula;
        let inputs: Vec<i128> = formula
            .inputs()
            .map(|input| given.iter().find(|(name, _)| *name == input).unwrap().1)
            .collect();
        formula.eval_exact(&inputs).unwrap().as_int().unwrap()
    };
    let given = [("A", 10), ("B", 3), ("C", 2), ("#", 1000)];
    let expected = [
        ("not", 10),
        ("add", 15),
        ("sub", 5),
        ("ps", 300),
        ("add_ps", 500),
        ("cmpd", 10),
        ("postfix", 4),
        ("infix", -993),
    ];
    for (name, expected) in expected {
        assert_eq!(value(name, &given), expected, "{name}");
    }
    // These values overflow PAPI's 64-bit integers.
    assert_eq!(
        value("ps", &[("A", 1 << 40), ("B", 1 << 50), ("#", 4_000_000_000)]),
        4_000_000_000 << 10
    );
    assert_eq!(expand(&definitions, "cmpd").terms, ["A", "B"]);
    let per_second = expand(&definitions, "ps").formula;
    let given = [("A", 3.0), ("B", 1.0), ("#", 1.0)];
    let inputs: Vec<f64> = per_second
        .inputs()
        .map(|input| given.iter().find(|(name, _)| *name == input).unwrap().1)
        .collect();
    assert_eq!(per_second.eval(&inputs), 1.0 / 3.0, "it is not rounded");
}

#[test]
fn terms_nest_in_any_order_and_across_files() {
    let user = Library::from(
        "EVENT,twice,DERIVED_ADD,ratio,RATIO\nEVENT,ratio,DERIVED_INFIX,N0/N1,papi_sum,C\n",
    );
    let presets = papi::read("CPU,skx\nPRESET,PAPI_SUM,DERIVED_SUB,A,B\n", Origin::Preset);
    let definitions = link(&[user, presets], "skx");
    assert_eq!(expand(&definitions, "ratio").formula.to_string(), "(A - B) / C");
    let twice = definitions.get("twice").unwrap();
    let expansion = definitions.expand(&twice).unwrap();
    assert_eq!(expansion.terms, ["A", "B", "C"]);
    assert_eq!(expansion.formula.eval(&[10.0, 4.0, 3.0]), 4.0);
    assert_eq!((twice.origin(), twice.line()), (&Origin::Text, 1));
    assert_eq!(definitions.get("PAPI_SUM").unwrap().origin(), &Origin::Preset);
}

#[test]
fn native_events_keep_names_that_look_like_inputs() {
    let definitions = skx("EVENT,a,DERIVED_INFIX,N0-N1,N1,N0\nEVENT,b,DERIVED_SUB,a,N1\n");
    assert_eq!(expand(&definitions, "a").terms, ["N1", "N0"]);
    let a = expand(&definitions, "a").formula;
    let inputs: Vec<f64> = a.inputs().map(|name| if name == "N1" { 10.0 } else { 1.0 }).collect();
    assert_eq!(a.eval(&inputs), 9.0);
    let b = expand(&definitions, "b").formula;
    assert_eq!(
        b.eval(&b.inputs().map(|name| if name == "N1" { 10.0 } else { 1.0 }).collect::<Vec<_>>()),
        -1.0
    );
}

#[test]
fn cpu_lines_choose_the_block() {
    let text = "EVENT,all,NOT_DERIVED,A\n\
        CPU,skx\n# between\n\nCPU,CLX,512\nEVENT,both,NOT_DERIVED,A\n\
        CPU,icl\nEVENT,icl_only,NOT_DERIVED,A\n\
        CPU\nEVENT,nowhere,NOT_DERIVED,A\n\
        CPU,skx,junk\nEVENT,nowhere_either,NOT_DERIVED,A\n\
        cuda,GH100\nPRESET,PAPI_CUDA,NOT_DERIVED,cuda:::x\n\
        CPU,\"skx\" x\nEVENT,after_a_bad_line,NOT_DERIVED,A\n\
        CPU,skx\nEVENT,again,NOT_DERIVED,A\n";
    let libraries = [Library::from(text)];
    let names = |pmu: PmuName<'_>| -> Vec<String> {
        link(&libraries, pmu).iter().map(|definition| definition.name().to_owned()).collect()
    };
    assert_eq!(names("SKX".into()), ["all", "both", "again"]);
    assert_eq!(names("clx".into()), ["all", "both"]);
    assert_eq!(names(PmuName { name: "clx", number: Some(512) }), ["all", "both"]);
    assert_eq!(names(PmuName { name: "clx", number: Some(1) }), ["all"]);
    assert_eq!(names("icl".into()), ["all", "icl_only"]);
    assert_eq!(names("".into()), ["all"]);
}

#[test]
fn a_preset_differs_from_an_event_of_the_user_by_its_role_alone() {
    let definitions =
        skx("CPU,skx\nPRESET,P,DERIVED_ADD,A,B,SDESC,s\nEVENT,E,DERIVED_ADD,A,B,SDESC,s\n");
    let facts = |name: &str| {
        let of = definitions.get(name).unwrap();
        let text = of.short_description().map(str::to_owned);
        (of.notation().to_string(), text, expand(&definitions, name))
    };
    let role = |name: &str| definitions.get(name).unwrap().role();
    assert_eq!((role("P"), role("E")), (Role::Preset, Role::Event));
    let (preset, event) = (facts("P"), facts("E"));
    assert_eq!((preset.0, preset.1), (event.0, event.1));
    assert_eq!((preset.2.formula, preset.2.terms), (event.2.formula, event.2.terms));
}

#[test]
fn a_later_definition_wins() {
    let first = Library::from(
        "CPU,skx\nEVENT,x,NOT_DERIVED,A,LDESC,\"old\"\nCPU,skx\nEVENT,X,NOT_DERIVED,B\n",
    );
    let second = Library::from("CPU,skx\nEVENT,x,NOT_DERIVED,C\n");
    let definitions = link(&[first, second], "skx");
    assert_eq!(definitions.len(), 1);
    let x = definitions.get("X").unwrap();
    assert_eq!((x.term_names(), x.line(), x.long_description()), (vec!["C"], 2, None));
    let hidden: Vec<_> =
        definitions.hidden("x").map(|d| (d.line(), d.term(0).unwrap().name.to_owned())).collect();
    assert_eq!(hidden, [(4, "B".to_owned()), (2, "A".to_owned())]);
    let messages: Vec<&str> =
        definitions.diagnostics().iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "X is defined on line 2 and again on line 4; the later definition is used",
            "x is defined on line 4 of an earlier file and again on line 2; the later definition is used"
        ]
    );
    assert!(definitions.diagnostics().iter().all(|finding| finding.code == Code::Redefined));
}

#[test]
fn cycles_are_reported_with_their_names() {
    let text = "EVENT,a,DERIVED_ADD,N,b\nEVENT,b,NOT_DERIVED,c\nEVENT,c,DERIVED_SUB,A,d\nEVENT,d,NOT_DERIVED,b\n\
        EVENT,self,NOT_DERIVED,SELF\nEVENT,fine,NOT_DERIVED,N\n";
    let definitions = skx(text);
    let found: Vec<_> = definitions
        .diagnostics()
        .iter()
        .map(|f| (line_column(text, f.span.start), &*f.message))
        .collect();
    assert_eq!(
        found,
        [
            (
                (3, 21),
                "a is defined in terms of itself: a, which needs b, which needs c, which needs a"
            ),
            ((5, 24), "self refers to itself")
        ]
    );
    for name in ["a", "b", "c", "d", "self"] {
        let unavailable = definitions.unavailable(name);
        assert!(matches!(unavailable, Some(Unavailable::Cycle { .. })), "{name}: {unavailable:?}");
    }
    assert_eq!(definitions.get("a").unwrap().term_names(), ["N", "b"]);
    assert_eq!(definitions.unavailable("fine"), None);
}

#[test]
fn definitions_that_need_a_cycle_have_no_value() {
    let definitions = skx("EVENT,x,NOT_DERIVED,y\nEVENT,z,NOT_DERIVED,x\nEVENT,y,NOT_DERIVED,y\n");
    let reason = definitions.unavailable("z").unwrap();
    assert_eq!(
        reason.to_string(),
        "it needs x, which has no value: it is defined in terms of itself: y, which needs y"
    );
    assert_eq!(definitions.diagnostics().len(), 1);
}

#[test]
fn long_chains_are_followed_without_recursion() {
    let mut text = String::new();
    for index in 0..20_000 {
        text += &format!("EVENT,E{index},DERIVED_ADD,E{},X{index}\n", index + 1);
    }
    let definitions = skx(&text);
    let whole = expand(&definitions, "E0");
    assert_eq!(whole.terms.len(), 20_001);
    assert_eq!(whole.formula.eval(&vec![1.0; 20_001]), 20_001.0);
    text += "EVENT,E20000,NOT_DERIVED,E0\n";
    let definitions = skx(&text);
    assert_eq!(definitions.diagnostics().len(), 1);
    assert!(definitions.diagnostics()[0].message.len() < 500);
    assert!(definitions.iter().all(|d| definitions.unavailable(d.name()).is_some()));
}

#[test]
fn definitions_that_expand_too_far_are_errors() {
    for (line, last) in
        [("DERIVED_ADD", 19), ("DERIVED_SUB", 19), ("DERIVED_INFIX,(N0+1)*(N0+2)/(N1+3)", 11)]
    {
        let mut text = "EVENT,E0,DERIVED_ADD,A,B\n".to_owned();
        for index in 1..60 {
            text += &format!("EVENT,E{index},{line},E{0},E{0}\n", index - 1);
        }
        let definitions = skx(&text);
        let whole = expand(&definitions, &format!("E{last}"));
        assert_eq!(whole.terms, ["A", "B"]);
        assert!(whole.formula.ops().len() < 200, "{line}");
        let reason = |index: usize| definitions.unavailable(&format!("E{index}")).cloned();
        assert_eq!(reason(last), None, "{line}");
        assert_eq!(reason(last + 1), Some(Unavailable::TooLarge), "{line}");
        assert!(matches!(reason(59), Some(Unavailable::Term { .. })), "{line}");
        let codes: Vec<Code> =
            definitions.diagnostics().iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::TooLarge]);
    }
}

#[test]
fn counts_per_second_divide_by_the_cycles_of_the_pmu() {
    let text = "CPU,skx\nPRESET,PAPI_TOT_CYC,NOT_DERIVED,CYCLES\nEVENT,alias,NOT_DERIVED,papi_tot_cyc\n\
        EVENT,a,DERIVED_PS,PAPI_TOT_CYC,X\nEVENT,b,DERIVED_PS,alias,X\nEVENT,c,DERIVED_PS,cycles,X\n\
        EVENT,d,DERIVED_PS,INSTRUCTIONS,X\n";
    let definitions = skx(text);
    let findings = check_cycles(&definitions, |_, _| None);
    let found: Vec<_> =
        findings.iter().map(|f| (line_column(text, f.span.start), f.code)).collect();
    assert_eq!(found, [((7, 20), Code::NotCycles)]);
    // If PAPI_TOT_CYC is not defined, there is nothing to compare with.
    assert_eq!(check_cycles(&skx("EVENT,d,DERIVED_PS,INSTRUCTIONS,X\n"), |_, _| None), []);
}

#[test]
fn the_largest_number_of_terms_links() {
    let line = |terms: usize| {
        let names: Vec<String> = (0..terms).map(|index| format!("E{index}")).collect();
        format!("EVENT,X,DERIVED_ADD_PS,{}\n", names.join(","))
    };
    assert_eq!(expand(&skx(&line(65_534)), "X").terms.len(), 65_534);
    let text = line(65_535);
    let too_long = parse(&text);
    assert_eq!(too_long.file.events().count(), 0);
    assert!(too_long.diagnostics.iter().any(|finding| finding.code == Code::TooLarge));
}

#[test]
fn what_is_for_other_pmus_is_passed_over() {
    let count = |text: &str| parse_for(text, &["skx".into()]).file.events().count();
    // Only a component whose name is a field begins a block.
    assert_eq!(count("CPU,zen4\nEVENT,A,NOT_DERIVED,X\ncuda GH100\nEVENT,B,NOT_DERIVED,Y\n"), 0);
    assert_eq!(count("CPU,zen4\r\n\r\n # note\r\nEVENT,A,NOT_DERIVED,X\r\n"), 0);
    let text = "EVENT,A,NOT_DERIVED,X\nCPU,zen4\nEVENT,B,NOT_DERIVED,X\nCPU,zen4\nCPU,SKX\n\
        EVENT,C,NOT_DERIVED,X\ncuda,GH100\nEVENT,D,NOT_DERIVED,X\n";
    let parsed = parse_for(text, &["skx".into()]);
    let lines: Vec<_> = parsed.file.events().map(|event| (event.name.text, event.line)).collect();
    assert_eq!(lines, [("A", 1), ("C", 6)]);
}

#[test]
fn blocks_that_apply_together_are_read_as_one_text() {
    let text = "CPU,perf\nEVENT,a,NOT_DERIVED,b\nCPU,skx\nEVENT,b,NOT_DERIVED,X\nEVENT,A,NOT_DERIVED,Y\n\
        CPU,icl\nEVENT,b,NOT_DERIVED,Z\n";
    let library = Library::from(text);
    let both = |names: [&'static str; 2]| {
        link(
            std::slice::from_ref(&library),
            names.map(PmuName::from).into_iter().collect::<Pmus<'_>>(),
        )
    };
    for definitions in [both(["skx", "perf"]), both(["PERF", "SKX"])] {
        assert_eq!(expand(&definitions, "a").terms, ["Y"]);
        assert_eq!(definitions.hidden("a").map(|d| d.line()).collect::<Vec<_>>(), [2]);
        assert_eq!(definitions.diagnostics()[0].code, Code::Redefined);
        assert_eq!(definitions.diagnostics()[0].severity, Severity::Warning);
    }
    // Without the other block, `a` uses the remaining definition.
    assert_eq!(expand(&both(["icl", "perf"]), "a").terms, ["Z"]);
}

#[test]
fn built_in_presets_are_hidden_without_a_finding() {
    let preset = papi::read("CPU,skx\nPRESET,P,NOT_DERIVED,X\n", Origin::Preset);
    let user = papi::read("CPU,skx\nEVENT,p,NOT_DERIVED,Y\n", Origin::file("my.csv"));
    let definitions = link(&[preset, user], "skx");
    assert_eq!(definitions.diagnostics(), []);
    assert_eq!(definitions.get("P").unwrap().origin(), &Origin::file("my.csv"));
    assert_eq!(definitions.hidden("P").next().unwrap().origin(), &Origin::Preset);
}

#[test]
fn a_library_can_be_built_without_a_file() {
    let terms = [Term { name: "a", span: 0..0 }, Term { name: "b", span: 0..0 }];
    let ratio = Formula::parse("N0/N1", Syntax::Infix).unwrap();
    let mut builder = Library::builder(Origin::Text);
    builder.define(&Entry {
        name: "ratio",
        terms: &terms,
        formula: Some(ratio.into()),
        ..Entry::default()
    });
    let definitions = link(&[builder.finish(Vec::new())], "any");
    assert_eq!(expand(&definitions, "RATIO").formula.to_string(), "a / b");
}

#[test]
fn cycles_take_no_more_memory_than_the_definitions() {
    let graph = Graph::new(20_000, |node| {
        // A chain whose last link needs every other one, the nearest first.
        let all: Vec<usize> = match node {
            19_999 => (0..19_999).rev().collect(),
            _ => vec![node + 1],
        };
        all.into_iter().enumerate().collect::<Vec<_>>()
    });
    let order = graph.order();
    assert_eq!(order.nodes.len(), 20_000);
    assert!(order.cycle_of.iter().all(Option::is_some));
    assert!(order.cycles.iter().map(|cycle| cycle.nodes.len()).sum::<usize>() <= 20_000);
}

/// As a `main` prints the error that it returns.
#[test]
fn a_definition_without_a_value_shows_its_sentence() {
    let library = Library::from("EVENT,A,DERIVED_ADD,B\nEVENT,B,DERIVED_ADD,A\n");
    let definitions = link(&[library], "skx");
    let error = definitions.expand(&definitions.get("A").unwrap()).map(drop).unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
    assert!(format!("{error:#?}").starts_with("Cycle {"), "{error:#?}");
}
