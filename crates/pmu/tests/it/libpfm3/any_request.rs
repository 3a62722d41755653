//! Any request is answered, and any assignment is valid.

use counterpoint_pmu::Privilege;
use counterpoint_pmu::libpfm3::ia64::{
    BranchBuffer, Ear, Ia64Input, IpEar, OpcodeMatch, Range, Ranges,
};
use counterpoint_pmu::libpfm3::{
    Amd64Input, CellCounter, CellInput, CounterOptions, EventRequest, Ibs, Lbr, Model, ModelInput,
    NehalemInput, Pebs, Request, dispatch, explain,
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

/// Numbers of events, unit masks and registers: small ones, those of a table, and any.
fn number() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 0usize..20, 4 => 0usize..400, 1 => any::<usize>(), 1 => Just(usize::MAX)]
}

prop_compose! {
    fn any_event()(
        event in number(),
        masks in prop::collection::vec(number(), 0..3),
        levels in 0u32..32,
        words in prop::collection::vec(prop_oneof![3 => Just(0), 1 => 0u32..12, 1 => any::<u32>()], 7),
    ) -> EventRequest {
        let cell = CellCounter {
            counter: words[0], spe_subunit: words[1], polarity: words[2], input_control: words[3],
        };
        let options = CounterOptions {
            flags: words[4], threshold: words[5], instruction_set: words[1], cell,
        };
        let plm = Privilege::from_bits(levels).expect("five levels");
        EventRequest { event, masks, plm, flags: words[6], options }
    }
}

/// The input of any family, whatever the model.
fn any_input() -> impl Strategy<Value = Option<ModelInput>> {
    let kinds = (0usize..11, ia64_input(), any::<[u32; 3]>(), any::<[bool; 3]>());
    weighted(
        0.5,
        kinds.prop_map(|(kind, ia64, [a, b, c], [used, fetch, op])| {
            let pebs = Pebs { used };
            match kind {
                0 => ModelInput::GenIa32,
                1 => ModelInput::P6,
                2 => ModelInput::CoreDuo,
                3 => ModelInput::Core(pebs),
                4 => ModelInput::Atom(pebs),
                5 => {
                    let lbr = fetch.then_some(Lbr { plm: Privilege::NONE, filter: b });
                    ModelInput::Nehalem(NehalemInput { pebs, load_latency: a, lbr })
                }
                6 => {
                    let ibs = |used: bool| used.then_some(Ibs { period: a, options: b });
                    ModelInput::Amd64(Amd64Input { fetch: ibs(fetch), op: ibs(op) })
                }
                7 => ModelInput::Itanium(Box::new(ia64)),
                8 => ModelInput::Itanium2(Box::new(ia64)),
                9 => ModelInput::Montecito(Box::new(ia64)),
                _ => ModelInput::Cell(CellInput { control: a, interval: b, triggers: c }),
            }
        }),
    )
}

/// A request that cannot be meant is refused, and its explanation and the counters of its events are answered too.
fn is_answered(model: &Model, request: &Request) -> Result<(), TestCaseError> {
    let refusal = dispatch(model, request).err();
    let conflict = explain(model, request);
    prop_assert_eq!(refusal.is_some(), conflict.is_some());
    let unknown = request.plm.contains(Privilege::HYPERVISOR);
    prop_assert!(refusal.is_some() || !unknown, "{}: levels that it does not have", model.name());
    prop_assert!(conflict.is_none_or(|conflict| !conflict.sentence.is_empty()));
    let count = request.events.len();
    for place in (0..count).chain([count, usize::MAX]) {
        let counters = model.counters_for(request, place);
        let is_there = request.events.get(place).is_some_and(|e| e.event < model.event_count());
        prop_assert!(is_there || counters == 0, "{}: {:?} {place}", model.name(), request);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_request_of_every_model_is_answered_and_explained(
        events in prop::collection::vec(any_event(), 0..7),
        levels in 0u32..32,
        unavailable in prop::collection::vec(any::<u32>(), 0..3),
        (input, wants_output, system_wide) in (any_input(), any::<bool>(), any::<bool>()),
    ) {
        for model in Model::all() {
            let plm = Privilege::from_bits(levels).expect("five levels");
            let mut request = Request::new(plm);
            request.events = events.clone();
            request.unavailable = unavailable.iter().copied().collect();
            request.input = input.clone();
            (request.wants_output, request.system_wide) = (wants_output, system_wide);
            is_answered(model, &request)?;
            // Most inputs are for other models.
            request.input = None;
            is_answered(model, &request)?;
        }
    }
}

#[test]
fn the_number_of_an_event_that_no_model_has_is_invalid_and_explained() {
    for model in Model::all() {
        for number in [model.event_count(), usize::MAX] {
            let mut request = Request::new(Privilege::USER);
            request.events = vec![EventRequest::new(number)];
            is_answered(model, &request).expect("an answer");
            let conflict = explain(model, &request).expect("a refusal");
            assert_eq!((conflict.events, conflict.kind.name()), (vec![0], "INVAL"));
            let says = format!("event {number}: the model has no event of this number");
            assert_eq!(conflict.sentence, says, "{}", model.name());
        }
    }
}
