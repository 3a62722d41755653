use super::open;
use super::recorder::Recorder;
use super::request::{NotProfiled, Profile};
use super::running::Profiling;
use crate::error::Error;
use crate::error::profile::ProfileError;
use crate::error::set::SetError;
use crate::event_set::EventSet;
use counterpoint_perf::Every;
use std::sync::Arc;

impl EventSet {
    /// Sets the profile of an event of this set, or removes it with `None` or a period of 0, PAPI's threshold. Returns the event's previous profile.
    ///
    /// Several events may have profiles at once; all names of an event stand for its one profile.
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
        let text = self.text_of(event);
        let Some(profile) = profile.into() else {
            return Ok(text.ok().and_then(|text| self.profiles_mut().remove(&text)));
        };
        let text = match profile.every {
            Every::Frequency(0) => {
                Err(Error::from(ProfileError::ZeroFrequency { event: event.to_string() }))
            }
            _ => text,
        };
        match text {
            Ok(text) if profile.every == Every::Period(0) => Ok(self.profiles_mut().remove(&text)),
            Ok(text) => Ok(self.profiles_mut().set(text, profile)),
            Err(error) => Err(NotProfiled { error, profile: Box::new(profile) }),
        }
    }

    /// The text with which an event was added; of a hybrid machine's event on one kind of core, its own name.
    fn text_of(&self, event: &str) -> Result<String, Error> {
        let resolved = self.resolved()?;
        let called = resolved.called(event);
        let first = called
            .first()
            .ok_or_else(|| Error::from(SetError::NotInSet { event: event.to_string() }))?;
        let is_whole = resolved.called(&first.event).len() == called.len();
        Ok(if is_whole { &first.event } else { event }.to_string())
    }

    /// The events that have a profile, in the order in which they got it.
    pub fn profiled(&self) -> Vec<&str> {
        self.profiles().iter().map(|(event, _)| event.as_str()).collect()
    }

    /// Opens the profiles of this set, which then has none.
    ///
    /// Sampling begins at once unless the set is [delayed](EventSet::delayed); with a held command, it begins with its exec.
    ///
    /// # Errors
    /// Returns an error with the reason for an event that cannot be opened. The set keeps its profiles.
    pub fn open_profiles(&mut self) -> Result<Profiling, Error> {
        let profiling = open::open(self, None)?;
        self.profiles_mut().clear();
        Ok(profiling)
    }

    /// The same, and keeps the records of all events.
    ///
    /// # Errors
    /// Also returns an error for an event that the kernel cannot sample by itself, and the error of the recorder.
    pub fn record_profiles(&mut self, recorder: Arc<dyn Recorder>) -> Result<Profiling, Error> {
        let profiling = open::open(self, Some(&recorder))?;
        self.profiles_mut().clear();
        Ok(profiling)
    }
}
