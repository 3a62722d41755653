use super::open;
use super::request::{NotProfiled, Profile};
use super::running::Profiling;
use crate::{Error, EventSet};
use counterpoint_perf::Every;

impl EventSet {
    /// Has an event of this set profiled; `None` turns it off. The event's profile until now is handed back.
    ///
    /// Several events may have profiles at once, each its own.
    ///
    /// # Errors
    /// An event that is not in the set, a name that cannot be found, a period or frequency of zero; nothing has changed then, and the profile comes back.
    #[doc(alias = "PAPI_profil")]
    #[doc(alias = "PAPI_sprofil")]
    pub fn profile(
        &mut self,
        event: &str,
        profile: impl Into<Option<Profile>>,
    ) -> Result<Option<Profile>, NotProfiled> {
        let Some(profile) = profile.into() else { return Ok(self.profiles_mut().remove(event)) };
        match self.can_profile(event, profile.every) {
            Ok(()) => Ok(self.profiles_mut().insert(event.to_string(), profile)),
            Err(error) => Err(NotProfiled { error, profile: Box::new(profile) }),
        }
    }

    fn can_profile(&self, event: &str, every: Every) -> Result<(), Error> {
        if matches!(every, Every::Period(0) | Every::Frequency(0)) {
            return Err(Error::zero_period(event));
        }
        match self.resolved()?.metrics.iter().any(|metric| metric.is_called(event)) {
            true => Ok(()),
            false => Err(Error::not_in_set(event)),
        }
    }

    /// The events that have a profile.
    pub fn profiled(&self) -> Vec<&str> {
        self.profiles().keys().map(String::as_str).collect()
    }

    /// Opens the profiles of this set, which has none then.
    ///
    /// Sampling has begun unless the set is [delayed](EventSet::delayed); with a held command it begins with its exec.
    ///
    /// # Errors
    /// An event that is refused, with the reason. The profiles are still the set's.
    pub fn open_profiles(&mut self) -> Result<Profiling, Error> {
        let profiling = open::open(self)?;
        self.profiles_mut().clear();
        Ok(profiling)
    }
}
