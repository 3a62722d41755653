//! The models: their names, their properties, and their tables.

use std::sync::OnceLock;

use super::assignment::Assignment;
use super::check::check_event;
use super::error::DispatchError;
use super::request::{ModelInput, Request};
use super::table::{Table, Words, number};

/// A processor's performance monitoring unit, as libpfm-3 knows it.
///
/// ```
/// use counterpoint_pmu::libpfm3::Model;
///
/// let model = Model::find("gen_ia32_v3").unwrap();
/// assert_eq!((model.description(), model.counters()), ("Intel architectural PMU", 5));
/// assert_eq!(model.event_name(model.cycles().unwrap().0), Some("UNHALTED_CORE_CYCLES"));
/// ```
pub struct Model {
    name: &'static str,
    text: &'static str,
    rules: fn(&Model, &Table) -> Box<dyn Rules>,
    /// The table, read when it is first looked at.
    loaded: OnceLock<Loaded>,
}

/// The rules of a family of models: a file of `family` implements it over a table.
pub(crate) trait Rules: Send + Sync {
    /// Its name: that of its [`ModelInput`] in lower case, if it has one.
    fn family(&self) -> &'static str;

    /// The input was made for this family.
    fn accepts(&self, input: &ModelInput) -> bool;

    /// Registers for a request whose events, unit masks and default levels have been checked.
    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError>;

    /// The counters (PMD numbers) that may hold this event of the request, whose number and unit masks have been
    /// checked.
    fn counters(&self, table: &Table, request: &Request, event: usize) -> u64;
}

pub(crate) struct Loaded {
    pub(crate) counters: usize,
    pub(crate) table: Table,
    pub(crate) rules: Box<dyn Rules>,
}

/// A model in the list: its table's text, and its family's rules.
pub(crate) const fn model(
    name: &'static str,
    text: &'static str,
    rules: fn(&Model, &Table) -> Box<dyn Rules>,
) -> Model {
    Model { name, text, rules, loaded: OnceLock::new() }
}

impl Model {
    /// Its name, such as `intel_nhm`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its name in libpfm-3, which several models may share.
    #[doc(alias = "pfm_get_pmu_name")]
    pub fn description(&self) -> &'static str {
        self.line().split_once(" | ").map_or("", |(_, description)| description)
    }

    /// libpfm-3's number for it, which several models may share.
    #[doc(alias = "pfm_get_pmu_type")]
    pub fn kind(&self) -> u32 {
        self.words().number("type") as u32
    }

    /// The family, whose models take the same [`ModelInput`].
    pub fn family(&self) -> &'static str {
        self.loaded().rules.family()
    }

    /// At most this many events can be counted at once.
    #[doc(alias = "pfm_get_num_counters")]
    pub fn counters(&self) -> usize {
        self.words().number("counters") as usize
    }

    /// The number of bits of its counters.
    #[doc(alias = "pfm_get_hw_counter_width")]
    pub fn counter_width(&self) -> u32 {
        self.words().number("width") as u32
    }

    /// The event that counts cycles, and its unit masks.
    #[doc(alias = "pfm_get_cycle_event")]
    pub fn cycles(&self) -> Option<(usize, Vec<usize>)> {
        self.helper("cycles")
    }

    /// The event that counts instructions, and its unit masks.
    #[doc(alias = "pfm_get_inst_retired_event")]
    pub fn instructions(&self) -> Option<(usize, Vec<usize>)> {
        self.helper("instructions")
    }

    /// The number of events in its table.
    #[doc(alias = "pfm_get_num_events")]
    pub fn event_count(&self) -> usize {
        self.table().events.len()
    }

    /// The name of an event; `None` beyond the table, and for events that this revision does not have.
    #[doc(alias = "pfm_get_event_name")]
    pub fn event_name(&self, event: usize) -> Option<&'static str> {
        self.table().events.get(event).filter(|event| event.supported).map(|event| event.name)
    }

    /// The names of an event's unit masks, in the order of their numbers.
    #[doc(alias = "pfm_get_event_mask_name")]
    pub fn mask_names(&self, event: usize) -> impl Iterator<Item = &'static str> {
        let table = self.table();
        let event = table.events.get(event).filter(|event| event.supported);
        event.map_or(&[][..], |event| table.masks(event)).iter().map(|mask| mask.name)
    }

    /// The code of an event in the model's table; `None` as for its name.
    #[doc(alias = "pfm_get_event_code")]
    pub fn event_code(&self, event: usize) -> Option<u64> {
        self.table().events.get(event).filter(|event| event.supported).map(|event| event.code)
    }

    /// The code of a unit mask of an event.
    #[doc(alias = "pfm_get_event_mask_code")]
    pub fn mask_code(&self, event: usize, mask: usize) -> Option<u64> {
        let table = self.table();
        let event = table.events.get(event).filter(|event| event.supported)?;
        table.masks(event).get(mask).map(|mask| mask.code)
    }

    /// The numbers of its PMDs, in ascending order.
    #[doc(alias = "pfm_get_impl_pmds")]
    pub fn pmds(&self) -> impl Iterator<Item = u32> {
        self.table().pmd_numbers()
    }

    /// The numbers of its PMCs, in ascending order.
    #[doc(alias = "pfm_get_impl_pmcs")]
    pub fn pmcs(&self) -> impl Iterator<Item = u32> {
        self.table().pmc_numbers()
    }

    pub(crate) fn loaded(&self) -> &Loaded {
        self.loaded.get_or_init(|| {
            let table = Table::parse(self.text, self.words().number("rev"));
            let rules = (self.rules)(self, &table);
            Loaded { counters: self.counters(), table, rules }
        })
    }

    pub(crate) fn table(&self) -> &Table {
        &self.loaded().table
    }

    /// The counters (PMD numbers, as bits) that may hold an event of a request, whatever the others need.
    ///
    /// None hold an event that the request or the model does not have, or unit masks that the event does not have.
    pub fn counters_for(&self, request: &Request, event: usize) -> u64 {
        let Loaded { table, rules, .. } = self.loaded();
        match request.events.get(event).map(|event| check_event(table, event)) {
            Some(Ok(())) => rules.counters(table, request, event),
            _ => 0,
        }
    }

    /// The words of its line at the head of the table.
    pub(crate) fn words(&self) -> Words {
        Words(self.line().split(" | ").next().unwrap_or(""))
    }

    fn line(&self) -> &'static str {
        let mut lines = self.text.lines().filter_map(|line| line.strip_prefix("@model "));
        let own = |line: &&str| line.split(' ').next() == Some(self.name);
        lines.find(own).unwrap_or("")
    }

    /// `EVENT`, or `EVENT:MASK,…`, as numbers.
    fn helper(&self, key: &str) -> Option<(usize, Vec<usize>)> {
        let value = self.words().get(key)?;
        let (event, masks) = value.split_once(':').unwrap_or((value, ""));
        let masks = masks.split(',').filter_map(number).map(|mask| mask as usize);
        Some((number(event)? as usize, masks.collect()))
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Model({})", self.name)
    }
}
