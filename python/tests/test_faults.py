"""What is wrong is said in words, and nothing panics."""

import datetime
import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import counterpoint
from counterpoint import ColumnError, Formula, FormulaError

DOUBLE = Formula("a * 2")


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("text", "type str"),
        (b"bytes", "type bytes"),
        ({"a": 1}, "type dict"),
        (object(), "type object"),
        (1j, "type complex"),
        (np.array(["x"]), "dtype <U1"),
        (np.array([1, None], dtype=object), "dtype object"),
        (np.array([1j]), "dtype complex128"),
        (np.array([1.0], dtype=np.float16), "dtype float16"),
        (np.array(["2026-01-01"], dtype="datetime64[D]"), "dtype datetime64"),
        (np.array("x"), "type str"),
        (pa.array(["x"]), "Arrow type Utf8"),
        (pa.array([[1]]), "Arrow type List"),
        (pa.array([datetime.date(2026, 1, 1)]), "Arrow type Date32"),
        (pa.array(["x"]).dictionary_encode(), "Arrow type Dictionary"),
        (pl.Series(["x"]), "Arrow type Utf8View"),
        (pl.Series([[1]]), "Arrow type LargeList"),
        (pd.Series(["x"], dtype="category"), "Arrow type Dictionary"),
        (pa.table({"a": [1]}), "Arrow type Struct"),
    ],
    ids=lambda of: of if isinstance(of, str) else type(of).__name__,
)
def test_what_is_not_numbers_is_refused_by_its_type(column: Any, kind: str) -> None:
    with pytest.raises(ColumnError) as caught:
        DOUBLE({"a": column})
    assert kind in str(caught.value) and "`a`" in str(caught.value), caught.value
    assert caught.value.help is not None


def test_rows_of_lists_are_named() -> None:
    with pytest.raises(ColumnError, match="row 2 of `a` is of the type str"):
        DOUBLE(a=[1, None, "3"])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ColumnError, match="`b` has 2 rows, and `a` has 3"):
        Formula("a / b")(a=np.ones(3), b=np.ones(2))
    with pytest.raises(ColumnError, match="`b` has 1 rows, and `a` has 3"):
        Formula("a / b")(a=pa.array([1, 2, 3]), b=[1])


def test_numbers_that_no_double_holds_are_refused() -> None:
    with pytest.raises(ColumnError, match="`a` is larger than any double"):
        DOUBLE(a=10**400)
    with pytest.raises(counterpoint.NoValueError, match="larger than any double"):
        DOUBLE(a=float("inf"))


def test_tables_of_numbers_are_no_columns() -> None:
    with pytest.raises(ColumnError, match="2 dimensions"):
        DOUBLE(a=np.ones((2, 2)))


def test_a_frame_without_a_column_is_refused() -> None:
    for frame in (pd.DataFrame({"x": [1]}), pl.DataFrame({"x": [1]}), pa.table({"x": [1]})):
        with pytest.raises(ColumnError, match="for the input `a`") as caught:
            DOUBLE(frame)
        assert caught.value.__cause__ is not None
    with pytest.raises(ColumnError, match="for the input `a`"):
        DOUBLE(7)


def test_a_faulty_producer_is_an_error() -> None:
    class NoCapsules:
        def __arrow_c_array__(self, requested_schema: object = None) -> tuple[int, int]:
            return (1, 2)

    class WrongCapsules:
        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return pa.array([1]).__arrow_c_array__()[::-1]

    class Failing:
        def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
            raise OSError("the disk is gone")

    class Interrupted:
        def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
            raise KeyboardInterrupt

    for producer in (NoCapsules(), WrongCapsules(), Failing()):
        with pytest.raises(ColumnError, match="`a` cannot be read"):
            DOUBLE(a=producer)
    with pytest.raises(KeyboardInterrupt):
        DOUBLE(a=Interrupted())


def test_a_stream_that_ends_with_an_error_has_no_value() -> None:
    def batches() -> Any:
        yield pa.record_batch({"a": [1.0]})
        raise OSError("torn")

    class Torn:
        def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
            return pa.RecordBatchReader.from_batches(
                pa.schema({"a": pa.float64()}), batches()
            ).__arrow_c_stream__()

    # A stream of records is no column either way, and the first batch is not taken for all.
    with pytest.raises(ColumnError):
        DOUBLE(a=Torn())


texts = st.text(alphabet="N01 ab+-*/%^()|,.e#`é<>=!&if els", max_size=40) | st.text(max_size=20)


@settings(max_examples=500, deadline=None)
@given(texts, st.sampled_from(["infix", "postfix", "perf", "rpn"]))
def test_any_text_is_a_formula_or_an_error(text: str, syntax: str) -> None:
    try:
        formula = Formula(text, syntax)
    except FormulaError as error:
        assert error.text == text and error.span is not None
        assert 0 <= error.span[0] <= error.span[1] <= len(text)
        return
    if formula.inputs:
        column = formula({name: [1.5, 0.0, None] for name in formula.inputs})
        assert len(column) == 3 and column[2] is None
    assert Formula(formula.infix) == formula


numbers = st.none() | st.integers(-(2**200), 2**200) | st.floats() | st.booleans()


@settings(max_examples=500, deadline=None)
@given(
    st.sampled_from(["a / b", "a % b", "a ^ b", "sqrt(a) - b", "min(a, b)", "a if b else 3"]),
    numbers,
    numbers,
)
def test_any_numbers_have_a_value_or_none(text: str, a: Any, b: Any) -> None:
    try:
        value = Formula(text)(a=a, b=b)
    except counterpoint.NoValueError:
        return
    assert value is None or isinstance(value, int) or math.isfinite(value), value


arrays = hnp.arrays(
    dtype=hnp.integer_dtypes()
    | hnp.unsigned_integer_dtypes()
    | hnp.floating_dtypes(sizes=(32, 64))
    | hnp.boolean_dtypes(),
    shape=st.integers(0, 200).map(lambda rows: (rows,)),
)


@settings(max_examples=300, deadline=None)
@given(arrays, st.integers(-3, 3).filter(bool))
def test_any_array_has_the_values_of_numpy(array: Any, step: int) -> None:
    array = array[::step]
    with np.errstate(all="ignore"):
        expected = array.astype(float) + 1
    expected[~np.isfinite(expected)] = np.nan
    np.testing.assert_array_equal(Formula("a + 1")(a=array), expected)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), max_size=300),
    st.integers(0, 300),
    st.integers(0, 300),
)
def test_any_slice_of_arrow_keeps_its_rows(
    rows: list[float | None], start: int, length: int
) -> None:
    column = pa.array(rows, pa.float64()).slice(min(start, len(rows)), length)
    assert Formula("a + 0")(a=column).to_list() == column.to_pylist()
