//! A source name of C++ or Rust in pieces: those that readers read, and those that they skip.

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A part of the name itself.
    Text,
    /// Template or generic arguments, with their brackets.
    Arguments,
    /// Parameters, with their parentheses and the qualifiers behind them.
    Parameters,
    /// The return type before the name, with the blank behind it.
    Return,
    /// The mark of a copy that the compiler made of a function, such as ` [clone .isra.0]`, or the symbol of a name that is known in part.
    Mark,
}

/// A piece of a name; together they are the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'n> {
    pub(super) kind: Kind,
    pub(super) text: &'n str,
}

/// The longest name that is cut.
const LONGEST: usize = 4096;

/// The pieces of a name; one text if its brackets do not match, or if it is of another language.
pub(super) fn pieces(name: &str) -> Vec<Piece<'_>> {
    with_return(name, pieces_of_type(name))
}

/// The pieces of a type, in which a blank ends no return type.
pub(super) fn pieces_of_type(text: &str) -> Vec<Piece<'_>> {
    let mut scan = Scan::new(text);
    let is_cut = text.len() <= LONGEST && scan.run().is_some();
    if is_cut { scan.pieces } else { vec![Piece { kind: Kind::Text, text }] }
}

/// The name without what readers skip, also where others have the same.
pub(super) fn plain_name(name: &str) -> String {
    plain(&pieces(name))
}

pub(super) fn plain(pieces: &[Piece<'_>]) -> String {
    pieces.iter().map(|piece| placeholder(*piece)).collect()
}

/// A piece in a short name, where it does not tell two names apart.
pub(super) fn placeholder(piece: Piece<'_>) -> &str {
    match piece.kind {
        Kind::Text => piece.text,
        Kind::Arguments => "<…>",
        Kind::Parameters | Kind::Return | Kind::Mark => "",
    }
}

struct Scan<'n> {
    name: &'n str,
    pieces: Vec<Piece<'n>>,
    /// The beginning of the text that is in no piece yet.
    text: usize,
    at: usize,
    /// The place behind the last operator.
    operator: Option<usize>,
}

impl<'n> Scan<'n> {
    fn new(name: &'n str) -> Scan<'n> {
        Scan { name, pieces: Vec::new(), text: 0, at: 0, operator: None }
    }
}

impl<'n> Scan<'n> {
    fn rest(&self) -> &'n str {
        &self.name[self.at..]
    }

    /// Ends the text before this place, and adds a piece that reaches to `end`.
    fn add(&mut self, kind: Kind, end: usize) {
        if self.text < self.at {
            self.pieces.push(Piece { kind: Kind::Text, text: &self.name[self.text..self.at] });
        }
        self.pieces.push(Piece { kind, text: &self.name[self.at..end] });
        (self.text, self.at) = (end, end);
    }

    fn run(&mut self) -> Option<()> {
        while let Some(first) = self.rest().bytes().next() {
            match first {
                b'o' if self.is_operator() => self.skip_operator(),
                b'<' => self.angle()?,
                b'(' => self.parenthesis()?,
                b'{' if self.rest().starts_with("{lambda(") => self.at += "{lambda".len(),
                b'{' => self.at += closed(self.rest())?,
                b'[' if self.is_mark() => {
                    self.at -= 1;
                    let end = self.at + 1 + closed(&self.rest()[1..])?;
                    self.add(Kind::Mark, end);
                }
                b'[' => self.at += closed(self.rest())?,
                b'>' if self.name[..self.at].ends_with('-') => self.at += 1,
                b'>' | b')' | b']' => return None,
                _ => self.at += self.rest().chars().next().map_or(1, char::len_utf8),
            }
        }
        if self.text < self.at {
            self.pieces.push(Piece { kind: Kind::Text, text: &self.name[self.text..] });
        }
        Some(())
    }

