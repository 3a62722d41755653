//! Descriptions of events: those of a vendor's JSON files, or else those of the tables.

use crate::vendor::VendorArgs;
use counterpoint::Machine;
use counterpoint::pmu::vendor::{self, Events};
use counterpoint::pmu::{Attribute, AttributeKind, Event, Pmu};
use std::path::PathBuf;

/// Describes events.
pub struct Words<'a> {
    /// The directory of the vendor's files, and their events.
    vendor: Option<(PathBuf, &'a Events)>,
}

/// A description in one line.
#[derive(Clone, Copy)]
pub struct Worded<'a> {
    pub text: &'a str,
    pub author: Author,
}

/// Whose words a description is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The tables of this project.
    Counterpoint,
    /// The JSON files of the vendor.
    Vendor,
}

impl<'a> Words<'a> {
    /// Words of the vendor's files that a machine has, and else those of the tables.
    pub fn of(machine: &'a Machine, files: &VendorArgs) -> Words<'a> {
        let directory = files.directory().unwrap_or_default();
        Words {
            vendor: Some((directory, machine.vendor())).filter(|(_, vendor)| vendor.has_files()),
        }
    }

    /// Describes an event.
    pub fn event(&self, event: &Event) -> Option<Worded<'_>> {
        self.worded(self.vendors(event, None), event.description())
    }

    /// Describes an attribute. Modifiers are described by the tables alone.
    pub fn attribute(&self, event: &Event, attribute: &Attribute) -> Option<Worded<'_>> {
        let is_umask = attribute.kind == AttributeKind::Umask;
        let vendors = is_umask.then(|| self.vendors(event, Some(attribute.name)));
        self.worded(vendors.flatten(), attribute.description())
    }

    fn worded<'w>(
        &'w self,
        vendors: Option<&'w vendor::Event>,
        own: Option<&'static str>,
    ) -> Option<Worded<'w>> {
        let vendors =
            vendors.map(|vendors| Worded { text: &vendors.brief, author: Author::Vendor });
        vendors.or_else(|| Some(Worded { text: own?, author: Author::Counterpoint }))
    }

    /// The vendor's description of an event or of one of its unit masks.
    pub fn vendors(&self, event: &Event, umask: Option<&str>) -> Option<&vendor::Event> {
        self.vendor.as_ref()?.1.of(event, umask)
    }

    /// Whose words describe the event and its unit masks.
    pub fn sources(&self, event: &Event, attributes: &[Attribute]) -> String {
        let masks = attributes.iter().filter(|a| a.kind == AttributeKind::Umask);
        let masks = masks.map(|mask| self.attribute(event, mask));
        let authors: Vec<Option<Author>> =
            masks.chain([self.event(event)]).map(|worded| Some(worded?.author)).collect();
        let has = |author| authors.contains(&Some(author));
        match (&self.vendor, has(Author::Vendor), has(Author::Counterpoint)) {
            (Some((path, _)), true, false) => format!("the vendor's, in {}", path.display()),
            (Some((path, _)), true, true) => {
                format!("the vendor's, in {}, and else Counterpoint's own", path.display())
            }
            (Some((path, _)), false, false) => format!("none, and none in {}", path.display()),
            (None, _, false) => "none; --vendor-events DIR reads the vendor's".to_string(),
            (None, ..) if authors.contains(&None) => {
                "Counterpoint's own; --vendor-events DIR reads the vendor's".to_string()
            }
            (_, _, true) => "Counterpoint's own".to_string(),
        }
    }
}

/// The description of a PMU, with the number of its counters.
pub fn about(pmu: &Pmu) -> String {
    let mut text = pmu.description.to_string();
    match (pmu.counters, pmu.fixed_counters) {
        (0, _) => {}
        (counters, 0) => text.push_str(&format!(": {counters} counters")),
        (counters, fixed) => {
            text.push_str(&format!(": {counters} counters, and {fixed} for one event each"));
        }
    }
    text
}
