//! Flame graphs of call trees.

use super::CallTree;
use super::profile::percent;
use super::svg::{escaped, text};
use super::table::cut_name;
use std::fmt::Write;

const WIDTH: f64 = 1200.0;
const ROW: usize = 17;
const HEAD: usize = 50;
/// The width in pixels below which a call is not drawn.
const NARROWEST: f64 = 0.3;
/// The width of a letter, on average.
const LETTER: f64 = 7.0;

impl CallTree {
    /// An SVG flame graph: each call is as wide as its share of the samples, and stands on its caller; hovering over it shows its samples.
    pub fn flame_graph(&self, title: &str) -> String {
        let (mut rows, mut body) = (1, String::new());
        let total = self.total().max(1) as f64;
        let scale = WIDTH / total;
        let mut drawn = Vec::new();
        // Calls to draw, with their row and left edge.
        let mut left: Vec<(usize, usize, f64)> = Vec::new();
        let push = |left: &mut Vec<(usize, usize, f64)>, calls: &[usize], row, mut x: f64| {
            for call in calls {
                let width = self.calls()[*call].whole() as f64 * scale;
                if width >= NARROWEST {
                    left.push((*call, row, x));
                }
                x += width;
            }
        };
        push(&mut left, &self.roots(), 0, 0.0);
        while let Some((index, row, x)) = left.pop() {
            rows = rows.max(row + 1);
            drawn.push((index, row, x));
            push(&mut left, &self.calls()[index].callees, row + 1, x);
        }
        let height = HEAD + rows * ROW + 10;
        for (index, row, x) in drawn {
            let call = &self.calls()[index];
            let (width, y) = (call.whole() as f64 * scale, height - 10 - (row + 1) * ROW);
            let percent = percent(call.whole(), self.total());
            let module = call.module.as_deref().map(|module| format!(" ({module})"));
            let tip = format!(
                "{}{}{}: {} samples, {percent:.2} %",
                call.function,
                if call.inlined { " (inlined)" } else { "" },
                module.unwrap_or_default(),
                call.whole()
            );
            let _ = write!(
                body,
                "<g><title>{}</title><rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"{}\" rx=\"1\" fill=\"{}\"/>",
                escaped(&tip),
                ROW - 1,
                color(&call.function)
            );
            let letters = ((width - 6.0) / LETTER).max(0.0) as usize;
            if letters >= 3 {
                let name = cut_name(&call.function, letters);
                text(&mut body, x as usize + 3, y + 12, "", &name);
            }
            body.push_str("</g>\n");
        }
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        text(&mut svg, 10, 30, "font-size=\"16\" font-weight=\"bold\"", title);
        svg + &body + "</svg>\n"
    }
}

/// A warm color that is the same for the same name.
fn color(name: &str) -> String {
    let hash = name.bytes().fold(5381_u32, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte));
    let (red, green, blue) = (225 + hash % 30, 110 + hash / 30 % 110, 50 + hash / 3300 % 50);
    format!("#{red:02x}{green:02x}{blue:02x}")
}