    /// Returns true if the mark of a copy stands here, or the symbol of a name that is known in part.
    fn is_mark(&self) -> bool {
        let is_known = ["[clone", "[_Z"].iter().any(|mark| self.rest().starts_with(mark));
        is_known && self.name[..self.at].ends_with(' ')
    }

    /// Returns true if the word `operator` stands here.
    fn is_operator(&self) -> bool {
        let is_part = |byte: Option<u8>| byte.is_some_and(is_of_word);
        self.rest().starts_with(OPERATOR)
            && !is_part(self.name[..self.at].bytes().next_back())
            && !is_part(self.rest().as_bytes().get(OPERATOR.len()).copied())
    }

    /// Goes behind the operator, of which brackets may be a part.
    fn skip_operator(&mut self) {
        self.at += OPERATOR.len();
        let rest = self.rest();
        if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.at += symbol.len();
        } else if rest.starts_with(' ') {
            // A conversion to a type, of which the brackets belong to the name.
            let mut at = 1;
            while let Some(byte) = rest.as_bytes().get(at).filter(|byte| **byte != b'(') {
                at += match byte {
                    b'<' => closed(&rest[at..]).unwrap_or(1),
                    _ => 1,
                };
            }
            self.at += at.min(rest.len());
        } else {
            let is_other = |letter: char| !"+-*/%^&|~!=".contains(letter);
            self.at += rest.find(is_other).unwrap_or(rest.len());
        }
        self.operator = Some(self.at);
    }

    /// Arguments, or a type of Rust that stands for a path: `<A as B>`, `<impl A for B>`.
    fn angle(&mut self) -> Option<()> {
        let length = closed(self.rest())?;
        let before = &self.name[..self.at];
        let within = &self.rest()[1..length - 1];
        let end = self.at + length;
        let is_path = before.is_empty()
            || before.ends_with(' ') && !self.follows_operator()
            || before.ends_with("::") && within.starts_with("impl ");
        if !is_path {
            // Names of Python and JavaScript have words in such brackets.
            let after = self.name[end..].trim_start_matches("::");
            let is_word = after.starts_with(':') || within.starts_with("lambda(");
            if is_word || !before.ends_with(is_before_arguments) {
                self.at = end;
            } else {
                self.add(Kind::Arguments, end);
            }
            return Some(());
        }
        self.at += 1;
        self.pieces.push(Piece { kind: Kind::Text, text: &self.name[self.text..self.at] });
        for piece in parts_of_path(within).into_iter().flat_map(pieces_of_type) {
            self.pieces.push(piece);
        }
        (self.text, self.at) = (end - 1, end);
        Some(())
    }

    /// `operator<< <char>` has a blank before its arguments.
    fn follows_operator(&self) -> bool {
        let before = self.name[..self.at].trim_end();
        SYMBOLS.iter().any(|symbol| {
            before.strip_suffix(symbol).is_some_and(|before| before.ends_with(OPERATOR))
        })
    }

    /// Parameters, or a part of the name such as `(anonymous namespace)`.
    fn parenthesis(&mut self) -> Option<()> {
        let length = closed(self.rest())?;
        let last = self.name[..self.at].bytes().next_back();
        let after = &self.rest()[length..];
        let qualifiers = qualifiers(after);
        let after = &after[qualifiers..];
        let is_end = after.is_empty()
            || ["::", " [", "#", "@", "."].iter().any(|next| after.starts_with(next));
        let is_call = self.operator == Some(self.at)
            || last.is_some_and(|last| is_of_word(last) || b">]}".contains(&last));
        if is_call && is_end {
            self.add(Kind::Parameters, self.at + length + qualifiers);
        } else {
            self.at += length;
        }
        Some(())
    }
}

const OPERATOR: &str = "operator";

