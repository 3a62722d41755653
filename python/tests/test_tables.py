"""Tables of `counterpoint export --partition`, as other programs read them."""

import json
import os
import subprocess
from pathlib import Path

import pytest

# Job, rank and value; the last value was not counted.
ROWS = [("41", 0, 10), ("41", 1, 20), ("42", 0, 30), ("42", 1, None)]
EXPECTED = sorted(ROWS, key=str)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = os.environ.get("COUNTERPOINT")
    if program is None:
        pytest.skip("COUNTERPOINT does not name the program")
    folder = tmp_path_factory.mktemp("tables")
    report = folder / "report.jsonl"
    lines = [
        {
            "schema": 1,
            "job": job,
            "rank": rank,
            "event": "page-faults",
            "value": value,
            "status": "counted" if value is not None else "not-counted",
            "unit": None,
        }
        for job, rank, value in ROWS
    ]
    report.write_text("".join(json.dumps(line) + "\n" for line in lines))
    made = folder / "table"
    # The second export adds files to the directories of the first.
    for _ in range(2):
        command: list[str | Path] = [program, "export", "-o", made, "--partition", "job,rank", report]
        subprocess.run(command, check=True)
    return made


def is_as_written(rows: list[tuple[object, object, object]]) -> None:
    """The types of the columns of directories are those that each reader guesses."""
    found = [
        (str(job), int(str(rank)), None if value is None or value != value else int(str(value)))
        for job, rank, value in rows
    ]
    assert sorted(found, key=str) == sorted(EXPECTED * 2, key=str)


COLUMNS = ["job", "rank", "whole"]


def test_pandas(table: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(table)
    whole = frame["whole"].astype("Int64").astype(object).where(frame["whole"].notna(), None)
    is_as_written(list(zip(frame["job"], frame["rank"], whole, strict=True)))
    assert frame["value"].sum() == 120


def test_pyarrow(table: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    read = dataset.dataset(table, format="parquet", partitioning="hive").to_table(columns=COLUMNS)
    is_as_written(list(zip(*(read[name].to_pylist() for name in COLUMNS), strict=True)))


def test_polars(table: Path) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.read_parquet(table, hive_partitioning=True).select(COLUMNS)
    is_as_written(frame.rows())


def test_duckdb(table: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    query = f"SELECT job, rank, whole FROM read_parquet('{table}/**/*.parquet', hive_partitioning = true)"
    is_as_written(duckdb.sql(query).fetchall())


def test_spark(table: Path) -> None:
    sql = pytest.importorskip("pyspark.sql")
    try:
        session = sql.SparkSession.builder.master("local[1]").getOrCreate()
    except Exception as error:
        pytest.skip(f"Spark does not start: {error}")
    rows = session.read.parquet(str(table)).select(COLUMNS).collect()
    session.stop()
    is_as_written([tuple(row) for row in rows])
