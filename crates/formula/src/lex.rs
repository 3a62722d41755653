//! Numbers and names: the tokens that the syntaxes share.

use alloc::borrow::Cow;
use alloc::format;

use crate::error::{LimitError, ParseError, ParseErrorKind};
use crate::number::Number;
use crate::span::Span;

/// The highest index of a numbered input.
const INDEX_MAX: u32 = 65_535;

pub(crate) fn error(start: usize, end: usize, kind: impl Into<ParseErrorKind>) -> ParseError {
    ParseError { span: start..end, kind: kind.into() }
}

pub(crate) fn at(span: Span, kind: impl Into<ParseErrorKind>) -> ParseError {
    error(span.0 as usize, span.1 as usize, kind)
}

/// Rejects a text whose offsets do not fit a span.
pub(crate) fn check_length(src: &str) -> Result<(), ParseError> {
    if u32::try_from(src.len()).is_err() {
        return Err(error(0, src.len(), LimitError::TooLong));
    }
    Ok(())
}

/// The length in bytes of the unsigned decimal number (digits, fraction and exponent) at the start of `text`; 0 if there is none.
///
/// An `e` that is not followed by digits is not part of the number.
fn decimal_len(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(0);
    let mut end = whole;
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return 0;
        }
        end += 1 + fraction;
    }
    if end > 0 && matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

/// The unsigned number at the start of `src[start..]`, which begins with a digit or a point, and where it ends.
pub(crate) fn number(src: &str, start: usize) -> Result<(Number, usize), ParseError> {
    let text = &src.as_bytes()[start..];
    let hexadecimal = text.len() > 1 && text[0] == b'0' && matches!(text[1], b'x' | b'X');
    let (value, len) = if hexadecimal {
        let digits = text[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
        (i128::from_str_radix(&src[start + 2..start + 2 + digits], 16).ok(), 2 + digits)
    } else {
        (None, decimal_len(text))
    };
    let glued = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
    let rest = text[len..].iter().take_while(glued).count();
    if rest > 0 || len == 0 || (hexadecimal && len == 2) {
        return Err(error(start, start + (len + rest).max(1), ParseErrorKind::MalformedNumber));
    }
    let end = start + len;
    let value = match value {
        Some(int) => Ok(Number::Int(int)),
        None if hexadecimal => Err(ParseErrorKind::NumberTooBig),
        None => decimal(&src[start..end]),
    };
    value.map(|value| (value, end)).map_err(|kind| error(start, end, kind))
}

/// The number that `text` as a whole is, with an optional sign.
pub(crate) fn signed_number(text: &str) -> Option<Result<Number, ParseErrorKind>> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || decimal_len(digits.as_bytes()) != digits.len() {
        return None;
    }
    let value = decimal(digits).map(|value| match value.canonical() {
        Number::Int(int) if text.starts_with('-') => Number::Int(-int),
        Number::Real(real) if text.starts_with('-') => Number::Real(-real),
        value => value,
    });
    Some(value)
}

/// The value of a well-formed decimal number, exact if it is an integer, and else the nearest double, if there is one but
/// 0 and infinity.
pub(crate) fn decimal(text: &str) -> Result<Number, ParseErrorKind> {
    if text.len() <= 18 && text.bytes().all(|b| b.is_ascii_digit()) {
        let int = text.bytes().fold(0, |int: i64, b| int * 10 + i64::from(b - b'0'));
        return Ok(Number::Int(int.into()));
    }
    if let Some(int) = whole(text) {
        return Ok(Number::Int(int));
    }
    match text.parse::<f64>() {
        Ok(0.0) => Err(ParseErrorKind::NumberTooSmall),
        Ok(real) if real.is_finite() => Ok(Number::Real(real)),
        _ => Err(ParseErrorKind::NumberTooBig),
    }
}

