//! The letters after an event's last `:` or `/`, as perf-list(1) has them.

use super::error::{SyntaxError, SyntaxErrorKind};
use crate::privilege::Privilege;

/// perf's modifier letters.
///
/// With none of `user`, `kernel` and `hypervisor` set, every privilege level is counted; with any of
/// them, exactly those set. `host` and `guest` work in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Modifiers {
    /// `u`: count in user space.
    pub user: bool,
    /// `k`: count in the kernel.
    pub kernel: bool,
    /// `h`: count in the hypervisor.
    pub hypervisor: bool,
    /// `H`: count in the host, outside virtual machines.
    pub host: bool,
    /// `G`: count in guests.
    pub guest: bool,
    /// `I`: leave out the idle task.
    pub exclude_idle: bool,
    /// `p`, `pp`, `ppp`: how exact the sampled address must be, 0 to 3.
    pub precise: u8,
    /// `P`: the most exact level that the machine has.
    pub precise_max: bool,
    /// `D`: keep the event on the PMU, or fail.
    pub pinned: bool,
    /// `e`: the group has the PMU to itself.
    pub exclusive: bool,
    /// `W`: count the members singly if they do not fit as a group.
    pub weak: bool,
    /// `S`: samples of the leader hold the counts of its group; it does not change what is counted.
    pub sample_read: bool,
}

impl Modifiers {
    /// No modifier is written.
    pub fn is_empty(&self) -> bool {
        *self == Modifiers::default()
    }

    /// The privilege levels that `u`, `k` and `h` choose; `None` if none of them is written, so that all are counted.
    pub fn levels(&self) -> Option<Privilege> {
        let letters = [
            (self.user, Privilege::USER),
            (self.kernel, Privilege::KERNEL),
            (self.hypervisor, Privilege::HYPERVISOR),
        ];
        let written = letters.into_iter().filter(|(is_written, _)| *is_written);
        written.map(|(_, level)| level).reduce(|all, level| all | level)
    }

    /// An event's own modifiers with its group's added, as perf joins them: levels add up.
    pub fn with(self, other: Modifiers) -> Modifiers {
        Modifiers {
            user: self.user || other.user,
            kernel: self.kernel || other.kernel,
            hypervisor: self.hypervisor || other.hypervisor,
            host: self.host || other.host,
            guest: self.guest || other.guest,
            exclude_idle: self.exclude_idle || other.exclude_idle,
            precise: self.precise.max(other.precise),
            precise_max: self.precise_max || other.precise_max,
            pinned: self.pinned || other.pinned,
            exclusive: self.exclusive || other.exclusive,
            weak: self.weak || other.weak,
            sample_read: self.sample_read || other.sample_read,
        }
    }

    fn flag(&mut self, letter: char) -> Option<&mut bool> {
        Some(match letter {
            'u' => &mut self.user,
            'k' => &mut self.kernel,
            'h' => &mut self.hypervisor,
            'H' => &mut self.host,
            'G' => &mut self.guest,
            'I' => &mut self.exclude_idle,
            'P' => &mut self.precise_max,
            'D' => &mut self.pinned,
            'e' => &mut self.exclusive,
            'W' => &mut self.weak,
            'S' => &mut self.sample_read,
            _ => return None,
        })
    }
}

/// Splits perf's modifiers off an event's name: `cycles:u`, `PAPI_TOT_CYC:uk`, `cpu/event=0x3c/u`.
///
/// `None`, with the whole text, if the part after the last `:` or `/` is not made of modifier letters
/// alone: it is then part of the name, such as a unit mask.
///
/// ```
/// use counterpoint_pmu::syntax::split_modifiers;
///
/// let (name, modifiers) = split_modifiers("cycles:uk");
/// assert_eq!(name, "cycles");
/// assert!(modifiers.is_some_and(|m| m.user && m.kernel && !m.hypervisor));
/// assert_eq!(split_modifiers("L1D:REPLACEMENT"), ("L1D:REPLACEMENT", None));
/// ```
pub fn split_modifiers(text: &str) -> (&str, Option<Modifiers>) {
    let Some(at) = text.rfind([':', '/']) else { return (text, None) };
    let name = if text[at..].starts_with(':') {
        &text[..at]
    } else if text[..at].contains('/') {
        // The slash closes the terms of `pmu/…/`, so it stays; a lone one is part of a name.
        &text[..=at]
    } else {
        return (text, None);
    };
    match letters(&text[at + 1..], at + 1) {
        Ok(modifiers) if !modifiers.is_empty() => (name, Some(modifiers)),
        _ => (text, None),
    }
}

/// The modifiers that `text` spells; `at` is where it starts in the whole.
pub(super) fn letters(text: &str, at: usize) -> Result<Modifiers, SyntaxError> {
    let mut modifiers = Modifiers::default();
    for (offset, letter) in text.char_indices() {
        let span = at + offset..at + offset + letter.len_utf8();
        if letter == 'p' {
            modifiers.precise += 1;
            if modifiers.precise > 3 {
                return Err(SyntaxError { span, kind: SyntaxErrorKind::TooPrecise });
            }
            continue;
        }
        match modifiers.flag(letter) {
            None => {
                return Err(SyntaxError { span, kind: SyntaxErrorKind::UnknownModifier(letter) });
            }
            Some(true) => {
                return Err(SyntaxError { span, kind: SyntaxErrorKind::RepeatedModifier(letter) });
            }
            Some(flag) => *flag = true,
        }
    }
    Ok(modifiers)
}
