//! Functions by a name as a person types it.

use super::ShortNames;
use super::pieces::plain_name;
use std::collections::BTreeSet;

impl ShortNames {
    /// The functions that a text names: the full names, in the order in which they were given.
    ///
    /// The text is a full name, a short one, a name without parameters or without arguments, the end of such a name behind `::`, or any part.
    /// The first of these that a function has decides, so that `main` is not `remain`; instances of a template and overloads are found together.
    ///
    /// # Errors
    /// Returns the full names of all functions that have the text in their names, if it is a part of the names of several.
    pub fn find(&self, text: &str) -> Result<Vec<&str>, Vec<&str>> {
        let whole = self.find_whole(text);
        if !whole.is_empty() {
            return Ok(whole);
        }
        let found = self.that(&|full| full.contains(text) || self.short(full).contains(text));
        let plain: BTreeSet<String> = found.iter().map(|full| plain_name(full)).collect();
        if plain.len() == 1 { Ok(found) } else { Err(found) }
    }

    /// The functions that a text names, which is no mere part of a name.
    pub(crate) fn find_whole(&self, text: &str) -> Vec<&str> {
        let exact = self.that(&|full| full == text || self.short(full) == text);
        if !exact.is_empty() {
            return exact;
        }
        let is_whole = |full: &str| {
            let without_parameters =
                full.strip_prefix(text).is_some_and(|rest| rest.starts_with('('));
            without_parameters || is_plain(&plain_name(full), text)
        };
        let whole = self.that(&is_whole);
        if !whole.is_empty() {
            return whole;
        }
        let ends = |full: &str| {
            let plain = plain_name(full);
            plain.match_indices("::").any(|(at, _)| is_plain(&plain[at + 2..], text))
        };
        self.that(&ends)
    }

    fn that(&self, is_named: &dyn Fn(&str) -> bool) -> Vec<&str> {
        self.full.iter().map(String::as_str).filter(|full| is_named(full)).collect()
    }
}

/// Returns true if the text is this name without parameters, with `<…>` or without it.
fn is_plain(plain: &str, text: &str) -> bool {
    plain == text || plain.strip_suffix("<…>").is_some_and(|name| name.trim_end() == text)
}

#[cfg(test)]
mod tests {
    use super::ShortNames;

    #[test]
    fn a_name_is_found_by_every_part_that_names_one_function() {
        let sort = ["void std::sort<int*>(int*)", "void std::sort<long*>(long*)"];
        let others = ["main", "remain", "grid::step(int)", "grid::stop(int)", "core::fmt::write"];
        let names = ShortNames::new(sort.into_iter().chain(others));
        for text in ["std::sort", "std::sort<…>", "sort", "d::sor"] {
            assert_eq!(names.find(text), Ok(sort.to_vec()), "{text}");
        }
        assert_eq!(names.find("std::sort<int*>"), Ok(vec![sort[0]]));
        assert_eq!(names.find(sort[1]), Ok(vec![sort[1]]));
        assert_eq!(names.find("main"), Ok(vec!["main"]));
        for text in ["grid::step", "step", "grid::step(int)", "tep"] {
            assert_eq!(names.find(text), Ok(vec!["grid::step(int)"]), "{text}");
        }
        assert_eq!(names.find("grid"), Err(vec!["grid::step(int)", "grid::stop(int)"]));
        assert_eq!(names.find("solve"), Err(vec![]));
    }
}
