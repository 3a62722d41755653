//! Descriptions in words, put together from the names of events and unit masks.

use std::borrow::Cow;

/// The glossary: words of the field in the order of their letters, one a line, and what each says. Things
/// that are counted are said in the plural.
const GLOSSARY: &str = include_str!("../tables/glossary.txt");

/// What a name says, in words: each part of it by the glossary, and as it stands where that has none.
pub(crate) fn describe(name: &str) -> String {
    let mut text = String::with_capacity(2 * name.len());
    let mut last = "";
    // Every event of POWER begins with PM.
    for part in name.split(['_', '.', '-']).filter(|part| !part.is_empty() && *part != "PM") {
        let words = words(last, part);
        join(&mut text, &words);
        last = part;
    }
    if text.is_empty() {
        text.push_str(name);
    }
    for kinds in [" any", " all"] {
        // Of all kinds: misses, any.
        if text.ends_with(kinds) {
            text.insert(text.len() - kinds.len(), ',');
        }
    }
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// Adds words to what they follow: a noun is singular before a noun, and nothing is said twice.
fn join(text: &mut String, words: &str) {
    let last = text.rsplit(' ').next().unwrap_or_default().to_owned();
    let words = match words.strip_prefix(last.as_str()) {
        // The page of page walks, the cache of a cache line; but numbers stand for themselves.
        Some("") if last.bytes().all(|byte| byte.is_ascii_alphabetic()) => return,
        Some(rest) if rest.starts_with(' ') => &rest[1..],
        _ => words,
    };
    let is_level = ["L1 cache", "L2 cache", "L3 cache"].iter().any(|level| text.ends_with(level));
    if words.ends_with("TLB") && text.ends_with(" cache") || words.ends_with("cache") && is_level {
        // The L1 data cache, and not the L1 cache's.
        text.truncate(text.len() - " cache".len());
    } else if let Some(link) = link(&last, words) {
        text.push_str(link);
    } else if is_noun(words)
        && (!["cycles", "stalls"].contains(&last.as_str())
            || ["count", "cycle", "cycles", "occurrences", "periods", "slot"].contains(&words))
    {
        make_singular(text);
    }
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(words);
}

/// What stands between cycles or stalls and what is the case while they are counted.
fn link(last: &str, words: &str) -> Option<&'static str> {
    let first = words.split(' ').next().unwrap_or_default();
    let is_case = is_noun(words) || words.contains(' ') && !NO_NOUNS.contains(&first);
    let is_number = ["at least", "at most", "no"].contains(&words);
    match last {
        "cycles" | "stalls" if is_number => Some(" with"),
        "cycles"
            if is_case && !NO_CASES.contains(&first) && !["back", "front"].contains(&first) =>
        {
            Some(" with")
        }
        "stalls" if is_case && !NO_CASES.contains(&first) => Some(" on"),
        _ => None,
    }
}

/// What cycles and stalls have or are, and what is no case of them.
#[rustfmt::skip]
const NO_CASES: &[&str] = &[
    "alternative", "basic", "change", "count", "cycle", "cycles", "decrease", "end", "increase", "occurrences",
    "periods", "slot", "total",
];

/// What a part says after another part. The longest beginning that the glossary has may end in a number:
/// `LSU0`, `BANK12`.
fn words<'a>(last: &str, part: &'a str) -> Cow<'a, str> {
    if last == "UNC"
        && let Some((_, words)) = BOXES.iter().find(|(letter, _)| *letter == part)
    {
        return Cow::Borrowed(words);
    }
    // Elsewhere these are not equal, an order of bytes, and an integer.
    match (last, part) {
        ("CYCLES" | "CYC", "NE") => return Cow::Borrowed("not empty"),
        ("CYCLES", "LE") => return Cow::Borrowed("at most"),
        ("CYCLES", "INT") => return Cow::Borrowed("interrupts"),
        _ => {}
    }
    // Elsewhere they are credits.
    if part == "CRD" && REQUESTS.contains(&last) {
        return Cow::Borrowed("code reads");
    }
    if let Some(words) = find(part) {
        return Cow::Borrowed(words);
    }
    let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
    match (find(stem), &part[stem.len()..]) {
        (Some(words), bits) if matches!(stem, "FP" | "INT") => format!("{bits}-bit {words}").into(),
        (Some(words), number) => {
            let mut text = words.to_owned();
            make_singular(&mut text);
            format!("{text} {number}").into()
        }
        // Abbreviations stay what they are; whole words have vowels and no digits.
        _ if part.len() > 4 && part.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            part.to_ascii_lowercase().into()
        }
        _ => Cow::Borrowed(part),
    }
}

/// What the glossary says of a word.
fn find(word: &str) -> Option<&'static str> {
    let (mut from, mut till) = (0, GLOSSARY.len());
    while from < till {
        let middle = (from + till) / 2;
        let start = GLOSSARY[..middle].rfind('\n').map_or(0, |end| end + 1);
        let end = start + GLOSSARY[start..].find('\n').unwrap_or(GLOSSARY.len() - start);
        let (known, words) = GLOSSARY[start..end].split_once(' ')?;
        match known.bytes().cmp(word.bytes().map(|byte| byte.to_ascii_uppercase())) {
            std::cmp::Ordering::Less => from = end + 1,
            std::cmp::Ordering::Equal => return Some(words),
            std::cmp::Ordering::Greater => till = start,
        }
    }
    None
}

