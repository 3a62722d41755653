//! `counterpoint profile --memory`: the events that are sampled with the addresses of data.

use super::sampled::Sampled;
use crate::failure::Failure;
use crate::show;
use counterpoint::EventSet;
use counterpoint::memory::{Allocator, MemoryEvent, events};
use counterpoint::perf::records::Registers;
use counterpoint::perf::{Every, pmu_type};
use counterpoint::profil::{BucketWidth, Histogram, Region};
use counterpoint::profile::Profile;

/// The set with the events of `names`, or without any with those of the machine, which have their usual rates unless another one was asked for.
pub fn with_profiles(
    mut set: EventSet,
    names: &[String],
    profile: &Profile,
    every: Option<Every>,
) -> Result<EventSet, Failure> {
    let counted = counted(profile)?;
    for event in names {
        if !may_have_data(&set, event)? {
            let text = format!("--memory: samples of `{event}` have no addresses of data");
            return Err(Failure::new(text)
                .help("leave out -e, or name page-faults, or loads and stores of the processor"));
        }
        set.profile(event, counted.clone()).map_err(|refused| Failure::from(refused.error))?;
    }
    let own = if names.is_empty() { events(set.machine().host()) } else { Vec::new() };
    for MemoryEvent { name, leader, every: usual, .. } in own {
        set = set.event(&name);
        let profile = counted.clone().rate(every.unwrap_or(usual));
        let profile = match leader {
            Some(leader) => profile.behind(leader),
            None => profile,
        };
        set.profile(&name, profile).map_err(|refused| Failure::from(refused.error))?;
    }
    Ok(set)
}

/// Counts all samples together: they are in the file.
fn counted(profile: &Profile) -> Result<Profile, Failure> {
    let all = Histogram::new(vec![Region::catch_all()], BucketWidth::Bits64);
    let all = all.map_err(|error| Failure::new(error.to_string()))?;
    Ok(profile.clone().histogram(all).accesses())
}

/// The set with probes of the functions of a file that allocate: of calls, which know the sizes, and of returns, which know the addresses and have the call stacks.
pub fn with_allocations(
    mut set: EventSet,
    file: &str,
    profile: &Profile,
) -> Result<EventSet, Failure> {
    if !Registers::has_arguments() {
        let text =
            "--allocations: where the arguments of functions are is not known on this processor";
        return Err(Failure::new(text).help("leave it out: the heap is shown as a whole"));
    }
    for allocator in Allocator::of_file(set.machine(), file)? {
        let [call, back] = [false, true].map(|back| allocator.probe(file, back).to_string());
        let calls = counted(&Profile::every(Every::Period(1)))?;
        let returns = counted(profile)?.rate(Every::Period(1));
        let back = allocator.has_result().then_some((back, returns));
        for (event, profile) in std::iter::once((call, calls)).chain(back) {
            set = set.event(&event);
            set.profile(&event, profile).map_err(|refused| Failure::from(refused.error))?;
        }
    }
    Ok(set)
}

/// Returns true unless an event of the kernel occurs at no access to data.
fn may_have_data(set: &EventSet, event: &str) -> Result<bool, Failure> {
    // Faults of pages (any, minor, major), of alignment, and of instructions that are emulated.
    const FAULTS: [u64; 5] = [2, 5, 6, 7, 8];
    let resolved = set.resolve_list(event)?;
    let mut attrs = resolved.natives().iter().flat_map(|native| &native.boxes).map(|of| &of.attr);
    Ok(Allocator::of_event(event).is_some()
        || attrs.all(|attr| match attr.kind {
            pmu_type::SOFTWARE => FAULTS.contains(&attr.config),
            pmu_type::TRACEPOINT => false,
            _ => attr.file.is_none(),
        }))
}

/// Says why page faults are shown in place of loads and stores, if the events were not chosen.
pub fn note(sampled: &Sampled<'_>) {
    let (args, host) = (sampled.args, sampled.set.machine().host());
    if !args.memory || !args.events.is_empty() {
        return;
    }
    if events(host).iter().any(|event| event.name != "page-faults") {
        return;
    }
    let devices = host.names("/sys/bus/event_source/devices");
    let why = match devices.iter().find(|name| name.starts_with("arm_spe")) {
        Some(spe) => format!(
            "{spe} is not opened here (report --memory reads what perf mem record writes of it)"
        ),
        None => "the processor, or its virtual machine, samples no loads and stores".to_string(),
    };
    show::note(&format!("{why}: the first accesses to pages are shown, which are page faults"));
}
