use addr2line::{demangle, gimli};
use std::borrow::Cow;

/// The source name of a symbol of C++ or Rust; other names are unchanged.
///
/// Only names that begin as mangled ones do: a demangler also reads types, so that a C function `i` would be `int`.
/// What follows an `@`, such as a version, is kept.
pub fn demangled(name: &str) -> Cow<'_, str> {
    let (mangled, rest) = name.split_at(name.find('@').unwrap_or(name.len()));
    let rust = || demangle(mangled, gimli::DW_LANG_Rust);
    let source = match mangled.trim_start_matches('_').chars().next() {
        Some('R') if mangled.starts_with("_R") => rust(),
        // Rust's older mangling looks like that of C++, but its names end with a hash.
        Some('Z') if mangled.starts_with('_') => {
            rust().or_else(|| demangle(mangled, gimli::DW_LANG_C_plus_plus))
        }
        _ => None,
    };
    source.map_or(Cow::Borrowed(name), |source| Cow::Owned(source + rest))
}

#[cfg(test)]
mod tests {
    use super::demangled;

    /// The names of C functions are those of types, operators and other parts of mangled names.
    #[test]
    fn only_mangled_names_are_demangled() {
        let all: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
        for first in &all {
            assert_eq!(demangled(&first.to_string()), first.to_string());
            for second in &all {
                let name = format!("{first}{second}");
                assert_eq!(demangled(&name), name);
            }
        }
        for name in ["Pc", "ZN1a1bE", "R1a", "_Rest", "_Zero", "_", "__", "_start", "_init@plt", ""]
        {
            assert_eq!(demangled(name), name);
        }
    }

    #[test]
    fn mangled_names_of_every_kind_are_demangled() {
        for (name, source) in [
            ("_Z1fi", "f(int)"),
            ("__Z1fi", "f(int)"),
            ("_ZNSolsEi@plt", "std::ostream::operator<<(int)@plt"),
            ("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"),
            ("_RNvC6_123foo3bar", "123foo::bar"),
            ("_Z1fi@@VERSION_1", "f(int)@@VERSION_1"),
            ("_Z1fi.cold", "f(int) [clone .cold]"),
        ] {
            assert_eq!(demangled(name), source);
        }
    }
}