/// Whether the words begin with a noun; abbreviations that nobody knows may be anything.
fn is_noun(words: &str) -> bool {
    let first = words.split(' ').next().unwrap_or_default();
    let is_verb = (first.ends_with("ed") && !first.ends_with("eed")) || first.ends_with("ing");
    let is_word = first.bytes().any(|byte| byte.is_ascii_lowercase()) || find(first).is_some();
    is_word && !is_verb && !NO_NOUNS.contains(&first)
}

/// Words that no noun of the glossary is part of.
#[rustfmt::skip]
const NO_NOUNS: &[&str] = &[
    "above", "active", "all", "and", "any", "as", "at", "bad", "below", "beyond", "both", "bound",
    "busy", "by", "clean", "direct", "dirty", "down", "due", "empty", "equal", "even", "exclusive",
    "far", "fast", "for", "forward", "from", "full", "held", "high", "in", "indirect", "into", "late",
    "left", "less", "local", "lost", "low", "maximum", "minimum", "more", "near", "no", "non", "none",
    "not", "odd", "of", "off", "on", "only", "or", "other", "out", "over", "own", "partial", "pending",
    "per", "remote", "sent", "speculative", "taken", "this", "through", "to", "undefined", "until",
    "up", "valid", "visible", "with", "without",
];

/// The last word's singular, where it is a plural.
fn make_singular(text: &mut String) {
    let last = text.rsplit(' ').next().unwrap_or_default();
    let kept = match last {
        _ if text.contains(" of ") || text.contains(" for ") => return,
        _ if ["ss", "us", "is", "as", "ics"].iter().any(|end| last.ends_with(end)) => return,
        _ if last.ends_with("ies") => {
            text.truncate(text.len() - 3);
            text.push('y');
            return;
        }
        _ if ["sses", "shes", "ches", "xes"].iter().any(|end| last.ends_with(end)) => 2,
        _ if last.ends_with('s') => 1,
        _ => return,
    };
    text.truncate(text.len() - kept);
}

/// What stands before the kind of a request.
const REQUESTS: [&str; 7] = ["DEMAND", "HIT", "IA", "LLC", "MISS", "OPC", "PREF"];

/// What a letter after `UNC` stands for.
const BOXES: [(&str, &str); 8] = [
    ("C", "cache box"),
    ("H", "home agent"),
    ("I", "I/O"),
    ("M", "memory controller"),
    ("P", "power control unit"),
    ("Q", "QPI link"),
    ("S", "ring transfer box"),
    ("U", "configuration box"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words() {
        let cases = [
            ("L1D", "L1 data cache"),
            ("L1D_CACHE_REFILL", "L1 data cache refills"),
            ("L1_ITLB_MISS", "L1 instruction TLB misses"),
            ("L1D_TLB_WR", "L1 data TLB writes"),
            ("MEM_LOAD_RETIRED", "Memory loads retired"),
            ("BR_INST_RETIRED", "Branch instructions retired"),
            ("L1_DCACHE", "L1 data cache"),
            ("L2_CACHE_LINES", "L2 cache lines"),
            ("CYCLES_L1D_MISS", "Cycles with L1 data cache misses"),
            ("STALLS_L1D_MISS", "Stalls on L1 data cache misses"),
            ("CYCLES_MEM_ANY", "Cycles with memory, any"),
            ("CYCLES_LE_1_UOP_DELIV_CORE", "Cycles with at most 1 micro-operation delivered core"),
            ("DSB_CYCLES_ANY", "Decoded instruction cache cycles, any"),
            ("UNC_M_RPQ_CYCLES_NE", "Uncore memory controller read pending queue cycles not empty"),
            ("CORE_STALL_COUNT", "Core stall count"),
            ("DR_STALLS_CYCLES", "DR stall cycles"),
            ("EXCEPTIONS_TAKEN", "Exceptions taken"),
            ("DATA_PAGE_WALK", "Data page walks"),
            ("LOCAL_TO_3_3", "Local to 3 3"),
            ("DTLB_LOAD_MISSES", "Data TLB load misses"),
            ("DISPATCH_STALLS_1", "Dispatch stalls 1"),
            ("PM_LSU0_FLUSH_UST", "Load-store unit 0 flushes UST"),
            ("UNC_M_CAS_COUNT", "Uncore memory controller CAS count"),
            ("IA_MISS_CRD", "Core miss code reads"),
            ("BL_CRD", "Block data ring credits"),
            ("FP256_ADD", "256-bit floating-point additions"),
            ("MEM_READ_PART0", "Memory read part 0"),
            ("PORT_ACCESS_RETRY_QUEUE", "Port access retry queue"),
            ("instr-retired", "Instructions retired"),
            ("_", "_"),
            ("", ""),
        ];
        for (name, words) in cases {
            assert_eq!(describe(name), words, "{name}");
        }
    }

    #[test]
    fn every_word_of_the_glossary_is_found() {
        let mut last = "";
        for line in GLOSSARY.lines() {
            let (word, said) = line.split_once(' ').unwrap();
            assert!(last < word, "{word} does not stand in the order of letters");
            assert_eq!(find(word), Some(said));
            last = word;
        }
        assert_eq!(
            (find(""), find("AA"), find("ZZZ"), find("ADDRESSED")),
            (None, None, None, None)
        );
    }
}
