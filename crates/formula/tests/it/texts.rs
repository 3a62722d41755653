//! The meaning of texts, how formulas are printed, and the errors for invalid texts.

use counterpoint_formula::{
    EvalErrorKind, Formula, Number, ParseErrorKind, PowReading, RemReading, Syntax, WarningKind,
};

const RPN: Syntax = Syntax::RPN_24X7;

#[track_caller]
fn prints(text: &str, syntax: Syntax, expected: &str) {
    assert_eq!(Formula::parse(text, syntax).unwrap().to_string(), expected, "{text}");
}

#[test]
fn infix_text_has_as_few_parentheses_as_it_needs() {
    for (text, expected) in [
        ("N0-(N1+(N2*5))", "N0 - (N1 + N2 * 5)"),
        ("((N0-N1)-N2)", "N0 - N1 - N2"),
        ("N0-(N1-N2)", "N0 - (N1 - N2)"),
        ("N0*N1%N2//N3", "N0 * N1 % N2 // N3"),
        ("(N0^N1)^N2", "(N0 ^ N1) ^ N2"),
        ("N0^N1^N2", "N0 ^ N1 ^ N2"),
        ("-N0^2", "-N0 ^ 2"),
        ("(-N0)^2", "(-N0) ^ 2"),
        ("(-3)^N0 - -2", "(-3) ^ N0 - -2"),
        ("N0 ^ -N1", "N0 ^ (-N1)"),
        ("--N0", "-(-N0)"),
        ("-(N0+N1)*N2", "-(N0 + N1) * N2"),
        ("max( N0,N1 , 0.50)/abs(-N2)", "max(max(N0, N1), 0.5) / abs(-N2)"),
        ("rem(N0,N1)*sqrt(N0)", "rem(N0, N1) * sqrt(N0)"),
        ("N007+N00", "N7 + N0"),
        ("0x1F + 1e3 + 2.50e1 + .5", "1056.5"),
        ("N0*# + cpu:a.b%", "N0 * # + cpu:a.b%"),
        ("N0%N1", "N0 % N1"),
        ("`a b` + `N01` + `c``d`", "`a b` + `N01` + `c``d`"),
        ("(2+3)*N0/(4/2)", "5 * N0 / 2"),
        ("1/3", "0.3333333333333333"),
    ] {
        let formula = Formula::parse(text, Syntax::Infix).unwrap();
        assert_eq!(formula.to_string(), expected, "{text}");
        assert_eq!(expected.parse::<Formula>().unwrap(), formula);
    }
}

#[test]
fn folding_keeps_what_only_evaluation_can_tell() {
    for (text, expected) in [
        // The exact and the rounded result differ.
        ("9007199254740993 + 1", "9007199254740993 + 1"),
        ("1/0", "1 / 0"),
        ("-0", "-0"),
        ("sqrt(4)", "sqrt(4)"),
        ("2^10", "1024"),
    ] {
        prints(text, Syntax::Infix, expected);
    }
    let formula = Formula::parse("9007199254740993 + 1", Syntax::Infix).unwrap();
    assert_eq!(formula.eval_exact(&[]), Ok(Number::Int(9_007_199_254_740_994)));
    assert_eq!(formula.eval(&[]), 9_007_199_254_740_992.0);
}

#[test]
fn postfix_text_knows_signs_words_and_names() {
    prints("|N0||N1|+|", Syntax::PapiPostfix, "N0 + N1");
    prints("N0N1+ 2 *", Syntax::PapiPostfix, "(N0 + N1) * 2");
    prints("N0|-2.5|*|neg", Syntax::PapiPostfix, "-(N0 * -2.5)");
    prints("N0|N1|-5|*|-", Syntax::PapiPostfix, "N0 - N1 * -5");
    prints("`sqrt`|N1|min", Syntax::PapiPostfix, "min(sqrt, N1)");
}

