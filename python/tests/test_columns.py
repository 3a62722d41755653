"""Columns: where they come from, that they are not copied, and what a row without a value becomes."""

import array
import ctypes
import pickle
import threading
import time
import tracemalloc
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from counterpoint import Column, ColumnError, Formula

RATIO = Formula("a / b")
# More rows than a block and than a thread gets, and a last word of the bitmap that is not full.
LONG = 300_001


def values(column: Any) -> list[float | None]:
    assert isinstance(column, Column)
    return column.to_list()


def same(found: Any, expected: Any) -> None:
    """Equal numbers, and NaN at the same places."""
    assert isinstance(found, np.ndarray) and found.dtype == np.float64
    np.testing.assert_array_equal(found, np.asarray(expected, dtype=float))


def test_arrays_of_numpy_make_an_array() -> None:
    a, b = np.array([6.0, 1.0, 5.0]), np.array([4.0, 0.0, np.nan])
    # Neither a quotient by zero nor NaN is a number.
    same(RATIO(a=a, b=b), [1.5, np.nan, np.nan])
    assert a.tolist() == [6.0, 1.0, 5.0]


@pytest.mark.parametrize(
    "dtype",
    [
        "i1",
        "i2",
        "<i4",
        ">i4",
        "i8",
        ">i8",
        "u1",
        "u2",
        "u4",
        ">u8",
        "<f4",
        ">f4",
        "f8",
        ">f8",
        "?",
    ],
)
def test_every_dtype_of_numbers_is_converted(dtype: str) -> None:
    a = (np.arange(LONG) % 2 if dtype == "?" else np.arange(LONG) % 100).astype(dtype)
    same(Formula("a * 2 + 1")(a=a), a.astype(float) * 2 + 1)
    same(Formula("a * 2 + 1")(a=a[::-3]), a[::-3].astype(float) * 2 + 1)


def test_strided_and_repeated_arrays_are_read_where_they_are() -> None:
    table = np.arange(4.0 * LONG).reshape(LONG, 4)
    same(RATIO(a=table[:, 1], b=table[:, 3]), table[:, 1] / table[:, 3])
    same(Formula("a + 1")(a=np.broadcast_to(np.float64(2), 5)), [3.0] * 5)
    records = np.zeros(3, dtype=[("flag", "u1"), ("a", "f8"), ("b", "f8")])
    records["a"], records["b"] = [1, 2, 3], 2
    # Doubles that are not aligned.
    assert not records["a"].flags.aligned
    same(RATIO(records), [0.5, 1.0, 1.5])


def test_an_empty_column_makes_an_empty_one() -> None:
    assert RATIO(a=np.empty(0), b=np.empty(0)).shape == (0,)
    assert values(RATIO(a=[], b=[])) == []
    assert values(RATIO(a=pa.chunked_array([], pa.float64()), b=[])) == []


def test_arrow_arrays_make_a_column_with_nulls() -> None:
    a = pa.array([6, None, 1, 5], pa.int64())
    b = pa.array([4.0, 2.0, 0.0, None])
    column = RATIO(a=a, b=b)
    assert values(column) == [1.5, None, None, None]
    assert column.null_count == 3 and len(column) == 4
    back = pa.array(column)
    assert back.type == pa.float64() and back.to_pylist() == [1.5, None, None, None]
    back.validate(full=True)


@pytest.mark.parametrize(
    "kind",
    [
        pa.int8(),
        pa.int16(),
        pa.int32(),
        pa.uint8(),
        pa.uint16(),
        pa.uint32(),
        pa.uint64(),
        pa.float16(),
        pa.float32(),
    ],
    ids=str,
)
def test_every_arrow_type_of_numbers_is_converted(kind: pa.DataType) -> None:
    numbers = pa.array([1, None, 3, 4], pa.int64()).cast(kind)
    assert values(Formula("a * 2")(a=numbers)) == [2.0, None, 6.0, 8.0]


def test_booleans_and_nulls_of_arrow_are_columns() -> None:
    assert values(Formula("a + 1")(a=pa.array([True, None, False]))) == [2.0, None, 1.0]
    assert values(Formula("a + 1")(a=pa.nulls(2))) == [None, None]


@pytest.mark.parametrize("start", [1, 7, 63, 64, 65, 4097])
def test_slices_of_arrow_keep_their_nulls(start: int) -> None:
    whole = pa.array([None if row % 5 == 0 else float(row) for row in range(20_000)])
    column = Formula("a * 2")(a=whole.slice(start, 10_000))
    assert values(column) == [
        None if row % 5 == 0 else row * 2.0 for row in range(start, start + 10_000)
    ]


