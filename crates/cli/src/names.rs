//! Names on the command line, and the errors for wrong ones.

use crate::failure::{Failure, did_you_mean};
use crate::show;
use counterpoint::{Error, pmu};
use std::convert::Infallible;

/// The value of `--pmu`: a short name, or what compilers call a processor, stands for the name in the tables; others are as they are.
///
/// A note says which kind of cores a processor of several kinds is asked about.
pub fn pmu_name(text: &str) -> Result<String, Infallible> {
    if pmu::find(text).is_none()
        && let [first, others @ ..] = pmu::cores_named(text).as_slice()
        && !others.is_empty()
    {
        let others: Vec<&str> = others.iter().map(|pmu| pmu.name).collect();
        let others = others.join(" and ");
        let name = first.name;
        show::note(&format!(
            "{text} has several kinds of cores: this is {name}; there is {others}"
        ));
    }
    let named = || pmu::named(text).map_or(text, |pmu| pmu.name);
    Ok(pmu::find(text).map_or_else(named, |_| text).to_string())
}

/// The PMU of the tables that an option names; of a unit without a table, such as `srf_unc_cha`, that of the cores beside it.
pub fn pmu(name: &str) -> Result<&'static pmu::Pmu, Failure> {
    let of_unit = || pmu::unit_named(name).map(|(core, _)| core);
    pmu::named(name).or_else(of_unit).ok_or_else(|| {
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
