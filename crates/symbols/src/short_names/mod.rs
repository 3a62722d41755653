//! Names of functions as one reads them: without return types, parameters and arguments, where that is unambiguous.

mod apart;
mod find;
mod pieces;

use std::collections::{HashMap, HashSet};

/// The short names of some functions of C++ and Rust, each of which stands for one full name.
///
/// A short name has no return type, no parameters, and `<…>` in place of template or generic arguments.
/// Two names that would become equal keep the parts that tell them apart.
/// Names of other languages are as they were.
///
/// ```
/// use counterpoint_symbols::ShortNames;
///
/// let names = ShortNames::new([
///     "void std::sort<int*>(int*, int*)",
///     "grid::at(int) const",
///     "grid::at(double) const",
///     "<alloc::vec::Vec<u8> as core::clone::Clone>::clone",
///     "memcpy",
/// ]);
/// assert_eq!(names.short("void std::sort<int*>(int*, int*)"), "std::sort<…>");
/// assert_eq!(names.short("grid::at(int) const"), "grid::at(int)");
/// assert_eq!(
///     names.short("<alloc::vec::Vec<u8> as core::clone::Clone>::clone"),
///     "<alloc::vec::Vec<…> as core::clone::Clone>::clone"
/// );
/// assert_eq!(names.short("memcpy"), "memcpy");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ShortNames {
    /// By the full name; a name that is not here is its own short name.
    short: HashMap<String, String>,
    /// Every full name, in the order in which they were given.
    full: Vec<String>,
}

impl ShortNames {
    /// The short names of functions, of which the full names are given, each once or more often.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> ShortNames {
        let full = each_once(names);
        let all: Vec<&str> = full.iter().map(String::as_str).collect();
        let short = full.iter().zip(apart::shortened(&all, 0));
        let short = short.filter(|(full, short)| *full != short);
        ShortNames { short: short.map(|(full, short)| (full.clone(), short)).collect(), full }
    }

    /// The functions with their full names in place of short ones, so that they are found by the same texts.
    pub fn in_full<N: Into<String>>(names: impl IntoIterator<Item = N>) -> ShortNames {
        ShortNames { short: HashMap::new(), full: each_once(names) }
    }

    /// Every full name, each once, in the order in which they were given.
    pub fn full(&self) -> &[String] {
        &self.full
    }

    /// The short name of a function; a name that was not given is returned as it is.
    pub fn short<'a>(&'a self, full: &'a str) -> &'a str {
        self.short.get(full).map_or(full, String::as_str)
    }
}

/// The names without repetitions, in their order.
fn each_once<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Vec<String> {
    let mut known = HashSet::new();
    let mut all: Vec<String> = names.into_iter().map(Into::into).collect();
    all.retain(|name| known.insert(name.clone()));
    all
}

#[cfg(test)]
mod tests {
    use super::ShortNames;