/// The operators with brackets in their names, longer ones first.
const SYMBOLS: [&str; 14] =
    ["()", "[]", "<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "<", ">", ","];

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// Returns true for the last letter of what has arguments: a word, `::`, an operator, or a mark such as `[abi:cxx11]`.
fn is_before_arguments(last: char) -> bool {
    last.is_alphanumeric() || "_$:]})<>=+-*/%^&|!,".contains(last) || last == ' '
}

/// The length of the qualifiers of a member function.
fn qualifiers(text: &str) -> usize {
    let mut at = 0;
    while let Some(next) = [" const", " volatile", " noexcept", " &&", " &"]
        .iter()
        .find(|q| text[at..].starts_with(**q))
    {
        at += next.len();
    }
    at
}

/// The length of the bracket at the beginning, with what is in it; `None` if it is not closed.
pub(super) fn closed(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' if !bytes[..at].ends_with(OPERATOR.as_bytes()) => open.push(b'>'),
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            // Of `->`, or greater than in an expression.
            b'>' if bytes[..at].ends_with(b"-") || open.last() != Some(&b'>') => {}
            b'>' => {
                open.pop();
            }
            b')' | b']' | b'}' => {
                // Less than in an expression is not closed.
                while open.last() == Some(&b'>') {
                    open.pop();
                }
                if open.pop() != Some(*byte) {
                    return None;
                }
            }
            _ => {}
        }
        if open.is_empty() {
            return Some(at + 1);
        }
    }
    None
}

/// The text in parts, cut behind each `separator` outside brackets; `None` if the brackets do not match.
pub(super) fn parts<'t>(text: &'t str, separator: &str) -> Option<Vec<&'t str>> {
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    while let Some(byte) = text.as_bytes().get(at) {
        if text.is_char_boundary(at) && text[at..].starts_with(separator) {
            parts.push(&text[from..at + separator.len()]);
            at += separator.len();
            from = at;
        } else if b"<([{".contains(byte) {
            at += closed(&text[at..])?;
        } else {
            at += 1;
        }
    }
    parts.push(&text[from..]);
    Some(parts)
}

/// The types of `A as B` and `impl A for B`, with the words between them.
fn parts_of_path(text: &str) -> Vec<&str> {
    let mut all = vec![text];
    for separator in [" as ", " for "] {
        match all.iter().map(|text| parts(text, separator)).collect::<Option<Vec<_>>>() {
            Some(cut) => all = cut.concat(),
            None => return vec![text],
        }
    }
    all
}

/// Makes a piece of the return type, which only functions with parameters have.
fn with_return<'n>(name: &'n str, pieces: Vec<Piece<'n>>) -> Vec<Piece<'n>> {
    let Some(parameters) = pieces.iter().position(|of| of.kind == Kind::Parameters) else {
        return pieces;
    };
    let (mut start, mut at) = (0, 0);
    for Piece { kind, text } in &pieces[..parameters] {
        let until = text.find(OPERATOR).unwrap_or(text.len());
        if *kind == Kind::Text {
            start = last_blank(&text[..until]).map_or(start, |blank| at + blank + 1);
            if until < text.len() {
                break;
            }
        }
        at += text.len();
    }
    if start == 0 {
        return pieces;
    }
    let (mut cut, mut at) = (vec![Piece { kind: Kind::Return, text: &name[..start] }], 0);
    for Piece { kind, text } in pieces {
        let hidden = start.saturating_sub(at).min(text.len());
        at += text.len();
        if hidden < text.len() {
            cut.push(Piece { kind, text: &text[hidden..] });
        }
    }
    cut
}

/// The last blank that ends a return type: none in brackets, and none behind the words of `vtable for A` and `thunk to f()`.
fn last_blank(text: &str) -> Option<usize> {
    let (mut blank, mut at) = (None, 0);
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'(' | b'{' | b'[' => at += closed(&text[at..]).unwrap_or(1),
            b' ' => {
                let is_of_name = [" for", " to"].iter().any(|word| text[..at].ends_with(word));
                blank = if is_of_name { None } else { Some(at) };
                at += 1;
            }
            _ => at += 1,
        }
    }
    blank
}
