use super::open;
use super::request::{NotProfiled, Profile};
use super::running::Profiling;
use crate::{Error, EventSet};
use counterpoint_perf::Every;

impl EventSet {
    /// Sets the profile of an event of this set, or removes it with `None` or a period of 0, PAPI's threshold. Returns the event's previous profile.
    ///
    /// Several events may have profiles at once.
    ///
    /// # Errors
    /// Returns an error, with the profile, for an event that is not in the set, a name that cannot be found, and a frequency of zero; the set is then unchanged.
    #[doc(alias = "PAPI_profil")]
    #[doc(alias = "PAPI_sprofil")]
    pub fn profile(
        &mut self,
        event: &str,
        profile: impl Into<Option<Profile>>,
    ) -> Result<Option<Profile>, NotProfiled> {
        let Some(profile) = profile.into() else { return Ok(self.profiles_mut().remove(event)) };
        match self.can_profile(event, profile.every) {
            Ok(()) if profile.every == Every::Period(0) => Ok(self.profiles_mut().remove(event)),
            Ok(()) => Ok(self.profiles_mut().insert(event.to_string(), profile)),
            Err(error) => Err(NotProfiled { error, profile: Box::new(profile) }),
        }
    }

    fn can_profile(&self, event: &str, every: Every) -> Result<(), Error> {
        if every == Every::Frequency(0) {
            return Err(Error::zero_frequency(event));
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

    /// Opens the profiles of this set, which then has none.
    ///
    /// Sampling begins at once unless the set is [delayed](EventSet::delayed); with a held command, it begins with its exec.
    ///
    /// # Errors
    /// Returns an error with the reason for an event that cannot be opened. The set keeps its profiles.
    pub fn open_profiles(&mut self) -> Result<Profiling, Error> {
        let profiling = open::open(self)?;
        self.profiles_mut().clear();
        Ok(profiling)
    }
}
