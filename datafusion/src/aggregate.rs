//! `cp_sum` and `cp_mean`: aggregates that know what was not measured.

use crate::exact_sum::ExactSum;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Float64Array, StringArray, StructArray,
};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Float64Type, Int64Type};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Signature, Volatility,
};
use datafusion::physical_expr::expressions::Literal;
use datafusion::scalar::ScalarValue;
use std::sync::Arc;

/// Returns `cp_sum(value, status[, coverage[, counted_elsewhere]])`: the sum, with no value if one of the rows has none, unless another row counts it too (`counted_elsewhere`).
///
/// The result is a struct:
///
/// - `value`: the sum, rounded once, so that it is the same to the bit however the rows were divided; null if a row is missing.
/// - `status`: `counted`, `estimated` if a row is, `not-counted`, or `not-supported` if all rows are.
/// - `coverage`: the least of the rows.
/// - `rows`: the number of rows that have a value.
/// - `missing`: the number of rows that have none, without those that are counted elsewhere.
pub fn cp_sum() -> AggregateUDF {
    AggregateUDF::new_from_impl(Counted::new("cp_sum"))
}

/// Returns `cp_mean(value, status[, coverage[, counted_elsewhere[, rule]]])`: the mean, in the form of [`cp_sum`].
///
/// The rule for missing rows is `'all'`, by which a mean has no value if a row has none, or `'present'`: the mean of those that have one is `estimated` if others are missing.
pub fn cp_mean() -> AggregateUDF {
    AggregateUDF::new_from_impl(Counted::new("cp_mean"))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Counted {
    name: &'static str,
    signature: Signature,
}

impl Counted {
    fn new(name: &'static str) -> Counted {
        Counted { name, signature: Signature::user_defined(Volatility::Immutable) }
    }

    fn is_mean(&self) -> bool {
        self.name == "cp_mean"
    }
}

fn result_fields() -> Fields {
    Fields::from(vec![
        Field::new("value", DataType::Float64, true),
        Field::new("status", DataType::Utf8, false),
        Field::new("coverage", DataType::Float64, true),
        Field::new("rows", DataType::Int64, false),
        Field::new("missing", DataType::Int64, false),
    ])
}

impl AggregateUDFImpl for Counted {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let wanted = [
            DataType::Float64,
            DataType::Utf8,
            DataType::Float64,
            DataType::Boolean,
            DataType::Utf8,
        ];
        let most = if self.is_mean() { 5 } else { 4 };
        if types.len() < 2 || types.len() > most {
            let rule = if self.is_mean() { "[, rule]" } else { "" };
            return plan_err!(
                "{} takes value, status[, coverage[, counted_elsewhere{rule}]]; it was given {} arguments",
                self.name,
                types.len()
            );
        }
        let names = ["value", "status", "coverage", "counted_elsewhere", "the rule"];
        for ((given, wanted), name) in types.iter().zip(&wanted).zip(names) {
            let fits = match wanted {
                DataType::Float64 => given.is_numeric(),
                DataType::Utf8 => given.is_string(),
                _ => given == wanted,
            };
            if !fits && !given.is_null() {
                return plan_err!("{}: {name} is {given}, where {wanted} belongs", self.name);
            }
        }
        Ok(wanted[..types.len()].to_vec())
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(result_fields()))
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let rule = match args.exprs.get(4) {
            None => Rule::All,
            Some(rule) => {
                match rule.downcast_ref::<Literal>().and_then(|l| l.value().try_as_str().flatten())
                {
                    Some("all") => Rule::All,
                    Some("present") => Rule::Present,
                    _ => return plan_err!("{}: the rule is not 'all' or 'present'", self.name),
                }
            }
        };
        Ok(Box::new(Sum { is_mean: self.is_mean(), rule, ..Sum::default() }))
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let field =
            |name: &str, holds| Arc::new(Field::new(format!("{}[{name}]", args.name), holds, true));
        Ok(vec![
            field("sum", DataType::Binary),
            field("rows", DataType::Int64),
            field("missing", DataType::Int64),
            field("unsupported", DataType::Int64),
            field("coverage", DataType::Float64),
            field("estimated", DataType::Boolean),
        ])
    }
}

