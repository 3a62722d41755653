//! The PMUs that a written name selects.

/// The PMUs among `names` that `wanted` selects: the one of exactly that name; else its numbered boxes
/// `wanted_0`, `wanted_1`, … in order of number; else the same with `uncore_` before it. With `*`, `?`
/// or `[…]` in it, every name that the shell pattern matches.
///
/// ```
/// use counterpoint_pmu::sysfs::boxes;
///
/// let names = ["cpu", "uncore_imc_1", "uncore_imc_0", "uncore_imc_free_running"];
/// assert_eq!(boxes(names, "uncore_imc"), ["uncore_imc_0", "uncore_imc_1"]);
/// assert_eq!(boxes(names, "imc"), ["uncore_imc_0", "uncore_imc_1"]);
/// assert_eq!(boxes(names, "uncore_imc_?"), ["uncore_imc_0", "uncore_imc_1"]);
/// ```
pub fn boxes<'a>(names: impl IntoIterator<Item = &'a str>, wanted: &str) -> Vec<&'a str> {
    let names: Vec<&str> = names.into_iter().collect();
    let with_prefix = format!("uncore_{wanted}");
    for wanted in [wanted, &with_prefix] {
        let found = if wanted.contains(['*', '?', '[']) {
            sorted(names.iter().filter(|name| matches_glob(wanted, name)).copied().collect())
        } else if let Some(exact) = names.iter().find(|&&name| name == wanted) {
            vec![*exact]
        } else {
            sorted(names.iter().filter(|name| is_box_of(name, wanted)).copied().collect())
        };
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// `name` is `stem_NUMBER`.
fn is_box_of(name: &str, stem: &str) -> bool {
    let number = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('_'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// By stem, and by number where there is one, so that box 10 follows box 9.
fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_by_key(|name| {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &name[stem.len()..];
        (stem.to_owned(), number.parse::<u64>().ok(), number.to_owned())
    });
    names.dedup();
    names
}

/// Returns true if a shell pattern matches a whole name: `*`, `?`, `[abc]`, `[a-z]`, `[!a-z]`.
pub fn matches_glob(pattern: &str, name: &str) -> bool {
    // Most names differ from a pattern before anything in it is special.
    let (literal, pattern) =
        pattern.split_at(pattern.find(['*', '?', '[']).unwrap_or(pattern.len()));
    let Some(name) = name.strip_prefix(literal) else { return false };
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut position) = (0, 0);
    // The position to continue at if the part after the last `*` does not match: after it, one more character into the name.
    let mut retry: Option<(usize, usize)> = None;
    while position < name.len() {
        let next = if pattern.get(at) == Some(&'*') {
            at += 1;
            retry = Some((at, position));
            continue;
        } else {
            one(&pattern[at..], name[position])
        };
        match (next, retry) {
            (Some(length), _) => (at, position) = (at + length, position + 1),
            (None, Some((after, start))) => {
                retry = Some((after, start + 1));
                (at, position) = (after, start + 1);
            }
            (None, None) => return false,
        }
    }
    pattern[at..].iter().all(|&c| c == '*')
}

/// The length of the pattern that the one character uses up, if it matches.
fn one(pattern: &[char], c: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '[' => {
            // A bracket right after the opening one (or its `!`) is a member, as in the shell.
            let negated = pattern.get(1) == Some(&'!');
            let start = 1 + usize::from(negated);
            let close = pattern.iter().skip(start + 1).position(|&c| c == ']');
            let Some(close) = close.map(|close| close + start + 1) else {
                return (c == '[').then_some(1);
            };
            (has(&pattern[start..close], c) != negated).then_some(close + 1)
        }
        &literal => (literal == c).then_some(1),
    }
}

fn has(set: &[char], c: char) -> bool {
    let mut rest = set;
    while let Some(&low) = rest.first() {
        match rest {
            [low, '-', high, ..] => {
                if (*low..=*high).contains(&c) {
                    return true;
                }
                rest = &rest[3..];
            }
            _ => {
                if low == c {
                    return true;
                }
                rest = &rest[1..];
            }
        }
    }
    false
}
