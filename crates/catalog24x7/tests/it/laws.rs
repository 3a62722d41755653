//! Properties of all catalogs and all byte strings.

use crate::whole;
use counterpoint_catalog24x7::{
    Catalog, CatalogBuilder, Domain, Event, Field, FieldKind, Formula, Group, Schema, Text,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn text() -> impl Strategy<Value = Option<Text>> {
    "[ -~]{0,40}".prop_map(|text| Some(Text::new(&text)))
}

fn event() -> impl Strategy<Value = Event> {
    let texts = (text(), text(), text());
    (any::<[u16; 6]>(), 1..=3_u8, any::<u32>(), texts).prop_map(|(words, domain, flags, texts)| {
        Event {
            formula_index: words[0],
            group_record_offset: words[1],
            group_record_length: words[2],
            counter_offset: words[3],
            primary_group_index: words[4],
            group_count: words[5],
            flags,
            name: texts.0,
            description: texts.1,
            detailed_description: texts.2,
            ..Event::new("", Domain(domain))
        }
    })
}

fn group() -> impl Strategy<Value = Group> {
    (any::<[u16; 16]>(), any::<[u8; 3]>(), text(), text()).prop_map(
        |(events, bytes, name, description)| Group {
            schema_index: bytes[1],
            event_count: bytes[2],
            name,
            description,
            ..Group::new("", Domain(bytes[0]), &events)
        },
    )
}

fn schema() -> impl Strategy<Value = Schema> {
    let field = any::<[u16; 4]>().prop_map(|[kind, offset, length, flags]| Field {
        kind: FieldKind(kind),
        offset,
        length,
        flags,
    });
    (any::<u16>(), any::<u16>(), vec(field, 0..20))
        .prop_map(|(descriptor, version, fields)| Schema::new(descriptor, version, fields))
}

fn formula() -> impl Strategy<Value = Formula> {
    (any::<u32>(), any::<u16>(), [text(), text(), text(), text()]).prop_map(
        |(flags, group, [name, description, formula, unit])| Formula {
            flags,
            group,
            name,
            description,
            formula,
            unit,
            ..Formula::new("", "")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_is_encoded_decodes_to_the_same(
        version in any::<u64>(),
        schemas in vec(schema(), 0..6),
        events in vec(event(), 0..100),
        groups in vec(group(), 0..20),
        formulas in vec(formula(), 0..10),
    ) {
        let mut builder = CatalogBuilder::new(version).build_date("20260102030405");
        builder = schemas.into_iter().fold(builder, CatalogBuilder::schema);
        builder = events.into_iter().fold(builder, CatalogBuilder::event);
        builder = groups.into_iter().fold(builder, CatalogBuilder::group);
        builder = formulas.into_iter().fold(builder, CatalogBuilder::formula);
        let catalog = builder.build().unwrap();
        let bytes = catalog.encode().unwrap();
        prop_assert_eq!(&Catalog::decode_strict(&bytes).unwrap(), &catalog);
        whole::catalog(&bytes);
    }

    #[test]
    fn any_buffer_is_read(mut bytes in vec(any::<u8>(), 0..600), version in 0..4_u8) {
        if let Some(first) = bytes.first_mut() {
            *first = version;
        }
        whole::buffers(&bytes);
    }
}

proptest! {
    // Long inputs take a long time to generate.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_read(mut bytes in vec(any::<u8>(), 0..6000)) {
        if let Some(head) = bytes.get_mut(..4) {
            head.copy_from_slice(b"24x7");
        }
        whole::catalog(&bytes);
    }
}
