//! The names of functions of C++ that the debug information names without their namespaces and types: those that the linker never sees, such as functions of anonymous namespaces.
//!
//! `addr2line` names a function by its linkage name, or else by the last part of its name alone, and shows nothing of what is around it.
//! So the debug information is read once more when the first such function is asked for, and of it the units that have one.

use super::blocks::{Blocks, MOST_AT_ONCE};
use gimli::{
    AttributeValue, DebugInfoOffset, DwAt, DwTag, Dwarf, DwarfSections, EndianSlice, RunTimeEndian,
    SectionId, Unit, UnitOffset, constants as dw,
};
use object::{Object, ObjectSection, ReadCache, ReadRef};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::ops::Range;
use std::path::Path;

/// The most scopes and references that a name is followed through.
const DEEPEST: usize = 64;
/// The longest name.
const LONGEST: usize = 16 << 10;

/// The scopes of the functions of a file.
pub(crate) struct Scopes {
    sections: DwarfSections<Vec<u8>>,
    endian: RunTimeEndian,
    /// The addresses of each unit, and its place, in the order of their places.
    units: Vec<(Vec<Range<u64>>, usize)>,
    /// The units whose scopes are known.
    read: RefCell<HashSet<usize>>,
    /// The scopes by their places in the debug information.
    known: RefCell<HashMap<usize, Scope>>,
}

type Slice<'d> = EndianSlice<'d, RunTimeEndian>;

/// A namespace, a type or a function, or what is between them.
#[derive(Clone)]
struct Scope {
    tag: DwTag,
    name: Option<Box<str>>,
    /// The scope around it.
    parent: Option<usize>,
    /// The scope of which this is another description or a copy.
    origin: Option<usize>,
}

impl Scopes {
    /// The scopes of a file; `None` if it has no debug information, or too much.
    pub(crate) fn open(path: &Path) -> Option<Scopes> {
        let cache = ReadCache::new(Blocks::of(File::open(path).ok()?));
        let file = object::File::parse(&cache).ok()?;
        let endian =
            if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let sections = DwarfSections::load(|id| section(&file, id).ok_or(())).ok()?;
        let mut scopes = Scopes {
            sections,
            endian,
            units: Vec::new(),
            read: RefCell::default(),
            known: RefCell::default(),
        };
        scopes.units = scopes.found();
        Some(scopes)
    }

