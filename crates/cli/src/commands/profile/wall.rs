//! `counterpoint profile --wall`: records when threads stop and run, and shows where wall time goes.

use super::run::recorded;
use super::sampled::Sampled;
use crate::commands::samples::filter::FilterArgs;
use crate::commands::samples::origin::Origin;
use crate::commands::samples::wall::{About, CONTEXT_SWITCHES, WAKING, WallOutput};
use crate::failure::Failure;
use crate::supervisor::{self, Supervisor};
use counterpoint::perf::output::{OutputFile, temporary};
use counterpoint::perf::process::Held;
use counterpoint::profil::{BucketWidth, Histogram, Region};
use counterpoint::profile::Profile;
use counterpoint::{EventSet, Target};
use std::path::Path;
use std::time::{Instant, SystemTime};

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

/// Records into a file without a name, and shows what is there.
pub fn run(
    sampled: Sampled<'_>,
    held: Option<Held>,
    supervisor: &Supervisor,
    output: WallOutput,
) -> Result<u8, Failure> {
    let args = sampled.args;
    let (began, begun) = (SystemTime::now(), Instant::now());
    let file = temporary()?;
    let (name, written) = ("the recording", OutputFile::direct(file.try_clone()?));
    let (outcome, _, recorder) = recorded(sampled, held, supervisor, written, Path::new(name))?;
    recorder.finish()?;
    let title = args.shown().title;
    let about = About {
        title: if title.is_empty() { "the processes".to_string() } else { title },
        name: name.to_string(),
        filters: &FilterArgs::default(),
        table: args.table,
        debug_directory: args.debug.directory(),
        origin: Some(Origin { began: Some(began), duration: begun.elapsed(), ..Origin::here() }),
    };
    let shown = output.write(file, &about);
    if let Err(failure) = shown {
        let _ = failure.report();
        return Ok(if outcome.exit_code() == 0 { 2 } else { outcome.exit_code() });
    }
    supervisor::exit_code(outcome.exit_code(), None)
}
