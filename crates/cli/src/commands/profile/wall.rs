//! `counterpoint profile --wall`: the events that say when threads stop and run.

use crate::commands::samples::wall::{CONTEXT_SWITCHES, WAKING};
use crate::failure::Failure;
use counterpoint::profil::{BucketWidth, Histogram, Region};
use counterpoint::profile::Profile;
use counterpoint::{EventSet, Target};

/// The clock that is sampled while threads run.
const CLOCK: &str = "task-clock";

/// The set with a clock, with the switches, and with the wake-ups if this user may see them.
pub fn with_profiles(
    mut set: EventSet,
    clock: Profile,
    stops: Profile,
) -> Result<EventSet, Failure> {
    set = set.event(CLOCK).event(CONTEXT_SWITCHES);
    let counted = |profile: Profile| {
        let all = Histogram::new(vec![Region::catch_all()], BucketWidth::Bits64);
        Ok::<_, Failure>(profile.histogram(all.map_err(|e| Failure::new(e.to_string()))?))
    };
    let mut profiles = vec![(CLOCK, clock), (CONTEXT_SWITCHES, counted(stops)?)];
    let wakes = counted(Profile::wake_ups())?;
    if can_be_opened(&wakes) {
        set = set.event(WAKING);
        profiles.push((WAKING, wakes));
    }
    for (event, profile) in profiles {
        set.profile(event, profile).map_err(|refused| Failure::from(refused.error))?;
    }
    Ok(set)
}

/// Returns true if this user may sample wake-ups with their fields.
fn can_be_opened(wakes: &Profile) -> bool {
    let mut set = EventSet::new(Target::ThisThread).event(WAKING);
    set.profile(WAKING, wakes.clone()).is_ok() && set.open_profiles().is_ok()
}
