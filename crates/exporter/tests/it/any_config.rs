//! Any text is a configuration that counts something, or an error with its place in the text; the fuzz target calls `check`.

use counterpoint_exporter::Config;

/// Checks what holds for any text.
pub(crate) fn check(text: &str) {
    match Config::read(text) {
        Ok(config) => {
            assert!(config.series > 0 && !config.interval.is_zero());
            assert!(!config.counts.is_empty());
            for counted in &config.counts {
                assert!(!counted.targets.is_empty());
                let names = counted.events.iter().chain(&counted.metrics);
                let places: Vec<_> = names.map(|name| name.place).collect();
                assert!(!places.is_empty());
                places.iter().for_each(|place| assert_within(text, place.line, place.column));
            }
        }
        Err(error) => {
            assert!(!error.text.is_empty() && error.help.is_some(), "{error:?}");
            assert_within(text, error.place.line, error.place.column);
        }
    }
}

/// A mistake may be right after the last line, or after the last character of one.
fn assert_within(text: &str, line: usize, column: usize) {
    let lines: Vec<&str> = text.split('\n').collect();
    assert!((1..=lines.len()).contains(&line), "line {line} of {text:?}");
    let length = lines[line - 1].chars().count();
    assert!((1..=length + 1).contains(&column), "{line}:{column} of {text:?}");
}

#[cfg(test)]
mod tests {
    use super::check;

    /// Each seed, cut off at each place, and with each of its bytes in turn replaced by another.
    #[test]
    fn seeds() {
        for seed in crate::seeds::of("exporter_config") {
            for place in 0..=seed.len() {
                check(&String::from_utf8_lossy(&seed[..place]));
                for byte in [0, b'"', b'\n', b'[', b'9', 0xff] {
                    let mut damaged = seed.clone();
                    damaged.get_mut(place).into_iter().for_each(|found| *found = byte);
                    check(&String::from_utf8_lossy(&damaged));
                }
            }
        }
    }
}
