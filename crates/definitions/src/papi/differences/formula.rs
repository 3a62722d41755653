//! PAPI's reading of a formula: a model of its converter from infix to postfix, and of its evaluator.

use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic};
use crate::papi::ast::{DerivedType, Field};

/// The number of values that PAPI's evaluator can hold.
const DEEPEST_STACK: usize = 12;
/// The largest constant before PAPI's numbers wrap.
const LARGEST_CONSTANT: u64 = i32::MAX as u64;

/// Checks a formula that this crate can read.
pub(super) fn check(field: Field<'_>, kind: DerivedType, findings: &mut Vec<Diagnostic>) {
    if field.text.contains([' ', '\t']) {
        findings.push(
            Diagnostic::new(
                Code::PapiFormulaBlank,
                field.span(),
                "PAPI stops at the first blank in a formula and returns what it has computed by then",
            )
            .help("write the formula without blanks"),
        );
    }
    if let Some(at) = field.text.rfind('/') {
        let at = field.text_start() + at;
        let message = "PAPI cuts the value to a whole number, so that a quotient below 1 is 0";
        findings.push(
            Diagnostic::new(Code::PapiWholeNumber, at..at + 1, message)
                .help("scale the value, for example by 1000, and say so in the description"),
        );
    }
    let mut reader = Reader { start: field.text_start(), findings, depth: 0, deepest: 0 };
    match kind {
        DerivedType::Postfix => reader.postfix(field.text),
        _ => reader.infix(field.text),
    }
    if reader.deepest > DEEPEST_STACK {
        let message = format!(
            "PAPI can hold {DEEPEST_STACK} values, needs {} for this formula, and aborts",
            reader.deepest
        );
        let diagnostic = Diagnostic::new(Code::PapiStack, field.span(), message);
        findings.push(match kind {
            DerivedType::Infix => {
                diagnostic.help("put the first terms in parentheses: (((N0+N1)+N2)+N3)")
            }
            _ => diagnostic.help("write each operator right after its operands: N0|N1|+|N2|+|"),
        });
    }
}

struct Reader<'f> {
    /// The place where the formula begins in the file.
    start: usize,
    findings: &'f mut Vec<Diagnostic>,
    /// The number of values that PAPI's evaluator holds, and the most it has held.
    depth: usize,
    deepest: usize,
}

/// The operators since the last open parenthesis that are waiting for their right operand.
#[derive(Default)]
struct Level {
    /// The number of `+` and `-`, stacked on each other.
    sums: usize,
    /// The last of them.
    sum: Option<char>,
    /// The number of `*`, `/` and `%` since then.
    products: usize,
    product: Option<char>,
}

