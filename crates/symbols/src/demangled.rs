//! Source names for the symbols of C++ and Rust.

use cpp_demangle::{BorrowedSymbol, DemangleOptions, ParseOptions};
use std::borrow::Cow;
use std::fmt::{self, Write};

/// The longest source name: one of 256 bytes can stand for 100 MB, because a mangled name refers to its parts.
const LONGEST: usize = 64 << 10;
/// The depth to which the types of a name may be nested.
const DEEPEST: u32 = 192;

/// The source name of a symbol of C++ or Rust; other names are unchanged, and those that would be longer than 64 KiB.
///
/// Only names that begin as mangled ones do: a demangler also reads types, so that a C function `i` would be `int`.
/// The text after an `@`, such as a version, is kept.
/// A name of C++ of which only the beginning can be read is followed by its symbol: `std::swap<double> [_ZSt4swapIdE…]`.
pub fn demangled(name: &str) -> Cow<'_, str> {
    let (mangled, rest) = name.split_at(name.find('@').unwrap_or(name.len()));
    let source = match mangled.trim_start_matches('_').chars().next() {
        Some('R') if mangled.starts_with("_R") => rust(mangled),
        // Rust's older mangling looks like that of C++, but its names end with a hash.
        Some('Z') if mangled.starts_with('_') => {
            rust(mangled).or_else(|| cpp(mangled)).or_else(|| cpp_in_part(mangled))
        }
        _ => None,
    };
    source.map_or(Cow::Borrowed(name), |source| Cow::Owned(source + rest))
}

fn rust(mangled: &str) -> Option<String> {
    let symbol = rustc_demangle::try_demangle(mangled).ok()?;
    let mut source = Limited(String::new());
    // Without the hash.
    write!(source, "{symbol:#}").ok()?;
    Some(source.0)
}

fn cpp(mangled: &str) -> Option<String> {
    let parse = ParseOptions::default().recursion_limit(DEEPEST);
    let symbol = BorrowedSymbol::new_with_options(mangled.as_bytes(), &parse).ok()?;
    let mut source = Limited(String::new());
    let write = DemangleOptions::default().recursion_limit(DEEPEST);
    symbol.structured_demangle(&mut source, &write).ok()?;
    Some(source.0)
}

/// The longest symbol that is read in part.
const LONGEST_IN_PART: usize = 4096;

/// The name of a template's instance whose types cannot be read: GCC mangles some of their expressions in a way of its own (`srSt`).
fn cpp_in_part(mangled: &str) -> Option<String> {
    if mangled.len() > LONGEST_IN_PART {
        return None;
    }
    // The arguments end the shortest part that is the name of a function without parameters.
    let ends = mangled.match_indices('E').map(|(at, _)| at + 1).take(64);
    let name = ends.filter_map(|end| cpp(&format!("{}vv", mangled.get(..end)?))).next()?;
    let name = name.strip_prefix("void ")?.strip_suffix("()")?;
    Some(format!("{name} [{mangled}]"))
}

/// A text that refuses to become too long.
struct Limited(String);

impl Write for Limited {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.0.len() + part.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(part);
        Ok(())
    }
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
            (GCC, &format!("std::swap<double> [{GCC}]")),
        ] {
            assert_eq!(demangled(name), source);
        }
    }

    const GCC: &str = "_ZSt4swapIdENSt9enable_ifIXsrSt6__and_IJSt6__not_ISt15__is_tuple_likeIT_EESt21is_move_constructibleIS4_ESt18is_move_assignableIS4_EEE5valueEvE4typeERS4_SE_";

    /// A class whose two parameters are the class before, again and again.
    #[test]
    fn a_name_that_stands_for_too_much_stays_as_it_is() {
        let digit = |number: usize| char::from(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number]);
        let part = |number: usize| match number {
            0 => "S_".to_string(),
            1..=36 => format!("S{}_", digit(number - 1)),
            _ => format!("S{}{}_", digit((number - 1) / 36), digit((number - 1) % 36)),
        };
        let nested = |times: usize| {
            let mut name = "_Z1f1A1BIS_S_E".to_string();
            for of in 2..2 + times {
                name += &format!("S0_I{0}{0}E", part(of));
            }
            name
        };
        assert!(demangled(&nested(2)).starts_with("f(A, B<A, A>"));
        for times in [22, 60, 200] {
            let begun = std::time::Instant::now();
            assert_eq!(demangled(&nested(times)), nested(times));
            assert!(begun.elapsed().as_secs() < 2, "{times}: {:?}", begun.elapsed());
        }
        // As long as a symbol can be.
        let long = format!("_Z{}{}v", 60_000, "a".repeat(60_000));
        assert_eq!(demangled(&long).len(), 60_002);
    }
}