#[test]
fn operands_of_postfix_text_need_no_separator() {
    for (text, infix) in [
        ("#N0|/|", "# / N0"),
        ("#2|*|", "# * 2"),
        ("2N0|*|", "2 * N0"),
        ("2#|*|", "2 * #"),
        ("N0#|*|", "N0 * #"),
        ("##|+|", "# + #"),
        ("#smt_on|N0|+|", "#smt_on + N0"),
    ] {
        prints(text, Syntax::PapiPostfix, infix);
    }
    // A name that reads like such operands is quoted.
    let formula = Formula::parse("`#N0` + `#2`", Syntax::Infix).unwrap();
    let again = Formula::parse(&formula.postfix().to_string(), Syntax::PapiPostfix).unwrap();
    assert!(again.inputs().eq(["#N0", "#2"]), "{}", formula.postfix());
}

#[test]
fn a_percent_sign_after_the_clock_rate_is_the_operator() {
    prints("#% 25", Syntax::Infix, "# % 25");
    prints("#%N0", Syntax::Infix, "# % N0");
    prints("`#%` + 1", Syntax::Infix, "`#%` + 1");
}

#[test]
fn doubtful_operators_of_catalogs_are_printed_as_they_were_read() {
    let other = Syntax::Rpn24x7 { rem: RemReading::Remainder, pow: PowReading::LastIsExponent };
    prints("A B rem", RPN, "A // B");
    prints("A B rem", other, "rem(A, B)");
    prints("A B x^y", RPN, "B ^ A");
    prints("A B x ^ y", RPN, "B ^ A");
    prints("A B x^y", other, "A ^ B");
    prints("A B mod", RPN, "A % B");
    prints("PM_BR_BC+8 delta-seconds /", RPN, "`PM_BR_BC+8` / `delta-seconds`");
}

#[test]
fn catalog_text_with_parentheses_is_infix() {
    prints("((PM_A*512)/PM_B)*PB_Freq", RPN, "PM_A * 512 / PM_B * PB_Freq");
    prints("(A / delta-seconds)", RPN, "A / `delta-seconds`");
    let left = Formula::parse("A B C +", RPN).unwrap();
    assert_eq!(left.to_string(), "B + C");
    assert!(left.inputs().eq(["B", "C"]));
    assert_eq!(left.warnings()[0].kind, WarningKind::LeftOver { count: 1 });
    assert_eq!(left.warnings()[0].span, 0..1);
}

const FUNCTIONS: &str =
    "abs, d_ratio, larger, lesser, max, min, ratio, rem, sqrt, whole_rem and xor";
const PERF_FUNCTIONS: &str =
    "aggr_nr, d_ratio, has_event, max, min, source_count and strcmp_cpuid_str";

