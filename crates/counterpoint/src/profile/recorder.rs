//! Keeps the records of profiles.

/// Keeps the records of profiles as the kernel wrote them, while they are counted; the program that writes a file provides it.
pub trait Recorder: Send + Sync {
    /// Called once before the first record, with the events and the processes that run already.
    ///
    /// # Errors
    /// Returns an error if nothing can be kept; the profiles are then not opened.
    fn begin(&self, events: &[RecordedEvent], attached: &[u32]) -> std::io::Result<()>;

    /// Takes whole records of one ring, or none after all rings of an event have been read.
    fn records(&self, bytes: &[u8]);
}

/// An event of a recording; an event of a set has several if its PMUs, or its terms, are opened differently.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedEvent {
    /// The text with which the event was added to the set.
    pub name: String,
    /// The bytes of its `perf_event_attr`.
    pub attr: Vec<u8>,
    /// The kernel's ids of the event.
    pub ids: Vec<u64>,
}
