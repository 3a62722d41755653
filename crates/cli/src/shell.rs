//! Commands that are given as one text each.

use crate::failure::Failure;
use std::ffi::OsString;

/// The words that run a command, by sh if `is_shell`.
pub fn command(text: &str, is_shell: bool) -> Result<Vec<OsString>, Failure> {
    if is_shell {
        return Ok(["sh", "-c", text].map(OsString::from).to_vec());
    }
    Ok(words(text)?.into_iter().map(OsString::from).collect())
}

/// Splits the text into words as a shell does; at least one.
pub fn words(text: &str) -> Result<Vec<String>, Failure> {
    let words = shell_words::split(text)
        .map_err(|_| Failure::new(format!("`{text}`: a quotation mark is not closed")))?;
    if words.is_empty() { Err(Failure::new("--compare has an empty command")) } else { Ok(words) }
}

/// Returns true if the text has something that only a shell can do, and that is not quoted.
pub fn needs_shell(text: &str, first: &str) -> bool {
    let (mut quote, mut is_escaped, mut begins_word) = (None, false, true);
    for c in text.chars() {
        if is_escaped {
            is_escaped = false;
        } else if quote == Some('\'') {
            quote = quote.filter(|_| c != '\'');
        } else {
            match c {
                '\\' => is_escaped = true,
                '$' | '`' => return true,
                '"' => quote = if quote.is_none() { Some(c) } else { None },
                _ if quote.is_some() => {}
                '\'' => quote = Some(c),
                '~' if begins_word => return true,
                _ if "|&;<>()*?[\n".contains(c) => return true,
                _ => {}
            }
        }
        begins_word = c.is_whitespace() && quote.is_none() && !is_escaped;
    }
    // An assignment to a variable, or the negation of the exit status.
    first == "!" || first.split_once('=').is_some_and(|(name, _)| !name.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_runs_what_is_not_quoted() {
        let needs = |text: &str| needs_shell(text, &shell_words::split(text).unwrap()[0]);
        for plain in [
            "./solve a.txt",
            "grep 'a|b' x~y",
            "awk '{ print $1 }' x",
            r"find . -name \*.c",
            r#"echo "a;b" 'c'"#,
            "./x=1 --y=2",
        ] {
            assert!(!needs(plain), "{plain}");
        }
        for shell in [
            "a | b",
            "a > b",
            "ls *.c",
            "echo $x",
            r#"echo "$x""#,
            "echo `x`",
            "A=1 b",
            "a; b",
            "cat ~/x",
            "(a)",
            "! a",
            "a\nb",
        ] {
            assert!(needs(shell), "{shell}");
        }
    }
}