def test_chunks_of_different_lengths_are_one_column() -> None:
    rows = [None if row % 7 == 0 else float(row) for row in range(LONG)]

    def chunked(length: int) -> pa.ChunkedArray:
        return pa.chunked_array(
            [rows[at : at + length] for at in range(0, LONG, length)], pa.float64()
        )

    column = Formula("a + b")(a=chunked(1000), b=chunked(7777))
    assert values(column) == [None if row is None else row * 2 for row in rows]


def test_a_masked_array_has_no_number_where_it_is_masked() -> None:
    masked = np.ma.MaskedArray([1.0, 2.0, 3.0], mask=[False, True, False])
    assert values(Formula("a * 2")(a=masked)) == [2.0, None, 6.0]
    assert values(Formula("a * 2")(a=np.ma.MaskedArray([1, 2]))) == [2.0, 4.0]


def test_frames_of_pandas() -> None:
    frame = pd.DataFrame({"a": [6.0, 1.0, np.nan], "b": [4, 0, 1]})
    frame["ratio"] = RATIO(frame)
    assert frame["ratio"].dtype == float
    assert frame["ratio"].isna().tolist() == [False, True, True] and frame["ratio"][0] == 1.5
    nullable = pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": [2, 2]})
    assert values(RATIO(nullable)) == [0.5, None]


def test_frames_of_polars() -> None:
    frame = pl.DataFrame({"a": [6, 1, None], "b": [4.0, 0.0, 1.0]})
    frame = frame.with_columns(ratio=pl.Series(RATIO(frame)))
    assert frame["ratio"].to_list() == [1.5, None, None]
    lazy = frame.lazy().select(
        pl.map_batches(
            ["a", "b"], lambda of: pl.Series(RATIO(a=of[0], b=of[1])), return_dtype=pl.Float64
        )
    )
    assert lazy.collect().to_series().to_list() == [1.5, None, None]


def test_tables_of_pyarrow() -> None:
    table = pa.table({"a": [6, 1], "b": [4.0, None]})
    table = table.append_column("ratio", pa.array(RATIO(table)))
    assert table["ratio"].to_pylist() == [1.5, None]
    assert values(RATIO(table.to_batches()[0])) == [1.5, None]


def test_lists_and_other_buffers_are_columns() -> None:
    assert values(RATIO(a=[6, None, 1.5], b=(4, 2, 3))) == [1.5, None, 0.5]
    assert values(Formula("a * 2")(a=array.array("i", [1, 2]))) == [2.0, 4.0]
    column = Formula("a * 2")(a=[1.0, None])
    assert values(Formula("a + 1")(a=column)) == [3.0, None]


def test_numbers_beside_columns_are_repeated() -> None:
    same(RATIO(a=np.array([1.0, 2.0]), b=4), [0.25, 0.5])
    same(RATIO(a=np.array([1.0, 2.0]), b=None), [np.nan, np.nan])
    same(RATIO(a=np.array([1.0, 2.0]), b=np.int32(4)), [0.25, 0.5])
    assert RATIO(a=np.float32(1), b=np.array(2)) == 0.5
    assert RATIO(a=Decimal(1), b=np.int64(2)) == 0.5


@pytest.mark.parametrize(
    "text", ["1 if a > 2 else 0", "min(a, 1)", "max(1, a)", "a ^ 0", "a && 1", "a == a"]
)
def test_nan_is_never_hidden_by_an_operation(text: str) -> None:
    formula = Formula(text)
    assert np.isnan(formula(a=np.array([np.nan]))).all()
    assert values(formula(a=[None])) == [None]
    assert not np.isnan(formula(a=np.array([3.0]))).any()


def test_the_result_can_be_written_to_an_array() -> None:
    out = np.empty(LONG)
    a, b = np.arange(LONG), np.arange(1, LONG + 1)
    assert RATIO(a=a, b=b, out=out) is out
    same(out, a / b)
    RATIO(a=pa.array([1, None]), b=2, out=out[:2])
    same(out[:2], [0.5, np.nan])


