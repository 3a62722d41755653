use crate::failure::Failure;
use counterpoint::perf::Host;

/// The value of `-F`: samples per second.
#[derive(Clone, Copy)]
pub enum Hertz {
    Of(u64),
    /// As many as the kernel allows.
    Most,
}

impl Hertz {
    /// The number; `host` knows what the kernel allows.
    pub fn number(self, host: &Host) -> Result<u64, Failure> {
        const FILE: &str = "/proc/sys/kernel/perf_event_max_sample_rate";
        match self {
            Hertz::Of(0) => Err(Failure::new("-F needs a number of at least 1")),
            Hertz::Of(number) => Ok(number),
            Hertz::Most => {
                let most = host.text(FILE).ok().and_then(|text| text.trim().parse().ok());
                most.ok_or_else(|| Failure::new(format!("-F max: {FILE} has no number")))
            }
        }
    }
}

/// A number, or `max`.
pub fn hertz(text: &str) -> Result<Hertz, String> {
    match text.parse() {
        _ if text == "max" => Ok(Hertz::Most),
        Ok(number) => Ok(Hertz::Of(number)),
        Err(_) => Err("write a number of samples per second, or `max`".to_string()),
    }
}
