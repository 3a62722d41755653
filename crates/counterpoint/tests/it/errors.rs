//! The one error, made of those of the crates beneath.

use crate::world::{kernel, set, two_sockets};
use counterpoint::formula::{Formula, Syntax};
use counterpoint::perf::{CpuSet, Errno, Every, Host};
use counterpoint::pmu::Privilege;
use counterpoint::pmu::libpfm3::{Model, Request, dispatch};
use counterpoint::pmu::syntax;
use counterpoint::profil::{BucketWidth, Histogram, PapiFlags, Region, Scale};
use counterpoint::profile::Profile;
use counterpoint::{Error, EventSet, Target};
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

/// The codes of PAPI's manual, for the errors that the calls of this library have in their place.
#[test]
fn errors_have_the_codes_of_papi() {
    let clock = |target| set(&two_sockets(), target).event("task-clock");
    let code = |error: Error| error.papi_code();
    let profile = |event: &str, every| {
        let refused = clock(Target::ThisThread).profile(event, Profile::every(every));
        refused.map(drop).unwrap_err().error
    };
    assert_eq!(code(clock(Target::ThisThread).add("no-such-event").unwrap_err()), "ENOEVNT");
    assert_eq!(code(profile("cycles", Every::Period(1))), "ENOEVNT");
    let preset = set(&kernel("amd-zen4"), Target::ThisThread).event("PAPI_FXU_IDL");
    let preset = preset.open_all().map(drop).unwrap_err();
    let why = "`PAPI_FXU_IDL` cannot be counted: no event of this processor counts it";
    assert_eq!(preset.to_string(), why);
    assert_eq!(code(preset), "ENOEVNT", "this processor does not have the preset");
    assert_eq!(code(profile("task-clock", Every::Frequency(0))), "EINVAL");
    assert_eq!(code(Scale::new(1).unwrap_err().into()), "EINVAL");
    assert_eq!(code(PapiFlags::from_bits(0x200).unwrap_err().into()), "EINVAL");
    assert_eq!(code(PapiFlags::from_bits(0x80).unwrap_err().into()), "ENOSUPP");
    let all = Region { start: 0, scale: Scale::ONE_ADDRESS, buckets: 1 << 60, end: None };
    let memory = Histogram::new(vec![all], BucketWidth::Bits16).unwrap_err();
    assert_eq!(code(memory.into()), "ENOMEM");
    assert_eq!(code(clock(Target::Cpus([77].into_iter().collect())).open().unwrap_err()), "EINVAL");
    for (errno, expected) in
        [(Errno::EBUSY, "ECNFLCT"), (Errno::ENOENT, "ENOEVNT"), (Errno::EACCES, "EPERM")]
    {
        let kernel = two_sockets().refuse_with(errno, |_| true);
        let error = set(&kernel, Target::ThisThread).event("cycles").open_all().unwrap_err();
        assert_eq!(error.papi_code(), expected, "{error}");
    }
    let kernel = two_sockets().open_files(2, 2);
    let events = "cycles,instructions,task-clock,page-faults";
    let error = set(&kernel, Target::AllCpus).event(events).open_all().unwrap_err();
    assert_eq!(error.papi_code(), "ESYS", "{error}");
}

/// As `main` prints the error that it returns.
#[test]
fn a_main_shows_the_sentence_and_the_help() {
    let error =
        EventSet::new(Target::ThisThread).event("page-fautls").resolve().map(drop).unwrap_err();
    let (sentence, help) = (error.to_string(), error.help().unwrap().to_string());
    assert_eq!(format!("{error:?}"), format!("{sentence}\n  help: {help}"));
    assert!(help.contains("page-faults"), "{help}");
    let fields = format!("{error:#?}");
    assert!(fields.starts_with("Error {") && fields.contains("span: Some("), "{fields}");
    let alone = Error::from(Errno::ENOENT);
    assert_eq!(format!("{alone:?}"), "ENOENT");
}