def test_an_array_that_cannot_take_the_result_is_refused() -> None:
    a = np.arange(4.0)
    constant = np.empty(4)
    constant.flags.writeable = False
    for out, message in [
        (a, "in the memory of a column"),
        (np.empty(3), "does not have 4 rows"),
        (np.empty((4, 1)), "does not have 4 rows"),
        (np.empty(8)[::2], "one after the other"),
        (np.empty(4, "f4"), "does not have float64"),
        (np.empty(4, ">f8"), "does not have float64"),
        (constant, "writable"),
        ([0.0] * 4, "not an array of numpy"),
    ]:
        with pytest.raises(ColumnError, match=message):
            RATIO(a=a, b=2, out=out)
    assert a.tolist() == [0, 1, 2, 3]
    shared = np.arange(8.0)
    with pytest.raises(ColumnError, match="in the memory of a column"):
        RATIO(a=shared[:4], b=1, out=shared[2:6])
    with pytest.raises(ColumnError, match="in the memory of a column"):
        RATIO(a=pa.array(shared), b=1, out=shared)
    with pytest.raises(TypeError, match="no column"):
        RATIO(a=1, b=2, out=a)


def test_inputs_and_results_are_not_copied() -> None:
    rows = 4_000_000
    a = np.ones(rows)
    columns = [a, pa.array(a), pl.Series(a), pd.Series(a)]
    for column in columns:
        out = np.empty(rows)
        tracemalloc.start()
        Formula("a + 1")(a=column, out=out)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < rows, f"{type(column)}: {most} bytes"
    result = Formula("a + 1")(a=columns[1])
    assert pa.array(result).buffers()[1].address == np.asarray(result).ctypes.data


def test_a_column_is_read_as_python_reads_sequences() -> None:
    column = RATIO(a=[1, None, 3], b=2)
    assert [*column] == [0.5, None, 1.5] and column[-1] == 1.5 and column[1] is None
    with pytest.raises(IndexError):
        column[3]
    with pytest.raises(IndexError):
        column[-4]
    assert repr(column) == "<counterpoint.Column: 3 rows, 1 null>"
    view = memoryview(column)
    assert view.readonly and view.format == "d" and view.shape == (3,) and view[2] == 1.5
    array = np.array(column, dtype=np.float32)
    assert array.dtype == np.float32 and np.isnan(array[1])
    assert not np.asarray(column).flags.writeable
    with pytest.raises(TypeError, match="not writable"):
        (ctypes.c_double * 3).from_buffer(column)


def test_a_result_outlives_its_formula_and_inputs() -> None:
    view = np.asarray(Formula("a * 3")(a=[1.0, 2.0]))
    assert view.tolist() == [3.0, 6.0]


def test_other_threads_run_while_a_column_is_evaluated() -> None:
    a = np.random.default_rng(1).random(8_000_000) + 1
    formula = Formula("sqrt(a * a + a / 3) / (a + sqrt(a))")
    passed: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            passed.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begun = time.perf_counter()
    for _ in range(5):
        formula(a=a, threads=1)
    ended = time.perf_counter()
    done.set()
    ticker.join()
    inside = [at for at in passed if begun < at < ended]
    # With the lock held, the thread would run between the calls only.
    assert len(inside) > 10, f"{len(inside)} in {ended - begun} s"


def test_threads_do_not_change_a_value() -> None:
    a = np.random.default_rng(2).random(1_000_003)
    formula = Formula("100 * a / (a + 3)")
    one = formula(a=a, threads=1)
    for threads in (0, 2, 3, 64):
        assert np.array_equal(formula(a=a, threads=threads), one)


def test_many_threads_call_one_formula() -> None:
    a = np.arange(100_000.0)
    formula, expected = Formula("a * 2"), np.arange(100_000.0) * 2
    wrong: list[int] = []

    def call(number: int) -> None:
        for _ in range(50):
            if not np.array_equal(formula(a=a), expected):
                wrong.append(number)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_slice_is_a_column() -> None:
    column = Formula("a / b")(a=[1.0, 2.0, 3.0, 4.0], b=[1.0, 0.0, 2.0, 2.0])
    assert column[1:3].to_list() == [None, 1.5]
    assert column[::-2].to_list() == [2.0, None]
    assert column[10:].to_list() == [] and column[:].to_list() == column.to_list()
    assert isinstance(column[1:], Column) and column[-1] == 2.0
    # A row without a value is NaN where there is no null.
    assert np.isnan(np.asarray(column[1:])[0]) and list(np.asarray(column[2:])) == [1.5, 2.0]
    assert pickle.loads(pickle.dumps(column[1:])).to_list() == [None, 1.5, 2.0]
    with pytest.raises(TypeError):
        column["a"]


def test_a_column_is_pickled() -> None:
    column = Formula("a / b")(a=[1.0, 2.0, 3.0], b=[1.0, 0.0, 2.0])
    again = pickle.loads(pickle.dumps(column))
    assert isinstance(again, Column)
    assert again.to_list() == [1.0, None, 1.5] and again.null_count == 1
