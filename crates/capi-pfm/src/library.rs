//! The library that `pfm_initialize` starts: the machine, its contexts, and the lists of events.

use std::ffi::CString;
use std::sync::atomic::{AtomicU32, Ordering};

use counterpoint_capi::{Current, Lasting, order, text};
use counterpoint_pmu::{
    AttributeKind, Context, EncodeErrorKind, Layer, Machine, Pmu, Privilege, encode, find, program,
};

use crate::answers::{Answer, Answers, Encoded, Question};
use crate::listing::{Listed, Listing};
use crate::result::{Failed, INVAL, NOINIT, NOTFOUND, NOTSUPP};
use crate::surroundings::{Settings, Surroundings};

/// The bits of an index for the number of the event; those above are the PMU's.
const EVENT_BITS: u32 = 21;
/// One more than the largest number of libpfm's list of PMUs.
const LISTED: u32 = 700;

/// One more than the largest number of a PMU that there is.
fn numbers() -> usize {
    counterpoint_pmu::all().map(|pmu| usize::from(pmu.number) + 1).max().unwrap_or(0)
}

/// A started library. It is never freed, and its strings with it. What the machine is like, and what is known of it, is
/// found out when a call needs it.
pub(crate) struct Library {
    surroundings: Surroundings,
    /// By their numbers.
    pmus: Lasting<Box<[Option<&'static Pmu>]>>,
    /// By the numbers of their PMUs.
    listings: EachPmu<Listing>,
    strings: EachPmu<(CString, CString)>,
    /// By layer and by the levels to count at.
    contexts: [[Lasting<Context>; 32]; 3],
    answers: Answers,
    /// The number of strings that were encoded before there was a context for all.
    early: AtomicU32,
    /// The library that was started after this one, in other surroundings.
    next: Lasting<Library>,
}

/// Something of each PMU, by their numbers.
type EachPmu<T> = Lasting<Box<[Lasting<T>]>>;

/// The one that calls are answered by, if any.
static CURRENT: Current<Library> = Current::none();

/// The first library that was started. One in the same surroundings is started again, so that starting and ending a
/// thousand times takes the memory of once.
static FIRST: Lasting<Library> = Lasting::new();

/// So many strings are encoded with what their PMU alone needs.
const EARLY: u32 = 4;

impl Library {
    /// The started library.
    #[inline]
    pub(crate) fn current() -> Result<&'static Library, Failed> {
        CURRENT.get().ok_or(NOINIT)
    }

    /// Starts it, if it is not.
    pub(crate) fn start() {
        if Library::current().is_ok() {
            return;
        }
        let (settings, mut place) = (Settings::of_process(), &FIRST);
        // Another thread may put a library with other settings there.
        let library = loop {
            let library = place.get_or_make(|| Library::new(settings.clone()));
            if library.surroundings.settings == settings {
                break library;
            }
            place = &library.next;
        };
        CURRENT.set(Some(library));
        if library.settings().debug {
            for pmu in &library.machine().pmus {
                library.settings().say(&format!("{} is active: {}", pmu.name, pmu.description));
            }
        }
    }

    /// Ends it: calls are refused until it is started again.
    pub(crate) fn end() {
        CURRENT.set(None);
    }

    fn new(settings: Settings) -> Library {
        Library {
            surroundings: Surroundings::new(settings),
            pmus: Lasting::new(),
            listings: Lasting::new(),
            strings: Lasting::new(),
            contexts: [const { [const { Lasting::new() }; 32] }; 3],
            answers: Answers::new(),
            early: AtomicU32::new(0),
            next: Lasting::new(),
        }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.surroundings.settings
    }

