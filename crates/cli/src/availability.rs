//! The availability of an event, in words.

use counterpoint::listing::Availability;

/// In a sentence.
pub fn state(availability: &Availability) -> String {
    match availability {
        Availability::Unavailable(reason) => format!("refused: {reason}"),
        _ => numbered(availability, &[]),
    }
}

/// In a word or two, with the number of the reason where there are several.
pub fn numbered(availability: &Availability, reasons: &[String]) -> String {
    match availability {
        Availability::Available => "available".to_string(),
        Availability::UserOnly => "user space only".to_string(),
        Availability::Unavailable(reason) => {
            let number = reasons.iter().position(|known| *known == reason.to_string()).unwrap_or(0);
            refused(number, reasons.len())
        }
        Availability::Needs(terms) => format!("needs {}", terms.join(" and ")),
        Availability::NotTested => "not tested".to_string(),
        _ => "not recorded".to_string(),
    }
}

/// Every reason that keeps one of the events from being counted, once.
pub fn reasons<'a>(states: impl Iterator<Item = &'a Availability>) -> Vec<String> {
    let mut reasons = Vec::new();
    for state in states {
        if let Availability::Unavailable(reason) = state
            && !reasons.contains(&reason.to_string())
        {
            reasons.push(reason.to_string());
        }
    }
    reasons
}

/// The word for a refusal, with a number where there is more than one reason.
pub fn refused(number: usize, reasons: usize) -> String {
    if reasons > 1 { format!("refused ({})", number + 1) } else { "refused".to_string() }
}

/// The words of machine formats.
pub fn status(availability: &Availability) -> (&'static str, Option<String>) {
    match availability {
        Availability::Available => ("available", None),
        Availability::UserOnly => ("user-only", None),
        Availability::Unavailable(reason) => ("refused", Some(reason.to_string())),
        Availability::Needs(terms) => ("needs", Some(terms.join(","))),
        Availability::NotTested => ("not-tested", None),
        _ => ("unknown", None),
    }
}
