//! A formula as a tree, the result at the top.

use counterpoint::formula::{Formula, Op};

/// Branches deeper than this are cut.
const DEEPEST: usize = 32;

/// One line per operation; a value that is used again is referred to by its name in the listing.
pub fn draw(formula: &Formula) -> String {
    let inputs: Vec<&str> = formula.inputs().collect();
    let ops = formula.ops();
    let mut drawn = vec![false; ops.len()];
    let mut text = String::new();
    // The operations still to be drawn, with the text to their left on their own line and on those beneath.
    let mut open = vec![(ops.len() - 1, String::new(), String::new(), 0)];
    while let Some((place, before, below, depth)) = open.pop() {
        let operands: Vec<u32> = ops[place].operands().collect();
        let label = match ops[place] {
            Op::Constant(index) => formula.constants()[index as usize].to_string(),
            Op::Input(index) => inputs[index as usize].to_string(),
            Op::Unary(op, _) => op.word().to_string(),
            Op::Binary(op, ..) => op.word().to_string(),
            Op::Choice(..) => "if".to_string(),
        };
        let again = std::mem::replace(&mut drawn[place], true) && !operands.is_empty();
        let cut = depth == DEEPEST && !operands.is_empty();
        let label = if again {
            format!("v{place}, as above")
        } else if cut {
            "…".to_string()
        } else {
            label
        };
        text.push_str(&format!("{before}{label}\n"));
        if again || cut {
            continue;
        }
        let last = operands.len().saturating_sub(1);
        for (number, operand) in operands.iter().enumerate().rev() {
            let (branch, line) =
                if number == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            open.push((
                *operand as usize,
                format!("{below}{branch}"),
                format!("{below}{line}"),
                depth + 1,
            ));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::draw;
    use counterpoint::formula::{Formula, Syntax};

    fn drawn(text: &str) -> String {
        draw(&Formula::parse(text, Syntax::Infix).unwrap())
    }

    #[test]
    fn operands_hang_below_their_operation() {
        assert_eq!(drawn("N0/(N1*2)"), "/\n├─ N0\n└─ *\n   ├─ N1\n   └─ 2\n");
        assert_eq!(drawn("-a"), "neg\n└─ a\n");
    }

    #[test]
    fn what_is_used_again_is_drawn_once() {
        assert_eq!(drawn("(a+b)*(a+b)"), "*\n├─ +\n│  ├─ a\n│  └─ b\n└─ v2, as above\n");
    }

    #[test]
    fn a_deep_formula_is_cut() {
        let deep = (0..1000).fold("a".to_string(), |inner, n| format!("sqrt({inner}+{n})"));
        assert!(drawn(&deep).lines().count() < 100);
        assert!(drawn(&deep).contains('…'));
    }
}
