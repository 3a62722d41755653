"""Reports of the program as data frames."""

import json
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

import counterpoint
from counterpoint import ReportError

LINES = [
    {
        "schema": 1,
        "host": "a",
        "pid": 7,
        "rank": 0,
        "event": "page-faults",
        "value": 48,
        "status": "counted",
        "unit": None,
        "raw": 48,
    },
    {
        "schema": 1,
        "host": "a",
        "pid": 7,
        "rank": 0,
        "event": "task-clock",
        "value": 2.5,
        "status": "counted",
        "unit": "ns",
    },
    {
        "schema": 1,
        "host": "a",
        "pid": 7,
        "event": "cycles",
        "value": None,
        "status": "not-supported",
        "unit": None,
        "reason": "no PMU",
    },
    {"schema": 1, "summary": {"command": ["true"], "elapsed_s": 0.5}},
]


def write(path: Path, lines: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def report(tmp_path: Path) -> Path:
    return write(tmp_path / "a.jsonl", LINES)


def test_a_report_is_a_frame_of_polars(report: Path) -> None:
    frame = counterpoint.read_report(report).to_polars()
    values = frame.filter(pl.col("kind") == "value")
    assert values["event"].to_list() == ["page-faults", "task-clock", "cycles"]
    assert values["value"].to_list() == [48.0, 2.5, None]
    assert values["status"].to_list() == ["counted", "counted", "not-supported"]
    assert values["reason"].to_list()[2] == "no PMU"


def test_a_report_is_a_frame_of_pandas(report: Path) -> None:
    frame = counterpoint.read_report(report).to_pandas()
    values = frame[frame["kind"] == "value"]
    assert values["value"].isna().tolist() == [False, False, True]
    # Whole numbers stay whole beside those that are missing.
    assert str(values["rank"].dtype) == "Int64" and values["raw"].tolist()[0] == 48
    ratio = counterpoint.Formula("value / 2")(values)
    assert ratio.to_list() == [24.0, 1.25, None]


def test_several_reports_are_one_table(report: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "b.jsonl", LINES[:1])
    table = counterpoint.read_report(report, other)
    assert isinstance(table.to_pyarrow(), pa.Table) and len(table) == 5
    assert set(table.to_pyarrow()["report"].to_pylist()) == {str(report), str(other)}
    # A table can be read more than once.
    assert (
        table.to_pyarrow() == table.to_pyarrow()
        and repr(table) == "<counterpoint.ReportTable: 5 rows>"
    )
    table.to_pyarrow().validate(full=True)
    assert len(counterpoint.read_report()) == 0


def test_what_is_no_report_is_refused_with_its_line(report: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_text(report.read_text()[:-40])
    with pytest.raises(ReportError, match=r"torn\.jsonl: line 4"):
        counterpoint.read_report(torn)
    lie = dict(LINES[2], value=0)
    with pytest.raises(ReportError, match="line 1"):
        counterpoint.read_report(write(tmp_path / "lie.jsonl", [lie]))
    later = dict(LINES[0], schema=2)
    with pytest.raises(ReportError, match="version 2"):
        counterpoint.read_report(write(tmp_path / "later.jsonl", [later]))
    for text in (b"", b"\x00\xff", b"PAR1", b"ARROW1", b"event,value\nx,1\n"):
        torn.write_bytes(text)
        with pytest.raises(ReportError, match="torn"):
            counterpoint.read_report(torn)
    with pytest.raises(FileNotFoundError):
        counterpoint.read_report(tmp_path / "none.jsonl")
    # Of a directory, the file is named.
    with pytest.raises(ReportError, match=r"later\.jsonl: line 1: version 2"):
        counterpoint.read_report(tmp_path)


def test_lists_of_files_are_one_table(tmp_path: Path) -> None:
    line = '{"schema":1,"event":"e","value":1,"status":"counted","unit":null}\n'
    files = [tmp_path / name for name in ("a.jsonl", "b.jsonl")]
    for file in files:
        file.write_text(line)
    assert len(counterpoint.read_report(files)) == len(counterpoint.read_report(*files)) == 2


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "no.jsonl"
    for read in (counterpoint.read_report, counterpoint.Definitions.read):
        with pytest.raises(FileNotFoundError) as caught:
            read(missing)
        assert caught.value.errno == 2 and caught.value.filename == str(missing)


def test_a_sum_of_what_was_not_measured_is_missing(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    file = tmp_path / "a.jsonl"
    file.write_text(
        '{"schema":1,"event":"cycles","value":null,"status":"not-supported","unit":null}\n'
        '{"schema":1,"event":"faults","value":2,"status":"counted","unit":null}\n'
    )
    frame = counterpoint.read_report(file).to_pandas()
    sums = frame.groupby("event")["value"].sum(min_count=1)
    assert sums["cycles"] is pandas.NA and sums["faults"] == 2


def test_a_directory_stands_for_its_reports(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    (folder / "job=1").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    write(folder / "a.jsonl", LINES)
    write(folder / "job=1" / "b.json", LINES[:1])
    for ignored in ("notes.txt", "_unfinished.jsonl", ".hidden/c.jsonl"):
        (folder / ignored).write_text("no report")
    frame = counterpoint.read_report(folder).to_polars()
    assert frame["report"].unique().sort().to_list() == [str(folder / "a.jsonl"), str(folder / "job=1" / "b.json")]
    assert len(frame) == len(LINES) + 1
    assert len(counterpoint.read_report([folder, folder / "a.jsonl"])) == 2 * len(LINES) + 1
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReportError, match="no report or table is in this directory"):
        counterpoint.read_report(tmp_path / "empty")
