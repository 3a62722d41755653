//! `EVENT:MASK…` as numbers.

use super::error::{DispatchError, ErrorKind};
use super::model::Model;
use super::table::{Row, Table};

/// At most this many unit masks go with an event.
const MOST_MASKS: usize = 48;

impl Model {
    /// The numbers of an event and its unit masks, from libpfm-3's `EVENT[:MASK]*`.
    ///
    /// Names are in any case. A number stands for the unit mask of that code, or for all that it is put
    /// together of. A unit mask that is there already is left out.
    ///
    /// Errors: [`ErrorKind::NotFound`] for the event, [`ErrorKind::UnitMask`] for its unit masks,
    /// [`ErrorKind::TooMany`] for more than 48.
    ///
    /// ```
    /// use counterpoint_pmu::libpfm3::{ErrorKind, Model};
    ///
    /// let model = Model::find("gen_ia32_v2").unwrap();
    /// assert_eq!(model.resolve("instructions_retired").unwrap(), (1, vec![]));
    /// assert_eq!(model.resolve("CYCLES").unwrap_err().kind(), ErrorKind::NotFound);
    /// ```
    #[doc(alias = "pfm_find_full_event")]
    pub fn resolve(&self, text: &str) -> Result<(usize, Vec<usize>), DispatchError> {
        let (name, masks) = match text.split_once(':') {
            Some((name, masks)) => (name, Some(masks)),
            None => (text, None),
        };
        let table = self.table();
        let known = |row: &Row| row.supported && row.name.eq_ignore_ascii_case(name);
        let Some(event) = table.events.iter().position(known) else {
            let reason = "the model has no event of this name";
            return Err(DispatchError::new(ErrorKind::NotFound, reason));
        };
        Ok((event, numbers(table, &table.events[event], masks)?))
    }
}

/// The numbers of the unit masks between colons.
fn numbers(table: &Table, event: &Row, tokens: Option<&str>) -> Result<Vec<usize>, DispatchError> {
    let refused = |reason| Err(DispatchError::new(ErrorKind::UnitMask, reason));
    let tokens = match (event.mask_count(), tokens) {
        (0, None) => return Ok(Vec::new()),
        (0, Some(_)) => return refused("the event has no unit masks"),
        (_, None) => return refused("the event needs a unit mask"),
        (_, Some(tokens)) => tokens,
    };
    let mut found: Vec<usize> = Vec::new();
    for token in tokens.split(':') {
        let Some(added) = token_masks(table.masks(event), token) else {
            return refused("the event has no unit mask of this name or code");
        };
        for mask in added {
            if !found.contains(&mask) {
                found.push(mask);
            }
        }
        if found.len() > MOST_MASKS {
            let reason = "there are more than 48 unit masks";
            return Err(DispatchError::new(ErrorKind::TooMany, reason));
        }
    }
    Ok(found)
}

/// A name; or the code of one mask; or a code that several make up together.
fn token_masks(masks: &[Row], token: &str) -> Option<Vec<usize>> {
    let named = |mask: &Row| mask.supported && mask.name.eq_ignore_ascii_case(token);
    if let Some(mask) = masks.iter().position(named) {
        return Some(vec![mask]);
    }
    let code = c_number(token)?;
    if let Some(mask) = masks.iter().position(|mask| mask.code == code) {
        return Some(vec![mask]);
    }
    let within = |(index, mask): (usize, &Row)| (mask.code & !code == 0).then_some(index);
    let found: Vec<usize> = masks.iter().enumerate().filter_map(within).collect();
    let all = found.iter().fold(0, |all, index| all | masks[*index].code);
    (all == code).then_some(found)
}

/// Decimal, `0x` hexadecimal, or octal with a leading 0, as C reads numbers.
fn c_number(token: &str) -> Option<u64> {
    let lower = token.to_ascii_lowercase();
    // A sign can only come first.
    if lower.starts_with('0') && lower.contains('+') {
        return None;
    }
    match (lower.strip_prefix("0x"), lower.strip_prefix('0')) {
        (Some(hex), _) => u64::from_str_radix(hex, 16).ok(),
        (None, Some(octal)) if !octal.is_empty() => u64::from_str_radix(octal, 8).ok(),
        _ => lower.parse().ok(),
    }
}
