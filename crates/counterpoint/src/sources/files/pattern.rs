//! Patterns of names and paths: `*` stands for any text without a slash, `#` for a number.

/// The texts for which the wildcards of a pattern stand; `None` if it does not match. Letter case is ignored.
pub(super) fn captures<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let Some(at) = pattern.find(['*', '#']) else {
        return pattern.eq_ignore_ascii_case(text).then(Vec::new);
    };
    let (begin, rest) = pattern.split_at(at);
    let own = text.get(at..).filter(|_| text[..at].eq_ignore_ascii_case(begin))?;
    let fits = |c: char| if rest.starts_with('#') { c.is_ascii_digit() } else { c != '/' };
    let most = own.find(|c| !fits(c)).unwrap_or(own.len());
    // The longest text first; a number is never split.
    let ends = (1..=most).rev().filter(|end| own.is_char_boundary(*end));
    let ends = ends.take(if rest.starts_with('#') { 1 } else { usize::MAX });
    for end in ends {
        if let Some(mut others) = captures(&rest[1..], &own[end..]) {
            others.insert(0, &own[..end]);
            return Some(others);
        }
    }
    None
}

/// The pattern with texts in the place of its wildcards; wildcards that are left over stay.
pub(super) fn filled(pattern: &str, texts: &[&str]) -> String {
    let mut texts = texts.iter();
    let mut filled = String::new();
    for c in pattern.chars() {
        match (is_wildcard(c)).then(|| texts.next()).flatten() {
            Some(text) => filled.push_str(text),
            None => filled.push(c),
        }
    }
    filled
}

/// Returns true if a text has wildcards.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(is_wildcard)
}

fn is_wildcard(c: char) -> bool {
    matches!(c, '*' | '#')
}

#[cfg(test)]
mod tests {
    use super::{captures, filled};

    #[test]
    fn wildcards_stand_for_texts_and_numbers() {
        assert_eq!(captures("net/*/rx_bytes/", "net/eth0.1/RX_bytes/"), Some(vec!["eth0.1"]));
        assert_eq!(
            captures("hwmon/*/temp#/", "hwmon/coretemp/temp12/"),
            Some(vec!["coretemp", "12"])
        );
        assert_eq!(captures("hwmon#", "hwmon"), None);
        assert_eq!(captures("cpu#", "cpufreq"), None);
        assert_eq!(captures("a*b*c", "a1b2b3c"), Some(vec!["1b2", "3"]));
        assert_eq!(captures("*", "ä/b"), None);
        assert_eq!(captures("ä*", "äö"), Some(vec!["ö"]));
        assert_eq!(filled("intel-rapl:#:#", &["0", "1"]), "intel-rapl:0:1");
    }

    /// Many wildcards do not take long.
    #[test]
    fn no_pattern_of_the_table_has_many_wildcards() {
        let text = "a".repeat(10_000);
        assert_eq!(captures("*b*c", &text), None);
    }
}