    /// The short names of functions of which none is like another.
    #[test]
    fn a_short_name_has_what_one_reads() {
        for (full, short) in [
            (
                "void std::__introsort_loop<int*, long>(int*, int*, long) [clone .isra.0]",
                "std::__introsort_loop<…>",
            ),
            ("grid::step(double, int)", "grid::step"),
            ("grid::size() const", "grid::size"),
            (
                "(anonymous namespace)::sum(std::vector<double, std::allocator<double> > const&)",
                "(anonymous namespace)::sum",
            ),
            (
                "main::{lambda(double, double)#1}::operator()(double, double) const",
                "main::{lambda#1}::operator()",
            ),
            ("run(int)::{lambda()#2}::operator()() const", "run::{lambda#2}::operator()"),
            (
                "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)",
                "std::operator<< <…>",
            ),
            ("bool operator< <int>(A<int> const&, A<int> const&)", "operator< <…>"),
            ("A::operator->() const", "A::operator->"),
            ("A::operator bool() const", "A::operator bool"),
            ("A::operator std::vector<int>*() const", "A::operator std::vector<int>*"),
            ("operator new(unsigned long)", "operator new"),
            ("operator\"\" _km(long double)", "operator\"\" _km"),
            ("unsigned long f<(A)1, &(B::operator>)>(int)", "f<…>"),
            ("decltype ((a)+(b)) add<int>(int, int)", "add<…>"),
            ("std::map<int, int>::operator[](int const&)", "std::map<…>::operator[]"),
            (
                "std::__cxx11::basic_string<char>::size[abi:cxx11]() const",
                "std::__cxx11::basic_string<…>::size[abi:cxx11]",
            ),
            ("guard variable for f(int)::x", "guard variable for f::x"),
            ("non-virtual thunk to A::f(int)", "non-virtual thunk to A::f"),
            ("f(int)@@VERSION_1", "f@@VERSION_1"),
            ("std::swap<double> [_ZSt4swapIdE]", "std::swap<…>"),
            ("core::fmt::write", "core::fmt::write"),
            ("core::ptr::drop_in_place::<alloc::vec::Vec<u8>>", "core::ptr::drop_in_place::<…>"),
            (
                "<alloc::vec::Vec<T, A> as core::iter::Extend<&T>>::extend::{{closure}}",
                "<alloc::vec::Vec<…> as core::iter::Extend<…>>::extend::{{closure}}",
            ),
            (
                "core::fmt::num::<impl core::fmt::Debug for u32>::fmt",
                "core::fmt::num::<impl core::fmt::Debug for u32>::fmt",
            ),
            (
                "<fn(u8) -> Vec<u8> as core::ops::FnOnce<(u8,)>>::call_once",
                "<fn(u8) -> Vec<…> as core::ops::FnOnce<…>>::call_once",
            ),
            ("<[T; 3] as Debug>::fmt", "<[T; 3] as Debug>::fmt"),
        ] {
            assert_eq!(ShortNames::new([full]).short(full), short, "{full}");
        }
    }

    /// Names of C, Go, Python, JavaScript and Java, and broken ones.
    #[test]
    fn other_names_are_as_they_were() {
        for name in [
            "memcpy",
            "finish_task_switch.isra.0",
            "[unknown]",
            "[0x401000-0x401040: main, solve]",
            "main.(*Server).Serve",
            "main.Map[go.shape.int]",
            "py::<module>:/app/run.py",
            "py::f:/app/run (1).py",
            "LazyCompile:*fib /app/x.js:1",
            "Function:~<anonymous> /app/x.js:1",
            "Ljava/util/HashMap;::put",
            "",
            "f<",
            "f(",
            "f)",
            "<",
            "a > b",
            "f{lambda(",
            "void (*f<int>(int))(double)",
            "operator",
            "ä(",
            "[clone",
        ] {
            assert_eq!(ShortNames::new([name]).short(name), name, "{name}");
        }
    }

    #[test]
    fn names_that_would_be_equal_keep_what_tells_them_apart() {
        for (full, short) in [
            (&["f(int)", "f(double)"][..], &["f(int)", "f(double)"][..]),
            (&["f(int, A)", "f(double, A)"], &["f(int, …)", "f(double, …)"]),
            (&["f()", "f(int)"], &["f()", "f(int)"]),
            (&["f", "f(int)"], &["f", "f(int)"]),
            (&["f() const", "f()"], &["f() const", "f()"]),
            (
                &["void sort<int, A>(int)", "void sort<long, A>(long)"],
                &["sort<int, …>", "sort<long, …>"],
            ),
            (
                &[
                    "void s<It<double*, V<double> >, long>(It<double*>)",
                    "void s<It<int*, V<int> >, long>(It<int*>)",
                ],
                &["s<It<double*, …>, …>", "s<It<int*, …>, …>"],
            ),
            (&["int f<A>()", "void f<A>()"], &["int f<…>", "void f<…>"]),
            (&["f(int)", "f(int) [clone .cold]"], &["f", "f [clone .cold]"]),
            (
                &["f<int>(int)", "f<int>(long)", "f<long>(int)"],
                &["f<int>(int)", "f<int>(long)", "f<long>(int)"],
            ),
            (&["<A<u8> as T>::f", "<A<u16> as T>::f"], &["<A<u8> as T>::f", "<A<u16> as T>::f"]),
        ] {
            let names = ShortNames::new(full.iter().copied());
            let found: Vec<&str> = full.iter().map(|name| names.short(name)).collect();
            assert_eq!(found, short);
        }
    }
}
