//! A request: events, levels, registers that may not be used, and the further input of some models.

use super::family::ia64::Ia64Input;
use crate::privilege::Privilege;

/// A set of events to measure together.
///
/// ```
/// use counterpoint_pmu::Privilege;
/// use counterpoint_pmu::libpfm3::{EventRequest, Model, Request, dispatch};
///
/// let model = Model::find("gen_ia32_v2").unwrap();
/// let mut request = Request::new(Privilege::USER);
/// request.events.push(EventRequest::new(model.cycles().unwrap().0));
/// request.unavailable.insert(16);
/// let assignment = dispatch(model, &request).unwrap();
/// assert_eq!((assignment.pmcs[0].number, assignment.pmcs[0].value), (0, 0x51003c));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[doc(alias = "pfmlib_input_param_t")]
pub struct Request {
    /// The events; the counter of the first one is the first of the assignment's PMDs.
    #[doc(alias = "pfp_events")]
    pub events: Vec<EventRequest>,
    /// The privilege levels of events that name none: a sum of [`Privilege::KERNEL`] to [`Privilege::USER`], not 0.
    #[doc(alias = "pfp_dfl_plm")]
    pub plm: Privilege,
    /// The registers are for a session that measures the whole system.
    #[doc(alias = "PFMLIB_PFP_SYSTEMWIDE")]
    pub system_wide: bool,
    /// PMCs that something else uses.
    #[doc(alias = "pfp_unavail_pmcs")]
    pub unavailable: PmcSet,
    /// The further input of the model.
    pub input: Option<ModelInput>,
    /// The caller wants the further output of the model ([`ModelOutput`](super::ModelOutput)).
    pub wants_output: bool,
}

impl Request {
    /// No events, with these default levels.
    pub fn new(plm: Privilege) -> Request {
        Request { plm, ..Request::default() }
    }

    /// The levels of an event.
    pub(crate) fn plm(&self, event: &EventRequest) -> Privilege {
        if event.plm.is_empty() { self.plm } else { event.plm }
    }
}

/// One event of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[doc(alias = "pfmlib_event_t")]
pub struct EventRequest {
    /// Its number in the model's table ([`Model::resolve`](super::Model::resolve) finds it).
    pub event: usize,
    /// The numbers of its unit masks among the event's.
    pub masks: Vec<usize>,
    /// Its privilege levels; 0 for those of the request.
    pub plm: Privilege,
    /// libpfm-3's flags of an event, which only some models look at.
    pub flags: u32,
    /// The options of its counter.
    pub options: CounterOptions,
}

impl EventRequest {
    /// The event of this number, without unit masks.
    pub fn new(event: usize) -> EventRequest {
        EventRequest { event, ..EventRequest::default() }
    }
}

/// The way in which a counter counts its event; all zero for the event's own way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CounterOptions {
    /// On x86 `INVERT`, `EDGE` and so on; on IA-64 1 for no check of qualifiers, 2 for all threads.
    pub flags: u32,
    /// Count the cycles in which at least this many occur (`cnt_mask` on x86), or more than this (`thres` on IA-64).
    #[doc(alias = "cnt_mask")]
    #[doc(alias = "thres")]
    pub threshold: u32,
    /// Itanium's instruction set mask.
    #[doc(alias = "ism")]
    pub instruction_set: u32,
    /// The options of Cell's counters.
    pub cell: CellCounter,
}

impl CounterOptions {
    /// Count where the threshold is not reached.
    pub const INVERT: u32 = 1;
    /// Count the transitions from below the threshold.
    pub const EDGE: u32 = 2;
    /// Count for both threads of the core (gen_ia32 3, Atom, Nehalem).
    pub const ANY_THREAD: u32 = 4;
    /// AMD: count in guests.
    pub const GUEST: u32 = 4;
    /// AMD: count in the host.
    pub const HOST: u32 = 8;
    /// Nehalem's uncore: reset the occupancy of the queue.
    pub const RESET_OCCUPANCY: u32 = 8;
    /// IA-64: the event may be counted although a range or an opcode matcher does not restrict it.
    pub const NO_QUALIFIER_CHECK: u32 = 1;
    /// Montecito: count for both threads of the core, which no event can.
    pub const ALL_THREADS: u32 = 2;

    /// Neither flags nor a threshold.
    pub(crate) fn is_plain(&self) -> bool {
        self.flags == 0 && self.threshold == 0
    }
}

