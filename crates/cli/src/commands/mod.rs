#[cfg(feature = "catalog")]
pub mod catalog;
pub mod check;
pub mod dispatch;
pub mod doctor;
pub mod encode;
pub mod eval;
pub mod list;
pub mod manual;
pub mod merge;
pub mod plan;
pub mod profile;
pub mod show;
mod words;

use crate::Failure;
use counterpoint::pmu;

/// The PMU of the tables that an option names.
fn pmu(name: &str) -> Result<&'static pmu::Pmu, Failure> {
    pmu::find(name).ok_or_else(|| {
        let failure = Failure::new(format!("there is no PMU `{name}`"));
        let near = pmu::similar(name, pmu::all().map(|pmu| pmu.name));
        match near.is_empty() {
            true => failure.help("`counterpoint list --pmus --all` shows them"),
            false => failure.help(format!("did you mean `{}`?", near.join("`, `"))),
        }
    })
}
