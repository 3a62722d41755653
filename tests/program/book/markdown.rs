//! The parts that the tests of documents read in a page of Markdown: fenced blocks, headings, links, rows of tables and comments.

/// A fenced block of a page.
pub(crate) struct Block {
    /// The word after the fence, such as `sh`.
    pub(crate) tag: String,
    /// The lines between the fences.
    pub(crate) text: String,
    /// The number of the line of the first fence.
    pub(crate) line: usize,
    /// The reason of a comment `<!-- not run: REASON -->` in the line before the block.
    pub(crate) not_run: Option<String>,
}

/// The fenced blocks of a page, in their order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut before = "";
    for (line, text) in numbered(page) {
        match (&mut open, text.strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.text.extend([text, "\n"]),
            (None, Some(tag)) => {
                let reason = before.strip_prefix("<!-- not run: ");
                let not_run = reason.and_then(|reason| reason.strip_suffix(" -->"));
                let (tag, not_run) = (tag.to_string(), not_run.map(str::to_string));
                open = Some(Block { tag, text: String::new(), line, not_run });
            }
            (None, None) => before = text,
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}

/// The level and the anchor of each heading. GitHub and mdBook make the same anchors.
pub(super) fn anchors(page: &str) -> Vec<(usize, String)> {
    let headings = prose(page).into_iter().filter(|(_, text)| text.starts_with('#'));
    let anchors = headings.map(|(_, text)| {
        let title = text.trim_start_matches('#');
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let words: String = title.trim().chars().filter(kept).collect();
        (text.len() - title.len(), words.to_lowercase().replace(' ', "-"))
    });
    anchors.collect()
}

/// The targets of links, with the numbers of their lines.
pub(super) fn links(page: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (line, text) in prose(page) {
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        links.extend(targets.map(|(target, _)| (line, target.to_string())));
    }
    links
}

/// The rows of tables below their headings, with the numbers of their lines.
pub(super) fn rows(page: &str) -> Vec<(usize, &str)> {
    let mut rows = Vec::new();
    let mut is_body = false;
    for (line, text) in prose(page) {
        if text.starts_with("|---") {
            is_body = true;
        } else if !text.starts_with('|') {
            is_body = false;
        } else if is_body {
            rows.push((line, text));
        }
    }
    rows
}

/// The texts of comments, with the numbers of the lines that they begin in.
pub(super) fn comments(page: &str) -> Vec<(usize, &str)> {
    let mut comments = Vec::new();
    for (line, text) in prose(page) {
        let begun = text.split("<!-- ").skip(1).filter_map(|rest| rest.split_once(" -->"));
        comments.extend(begun.map(|(comment, _)| (line, comment)));
    }
    comments
}

/// The lines outside fenced blocks, with their numbers.
fn prose(page: &str) -> Vec<(usize, &str)> {
    let mut is_block = false;
    let lines = numbered(page).filter(move |(_, text)| {
        let is_fence = text.starts_with("```");
        is_block ^= is_fence;
        !is_block && !is_fence
    });
    lines.collect()
}

fn numbered(page: &str) -> impl Iterator<Item = (usize, &str)> {
    page.lines().enumerate().map(|(place, text)| (place + 1, text))
}

#[test]
fn a_page_is_read() {
    let page = "# A `b` c\n\nSee [x](y.md#z).\n\n<!-- not run: why -->\n```sh\n# no heading\nrun\n```\n\n| a | b |\n|---|---|\n| 1 | 2 <!-- shown by: t::u --> |\n";
    assert_eq!(anchors(page), [(1, "a-b-c".to_string())]);
    assert_eq!(links(page), [(3, "y.md#z".to_string())]);
    assert_eq!(rows(page), [(13, "| 1 | 2 <!-- shown by: t::u --> |")]);
    assert_eq!(comments(page), [(5, "not run: why"), (13, "shown by: t::u")]);
    let blocks = blocks(page);
    assert_eq!((blocks.len(), blocks[0].line, &*blocks[0].tag), (1, 6, "sh"));
    assert_eq!(blocks[0].text, "# no heading\nrun\n");
    assert_eq!(blocks[0].not_run.as_deref(), Some("why"));
}