/// The exact value, if it is an integer and fits.
fn whole(text: &str) -> Option<i128> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let after = after.trim_end_matches('0');
    let digits = || before.bytes().chain(after.bytes()).map(|b| i128::from(b - b'0'));
    let zeros = exponent.checked_sub(i64::try_from(after.len()).ok()?)?;
    if let Ok(zeros) = u32::try_from(zeros) {
        let int = digits().try_fold(0_i128, |int, d| int.checked_mul(10)?.checked_add(d))?;
        if int == 0 { Some(0) } else { int.checked_mul(10_i128.checked_pow(zeros)?) }
    } else {
        // Digits that a negative exponent moves behind the point must be zeros.
        let moved = usize::try_from(zeros.unsigned_abs()).ok()?;
        let count = before.len() + after.len();
        let kept = count.saturating_sub(moved);
        if digits().skip(kept).any(|d| d != 0) {
            return None;
        }
        digits().take(kept).try_fold(0_i128, |int, d| int.checked_mul(10)?.checked_add(d))
    }
}

/// Returns true if a plain name may contain this byte after its first letter.
fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'%' | b':')
}

/// The name at the start of `src[start..]`, which begins with a letter, `_`, `#` or a backquote, and where it ends.
///
/// `N0` to `N65535` are returned without leading zeros, and a `%` after one of them or after `#` alone is the operator.
pub(crate) fn name(src: &str, start: usize) -> Result<(Cow<'_, str>, usize), ParseError> {
    let text = &src.as_bytes()[start..];
    match text.first() {
        Some(b'`') => return quoted(src, start),
        Some(b'#') if text.get(1) == Some(&b'%') => return Ok((Cow::Borrowed("#"), start + 1)),
        Some(b'#') => {
            let len = text.iter().skip(1).take_while(|b| continues_name(**b)).count();
            return Ok((Cow::Borrowed(&src[start..=start + len]), start + 1 + len));
        }
        _ => {}
    }
    let len = text.iter().take_while(|b| continues_name(**b)).count();
    let digits = text.iter().skip(1).take_while(|b| b.is_ascii_digit()).count();
    let numbered = text.first() == Some(&b'N') && digits > 0;
    if numbered && (1 + digits == len || text[1 + digits] == b'%') {
        return indexed(src, start, start + 1 + digits);
    }
    Ok((Cow::Borrowed(&src[start..start + len]), start + len))
}

/// The input `N<digits>` at `start..end`.
pub(crate) fn indexed(
    src: &str,
    start: usize,
    end: usize,
) -> Result<(Cow<'_, str>, usize), ParseError> {
    let text = &src[start..end];
    if index_of(text).is_some() {
        return Ok((Cow::Borrowed(text), end));
    }
    let index = text[1..].trim_start_matches('0');
    match if index.is_empty() { Ok(0) } else { index.parse::<u32>() } {
        Ok(index) if index <= INDEX_MAX => Ok((Cow::Owned(format!("N{index}")), end)),
        _ => Err(error(start, end, ParseErrorKind::IndexTooBig)),
    }
}

/// The index of a numbered input spelled without leading zeros.
pub(crate) fn index_of(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('N')?;
    let canonical = !digits.is_empty()
        && digits.len() <= 5
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    let index = canonical.then(|| digits.bytes().fold(0, |i, b| i * 10 + u32::from(b - b'0')))?;
    (index <= INDEX_MAX).then_some(index)
}

/// The name between backquotes; a doubled backquote stands for one.
fn quoted(src: &str, start: usize) -> Result<(Cow<'_, str>, usize), ParseError> {
    let mut doubled = false;
    let mut from = start + 1;
    while let Some(at) = src[from..].find('`') {
        let end = from + at;
        if src.as_bytes().get(end + 1) == Some(&b'`') {
            doubled = true;
            from = end + 2;
            continue;
        }
        let text = &src[start + 1..end];
        let text = if doubled { Cow::Owned(text.replace("``", "`")) } else { Cow::Borrowed(text) };
        return Ok((text, end + 1));
    }
    Err(error(start, start + 1, ParseErrorKind::UnclosedName))
}

/// Returns true if a name without backquotes parses to itself.
pub(crate) fn is_plain(text: &str) -> bool {
    let begins = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'#');
    !matches!(text, "if" | "else")
        && text.as_bytes().first().is_some_and(begins)
        && matches!(name(text, 0), Ok((same, end)) if same == text && end == text.len())
}

/// A name as infix text spells it.
pub(crate) fn spelled(name: &str) -> Cow<'_, str> {
    if is_plain(name) { Cow::Borrowed(name) } else { quoted_spelling(name) }
}

/// A name between backquotes.
pub(crate) fn quoted_spelling(name: &str) -> Cow<'_, str> {
    Cow::Owned(format!("`{}`", name.replace('`', "``")))
}