#[test]
fn wrong_texts_are_refused_at_the_place() {
    use ParseErrorKind::*;
    const PERF: Syntax = Syntax::PerfMetric;
    for (text, syntax, span, kind) in [
        ("", Syntax::Infix, 0..0, Empty),
        (" | ", Syntax::PapiPostfix, 0..0, Empty),
        (" \n", RPN, 0..0, Empty),
        ("N0 + ", Syntax::Infix, 5..5, ExpectedOperand),
        ("N0 + * N1", Syntax::Infix, 5..6, ExpectedOperand),
        ("N0 N1", Syntax::Infix, 3..4, ExpectedOperator),
        ("N0(N1)", Syntax::Infix, 2..3, ExpectedOperator),
        ("()", Syntax::Infix, 1..2, ExpectedOperand),
        ("(N0 + (N1)", Syntax::Infix, 0..1, UnclosedParenthesis),
        ("N0)", Syntax::Infix, 2..3, UnmatchedParenthesis),
        (")", Syntax::Infix, 0..1, UnmatchedParenthesis),
        ("N0, N1", Syntax::Infix, 2..3, UnexpectedComma),
        ("min((N0, N1))", Syntax::Infix, 7..8, UnexpectedComma),
        ("min(N0)", Syntax::Infix, 0..3, WrongArgumentCount { expected: 2, found: 1 }),
        ("abs(N0, N1)", Syntax::Infix, 0..3, WrongArgumentCount { expected: 1, found: 2 }),
        ("rem(1, 2, 3)", Syntax::Infix, 0..3, WrongArgumentCount { expected: 2, found: 3 }),
        ("log(N0)", Syntax::Infix, 0..3, UnknownFunction { functions: FUNCTIONS }),
        ("2 * `a", Syntax::Infix, 4..5, UnclosedName),
        ("N0 @ N1", Syntax::Infix, 3..4, UnexpectedCharacter('@')),
        ("N0 × N1", Syntax::Infix, 3..5, UnexpectedCharacter('×')),
        ("2 + 0N1", Syntax::Infix, 4..7, MalformedNumber),
        ("1e", Syntax::Infix, 0..2, MalformedNumber),
        ("0x", Syntax::Infix, 0..2, MalformedNumber),
        (".", Syntax::Infix, 0..1, MalformedNumber),
        ("1 + 1e999", Syntax::Infix, 4..9, NumberTooBig),
        ("N65536", Syntax::Infix, 0..6, IndexTooBig),
        ("N0|N99999999999|+", Syntax::PapiPostfix, 3..15, IndexTooBig),
        ("N0|+|", Syntax::PapiPostfix, 3..4, StackUnderflow { needs: 2, has: 1 }),
        ("-|N0|", Syntax::PapiPostfix, 0..1, StackUnderflow { needs: 2, has: 0 }),
        ("N0|N1|", Syntax::PapiPostfix, 0..2, LeftOver { count: 1 }),
        ("N0|(N1)", Syntax::PapiPostfix, 3..4, UnexpectedCharacter('(')),
        ("a if b", Syntax::Infix, 2..4, MissingElse),
        ("(a if b) else c", Syntax::Infix, 3..5, MissingElse),
        ("a if b if c else d else e", Syntax::Infix, 2..4, MissingElse),
        ("a else b", Syntax::Infix, 2..6, UnexpectedElse),
        ("if", Syntax::Infix, 0..1, ExpectedOperand),
        ("a & b", Syntax::Infix, 2..3, ExpectedOperator),
        ("", PERF, 0..0, Empty),
        ("log(a)", PERF, 0..3, UnknownFunction { functions: PERF_FUNCTIONS }),
        ("has_event(a + b)", PERF, 12..13, ExpectedName),
        ("has_event()", PERF, 10..11, ExpectedName),
        ("min(a, b, c)", PERF, 0..3, WrongArgumentCount { expected: 2, found: 3 }),
        ("a b", PERF, 2..3, ExpectedOperator),
        ("1e999", PERF, 0..5, NumberTooBig),
        ("# + 1", PERF, 0..1, ExpectedOperand),
        ("a|b|if|", Syntax::PapiPostfix, 4..6, StackUnderflow { needs: 3, has: 2 }),
        ("A dup rot swp * sqr /", RPN, 20..21, StackUnderflow { needs: 2, has: 1 }),
        ("A 1.2.3 +", RPN, 2..7, MalformedNumber),
        ("A -1e400 +", RPN, 2..8, NumberTooBig),
    ] {
        let error = Formula::parse(text, syntax).unwrap_err();
        assert_eq!((error.span, error.kind), (span, kind), "{text:?}");
    }
}

#[test]
fn names_that_look_like_numbers_are_names_in_catalogs() {
    for name in ["inf", "nan", "infinity", "-inf", "MOD", "PM_X-3", "TOTAL%", "-", "x"] {
        let text = format!("{name} 1 swp -");
        match Formula::parse(&text, RPN) {
            Ok(formula) => assert!(formula.inputs().eq([name]), "{text}"),
            Err(_) => assert_eq!(name, "-"),
        }
    }
}