/// The options of one of Cell's counters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CellCounter {
    /// The counter, 1 to 8, or 0 for any.
    #[doc(alias = "pmX_control_num")]
    pub counter: u32,
    /// Which of the SPEs.
    pub spe_subunit: u32,
    /// Count while the signal is high (1) or low (0).
    pub polarity: u32,
    /// Count edges (1) or cycles (0).
    pub input_control: u32,
}

/// The further input of a family of models; a value for another family is an error of the kind
/// [`ErrorKind::Magic`](super::ErrorKind::Magic).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ModelInput {
    /// gen_ia32: only the options of counters.
    GenIa32,
    /// The P6 family: only the options of counters.
    P6,
    /// Core Duo: only the options of counters.
    CoreDuo,
    /// Core.
    Core(Pebs),
    /// Atom.
    Atom(Pebs),
    /// Nehalem and Westmere.
    Nehalem(NehalemInput),
    /// AMD's processors up to family 15h.
    Amd64(Amd64Input),
    /// Itanium.
    Itanium(Box<Ia64Input>),
    /// Itanium 2.
    Itanium2(Box<Ia64Input>),
    /// Montecito.
    Montecito(Box<Ia64Input>),
    /// The Cell Broadband Engine.
    Cell(CellInput),
}

/// Sampling without skid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pebs {
    /// Events that can be sampled so are.
    #[doc(alias = "pebs_used")]
    pub used: bool,
}

/// The input of Nehalem and Westmere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[doc(alias = "pfmlib_nhm_input_param_t")]
pub struct NehalemInput {
    /// Sampling without skid.
    pub pebs: Pebs,
    /// Loads that take at least this many cycles are sampled, 3 to 65535; 0 for none.
    #[doc(alias = "ld_lat_thres")]
    pub load_latency: u32,
    /// The last branch records, if used.
    pub lbr: Option<Lbr>,
}

/// Which branches are recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lbr {
    /// The levels, 0 for those of the request.
    pub plm: Privilege,
    /// Bits 2 to 8 of `LBR_SELECT`: kinds of branches that are left out.
    pub filter: u32,
}

/// The input of AMD's processors: instruction-based sampling, each part if used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[doc(alias = "pfmlib_amd64_input_param_t")]
pub struct Amd64Input {
    /// Sampling of instruction fetches; option 1 makes the period random.
    #[doc(alias = "ibsfetch")]
    pub fetch: Option<Ibs>,
    /// Sampling of operations; option 1 counts dispatched operations instead of cycles.
    #[doc(alias = "ibsop")]
    pub op: Option<Ibs>,
}

/// One part of instruction-based sampling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ibs {
    /// The period, of which the lowest four bits are always 0.
    #[doc(alias = "maxcnt")]
    pub period: u32,
    /// Options, as bits.
    pub options: u32,
}

/// The input of Cell for all of its counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(alias = "pfmlib_cell_input_param_t")]
pub struct CellInput {
    /// `pm_control`, whose mode bits follow the privilege levels.
    #[doc(alias = "pm_control")]
    pub control: u32,
    /// `pm_interval`.
    pub interval: u32,
    /// The triggers that start and stop counting (`pm_start_stop`).
    pub triggers: u32,
}

/// A set of PMC numbers; numbers above 127 name no register and are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[doc(alias = "pfmlib_regmask_t")]
pub struct PmcSet(u128);

impl PmcSet {
    /// Adds a PMC.
    pub fn insert(&mut self, pmc: u32) {
        self.0 |= 1u128.checked_shl(pmc).unwrap_or(0);
    }

    /// The PMC is in the set.
    pub fn contains(&self, pmc: u32) -> bool {
        self.0 >> pmc.min(127) & 1 != 0 && pmc < 128
    }

    /// The set without a PMC.
    pub(crate) fn without(&self, pmc: u32) -> PmcSet {
        PmcSet(self.0 & !1u128.checked_shl(pmc).unwrap_or(0))
    }

    /// The first 64, as bits.
    pub(crate) fn low(&self) -> u64 {
        self.0 as u64
    }
}

impl FromIterator<u32> for PmcSet {
    fn from_iter<I: IntoIterator<Item = u32>>(pmcs: I) -> PmcSet {
        let mut set = PmcSet::default();
        pmcs.into_iter().for_each(|pmc| set.insert(pmc));
        set
    }
}
