//! Properties that hold for any text of metrics; the fuzz target calls the same function.

use counterpoint_definitions::{Origin, link, metrics};

/// Reads a text in every language of metrics: nothing panics, every place is one of the text, and what is read can be linked.
pub(crate) fn check(text: &str) {
    for syntax in [metrics::PERF, metrics::PERFMON, metrics::LIKWID, metrics::TABLE] {
        let library = (syntax.read)(text, Origin::Text);
        for finding in library.diagnostics() {
            assert!(text.get(finding.span.clone()).is_some(), "{}: {finding:?}", syntax.name);
            assert!(!finding.message.is_empty());
        }
        for index in 0..library.len() {
            let definition = library.definition(index);
            assert!(definition.metric().is_some());
            assert!(text.get(definition.span()).is_some() && definition.line() >= 1);
            for term in definition.terms() {
                assert!(text.get(term.span).is_some(), "{}: {}", syntax.name, term.name);
            }
        }
        let definitions = link(&[library], "cpu_core");
        for definition in definitions.iter() {
            match definitions.expand(&definition) {
                Ok(whole) => assert!(whole.formula.inputs().len() <= whole.terms.len() + 1),
                Err(reason) => assert!(!reason.to_string().is_empty()),
            }
        }
    }
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("metrics") {
        check(&String::from_utf8_lossy(&seed));
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_to_its_end(text in "(\\PC|[\\[\\]{}\",:\\\\ \n]|\"MetricExpr\":|\"MetricName\":|EVENTSET\n|METRICS\n|metric |formula ){0,60}") {
        check(&text);
    }

    #[test]
    fn a_text_that_is_cut_is_read_to_the_cut(at in 0..2000_usize, which in 0..4_usize) {
        let seeds = crate::seeds::of("metrics");
        let text = String::from_utf8_lossy(&seeds[which % seeds.len()]).into_owned();
        let end = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        check(&text[..end]);
    }
}