/// The effect of a missing row on a mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Rule {
    #[default]
    All,
    Present,
}

#[derive(Debug, Default)]
struct Sum {
    is_mean: bool,
    rule: Rule,
    sum: ExactSum,
    rows: i64,
    missing: i64,
    /// Of the missing rows, those that the machine cannot count.
    unsupported: i64,
    coverage: Option<f64>,
    is_estimated: bool,
}

impl Sum {
    fn covers(&mut self, coverage: f64) {
        self.coverage = Some(self.coverage.map_or(coverage, |least| least.min(coverage)));
    }

    fn result(&self) -> (Option<f64>, &'static str) {
        let skips = self.is_mean && self.rule == Rule::Present;
        if self.rows == 0 || (self.missing > 0 && !skips) {
            let unsupported =
                self.missing > 0 && self.unsupported == self.missing && self.rows == 0;
            return (None, if unsupported { "not-supported" } else { "not-counted" });
        }
        let sum = self.sum.value();
        let value = if self.is_mean { sum / self.rows as f64 } else { sum };
        let status = if self.is_estimated || self.missing > 0 { "estimated" } else { "counted" };
        // A sum beyond the greatest double is not a number.
        if value.is_finite() { (Some(value), status) } else { (None, "not-counted") }
    }
}

impl Accumulator for Sum {
    fn update_batch(&mut self, columns: &[ArrayRef]) -> Result<()> {
        let [value, status, more @ ..] = columns else {
            return exec_err!("a value and a status are needed");
        };
        let value: &Float64Array = value.as_primitive::<Float64Type>();
        let status: &StringArray = status.as_string();
        let coverage = more.first().map(|column| column.as_primitive::<Float64Type>());
        let elsewhere: Option<&BooleanArray> = more.get(1).map(|column| column.as_boolean());
        for row in 0..value.len() {
            let status = status.is_valid(row).then(|| status.value(row));
            let is_counted = matches!(status, Some("counted" | "estimated"));
            if is_counted && value.is_valid(row) && value.value(row).is_finite() {
                self.sum.add(value.value(row));
                self.rows += 1;
                self.is_estimated |= status == Some("estimated");
                if let Some(coverage) = coverage.filter(|coverage| coverage.is_valid(row)) {
                    self.covers(coverage.value(row));
                }
            } else if !elsewhere.is_some_and(|array| array.is_valid(row) && array.value(row)) {
                self.missing += 1;
                self.unsupported += i64::from(status == Some("not-supported"));
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![
            ScalarValue::Binary(Some(self.sum.to_bytes())),
            ScalarValue::Int64(Some(self.rows)),
            ScalarValue::Int64(Some(self.missing)),
            ScalarValue::Int64(Some(self.unsupported)),
            ScalarValue::Float64(self.coverage),
            ScalarValue::Boolean(Some(self.is_estimated)),
        ])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [sum, rows, missing, unsupported, coverage, estimated] = states else {
            return exec_err!("the state of another function");
        };
        let sums = sum.as_binary::<i32>();
        let number = |array: &ArrayRef, row| array.as_primitive::<Int64Type>().value(row);
        for row in 0..sums.len() {
            let Some(sum) = ExactSum::from_bytes(sums.value(row)) else {
                return exec_err!("the state of another version of the function");
            };
            self.sum.merge(&sum);
            self.rows += number(rows, row);
            self.missing += number(missing, row);
            self.unsupported += number(unsupported, row);
            self.is_estimated |= estimated.as_boolean().value(row);
            if coverage.is_valid(row) {
                self.covers(coverage.as_primitive::<Float64Type>().value(row));
            }
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let (value, status) = self.result();
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Float64Array::from(vec![value])),
            Arc::new(StringArray::from(vec![status])),
            Arc::new(Float64Array::from(vec![self.coverage])),
            Arc::new(datafusion::arrow::array::Int64Array::from(vec![self.rows])),
            Arc::new(datafusion::arrow::array::Int64Array::from(vec![self.missing])),
        ];
        let row = StructArray::try_new(result_fields(), columns, None)?;
        Ok(ScalarValue::Struct(Arc::new(row)))
    }

    fn size(&self) -> usize {
        size_of::<Sum>() + ExactSum::BYTES
    }
}