    fn dwarf(&self) -> Dwarf<Slice<'_>> {
        self.sections.borrow(|section| EndianSlice::new(section, self.endian))
    }

    /// The units with their addresses.
    fn found(&self) -> Vec<(Vec<Range<u64>>, usize)> {
        let dwarf = self.dwarf();
        let (mut headers, mut units) = (dwarf.units(), Vec::new());
        while let Ok(Some(header)) = headers.next() {
            let Some(place) = header.debug_info_offset() else { continue };
            let mut addresses = Vec::new();
            if let Ok(unit) = dwarf.unit(header)
                && let Ok(mut ranges) = dwarf.unit_ranges(&unit)
            {
                while let Ok(Some(range)) = ranges.next() {
                    addresses.push(range.begin..range.end);
                }
            }
            units.push((addresses, place.0));
        }
        units
    }

    /// The name of the function that is described at an offset in the unit of an address, with the scopes around it.
    pub(crate) fn name(&self, address: u64, offset: usize) -> Option<String> {
        let is_here = |of: &&(Vec<Range<u64>>, usize)| of.0.iter().any(|of| of.contains(&address));
        let (_, unit) = self.units.iter().find(is_here)?;
        self.full(unit.checked_add(offset)?, DEEPEST)
    }

    fn full(&self, place: usize, depth: usize) -> Option<String> {
        let left = depth.checked_sub(1)?;
        let scope = self.scope(place)?;
        if let Some(origin) = scope.origin {
            return self.full(origin, left);
        }
        let own = match &scope.name {
            Some(name) => name.to_string(),
            None if scope.tag == dw::DW_TAG_namespace => "(anonymous namespace)".to_string(),
            None => "{unnamed}".to_string(),
        };
        let Some(parent) = scope.parent else { return Some(own) };
        let name = format!("{}::{own}", self.full(parent, left)?);
        (name.len() <= LONGEST).then_some(name)
    }

    /// The scope at a place, whose unit is read if it was not.
    fn scope(&self, place: usize) -> Option<Scope> {
        let next = self.units.partition_point(|(_, unit)| *unit <= place);
        let (_, unit) = self.units.get(next.checked_sub(1)?)?;
        if self.read.borrow_mut().insert(*unit) {
            // Those that could be read before an error are known.
            let _ = self.read_unit(*unit);
        }
        self.known.borrow().get(&place).cloned()
    }

    fn read_unit(&self, place: usize) -> gimli::Result<()> {
        let dwarf = self.dwarf();
        let unit = dwarf.unit(dwarf.debug_info.header_from_offset(DebugInfoOffset(place))?)?;
        let mut known = self.known.borrow_mut();
        let mut entries = unit.entries_raw(None)?;
        // The scopes around the entry, with their depths.
        let mut around: Vec<(isize, usize)> = Vec::new();
        while !entries.is_empty() {
            let (depth, at) = (entries.next_depth(), entries.next_offset());
            let Some(abbreviation) = entries.read_abbreviation()? else { continue };
            if !is_scope(abbreviation.tag()) {
                entries.skip_attributes(abbreviation.attributes())?;
                continue;
            }
            while around.last().is_some_and(|(outer, _)| *outer >= depth) {
                around.pop();
            }
            let parent = around.last().map(|(_, parent)| *parent);
            let mut scope = Scope { tag: abbreviation.tag(), name: None, parent, origin: None };
            for specification in abbreviation.attributes() {
                let attribute = entries.read_attribute(*specification)?;
                scope.take(&dwarf, &unit, attribute.name(), attribute.value());
            }
            // A type without a name that can be called is that of a lambda.
            if scope.name.as_deref() == Some("operator()")
                && let Some(outer) = parent.and_then(|parent| known.get_mut(&parent))
                && outer.tag != dw::DW_TAG_namespace
            {
                outer.name.get_or_insert("{lambda}".into());
            }
            let here = place.saturating_add(at.0);
            known.insert(here, scope);
            around.push((depth, here));
        }
        Ok(())
    }
}

impl Scope {
    /// Takes what an attribute says.
    fn take(
        &mut self,
        dwarf: &Dwarf<Slice<'_>>,
        unit: &Unit<Slice<'_>>,
        name: DwAt,
        value: AttributeValue<Slice<'_>>,
    ) {
        match (name, value) {
            (dw::DW_AT_name, value) => {
                let name = dwarf.attr_string(unit, value).ok();
                self.name = name.map(|name| name.to_string_lossy().into());
            }
            (
                dw::DW_AT_specification | dw::DW_AT_abstract_origin,
                AttributeValue::UnitRef(UnitOffset(offset)),
            ) => {
                let unit = unit.header.debug_info_offset();
                self.origin = unit.and_then(|unit| unit.0.checked_add(offset));
            }
            (
                dw::DW_AT_specification | dw::DW_AT_abstract_origin,
                AttributeValue::DebugInfoRef(DebugInfoOffset(place)),
            ) => self.origin = Some(place),
            _ => {}
        }
    }
}

fn is_scope(tag: DwTag) -> bool {
    matches!(
        tag,
        dw::DW_TAG_namespace
            | dw::DW_TAG_class_type
            | dw::DW_TAG_structure_type
            | dw::DW_TAG_union_type
            | dw::DW_TAG_subprogram
            | dw::DW_TAG_inlined_subroutine
    )
}

/// The bytes of a section that names are in or found by, none if the file lacks it; `None` if they are too many.
fn section<'d, R: ReadRef<'d>>(file: &object::File<'d, R>, id: SectionId) -> Option<Vec<u8>> {
    let is_needed = matches!(
        id,
        SectionId::DebugInfo
            | SectionId::DebugAbbrev
            | SectionId::DebugAddr
            | SectionId::DebugLine
            | SectionId::DebugLineStr
            | SectionId::DebugRanges
            | SectionId::DebugRngLists
            | SectionId::DebugStr
            | SectionId::DebugStrOffsets
    );
    match file.section_by_name(id.name()).filter(|_| is_needed) {
        None => Some(Vec::new()),
        Some(section) if section.size() > MOST_AT_ONCE as u64 => None,
        Some(section) => section.uncompressed_data().ok().map(Cow::into_owned),
    }
}