    pub(crate) fn machine(&self) -> &'static Machine {
        self.surroundings.machine()
    }

    /// The PMU of this number. Numbers that no PMU has are not supported, those past the end are invalid.
    pub(crate) fn pmu(&self, number: u32) -> Result<&'static Pmu, Failed> {
        let pmus = self.pmus.get_or_make(|| {
            let mut pmus = vec![None; numbers()];
            counterpoint_pmu::all().for_each(|pmu| pmus[usize::from(pmu.number)] = Some(pmu));
            pmus.into()
        });
        let known = pmus.get(number as usize).ok_or(INVAL)?;
        known.ok_or(if number < LISTED { NOTSUPP } else { INVAL })
    }

    pub(crate) fn is_present(&self, pmu: &'static Pmu) -> bool {
        self.surroundings.has(pmu)
    }

    /// Returns true if events of a PMU may be asked for.
    fn is_answered(&self, pmu: &'static Pmu) -> bool {
        self.settings().encode_inactive || self.is_present(pmu)
    }

    /// The name and the description of a PMU.
    pub(crate) fn pmu_strings(&self, pmu: &Pmu) -> &'static (CString, CString) {
        let strings = self.strings.get_or_make(for_each_pmu);
        strings[usize::from(pmu.number)]
            .get_or_make(|| (text::owned(pmu.name), text::owned(pmu.description)))
    }

    pub(crate) fn listing(&self, pmu: &'static Pmu) -> &'static Listing {
        let listings = self.listings.get_or_make(for_each_pmu);
        listings[usize::from(pmu.number)].get_or_make(|| Listing::of(pmu, self.machine()))
    }

    /// The event with this index.
    pub(crate) fn event(&self, index: i32) -> Result<&'static Listed, Failed> {
        let (listing, number) = self.place(index).ok_or(INVAL)?;
        listing.get(number).ok_or(INVAL)
    }

    /// The index of the event after this one.
    pub(crate) fn next(&self, index: i32) -> Option<i32> {
        let (listing, number) = self.place(index)?;
        listing.get(number)?;
        // The upper bits are those of the PMU.
        Some(index - number as i32 + listing.from(number + 1)? as i32)
    }

    pub(crate) fn first(&self, pmu: &'static Pmu) -> Option<i32> {
        self.listing(pmu).from(0).map(|number| index(pmu, number))
    }

    fn place(&self, index: i32) -> Option<(&'static Listing, u32)> {
        let index = u32::try_from(index).ok()?;
        let pmu = self.pmu(index >> EVENT_BITS).ok()?;
        Some((self.listing(pmu), index & ((1 << EVENT_BITS) - 1)))
    }

    /// A layer by its number, if the machine has it.
    pub(crate) fn layer(&self, number: u32) -> Option<Layer> {
        let layers = [Layer::Raw, Layer::PerfEvent, Layer::PerfEventExt];
        let layer = *layers.get(number as usize)?;
        (layer == Layer::Raw || self.surroundings.perf_events()).then_some(layer)
    }

    /// Encodes an event string, with the string that stands for the result if it is wanted.
    pub(crate) fn encode(
        &self,
        event: &str,
        layer: Layer,
        levels: Privilege,
        spelled: bool,
    ) -> Result<Answer, Failed> {
        let question =
            Question { event, layer, levels, spelled: spelled || self.settings().verbose };
        self.answers.get(question, || {
            if let Some(context) = self.early_context(event, layer, levels)
                && let Ok(encoded) = self.encoded(&question, &context)
            {
                return Ok(encoded);
            }
            self.encoded(&question, self.context(layer, levels))
        })
    }

    fn encoded(&self, question: &Question<'_>, context: &Context) -> Result<Encoded, Failed> {
        let event = question.event;
        let (encoded, pmu) = if question.spelled {
            let found =
                encode(event, context).map_err(|error| self.refused(event, error.into()))?;
            let pmu = find(found.pmu).ok_or(NOTFOUND)?;
            let (index, codes, perf) = (self.index(pmu, found.listed), found.codes, found.perf);
            (Encoded { index, codes, perf, string: Some(found.fully_qualified) }, pmu)
        } else {
            let found =
                program(event, context).map_err(|error| self.refused(event, error.into()))?;
            let index = self.index(found.pmu, found.listed);
            (Encoded { index, codes: found.codes, perf: found.perf, string: None }, found.pmu)
        };
        if self.is_answered(pmu) { Ok(encoded) } else { Err(NOTFOUND) }
    }

    /// The index of the event that a string names. Its attributes must exist, but need not be enough to count it.
    pub(crate) fn find(&self, event: &str) -> Result<i32, Failed> {
        let context = self.context(Layer::Raw, Privilege::USER | Privilege::KERNEL);
        let (pmu, listed) = match program(event, context) {
            Ok(found) => (found.pmu, found.listed),
            Err(error) if is_of_encoding(&error.kind) => {
                self.named(event).ok_or_else(|| self.refused(event, error.into()))?
            }
            Err(error) => return Err(self.refused(event, error.into())),
        };
        if self.is_answered(pmu) { Ok(self.index(pmu, listed)) } else { Err(NOTFOUND) }
    }

    /// The event that a string names, whatever its attributes are, after an alias is followed.
    fn named(&self, event: &str) -> Option<(&'static Pmu, &'static str)> {
        let (prefix, rest) = event.split_once("::").unzip();
        let name = rest.unwrap_or(event).split([':', '.']).next()?;
        let found = match prefix {
            Some(prefix) => find(prefix)?.event(name)?,
            None => {
                let mut pmus = self.machine().pmus.iter().filter(|pmu| !pmu.is_deprecated());
                pmus.find_map(|pmu| pmu.event(name))?
            }
        };
        let target = found.equiv.and_then(|alias| alias.split([':', '.']).next());
        let counted = target.and_then(|target| found.pmu.event(target)).unwrap_or(found);
        Some((counted.pmu, counted.name))
    }

    /// The event strings of a PMU that cannot be encoded: each event with each of its unit masks, which may need others or
    /// modifiers beside it.
    pub(crate) fn faults(&self, pmu: &'static Pmu) -> Result<Vec<String>, Failed> {
        let context = self.context(Layer::Raw, Privilege::USER | Privilege::KERNEL);
        let mut faults = Vec::new();
        let mut next = self.first(pmu);
        while let Some(index) = next {
            let listed = self.event(index)?;
            let name = format!("{}::{}", pmu.name, listed.event.name);
            let masks = listed.attributes(Layer::Raw, self.machine()).iter();
            let masks = masks.filter(|listed| listed.attribute.kind == AttributeKind::Umask);
            let with_masks = masks.map(|mask| format!("{name}:{}", mask.attribute.name));
            for string in [name.clone()].into_iter().chain(with_masks) {
                match program(&string, context) {
                    Err(error) if !is_of_encoding(&error.kind) => {
                        faults.push(format!("{string}: {error}"));
                    }
                    _ => {}
                }
            }
            next = self.next(index);
        }
        Ok(faults)
    }

    fn index(&self, pmu: &'static Pmu, listed: &'static str) -> i32 {
        let listing = self.listings.get().and_then(|all| all[usize::from(pmu.number)].get());
        let number = match listing {
            Some(listing) => listing.number(listed),
            // Most programs ask for one event.
            None if self.early.load(Ordering::Relaxed) <= EARLY => order::number_of(pmu, listed),
            None => self.listing(pmu).number(listed),
        };
        index(pmu, number.unwrap_or(0))
    }

    /// The context in which the first strings are encoded: only what their PMU needs, because most programs ask for few events. An
    /// error in it is none, before the string was encoded in the context of all PMUs.
    fn early_context(&self, event: &str, layer: Layer, levels: Privilege) -> Option<Context> {
        let has_all = self.contexts[layer as usize][levels.bits() as usize].get().is_some();
        if has_all || self.early.fetch_add(1, Ordering::Relaxed) >= EARLY {
            return None;
        }
        let pmu = match event.split_once("::") {
            Some((name, _)) => find(name),
            None => self.surroundings.first_with(event.split([':', '.']).next()?),
        };
        Some(context(layer, levels, self.surroundings.machine_of(pmu?)))
    }

    /// Made when it is first asked for, because most programs use one or two.
    #[inline]
    fn context(&self, layer: Layer, levels: Privilege) -> &'static Context {
        self.contexts[layer as usize][levels.bits() as usize]
            .get_or_make(|| context(layer, levels, self.machine().clone()))
    }

    /// The error for a string that is refused: a PMU that is not active has no events, whatever is wrong with them.
    #[cold]
    fn refused(&self, event: &str, failed: Failed) -> Failed {
        let named = event.split_once("::").map(|(pmu, _)| find(pmu));
        let is_out = match named {
            Some(Some(pmu)) => !self.is_answered(pmu),
            Some(None) => true,
            None => false,
        };
        if is_out && failed != INVAL { NOTFOUND } else { failed }
    }
}

/// A place for something of each PMU.
fn for_each_pmu<T: Send + Sync + 'static>() -> Box<[Lasting<T>]> {
    (0..numbers()).map(|_| Lasting::new()).collect()
}

fn context(layer: Layer, levels: Privilege, machine: Machine) -> Context {
    let mut context = Context::new(layer);
    context.privilege = levels;
    context.machine = machine;
    context
}

fn index(pmu: &Pmu, number: u32) -> i32 {
    // Numbers of PMUs are below 700, and so the bit of the sign stays clear.
    (u32::from(pmu.number) << EVENT_BITS | number) as i32
}

/// Errors that libpfm finds when it encodes an event, not when it looks one up.
fn is_of_encoding(kind: &EncodeErrorKind) -> bool {
    use EncodeErrorKind::*;
    matches!(
        kind,
        SecondUmask { .. }
            | Combination { .. }
            | MissingUmask { .. }
            | NoUmask { .. }
            | NeedsModifiers { .. }
            | IdleModifier { .. }
            | WiredModifier { .. }
            | FixedUmask { .. }
            | OutOfRange { .. }
    )
}
