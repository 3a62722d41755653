//! `cp_formula`: a formula of counters, over columns.

use counterpoint::formula::{Column, ColumnMut, ColumnsError, Formula, Syntax};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use datafusion::arrow::buffer::{BooleanBuffer, NullBuffer};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Float64Type};
use datafusion::common::{Result, exec_err, plan_datafusion_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use datafusion::scalar::ScalarValue;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Returns `cp_formula('TEXT', a, b, …)`: the value of the formula, in the infix syntax of [`Syntax::Infix`], for each row.
///
/// The columns are those of the inputs in the order of [`Formula::inputs`]: `N0`, `N1` … by number, then names in the order of the text.
/// A row has no value if a column has none, or if the formula has none, as a division by 0.
pub fn cp_formula() -> ScalarUDF {
    ScalarUDF::new_from_impl(CpFormula {
        signature: Signature::user_defined(Volatility::Immutable),
    })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct CpFormula {
    signature: Signature,
}

impl ScalarUDFImpl for CpFormula {
    fn name(&self) -> &str {
        "cp_formula"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let Some((text, columns)) = types.split_first() else {
            return plan_err!("cp_formula needs the text of a formula: cp_formula('a / b', a, b)");
        };
        if !text.is_string() && !text.is_null() {
            return plan_err!(
                "cp_formula: the first argument is {text}, where the text of a formula belongs"
            );
        }
        if let Some(other) = columns.iter().find(|column| !column.is_numeric() && !column.is_null())
        {
            return plan_err!("cp_formula: an input is {other}, where a number belongs");
        }
        let numbers = columns.iter().map(|_| DataType::Float64);
        Ok(std::iter::once(DataType::Utf8).chain(numbers).collect())
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    /// Here the text is known first, so that a wrong formula is found before anything is read.
    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let text = args.scalar_arguments.first().copied().flatten();
        let Some(Some(text)) = text.map(text_of) else {
            return plan_err!("cp_formula: the formula is not a text between quotes");
        };
        let formula = parse(text)?;
        let (needed, given) = (formula.inputs().len(), args.arg_fields.len() - 1);
        if needed != given {
            let inputs: Vec<&str> = formula.inputs().collect();
            return plan_err!(
                "cp_formula: the formula has {needed} inputs ({}), and {given} columns are given",
                inputs.join(", ")
            );
        }
        Ok(Arc::new(Field::new(self.name(), DataType::Float64, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Some((ColumnarValue::Scalar(text), columns)) = args.args.split_first() else {
            return exec_err!("cp_formula: the formula is not a text between quotes");
        };
        let Some(text) = text_of(text) else {
            return exec_err!("cp_formula: the formula is null");
        };
        let formula = parse(text)?;
        let rows = if columns.iter().all(|c| matches!(c, ColumnarValue::Scalar(_))) {
            1
        } else {
            args.number_rows
        };
        let arrays: Vec<ArrayRef> =
            columns.iter().map(|column| column.to_array(rows)).collect::<Result<_>>()?;
        let arrays: Vec<&Float64Array> =
            arrays.iter().map(|array| array.as_primitive::<Float64Type>()).collect();
        let value = values(&arrays, rows, |columns, out| formula.eval_columns(columns, out))?;
        if rows != args.number_rows {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&value, 0)?));
        }
        Ok(ColumnarValue::Array(Arc::new(value)))
    }
}

/// The rows that are computed together: few enough that they are in the first-level cache when they are looked at.
const BLOCK: usize = 1024;

/// The value of each row: null where an input is null, or where `eval` has no number.
pub(crate) fn values(
    inputs: &[&Float64Array],
    rows: usize,
    eval: impl Fn(&[Column<'_>], &mut ColumnMut<'_>) -> Result<(), ColumnsError>,
) -> Result<Float64Array> {
    let bitmaps: Vec<Option<Vec<u64>>> = inputs.iter().map(|input| bitmap(input)).collect();
    let mut values = vec![0.0; rows];
    let mut columns = Vec::with_capacity(inputs.len());
    let mut differences = 0;
    for (at, block) in values.chunks_mut(BLOCK).enumerate() {
        let first = at * BLOCK;
        columns.clear();
        columns.extend(inputs.iter().zip(&bitmaps).map(|(input, bitmap)| Column {
            values: &input.values()[first..first + block.len()],
            validity: bitmap.as_ref().map(|bitmap| &bitmap[first / 64..]),
        }));
        let mut out = ColumnMut { values: block, validity: None };
        eval(&columns, &mut out).map_err(|error| plan_datafusion_err!("{error}"))?;
        // A row in which an input has no value is NaN, and one in which the formula has none is not finite either.
        #[allow(clippy::eq_op, reason = "only finite numbers differ from themselves by 0")]
        let difference = block.iter().fold(0, |found, value| found | (value - value).to_bits());
        differences |= difference;
    }
    let nulls = (differences != 0)
        .then(|| NullBuffer::new(BooleanBuffer::collect_bool(rows, |row| values[row].is_finite())));
    Ok(Float64Array::new(values.into(), nulls))
}

/// The rows that have a value, as the columns of formulas have them.
fn bitmap(array: &Float64Array) -> Option<Vec<u64>> {
    let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0)?;
    Some(nulls.inner().bit_chunks().iter_padded().take(array.len().div_ceil(64)).collect())
}

pub(crate) fn text_of(value: &ScalarValue) -> Option<&str> {
    value.try_as_str().flatten()
}

/// The number of formulas that are kept: a query has few, and each is asked for with every batch.
const KEPT: usize = 256;

fn parse(text: &str) -> Result<Arc<Formula>> {
    static PARSED: LazyLock<Mutex<HashMap<String, Arc<Formula>>>> = LazyLock::new(Mutex::default);
    let mut parsed = PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(formula) = parsed.get(text) {
        return Ok(Arc::clone(formula));
    }
    let formula = Formula::parse(text, Syntax::Infix).map_err(|error| {
        plan_datafusion_err!(
            "cp_formula: {error}, at character {} of {text:?}",
            error.span.start + 1
        )
    })?;
    if parsed.len() == KEPT {
        parsed.clear();
    }
    Ok(Arc::clone(parsed.entry(text.to_string()).or_insert(Arc::new(formula))))
}
