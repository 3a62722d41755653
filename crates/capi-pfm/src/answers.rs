//! Strings that were encoded before: programs ask for the same ones again.

use std::ops::Deref;

use counterpoint_capi::Lasting;
use counterpoint_pmu::{Codes, Layer, PerfEncoding, Privilege};

use crate::result::Failed;

/// The most answers that are kept. What is asked for when the place is taken is encoded each time.
const PLACES: usize = 512;

/// The answers that are kept, each at the place of its question.
pub(crate) struct Answers(Lasting<Box<[Place]>>);

type Place = Lasting<(Kept, Encoded)>;

/// An event string, encoded.
#[derive(Clone)]
pub(crate) struct Encoded {
    pub(crate) index: i32,
    pub(crate) string: Option<String>,
    pub(crate) codes: Codes,
    pub(crate) perf: Option<PerfEncoding>,
}

/// The question that an answer is for.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) event: &'a str,
    pub(crate) layer: Layer,
    pub(crate) levels: Privilege,
    /// The string that stands for the result is wanted.
    pub(crate) spelled: bool,
}

struct Kept {
    event: Box<str>,
    layer: Layer,
    levels: Privilege,
    spelled: bool,
}

/// An answer, which may be kept.
#[allow(clippy::large_enum_variant, reason = "there is one at a time, on the stack")]
pub(crate) enum Answer {
    Kept(&'static Encoded),
    Made(Encoded),
}

impl Answers {
    pub(crate) const fn new() -> Answers {
        Answers(Lasting::new())
    }

    /// The answer to a question, which is made if it is not kept. An error is not kept.
    #[inline]
    pub(crate) fn get(
        &self,
        question: Question<'_>,
        make: impl FnOnce() -> Result<Encoded, Failed>,
    ) -> Result<Answer, Failed> {
        let places = self.0.get_or_make(|| (0..PLACES).map(|_| Lasting::new()).collect());
        let place = &places[question.place()];
        match place.get() {
            Some((kept, encoded)) if kept.is(&question) => Ok(Answer::Kept(encoded)),
            Some(_) => make().map(Answer::Made),
            None => {
                let made = make()?;
                let (kept, encoded) = place.get_or_make(|| (question.kept(), made.clone()));
                // Another thread may have put another one there.
                Ok(if kept.is(&question) { Answer::Kept(encoded) } else { Answer::Made(made) })
            }
        }
    }
}

impl Question<'_> {
    fn place(&self) -> usize {
        let seed = (self.layer as u64) << 8 | u64::from(self.levels.bits()) << 1;
        let first = seed | u64::from(self.spelled);
        // FNV-1a.
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        let hash = self.event.bytes().fold(0xcbf2_9ce4_8422_2325 ^ first, mix);
        (hash ^ hash >> 32) as usize % PLACES
    }

    fn kept(&self) -> Kept {
        let Question { event, layer, levels, spelled } = *self;
        Kept { event: event.into(), layer, levels, spelled }
    }
}

impl Kept {
    fn is(&self, question: &Question<'_>) -> bool {
        *self.event == *question.event
            && self.layer == question.layer
            && self.levels == question.levels
            && self.spelled == question.spelled
    }
}

impl Deref for Answer {
    type Target = Encoded;

    fn deref(&self) -> &Encoded {
        match self {
            Answer::Kept(encoded) => encoded,
            Answer::Made(encoded) => encoded,
        }
    }
}
