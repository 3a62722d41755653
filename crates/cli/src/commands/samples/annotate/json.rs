use super::Annotation;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use counterpoint::profil::write::{Profile, Share};
use counterpoint::records::Process;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Line<'_>>];

/// An annotated function of an event; addresses are texts, as JSON's numbers do not hold 64 bits.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Line<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The event that was sampled.
    event: &'a str,
    #[serde(flatten)]
    process: &'a Process,
    /// The name of the function.
    function: &'a str,
    /// The file that contains it.
    module: String,
    /// What the counts are: samples, or events where samples are weighted.
    unit: &'a str,
    /// Its samples.
    count: u64,
    /// Their share of all samples of the event, in percent.
    percent: f64,
    /// The standard error of that share, in percent.
    error: f64,
    /// The source lines with samples, by file and line; empty with --asm.
    lines: Vec<SourceLine<'a>>,
    /// The instructions, by address; empty with --source.
    instructions: Vec<Instruction<'a>>,
    /// Sentences about what is not shown.
    notes: &'a [String],
}

/// The samples of a source line.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct SourceLine<'a> {
    /// The source file, which is another one than that of the function where code was inlined.
    file: &'a str,
    /// The line.
    line: u32,
    /// Its text; empty if the file is not on this machine.
    code: &'a str,
    /// Its samples.
    count: u64,
    /// Their share of those of the function, in percent.
    percent: f64,
    /// The standard error of that share, in percent.
    error: f64,
}

/// The samples of an instruction.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Instruction<'a> {
    /// The address that the file gives to it.
    address: String,
    /// The instruction, in the syntax of the processor's vendor.
    instruction: &'a str,
    /// The source file.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    /// The source line.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// Its samples.
    count: u64,
    /// Their share of those of the function, in percent.
    percent: f64,
    /// The standard error of that share, in percent.
    error: f64,
}

pub fn line<'a>(profile: &Profile<'a>, process: &'a Process, of: &'a Annotation) -> Line<'a> {
    let Share { count, percent, error } = of.share;
    let lines = of.lines.iter().flat_map(|lines| lines.rows.iter().map(move |row| (lines, row)));
    let lines = lines.filter_map(|(lines, row)| {
        let Share { count, percent, error } = row.share?;
        let (file, line, code) = (lines.file.as_str(), row.first, row.code.as_str());
        Some(SourceLine { file, line, code, count, percent, error })
    });
    let instructions = of.instructions.iter().map(|of| {
        let Share { count, percent, error } = of.share.unwrap_or_default();
        let (file, line) = of.line.as_ref().map(|(file, line)| (file.as_str(), *line)).unzip();
        let address = format!("{:#x}", of.address);
        Instruction { address, instruction: &of.text, file, line, count, percent, error }
    });
    Line {
        schema: 1,
        event: profile.event,
        process,
        function: &of.function.name,
        module: of.function.module.display().to_string(),
        unit: profile.unit(),
        count,
        percent,
        error,
        lines: lines.collect(),
        instructions: instructions.collect(),
        notes: &of.notes,
    }
}