#[test]
fn evaluation_errors_stand_at_the_operator() {
    let kind = |text: &str, inputs: &[i128]| {
        let formula = Formula::parse(text, Syntax::Infix).unwrap();
        let error = formula.eval_exact(inputs).unwrap_err();
        (error.span, error.kind)
    };
    assert_eq!(kind("N0 + N1 / (N0 - 3)", &[3, 1]), (8..9, EvalErrorKind::DivisionByZero));
    assert_eq!(kind("1 + 0 / 0", &[]), (6..7, EvalErrorKind::DivisionByZero));
    assert_eq!(kind("N0 % 0", &[3]), (3..4, EvalErrorKind::DivisionByZero));
    assert_eq!(kind("2 * sqrt(-N0)", &[4]), (4..8, EvalErrorKind::Domain));
    assert_eq!(kind("1e300 * N0 * 1e300", &[1]), (11..12, EvalErrorKind::Overflow));
    let missing = EvalErrorKind::MissingInput { expected: 2, found: 1 };
    assert_eq!(kind("N0 * N1", &[1]), (5..7, missing));

    let quotient = Formula::parse("a/b", Syntax::Infix).unwrap();
    let nested = quotient.substitute("b", &"c - c".parse().unwrap()).unwrap();
    let error = nested.eval_exact(&[1, 2]).unwrap_err();
    assert_eq!(&nested.to_string()[error.span], "/");
}

#[test]
fn too_few_inputs_give_no_number() {
    let formula = Formula::parse("N0 + N1", Syntax::Infix).unwrap();
    assert!(formula.eval(&[1.0]).is_nan());
    assert_eq!(formula.eval(&[1.0, 2.0, 4.0]), 3.0);
    assert_eq!(Formula::input("a b").eval(&[7.0]), 7.0);
}

#[test]
fn mixed_inputs_stay_exact_where_they_are_whole() {
    let formula = Formula::parse("a * b + c", Syntax::Infix).unwrap();
    let big = Number::Int(1 << 80);
    let whole = formula.eval_numbers(&[big, Number::Int(3), Number::Int(1)]);
    assert_eq!(whole, Ok(Number::Int((3 << 80) + 1)));
    let scaled = formula.eval_numbers(&[Number::Real(0.25), Number::Int(8), Number::Int(1)]);
    assert_eq!(scaled, Ok(Number::Real(3.0)));
}

#[test]
fn renaming_may_join_inputs() {
    let formula = Formula::parse("(a - b) * (b - a)", Syntax::Infix).unwrap();
    let joined = formula.rename_inputs(|_| "x".into());
    assert_eq!(joined.to_string(), "(x - x) * (x - x)");
    assert_eq!(joined.ops().len(), 3);
}

