//! Names on the command line, and the errors for wrong ones.

use crate::failure::{Failure, did_you_mean};
use crate::show;
use counterpoint::{Error, pmu};

/// The PMU of the tables that an option names.
pub fn pmu(name: &str) -> Result<&'static pmu::Pmu, Failure> {
    pmu::find(name).ok_or_else(|| {
        let near = pmu::similar(name, pmu::all().map(|pmu| pmu.name));
        let lists = "`counterpoint list --pmus --all` lists all PMUs".to_string();
        let lists = match pmu::left_out().as_slice() {
            [] => lists,
            features => format!(
                "{lists}; this program was built without the features {}, which have the tables of others",
                features.join(", ")
            ),
        };
        Failure::new(format!("no PMU is called `{name}`")).help(did_you_mean(&near, &lists))
    })
}

/// A mistake in a name, with the list that it stands in.
pub fn name_failure(error: Error, lists: &[String]) -> Failure {
    let mut text = error.to_string();
    if let (Some(span), [list]) = (error.span(), lists)
        && !list.contains('\n')
        && !list.is_empty()
    {
        text = format!("{text}\n  {list}\n  {}", show::marks(list, span));
    }
    Failure { text, ..error.into() }
}
