//! `counterpoint profile --metric`: an event that is sampled, with the counts of those from which metrics are computed.

use super::args::ProfileArgs;
use crate::commands::samples::metrics::{Asked, asked, counted};
use crate::failure::Failure;
use counterpoint::profil::{BucketWidth, Histogram, Region};
use counterpoint::profile::Profile;
use counterpoint::{EventSet, Machine, Target};

/// The set with the event that is sampled.
pub fn with_profiles(
    mut set: EventSet,
    names: &[String],
    args: &ProfileArgs,
    profile: &Profile,
) -> Result<EventSet, Failure> {
    let [leader] = names else {
        return Err(Failure::new(
            "-M samples one event, whose samples have the counts of the others",
        )
        .help("give -e one event, such as task-clock or cycles"));
    };
    let all = Histogram::new(vec![Region::catch_all()], BucketWidth::Bits64);
    let all = all.map_err(|error| Failure::new(error.to_string()))?;
    let counted = counted(&set, leader, &asked(&set, &args.metric)?)?;
    let profile = profile.clone().histogram(all).counting(counted);
    set.profile(leader, profile).map_err(|refused| Failure::from(refused.error))?;
    Ok(set)
}

/// The metrics, as the events of this machine have them.
pub fn metrics(args: &ProfileArgs) -> Result<Vec<Asked>, Failure> {
    let machine = args.vendor.with(Machine::new(args.machine.host()?))?;
    let definitions = args.definitions.libraries(&machine)?;
    let set = EventSet::with_machine(machine, Target::AllCpus);
    let set = args.metric_files.define(definitions.into_iter().fold(set, EventSet::define))?;
    asked(&set, &args.metric)
}
