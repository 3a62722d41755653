//! The events of a PMU and their attributes, on a machine.

use crate::attribute::Attribute;
use crate::layer::Layer;
use crate::list::all;
use crate::machine::Machine;
use crate::modifier::PerfAttribute;
use crate::pmu::{Event, Flags, Pmu, PmuKind};
use crate::tables::row::Marks;

impl Pmu {
    /// Its events, also those that only some machines have.
    pub fn all_events(&'static self) -> Box<dyn Iterator<Item = Event>> {
        match &self.family.own {
            Some(own) => (own.all)(self),
            None => {
                let rows = self.table.events(self.variant());
                Box::new(rows.map(move |found| Event::of_table(self, found)))
            }
        }
    }

    /// The place of an event among [`Pmu::all_events`], by the name that it has there.
    ///
    /// ```
    /// use counterpoint_pmu::find;
    ///
    /// let snb = find("snb").unwrap();
    /// let third = snb.all_events().nth(2).unwrap();
    /// assert_eq!(snb.position(third.name), Some(2));
    /// ```
    pub fn position(&'static self, listed: &'static str) -> Option<usize> {
        match &self.family.own {
            Some(own) => (own.all)(self).position(|event| std::ptr::eq(event.name, listed)),
            None => self.table.position(self.variant(), listed),
        }
    }

    /// Its events on an unknown machine.
    pub fn events(&'static self) -> impl Iterator<Item = Event> {
        self.all_events().filter(|event| !event.row.marks.has(Marks::OPTIONAL))
    }

    /// The events that it has on a machine: the energy counters of an Intel processor, and the counters of
    /// an IBM Z one, are not the same on all.
    ///
    /// ```
    /// use counterpoint_pmu::{CpuId, Machine, find};
    ///
    /// let pmu = find("cpum_cf").unwrap();
    /// let counts = [2097, 3931].map(|machine| {
    ///     let machine = Machine::of(CpuId::S390x { machine: Some(machine) });
    ///     pmu.events_on(&machine).count()
    /// });
    /// assert_eq!(counts, [46, 98]);
    /// ```
    pub fn events_on<'m>(
        &'static self,
        machine: &'m Machine,
    ) -> impl Iterator<Item = Event> + use<'m> {
        self.all_events().filter(|event| event.is_on(&machine.known()))
    }

    /// The event of this name, in any case; also one that only some machines have.
    pub fn event(&'static self, name: &str) -> Option<Event> {
        self.find_event(name, None)
    }

    /// The PMU with the events of every processor of its architecture, if the tables have one.
    pub fn architectural(&self) -> Option<&'static Pmu> {
        all().find(|pmu| pmu.is_architectural() && std::ptr::eq(pmu.family, self.family))
    }

    /// The PMUs of the caches that the cores of this PMU share, which the tables plan as they do cores.
    ///
    /// ```
    /// let caches = |name| -> Vec<_> {
    ///     let pmu = counterpoint_pmu::find(name).unwrap();
    ///     pmu.shared_caches().into_iter().map(|pmu| pmu.name).collect()
    /// };
    /// assert_eq!(caches("amd64_fam19h_zen4"), ["amd64_fam19h_zen4_l3"]);
    /// assert!(caches("spr").is_empty());
    /// ```
    pub fn shared_caches(&self) -> Vec<&'static Pmu> {
        let Some(cpu) = self.processor().filter(|_| self.kind == PmuKind::Core) else {
            return Vec::new();
        };
        let is_cache = |pmu: &&'static Pmu| {
            pmu.kind == PmuKind::Uncore && pmu.flags.has(Flags::PLANNABLE) && pmu.is_of(&cpu)
        };
        all().filter(is_cache).collect()
    }
}

impl Event {
    /// The attributes that a string for this event may name, in libpfm's order: unit masks, the PMU's
    /// modifiers, then those of perf_events. Some are left out on some machines.
    ///
    /// The list is that of the layer also where [`Machine::perf_events`] is false and [`encode`](crate::encode())
    /// refuses the string; libpfm returns an error there.
    ///
    /// ```
    /// use counterpoint_pmu::{Layer, Machine, find};
    ///
    /// let event = find("snb").unwrap().event("L2_LINES_IN").unwrap();
    /// let attributes = event.attributes(Layer::Raw, &Machine::default());
    /// let names: Vec<&str> = attributes.iter().map(|attribute| attribute.name).collect();
    /// assert_eq!(names, ["ANY", "E", "I", "S", "k", "u", "e", "i", "c", "t"]);
    /// ```
    #[doc(alias = "pfm_get_event_attr_info")]
    pub fn attributes(&self, layer: Layer, machine: &Machine) -> Vec<Attribute> {
        let family = self.pmu.family;
        let mut attributes = self.mask_attributes();
        let own = family.modifiers.of_set(family.taken(self, layer));
        attributes.extend(own.map(Attribute::of_modifier));
        let of_perf_events = PerfAttribute::of_set(family.kept(self, layer, machine.privilege));
        attributes.extend(of_perf_events.map(Attribute::of_perf));
        for (index, attribute) in attributes.iter_mut().enumerate() {
            attribute.index = index;
        }
        attributes
    }
}
