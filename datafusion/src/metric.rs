//! `cp_metric`: a metric by its name, over maps of counts.

use crate::formula::{text_of, values};
use counterpoint::metrics::{Meaning, Needs};
use counterpoint::{EventSet, Machine, Target, pmu};
use datafusion::arrow::array::{Array, AsArray, Float64Array, MapArray, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, exec_err, plan_datafusion_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Returns `cp_metric('NAME', 'PMU', counts)`: the value of a built-in metric of a processor, in its unit, for each row.
///
/// `counts` is a map from events to counts, such as `map(['instructions', 'cycles'], [a, b])`; an event has its usual name or the one that the metric gives it, in any case.
/// A row has no value if it lacks an event of the metric.
pub fn cp_metric() -> ScalarUDF {
    ScalarUDF::new_from_impl(CpMetric { signature: Signature::user_defined(Volatility::Immutable) })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct CpMetric {
    signature: Signature,
}

const USAGE: &str = "cp_metric('NAME', 'PMU', map(['EVENT', …], [count, …]))";

impl ScalarUDFImpl for CpMetric {
    fn name(&self) -> &str {
        "cp_metric"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [name, pmu, map @ DataType::Map(..)] if name.is_string() && pmu.is_string() => {
                Ok(vec![DataType::Utf8, DataType::Utf8, map.clone()])
            }
            _ => plan_err!("cp_metric has other arguments: {USAGE}"),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let [Some(name), Some(pmu), _] = args.scalar_arguments else {
            return plan_err!(
                "cp_metric: the metric and the PMU are texts between quotes: {USAGE}"
            );
        };
        let (Some(name), Some(pmu)) = (text_of(name), text_of(pmu)) else {
            return plan_err!("cp_metric: the metric or the PMU is null: {USAGE}");
        };
        metric(name, pmu)?;
        Ok(Arc::new(Field::new(self.name(), DataType::Float64, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [ColumnarValue::Scalar(name), ColumnarValue::Scalar(pmu), map] = &args.args[..] else {
            return exec_err!("cp_metric has other arguments: {USAGE}");
        };
        let (Some(name), Some(pmu)) = (text_of(name), text_of(pmu)) else {
            return exec_err!("cp_metric: the metric or the PMU is null: {USAGE}");
        };
        let metric = metric(name, pmu)?;
        let map = map.to_array(args.number_rows)?;
        let columns = metric.columns(map.as_map())?;
        let columns: Vec<&Float64Array> = columns.iter().collect();
        let value =
            values(&columns, args.number_rows, |columns, out| metric.needs.columns(columns, out))?;
        Ok(ColumnarValue::Array(Arc::new(value)))
    }
}

/// A metric of a processor, and the names that its terms may have in a map.
struct Metric {
    needs: Needs,
    /// The place of the term of each name, in small letters.
    places: HashMap<String, usize>,
    /// The values of terms that are facts of the machine.
    facts: Vec<Option<f64>>,
}

impl Metric {
    fn new(needs: Needs) -> Metric {
        let mut places = HashMap::new();
        let mut facts = Vec::new();
        for (place, term) in needs.terms.iter().enumerate() {
            let id = match &term.meaning {
                Ok(Meaning::Event(native)) => native.id.to_string(),
                Ok(Meaning::Source(source)) => source.name().to_string(),
                _ => term.name.clone(),
            };
            facts.push(match &term.meaning {
                Ok(Meaning::Fact(fact)) => Some(fact.value),
                _ => None,
            });
            places.insert(id.to_lowercase(), place);
            places.insert(term.name.to_lowercase(), place);
        }
        Metric { needs, places, facts }
    }

    /// The counts of each term, a row for each map.
    fn columns(&self, maps: &MapArray) -> Result<Vec<Float64Array>> {
        let names = cast(maps.keys(), &DataType::Utf8)?;
        let counts = cast(maps.values(), &DataType::Float64)?;
        let names: &StringArray = names.as_string();
        let counts: &Float64Array = counts.as_primitive();
        // Maps repeat their names, mostly in the same order.
        let mut last: Vec<(String, Option<usize>)> = Vec::new();
        let mut columns = vec![vec![None; maps.len()]; self.facts.len()];
        for (row, ends) in maps.offsets().windows(2).enumerate() {
            if maps.is_null(row) {
                continue;
            }
            for (index, entry) in (ends[0] as usize..ends[1] as usize).enumerate() {
                let name = names.value(entry);
                let place = match last.get(index) {
                    Some((known, place)) if known == name => *place,
                    _ => {
                        let place = self.places.get(&name.to_lowercase()).copied();
                        let seen = (name.to_string(), place);
                        match last.get_mut(index) {
                            Some(known) => *known = seen,
                            None => last.push(seen),
                        }
                        place
                    }
                };
                if let Some(place) = place
                    && counts.is_valid(entry)
                {
                    columns[place][row] = Some(counts.value(entry));
                }
            }
        }
        let facts = columns.into_iter().zip(&self.facts);
        Ok(facts
            .map(|(column, fact)| match fact {
                Some(value) => Float64Array::from(vec![*value; maps.len()]),
                None => Float64Array::from(column),
            })
            .collect())
    }
}

/// The metrics that were found, by their names and those of their PMUs.
type Found = HashMap<(String, String), Arc<Metric>>;

fn metric(name: &str, pmu: &str) -> Result<Arc<Metric>> {
    static FOUND: LazyLock<Mutex<Found>> = LazyLock::new(Mutex::default);
    let key = (name.to_string(), pmu.to_string());
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(metric) = found.get(&key) {
        return Ok(Arc::clone(metric));
    }
    let table = pmu::find(pmu).ok_or_else(|| {
        plan_datafusion_err!("cp_metric: no table of PMUs is called {pmu:?}; `counterpoint list --pmus --all` lists them")
    })?;
    let set = EventSet::with_machine(Machine::of_pmu(table), Target::AllCpus);
    let known = set.metrics().find(name);
    let known = known.first().ok_or_else(|| {
        plan_datafusion_err!("cp_metric: {pmu} has no metric {name:?}; `counterpoint list --metrics --pmu {pmu}` lists them")
    })?;
    let needs = set.metric_needs(known).map_err(|reason| {
        plan_datafusion_err!("cp_metric: {name:?} has no value on {pmu}: {reason}")
    })?;
    Ok(Arc::clone(found.entry(key).or_insert(Arc::new(Metric::new(needs)))))
}
