//! Errors of a request.

use crate::debug::debug_as_sentence;
use std::fmt;

/// An error of a request: its kind, the event, and the reason.
///
/// ```
/// use counterpoint_pmu::Privilege;
/// use counterpoint_pmu::libpfm3::{ErrorKind, Model, Request, dispatch};
///
/// let model = Model::find("gen_ia32_v2").unwrap();
/// let error = dispatch(model, &Request::new(Privilege::NONE)).unwrap_err();
/// assert_eq!((error.kind(), error.kind().code()), (ErrorKind::Invalid, -2));
/// assert_eq!(error.to_string(), "some arguments were invalid: the default privilege levels are empty");
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct DispatchError {
    kind: ErrorKind,
    libpfm3: ErrorKind,
    event: Option<usize>,
    reason: &'static str,
}

debug_as_sentence!(DispatchError { kind, libpfm3, event, reason });

impl DispatchError {
    /// An error of the whole request; the reason is a sentence without a full stop.
    pub(crate) fn new(kind: ErrorKind, reason: &'static str) -> DispatchError {
        DispatchError { kind, libpfm3: kind, event: None, reason }
    }

    /// The event of the request that it was noticed at.
    pub(crate) fn at(mut self, event: usize) -> DispatchError {
        self.event = Some(event);
        self
    }

    /// The same with another answer of libpfm-3.
    pub(crate) fn libpfm3(mut self, kind: ErrorKind) -> DispatchError {
        self.libpfm3 = kind;
        self
    }

    /// The kind of error, by the manual of `pfm_dispatch_events`.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The answer of libpfm 3.10, which is not always the manual's.
    pub fn as_libpfm3(&self) -> ErrorKind {
        self.libpfm3
    }

    /// The event of the request at which it was noticed, counted from 0.
    pub fn event(&self) -> Option<usize> {
        self.event
    }

    /// The reason, in a sentence.
    pub fn reason(&self) -> &'static str {
        self.reason
    }
}

impl fmt::Display for DispatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.sentence())?;
        match self.event {
            Some(event) => write!(f, ": event {event}: {}", self.reason),
            None => write!(f, ": {}", self.reason),
        }
    }
}

/// The kinds of errors, with libpfm-3's names and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The model or the processor does not support it.
    #[doc(alias = "PFMLIB_ERR_NOTSUPP")]
    NotSupported,
    /// An argument is invalid.
    #[doc(alias = "PFMLIB_ERR_INVAL")]
    Invalid,
    /// No event has this name, or no event was given where one must be.
    #[doc(alias = "PFMLIB_ERR_NOTFOUND")]
    NotFound,
    /// The events want the same counters or registers.
    #[doc(alias = "PFMLIB_ERR_NOASSIGN")]
    NoAssign,
    /// An event given more than once wants more registers than there are.
    #[doc(alias = "PFMLIB_ERR_EVTMANY")]
    EventTwice,
    /// The model-specific input was made for another model.
    #[doc(alias = "PFMLIB_ERR_MAGIC")]
    Magic,
    /// Events and features that exclude each other.
    #[doc(alias = "PFMLIB_ERR_FEATCOMB")]
    FeatureCombination,
    /// Events of incompatible sets.
    #[doc(alias = "PFMLIB_ERR_EVTSET")]
    EventSets,
    /// Events that cannot be measured at the same time.
    #[doc(alias = "PFMLIB_ERR_EVTINCOMP")]
    Incompatible,
    /// More events than counters.
    #[doc(alias = "PFMLIB_ERR_TOOMANY")]
    TooMany,
    /// A code range is too big.
    #[doc(alias = "PFMLIB_ERR_IRRTOOBIG")]
    CodeRangeTooBig,
    /// A code range is invalid.
    #[doc(alias = "PFMLIB_ERR_IRRINVAL")]
    CodeRange,
    /// The code ranges need more debug registers than there are.
    #[doc(alias = "PFMLIB_ERR_IRRTOOMANY")]
    TooManyCodeRanges,
    /// A data range is invalid.
    #[doc(alias = "PFMLIB_ERR_DRRINVAL")]
    DataRange,
    /// The data ranges need more debug registers than there are.
    #[doc(alias = "PFMLIB_ERR_DRRTOOMANY")]
    TooManyDataRanges,
    /// The event or feature is not of this revision of the processor.
    #[doc(alias = "PFMLIB_ERR_BADHOST")]
    BadHost,
    /// A code range is not aligned to bundles.
    #[doc(alias = "PFMLIB_ERR_IRRALIGN")]
    CodeRangeAlignment,
    /// Flags of a code range are missing.
    #[doc(alias = "PFMLIB_ERR_IRRFLAGS")]
    CodeRangeFlags,
    /// A unit mask is invalid or missing.
    #[doc(alias = "PFMLIB_ERR_UMASK")]
    UnitMask,
}

/// Name without prefix, number, sentence.
type Facts = (&'static str, i32, &'static str);

impl ErrorKind {
    fn facts(self) -> Facts {
        match self {
            ErrorKind::NotSupported => ("NOTSUPP", -1, "the processor does not support this"),
            ErrorKind::Invalid => ("INVAL", -2, "some arguments were invalid"),
            ErrorKind::NotFound => ("NOTFOUND", -4, "no matching event was found"),
            ErrorKind::NoAssign => (
                "NOASSIGN",
                -5,
                "the events cannot be dispatched to the PMCs because they have conflicting constraints",
            ),
            ErrorKind::EventTwice => (
                "EVTMANY",
                -7,
                "an event has been supplied more than once and is causing resource (PMC) conflicts",
            ),
            ErrorKind::Magic => {
                ("MAGIC", -8, "the model-specific extension does not have the right magic number")
            }
            ErrorKind::FeatureCombination => {
                ("FEATCOMB", -9, "the set of events and features cannot be combined")
            }
            ErrorKind::EventSets => ("EVTSET", -10, "some events belong to incompatible sets"),
            ErrorKind::Incompatible => {
                ("EVTINCOMP", -11, "some events cannot be measured at the same time")
            }
            ErrorKind::TooMany => (
                "TOOMANY",
                -12,
                "the number of events to monitor exceeds the number of implemented counters",
            ),
            ErrorKind::CodeRangeTooBig => ("IRRTOOBIG", -13, "the code range is too big"),
            ErrorKind::CodeRange => ("IRRINVAL", -15, "invalid code range restriction"),
            ErrorKind::TooManyCodeRanges => {
                ("IRRTOOMANY", -16, "cannot satisfy all the code ranges")
            }
            ErrorKind::DataRange => ("DRRINVAL", -17, "invalid data range restriction"),
            ErrorKind::TooManyDataRanges => {
                ("DRRTOOMANY", -18, "cannot satisfy all the data ranges")
            }
            ErrorKind::BadHost => {
                ("BADHOST", -19, "this revision of the processor does not have it")
            }
            ErrorKind::CodeRangeAlignment => {
                ("IRRALIGN", -20, "the code range has an invalid alignment")
            }
            ErrorKind::CodeRangeFlags => {
                ("IRRFLAGS", -21, "the code range lacks a flag that its events need")
            }
            ErrorKind::UnitMask => ("UMASK", -22, "invalid or missing unit mask"),
        }
    }

    /// libpfm-3's name, without its prefix.
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// libpfm-3's number, below 0.
    pub fn code(self) -> i32 {
        self.facts().1
    }

    /// The manual's description, without a full stop.
    #[doc(alias = "pfm_strerror")]
    pub fn sentence(self) -> &'static str {
        self.facts().2
    }
}