#[test]
fn formulas_are_shared_between_threads() {
    let formula = Formula::parse("N0 / N1", Syntax::Infix).unwrap();
    let values = std::thread::scope(|scope| {
        let threads = [1.0, 2.0].map(|n| {
            scope.spawn({
                let formula = &formula;
                move || formula.eval(&[n, 4.0])
            })
        });
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(values, [0.25, 0.5]);
}

/// The rules of perf's own lexer and parser.
#[test]
fn metric_expressions_are_read_as_perf_reads_them() {
    const PERF: Syntax = Syntax::PerfMetric;
    prints("a / b", PERF, "ratio(a, b)");
    prints("a / 1000 / 1e3", PERF, "a / 1000 / 1000");
    prints("a | b ^ c & d", PERF, "a || xor(b, c && d)");
    prints("a < b + 1 > 0", PERF, "a < b + 1 > 0");
    prints("a % b", PERF, "whole_rem(a, b)");
    prints("1 - (a if #SMT_on else b if c else d)", PERF, "1 - (a if #SMT_on else b if c else d)");
    prints("min(a if b else c, d)", PERF, "lesser(a if b else c, d)");
    prints("1e9x + 1e9 + 1. + .5", PERF, "`1e9x` + 1000000000 + 1 + 0.5");
    prints("cycles\\-t + topdown\\-fe:u", PERF, "`cycles-t` + `topdown-fe:u`");
    prints("cpu_core@A\\,cmask\\=0x1\\,edge@", PERF, "`cpu_core/A,cmask=0x1,edge/`");
    prints("msr@tsc\\,cpu=cpu_core@ * 2", PERF, "`msr/tsc,cpu=cpu_core/` * 2");
    prints("hv_24x7@PM_X\\,chip\\=?@", PERF, "`hv_24x7/PM_X,chip=?/`");
    prints("a if has_event( a ) else 0", PERF, "a if `has_event(a)` else 0");
    prints("source_count(UNC_X) * #num_dies", PERF, "`source_count(UNC_X)` * #num_dies");
    prints("NaN", PERF, "ratio(0, 0)");
    prints("a if 1 else b", PERF, "a");
    prints("(0 & a) + (b | 1)", PERF, "1");
    prints("iffy + elsewhere", PERF, "iffy + elsewhere");
    let odd = Formula::parse("a $ + b", PERF).unwrap();
    assert_eq!(odd.to_string(), "a + b");
    assert_eq!(odd.warnings()[0].kind, WarningKind::PassedOver('$'));
    assert_eq!(odd.warnings()[0].span, 2..3);
}

#[test]
fn an_operation_without_a_value_matters_only_to_what_uses_it() {
    let eval = |text: &str, inputs: &[i128]| {
        let formula = Formula::parse(text, Syntax::PerfMetric).unwrap();
        let real: Vec<f64> = inputs.iter().map(|int| *int as f64).collect();
        let (exact, float) = (formula.eval_exact(inputs), formula.eval(&real));
        match &exact {
            Ok(number) => assert_eq!(number.as_f64(), float, "{text}"),
            Err(_) => assert!(float.is_nan(), "{text}: {float}"),
        }
        exact.map_err(|error| (error.span, error.kind))
    };
    let by_zero = |span| Err((span, EvalErrorKind::DivisionByZero));
    assert_eq!(eval("a / b if b else 7", &[1, 0]), Ok(Number::Int(7)));
    assert_eq!(eval("a / b if c else 7", &[1, 0, 1]), by_zero(2..3));
    assert_eq!(eval("1 if a / b else 2", &[1, 0]), Ok(Number::Int(1)));
    assert_eq!(eval("min(a / b, 5)", &[1, 0]), Ok(Number::Int(5)));
    assert_eq!(eval("min(5, a / b)", &[1, 0]), by_zero(9..10));
    assert_eq!(eval("d_ratio(a, b) + (a / b | 1)", &[1, 0]), Ok(Number::Int(1)));
    assert_eq!(eval("0 & a / b", &[1, 0]), Ok(Number::Int(0)));
    assert_eq!(eval("a | a / b", &[1, 0]), Ok(Number::Int(1)));
    assert_eq!(eval("a / b | 0", &[1, 0]), by_zero(2..3));
    assert_eq!(eval("1 & a / b", &[1, 0]), by_zero(6..7));
    assert_eq!(eval("a / b ^ 1", &[1, 0]), by_zero(2..3));
    assert_eq!(eval("(a / b > 1) + (1 if b else 2)", &[1, 0]), by_zero(3..4));
    assert_eq!(eval("a % b", &[7, -2]), Ok(Number::Int(1)));
    assert_eq!(eval("a % b", &[7, 0]), by_zero(2..3));
}

#[test]
fn equal_characters_in_a_row_are_one_warning() {
    let spans = |text: &str| {
        let formula = Formula::parse(text, Syntax::PerfMetric).unwrap();
        formula.warnings().iter().map(|warning| warning.span.clone()).collect::<Vec<_>>()
    };
    assert_eq!(spans("$$$a + $b"), [0..3, 7..8]);
    assert_eq!(spans("~$ $a"), [0..1, 1..2, 3..4]);
    assert_eq!(spans(&format!("{}a", "~$".repeat(5000))).len(), 1000);
}
