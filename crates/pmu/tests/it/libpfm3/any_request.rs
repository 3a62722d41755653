//! Any request is answered, and any assignment is valid.

use counterpoint_pmu::Privilege;
use counterpoint_pmu::libpfm3::ia64::{
    BranchBuffer, Ear, Ia64Input, IpEar, OpcodeMatch, Range, Ranges,
};
use counterpoint_pmu::libpfm3::{
    CellCounter, CellInput, CounterOptions, EventRequest, Model, ModelInput, Request, dispatch,
};
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::Index;

use super::checker::FACTS;

/// Any set of the levels 0 to 3.
fn levels() -> impl Strategy<Value = Privilege> {
    (0u32..16).prop_map(|bits| Privilege::from_bits(bits).expect("four levels"))
}

/// Ends near each other, far apart, at pages, and at the end of the address space.
fn range() -> impl Strategy<Value = Range> {
    let start = prop_oneof![
        any::<u64>(),
        Just(0),
        Just(u64::MAX - 0xfff),
        any::<u64>().prop_map(|s| s & !0xfff)
    ];
    let size = prop_oneof![0u64..0x4000, any::<u64>(), (0u32..64).prop_map(|bits| 1 << bits)];
    (start, size, any::<bool>(), levels()).prop_map(|(start, size, aligned, plm)| {
        let mask = if aligned { !0xf } else { !0 };
        Range { start: start & mask, end: start.saturating_add(size) & mask, plm }
    })
}

fn ranges() -> impl Strategy<Value = Option<Ranges>> {
    let limits = prop::collection::vec(range(), 0..6);
    weighted(0.5, (0u32..16, limits).prop_map(|(flags, limits)| Ranges { flags, limits }))
}

fn opcode() -> impl Strategy<Value = Option<OpcodeMatch>> {
    let fields =
        (any::<[bool; 4]>(), any::<[u64; 2]>()).prop_map(|([m, i, f, b], [matches, mask])| {
            OpcodeMatch::Fields { matches, mask, m, i, f, b }
        });
    weighted(0.2, prop_oneof![any::<u64>().prop_map(OpcodeMatch::Register), fields])
}

prop_compose! {
    fn ia64_input()(
        opcodes in [opcode(), opcode()],
        ears in [weighted(0.2, any::<[u8; 4]>()), weighted(0.2, any::<[u8; 4]>())],
        buffer in weighted(0.2, any::<[u8; 4]>()),
        delay in weighted(0.1, any::<u32>()),
        code in ranges(),
        data in ranges(),
    ) -> Ia64Input {
        let ear = |ear: Option<[u8; 4]>| ear.map(|ear| {
            let [mode, instruction_set, plm, umask] = ear.map(u32::from);
            let plm = Privilege::from_bits(plm % 16).expect("four levels");
            Ear { mode: mode % 4, instruction_set, plm, umask }
        });
        Ia64Input {
            opcodes,
            instruction_ear: ear(ears[0]),
            data_ear: ear(ears[1]),
            branch_buffer: buffer.map(|buffer| {
                let [tm, ptm, ppm, brt] = buffer.map(u32::from);
                BranchBuffer { tm, ptm, ppm, brt, ..BranchBuffer::default() }
            }),
            ip_ear: delay.map(|delay| IpEar { plm: Privilege::NONE, delay }),
            code,
            data,
        }
    }
}

fn input(model: &Model, ia64: Ia64Input, cell: [u32; 3]) -> Option<ModelInput> {
    Some(match model.name() {
        "itanium" => ModelInput::Itanium(Box::new(ia64)),
        "itanium2" => ModelInput::Itanium2(Box::new(ia64)),
        "montecito" => ModelInput::Montecito(Box::new(ia64)),
        "cell" => {
            ModelInput::Cell(CellInput { control: cell[0], interval: cell[1], triggers: cell[2] })
        }
        _ => return None,
    })
}

prop_compose! {
    fn event()(event: Index, masks in prop::collection::vec(any::<Index>(), 0..3), plm in levels(), options in any::<[u8; 6]>())
        -> (Index, Vec<Index>, Privilege, CounterOptions)
    {
        let [flags, threshold, instruction_set, counter, spe_subunit, control] = options.map(u32::from);
        let cell = CellCounter { counter: counter % 11, spe_subunit, polarity: control, input_control: control };
        let plain = CounterOptions { instruction_set, cell, ..CounterOptions::default() };
        let options = if flags < 64 { CounterOptions { flags: flags % 16, threshold, ..plain } } else { plain };
        (event, masks, if plm.contains(Privilege::USER) { plm } else { Privilege::NONE }, options)
    }
}

proptest! {
    #[test]
    fn any_request_is_answered_and_any_assignment_is_valid(
        model: Index,
        an_itanium in weighted(0.5, 0usize..3),
        events in prop::collection::vec(event(), 0..14),
        plm in levels(),
        unavailable in prop::collection::vec(0u32..200, 0..3),
        (ia64, wants_output, with_input) in (ia64_input(), any::<bool>(), any::<bool>()),
        cell: [u32; 3],
    ) {
        let model = match an_itanium {
            Some(which) => Model::find(["itanium", "itanium2", "montecito"][which]).expect("a model"),
            None => Model::all().nth(model.index(Model::all().len())).expect("a model"),
        };
        let mut request = Request::new(plm);
        request.wants_output = wants_output;
        request.unavailable = unavailable.into_iter().collect();
        request.input = input(model, ia64, cell).filter(|_| with_input);
        for (event, masks, plm, options) in events {
            let event = event.index(model.event_count());
            let count = model.mask_names(event).count();
            let masks = masks.iter().filter(|_| count > 0).map(|mask| mask.index(count)).collect();
            request.events.push(EventRequest { event, masks, plm, flags: 0, options });
        }
        if let Ok(assignment) = dispatch(model, &request) {
            prop_assert_eq!(FACTS[model.name()].check(&request, &assignment), Ok(()), "{:?}", assignment);
        }
    }
}
