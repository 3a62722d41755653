//! A real browser without a window: opens pages, takes pictures, and runs scripts.

use crate::project::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The names under which the browser is installed.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// An installed browser, without a window.
pub struct Browser {
    program: &'static str,
}

impl Browser {
    pub fn find() -> Result<Browser, String> {
        let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
        let program = BROWSERS.into_iter().find(|name| is_there(name));
        program.map(|program| Browser { program }).ok_or_else(|| {
            "no browser: install Debian's or Ubuntu's package `chromium`".to_string()
        })
    }

    fn open(&self, page: &Path, options: &[&str]) -> Result<(String, String), String> {
        let profile = root().join("target/browser/profile");
        let mut command = Command::new(self.program);
        command.args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--window-size=1200,1000",
            "--enable-logging=stderr",
        ]);
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.args(options).arg(format!("file://{}", page.display()));
        let output = command.output().map_err(|error| format!("{}: {error}", self.program))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() {
            Ok((text(&output.stdout), text(&output.stderr)))
        } else {
            Err(format!("{}: {}", self.program, text(&output.stderr)))
        }
    }

    /// The page as its script has drawn it; an error if the script failed.
    pub fn dom(&self, page: &Path) -> Result<String, String> {
        let (dom, log) = self.open(page, &["--dump-dom"])?;
        let said = log.lines().find(|line| line.contains("CONSOLE"));
        match said {
            Some(line) => Err(format!("{}: {line}", page.display())),
            None if dom.contains("<p class=\"error\">The page could not") => {
                Err("the script failed".to_string())
            }
            None => Ok(dom),
        }
    }

    /// Takes a picture, which must not be blank.
    pub fn is_drawn(&self, page: &Path) -> Result<(), String> {
        let picture = page.with_extension("png");
        self.open(page, &[&format!("--screenshot={}", picture.display())])?;
        let shades = shades(&picture)?;
        match shades {
            ..8 => Err(format!("{} has only {shades} colours", picture.display())),
            _ => Ok(()),
        }
    }
}

/// Opens a copy of the page with a script, whose answer must have these words; returns the answer.
pub fn answers(
    browser: &Browser,
    page: &Path,
    script: &str,
    words: &[&str],
) -> Result<String, String> {
    let text = fs::read_to_string(page).map_err(|error| error.to_string())?;
    let copy = page.with_extension("probe.html");
    let write = "document.body.append(Object.assign(document.createElement('p'), { id: 'probe', textContent: answer }));";
    let probe = format!("<script>{{{script}{write}}}</script></body>");
    fs::write(&copy, text.replace("</body>", &probe)).map_err(|error| error.to_string())?;
    let dom = browser.dom(&copy)?;
    let (_, answer) = dom.split_once("id=\"probe\">").ok_or("the page says nothing")?;
    let answer = answer.split('<').next().unwrap_or_default().to_string();
    match words.iter().find(|word| !answer.contains(**word)) {
        Some(word) => Err(format!("the page does not answer the pointer: {word} in {answer:?}")),
        None => Ok(answer),
    }
}

/// The names of the outermost frames of a page's flame graph, of which there are several.
pub fn outermost(browser: &Browser, page: &Path) -> Result<BTreeSet<String>, String> {
    let drawn = answers(browser, page, OUTERMOST, &["graph:true"])?;
    let names = drawn.split("outermost:").nth(1).and_then(|rest| rest.split('|').next());
    Ok(names.unwrap_or_default().split(';').map(str::to_string).collect())
}

/// Says the names of the outermost frames, which are the lowest.
const OUTERMOST: &str = r#"
const flame = document.querySelector("svg.flame");
const readout = flame.parentElement.nextElementSibling;
const frames = [...flame.querySelectorAll("rect")];
const y = (frame) => Number(frame.getAttribute("y"));
const floor = Math.max(...frames.map(y));
const names = frames.filter((frame) => y(frame) === floor).map((frame) => {
  frame.dispatchEvent(new PointerEvent("pointerenter"));
  return readout.textContent.split("  ")[2];
});
const answer = `graph:${names.length > 1} outermost:${names.join(";")}|`;
"#;

/// The number of different colours of a picture.
fn shades(picture: &Path) -> Result<usize, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", picture.display());
    let file = fs::File::open(picture).map_err(|error| failed(&error))?;
    let mut reader =
        png::Decoder::new(std::io::BufReader::new(file)).read_info().map_err(|e| failed(&e))?;
    let size = reader.output_buffer_size().ok_or_else(|| failed(&"it is too large"))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(|error| failed(&error))?;
    let samples = info.color_type.samples();
    let colours: std::collections::BTreeSet<&[u8]> =
        pixels[..info.buffer_size()].chunks_exact(samples).collect();
    Ok(colours.len())
}

pub fn succeeds(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}