impl Reader<'_> {
    fn report(&mut self, code: Code, range: Range<usize>, message: String, help: &str) {
        let span = self.start + range.start..self.start + range.end;
        self.findings.push(Diagnostic::new(code, span, message).help(help));
    }

    fn push(&mut self) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }

    fn postfix(&mut self, text: &str) {
        let mut at = 0;
        while let Some(word) = next_word(text, at) {
            // PAPI needs no separator after `N0` or digits.
            let word = word.start..operand_end(text, word.start).unwrap_or(word.end);
            at = word.end;
            match &text[word.clone()] {
                "|" => {}
                sign @ ("+" | "-") if is_sign(text, word.start) => {
                    let message = format!(
                        "PAPI does not support signs: it takes this {sign} for an operator and aborts"
                    );
                    let help = "write 0 before the value and the sign after it, as 0|1|-|";
                    self.report(Code::PapiSign, word, message, help);
                }
                "+" | "-" | "*" | "/" => self.depth = self.depth.saturating_sub(1),
                operator @ ("%" | "^") => {
                    self.operator(operator, word);
                    self.depth = self.depth.saturating_sub(1);
                }
                _ => self.operand(text, word),
            }
        }
    }

    /// PAPI's converter outputs an operator only before one of lower precedence, at `)` and at the end.
    fn infix(&mut self, text: &str) {
        let mut levels = vec![Level::default()];
        let mut after_operand = false;
        let mut at = 0;
        while let Some(word) = next_word(text, at) {
            at = word.end;
            let token = &text[word.clone()];
            match token {
                "(" => {
                    levels.push(Level::default());
                    after_operand = false;
                }
                ")" | "," => {
                    if let Some(level) = levels.pop() {
                        self.depth = self.depth.saturating_sub(level.sums + level.products);
                    }
                    if token == "," {
                        levels.push(Level::default());
                    }
                    after_operand = token == ")";
                }
                "+" | "-" | "*" | "/" | "%" | "^" if after_operand => {
                    if let Some(level) = levels.last_mut() {
                        self.binary(token, word, level);
                    }
                    after_operand = false;
                }
                "+" | "-" => {
                    let message = format!(
                        "PAPI does not support signs: it takes this {token} for an operator and aborts"
                    );
                    self.report(
                        Code::PapiSign,
                        word,
                        message,
                        "write 0- before the value, in parentheses",
                    );
                }
                _ => {
                    self.operand(text, word);
                    after_operand = true;
                }
            }
        }
    }

    fn binary(&mut self, token: &str, word: Range<usize>, level: &mut Level) {
        let operator = token.chars().next().unwrap_or_default();
        let before = match operator {
            '+' | '-' => {
                self.depth = self.depth.saturating_sub(std::mem::take(&mut level.products));
                level.product = None;
                level.sums += 1;
                level.sum.replace(operator).filter(|before| *before == '-')
            }
            '*' | '/' | '%' => {
                level.products += 1;
                level.product.replace(operator).filter(|before| *before == '/')
            }
            _ => None,
        };
        if matches!(operator, '%' | '^') {
            self.operator(token, word.clone());
        }
        if let Some(before) = before {
            let message =
                format!("PAPI first computes everything to the right of the preceding `{before}`");
            self.report(
                Code::PapiGrouping,
                word,
                message,
                "put everything to the left of this operator in parentheses",
            );
        }
    }

    fn operator(&mut self, operator: &str, word: Range<usize>) {
        let message =
            format!("PAPI cannot compute {operator} and returns the first value of the formula");
        self.report(Code::PapiOperator, word, message, "use only + - * /");
    }

    fn operand(&mut self, text: &str, word: Range<usize>) {
        self.push();
        let operand = &text[word.clone()];
        let is_digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if operand == "#" || operand.strip_prefix('N').is_some_and(is_digits) {
            return;
        }
        if is_digits(operand) {
            if operand.parse::<u64>().is_ok_and(|value| value <= LARGEST_CONSTANT) {
                return;
            }
            let message =
                format!("PAPI keeps only 32 bits of {operand}, and aborts on 16 or more digits");
            self.report(Code::PapiConstant, word, message, "write a product of smaller numbers");
        } else if operand.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
            let message = format!("PAPI reads only whole numbers, not `{operand}`");
            self.report(Code::PapiNumber, word, message, "write a quotient of whole numbers");
        } else {
            // The function itself is not a value; its arguments are.
            self.depth -= 1;
            let message = format!("PAPI does not support functions such as `{operand}`");
            self.report(Code::PapiFunction, word, message, "use only + - * /");
        }
    }
}

/// Returns true if `+` or `-` in postfix text stands before a number and after a separator, so that it is a part of the number.
fn is_sign(text: &str, at: usize) -> bool {
    let separates = |c: char| c == '|' || c.is_whitespace();
    text[..at].chars().next_back().is_none_or(separates)
        && text[at + 1..].starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

/// The end of `N0`, `N1` … at an offset, or of digits before one of them.
fn operand_end(text: &str, at: usize) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let indexed = |text: &str| text.strip_prefix('N').map_or(0, digits);
    match (indexed(&text[at..]), digits(&text[at..])) {
        (0, 0) => None,
        (0, constant) => (indexed(&text[at + constant..]) > 0).then_some(at + constant),
        (index, _) => Some(at + 1 + index),
    }
}

/// The next operator, number or name at or after an offset.
fn next_word(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    let start = from + rest.find(|c: char| !c.is_whitespace())?;
    let rest = &text[start..];
    let first = rest.chars().next()?;
    if !(first.is_alphanumeric() || first == '.' || first == '_') {
        return Some(start..start + first.len_utf8());
    }
    let is_number = first.is_ascii_digit() || first == '.';
    let mut before = first;
    let end = rest.find(|c: char| {
        // The sign of an exponent belongs to its number.
        let exponent = is_number
            && matches!(before, 'e' | 'E')
            && matches!(c, '+' | '-')
            && !rest.starts_with("0x");
        before = c;
        !(c.is_alphanumeric() || c == '.' || c == '_' || exponent)
    });
    Some(start..end.map_or(text.len(), |end| start + end))
}
