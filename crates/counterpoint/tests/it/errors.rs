//! The one error, made of those of the crates beneath.

use crate::world::{set, two_sockets};
use counterpoint::formula::{Formula, Syntax};
use counterpoint::perf::{CpuSet, Errno, Host};
use counterpoint::pmu::Privilege;
use counterpoint::pmu::libpfm3::{Model, Request, dispatch};
use counterpoint::pmu::syntax;
use counterpoint::profil::Scale;
use counterpoint::{Error, Target};
use std::error::Error as _;
use std::path::Path;

/// Each is met by who uses the crate behind it, beside the facade.
#[test]
fn errors_of_all_crates_become_the_one_of_the_facade() {
    type Fails = fn() -> Result<(), Error>;
    let fails: [(Fails, &str); 8] = [
        (|| Ok("3-1".parse::<CpuSet>().map(drop)?), "3-1"),
        (|| Ok(Scale::new(1).map(drop)?), "1"),
        (|| Ok(Formula::parse("a+", Syntax::Infix).map(drop)?), "expected"),
        (|| Ok(Formula::parse("1/0", Syntax::Infix)?.eval_exact(&[]).map(drop)?), "zero"),
        (|| Ok(syntax::parse("{a").map(drop)?), "not closed"),
        (|| Ok(Host::recorded(Path::new("/no such directory")).map(drop)?), "not a directory"),
        (
            || {
                Ok(dispatch(Model::find("gen_ia32_v2").unwrap(), &Request::new(Privilege::NONE))
                    .map(drop)?)
            },
            "levels",
        ),
        (|| Err(Errno::EMFILE)?, "EMFILE"),
    ];
    for (fails, word) in fails {
        let error = fails().unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
        assert!(!error.is_permission() && !error.is_unknown_event(), "{error}");
        assert!(error.source().is_some_and(|inner| inner.to_string().contains(word)), "{error}");
    }
    let at = |fails: Fails| fails().unwrap_err().span();
    assert_eq!(at(|| Ok(Formula::parse("a $", Syntax::Infix).map(drop)?)), Some(2..3));
}

#[test]
fn the_error_number_of_the_kernel_is_a_source() {
    let kernel = two_sockets().refuse_with(Errno::EBUSY, |_| true);
    let set = set(&kernel, Target::ThisThread).event("cycles");
    let error = set.open_all().map(drop).unwrap_err();
    // The reason why the event has no number, the open error, and the number itself.
    let number = error.source().and_then(|reason| reason.source()?.source()?.downcast_ref());
    assert_eq!(number, Some(&Errno::EBUSY), "{error:?}");
}

#[cfg(feature = "catalog")]
#[test]
fn errors_of_catalogs_are_among_them() {
    use counterpoint::catalog::View;
    let view = || -> Result<(), Error> { Ok(View::new(b"no catalog").map(drop)?) };
    assert!(!view().unwrap_err().to_string().is_empty());
}
