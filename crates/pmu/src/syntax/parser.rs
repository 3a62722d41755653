//! One pass over an event list, from left to right.

use std::ops::Range;

use super::error::{SyntaxError, SyntaxErrorKind, error};
use super::event::{EventSpec, Group, Source, Term, Value};
use super::modifiers::{Modifiers, letters, split_modifiers};
use super::places::{breakpoint, number, probe, probe_length};

/// The groups of an event list, in order; an event outside braces is a group of its own.
///
/// ```
/// use counterpoint_pmu::syntax::{self, Source};
///
/// let groups = syntax::parse("{cycles,instructions}:u,cpu/event=0x3c,umask=1/k,r1a8").unwrap();
/// assert_eq!(groups.len(), 3);
/// assert!(groups[0].braces && groups[0].events.iter().all(|event| event.modifiers.user));
/// assert_eq!(groups[1].events[0].text, "cpu/event=0x3c,umask=1/k");
/// assert!(matches!(groups[2].events[0].source, Source::Raw(0x1a8)));
///
/// let error = syntax::parse("{cycles,instructions").unwrap_err();
/// assert_eq!(error.span, 0..1);
/// ```
///
/// # Errors
///
/// The first place where the text is none of these forms.
pub fn parse(list: &str) -> Result<Vec<Group>, SyntaxError> {
    Parser::new(list).list()
}

/// The terms of a whole text such as `event=0x3c,umask=0x1`.
pub(crate) fn terms(text: &str) -> Result<Vec<Term>, SyntaxError> {
    let mut parser = Parser::new(text);
    let terms = parser.terms()?;
    if parser.at == text.len() {
        Ok(terms)
    } else {
        error(parser.at..text.len(), SyntaxErrorKind::UnclosedTerms)
    }
}

pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Parser { text, at: 0 }
    }

    /// list = group-or-event { "," group-or-event }
    pub(super) fn list(mut self) -> Result<Vec<Group>, SyntaxError> {
        let mut groups = Vec::new();
        loop {
            self.skip_blanks();
            groups.push(match self.peek() {
                Some('{') => self.group()?,
                _ => Group { events: vec![self.event()?], braces: false },
            });
            match self.peek() {
                None => return Ok(groups),
                Some(',') => self.at += 1,
                Some('{') => return error(self.at..self.at + 1, SyntaxErrorKind::MissingComma),
                Some(_) => return error(self.at..self.at + 1, SyntaxErrorKind::UnopenedGroup),
            }
        }
    }

    /// group = "{" event { "," event } "}" [ ":" modifiers ]
    fn group(&mut self) -> Result<Group, SyntaxError> {
        let open = self.at..self.at + 1;
        let mut events = Vec::new();
        while self.peek() != Some('}') {
            self.at += 1;
            self.skip_blanks();
            match self.peek() {
                None => return error(open, SyntaxErrorKind::UnclosedGroup),
                Some('{') => return error(self.at..self.at + 1, SyntaxErrorKind::NestedGroup),
                Some(_) => events.push(self.event()?),
            }
            match self.peek() {
                None => return error(open, SyntaxErrorKind::UnclosedGroup),
                Some('{') => return error(self.at..self.at + 1, SyntaxErrorKind::NestedGroup),
                Some(_) => {}
            }
        }
        self.at += 1;
        let tail = self.trimmed(self.until(&[','], self.at));
        self.at = self.until(&[','], self.at).end;
        if let Some(spelled) = self.text[tail.clone()].strip_prefix(':') {
            apply(&mut events, letters(spelled, tail.start + 1)?);
        } else if !tail.is_empty() {
            return error(tail, SyntaxErrorKind::AfterGroup);
        }
        Ok(Group { events, braces: true })
    }

    /// One event, up to the comma or brace that ends it.
    fn event(&mut self) -> Result<EventSpec, SyntaxError> {
        let start = self.at;
        let plain = self.until(&[',', '}', '{', '/'], start);
        let is_breakpoint = self.text[start..].starts_with("mem:");
        let probe_end = probe_length(&self.text[start..]).map(|length| start + length);
        if !is_breakpoint && probe_end.is_none() && self.text[plain.end..].starts_with('/') {
            return self.pmu_event(start, plain.end);
        }
        let whole = match probe_end {
            Some(end) => start..end,
            None => self.until(&[',', '}', '{'], start),
        };
        self.at = whole.end;
        let span = self.trimmed(whole.clone());
        if span.is_empty() {
            let at = whole.end;
            return error(at..(at + 1).min(self.text.len()), SyntaxErrorKind::MissingEvent);
        }
        let text = &self.text[span.clone()];
        let (source, modifiers) = match raw(text) {
            _ if is_breakpoint => breakpoint(text, span.start)?,
            _ if probe_end.is_some() => probe(text, span.start)?,
            Some((code, modifiers)) => (Source::Raw(code), modifiers),
            None => (Source::Name(text.to_owned()), Modifiers::default()),
        };
        Ok(EventSpec { text: text.to_owned(), span, source, modifiers })
    }

    /// pmu "/" terms "/" [ [":"] modifiers ], or component "/" instance "/" field "/"
    fn pmu_event(&mut self, start: usize, slash: usize) -> Result<EventSpec, SyntaxError> {
        let pmu_span = self.trimmed(start..slash);
        if pmu_span.is_empty() {
            return error(slash..slash + 1, SyntaxErrorKind::MissingPmu);
        }
        self.at = slash + 1;
        let terms = self.terms()?;
        if self.peek() != Some('/') {
            return error(slash..slash + 1, SyntaxErrorKind::UnclosedTerms);
        }
        let tail = self.until(&[',', '}', '{'], self.at + 1);
        self.at = tail.end;
        let tail = self.trimmed(tail);
        let spelled = &self.text[tail.clone()];
        // `net/eth0/rx_bytes/` is a name with its instance, and no PMU; it may be followed by modifiers by mistake.
        let is_word = matches!(terms.as_slice(), [term] if term.value == Value::Flag);
        if is_word
            && spelled
                .split_once('/')
                .is_some_and(|(field, end)| !field.is_empty() && !end.contains('/'))
        {
            let span = pmu_span.start..tail.end;
            let text = self.text[span.clone()].to_owned();
            let source = Source::Name(text.clone());
            return Ok(EventSpec { text, span, source, modifiers: Modifiers::default() });
        }
        let without = spelled.strip_prefix(':').unwrap_or(spelled);
        let modifiers = letters(without, tail.end - without.len()).map_err(|error| {
            let is_field = is_word && without.len() > 1 && without == spelled;
            let kind = SyntaxErrorKind::UnclosedField(without.to_owned());
            if is_field { SyntaxError { span: tail.clone(), kind } } else { error }
        })?;
        let span = pmu_span.start..tail.end;
        let pmu = self.text[pmu_span.clone()].to_owned();
        let text = self.text[span.clone()].to_owned();
        Ok(EventSpec { text, span, source: Source::Pmu { pmu, pmu_span, terms }, modifiers })
    }

    /// terms = [ term { "," term } ], up to a slash or the end.
    fn terms(&mut self) -> Result<Vec<Term>, SyntaxError> {
        let mut terms = Vec::new();
        self.skip_blanks();
        if matches!(self.peek(), None | Some('/')) {
            return Ok(terms);
        }
        loop {
            terms.push(self.term()?);
            match self.peek() {
                Some(',') => self.at += 1,
                _ => return Ok(terms),
            }
        }
    }

    /// term = name [ "=" value ] | quote text quote
    fn term(&mut self) -> Result<Term, SyntaxError> {
        self.skip_blanks();
        if let Some(quote @ ('\'' | '"')) = self.peek() {
            let (_, span) = self.quoted(quote)?;
            let name = self.text[span.clone()].to_owned();
            return Ok(Term { name, value: Value::Flag, span: span.clone(), value_span: span });
        }
        let name = self.trimmed(self.until(&[',', '/', '='], self.at));
        self.at = self.until(&[',', '/', '='], self.at).end;
        if name.is_empty() {
            let at = self.at..(self.at + 1).min(self.text.len());
            return error(at, SyntaxErrorKind::MissingTerm);
        }
        let text = self.text[name.clone()].to_owned();
        if self.peek() != Some('=') {
            return Ok(Term {
                name: text,
                value: Value::Flag,
                span: name.clone(),
                value_span: name,
            });
        }
        let equals = self.at..self.at + 1;
        self.at = equals.end;
        self.skip_blanks();
        let (value, value_span) = match self.peek() {
            Some(quote @ ('\'' | '"')) => self.quoted(quote)?,
            _ => self.bare_value(equals)?,
        };
        Ok(Term { name: text, value, span: name.start..value_span.end, value_span })
    }

    fn bare_value(&mut self, equals: Range<usize>) -> Result<(Value, Range<usize>), SyntaxError> {
        let whole = self.until(&[',', '/'], self.at);
        self.at = whole.end;
        let span = self.trimmed(whole);
        if span.is_empty() {
            return error(equals, SyntaxErrorKind::MissingValue);
        }
        let text = &self.text[span.clone()];
        match number(text) {
            Some(Some(number)) => Ok((Value::Number(number), span)),
            Some(None) => error(span, SyntaxErrorKind::NumberTooBig),
            None => Ok((Value::Text(text.to_owned()), span)),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<(Value, Range<usize>), SyntaxError> {
        let inner = self.until(&[quote], self.at + 1);
        if inner.end == self.text.len() {
            return error(self.at..self.at + 1, SyntaxErrorKind::UnclosedQuote);
        }
        let span = self.at..inner.end + 1;
        let rest = self.trimmed(self.until(&[',', '/'], span.end));
        if !rest.is_empty() {
            return error(rest, SyntaxErrorKind::AfterQuote);
        }
        self.at = self.until(&[',', '/'], span.end).end;
        Ok((Value::Text(self.text[inner].to_owned()), span))
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// From `from` to the next of `ends`, or to the end of the text.
    fn until(&self, ends: &[char], from: usize) -> Range<usize> {
        let length = self.text[from..].find(ends).unwrap_or(self.text.len() - from);
        from..from + length
    }

    /// The span without blanks at either end.
    fn trimmed(&self, span: Range<usize>) -> Range<usize> {
        let text = &self.text[span.clone()];
        let start = span.start + text.len() - text.trim_start().len();
        start..start + text.trim().len()
    }
}

/// A group's modifiers on its events; those of the group as a whole go to the first.
fn apply(events: &mut [EventSpec], group: Modifiers) {
    let member = Modifiers { pinned: false, exclusive: false, weak: false, ..group };
    for (index, event) in events.iter_mut().enumerate() {
        event.modifiers = event.modifiers.with(if index == 0 { group } else { member });
    }
}

/// `rHEX` with at most perf's modifiers after it; anything else is a name.
fn raw(text: &str) -> Option<(u64, Modifiers)> {
    let (name, modifiers) = split_modifiers(text);
    let digits = name.strip_prefix('r')?;
    let digits = digits.strip_prefix("0x").unwrap_or(digits);
    // Sixteen digits are all that a register holds; a longer name is a name.
    let is_code = (1..=16).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let code = u64::from_str_radix(digits, 16).ok().filter(|_| is_code)?;
    Some((code, modifiers.unwrap_or_default()))
}
