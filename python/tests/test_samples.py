"""The samples of recordings as tables."""

import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pytest

import counterpoint
from counterpoint import ReportError

# PERF_SAMPLE_IP, _TID, _TIME, _ADDR, _CALLCHAIN, _CPU and _PERIOD.
FIELDS = 1 | 2 | 4 | 8 | 32 | 128 | 256
PERF_CONTEXT_USER = 2**64 - 512


def record(kind: int, misc: int, body: bytes) -> bytes:
    return struct.pack("=IHH", kind, misc, 8 + len(body)) + body


def text(name: str) -> bytes:
    return name.encode() + bytes(8 - len(name) % 8)


def sample(at: int, ip: int = 0x5010, addr: int = 0, callers: tuple[int, ...] = ()) -> bytes:
    chain = (PERF_CONTEXT_USER, ip, *callers)
    words = (at, addr, 3, 1000, len(chain), *chain)
    return record(9, 2, struct.pack(f"=QII{len(words)}Q", ip, 7, 8, *words))


def write(path: Path, samples: Iterable[bytes]) -> Path:
    """A recording of one event without a name, of a process with one mapping."""
    attr = struct.pack("=IIQQQQQ", 1, 112, 1, 1000, FIELDS, 0, 0).ljust(112, b"\0")
    start = 104 + len(attr) + 16
    mapping = record(1, 2, struct.pack("=IIQQQ", 7, 7, 0x5000, 0x1000, 0x1000) + text("/no/program"))
    records = record(3, 0, struct.pack("=II", 7, 8) + text("worker")) + mapping
    with path.open("wb") as file:
        file.write(bytes(104) + attr + struct.pack("=QQ", 104, 0) + records)
        size = len(records) + sum(file.write(sample) for sample in samples)
        file.seek(0)
        file.write(struct.pack("=8sQQQQQQQQ", b"PERFILE2", 104, len(attr) + 16, 104, len(attr) + 16, start, size, 0, 0))
    return path


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return write(tmp_path / "perf.data", [sample(10, addr=0xDA7A, callers=(0x5021,)), sample(20, ip=0x9000)])


def test_each_sample_is_a_row_with_its_place(recording: Path) -> None:
    samples = counterpoint.samples(recording)
    first, second = samples.to_pyarrow().to_pylist()
    code = {"function": None, "file": None, "line": None}
    assert first == {
        "time_ns": 10,
        "event": "task-clock",
        "pid": 7,
        "thread": 8,
        "comm": "worker",
        "cpu": 3,
        "period": 1000,
        "ip": 0x5010,
        "module": "/no/program",
        "offset": 0x1010,
        **code,
        "addr": 0xDA7A,
        "weight": None,
        "data_src": None,
        # The outermost frame first; a caller is at the call.
        "stack": [
            {"module": "/no/program", "offset": 0x1020, **code},
            {"module": "/no/program", "offset": 0x1010, **code},
        ],
    }
    assert (second["ip"], second["module"], second["addr"]) == (0x9000, None, None)
    assert samples.events == ["task-clock"] and samples.remarks == []


def test_samples_are_read_by_what_reads_streams(recording: Path) -> None:
    samples = counterpoint.samples(recording)
    assert samples.to_polars()["time_ns"].to_list() == [10, 20]
    frame = samples.to_pandas()
    assert frame["addr"].dtype == "UInt64" and frame["addr"].isna().tolist() == [False, True]
    assert duckdb.connect().execute("SELECT sum(period) FROM samples").fetchall() == [(2000,)]
    assert pl.DataFrame(samples).schema["stack"] == pl.List(
        pl.Struct({"module": pl.String, "offset": pl.UInt64, "function": pl.String, "file": pl.String, "line": pl.UInt32})
    )


def test_samples_are_read_piece_by_piece(tmp_path: Path) -> None:
    count = 100_000
    samples = counterpoint.samples(write(tmp_path / "long.data", (sample(at) for at in range(count))))
    rows = [batch.num_rows for batch in pa.RecordBatchReader.from_stream(samples)]
    assert sum(rows) == count and max(rows) < count // 5
    # A stream that is not read to its end leaves no thread behind.
    reader = pa.RecordBatchReader.from_stream(samples)
    assert reader.read_next_batch().column("time_ns")[0].as_py() == 0
    del reader
    for _ in range(1000):
        if "samples" not in names_of_threads():
            return
        time.sleep(0.01)
    pytest.fail("the thread that reads is still there")


def names_of_threads() -> list[str]:
    return [task.joinpath("comm").read_text().strip() for task in Path("/proc/self/task").iterdir()]


def test_a_child_of_a_fork_does_not_wait_for_the_stream_of_its_parent(tmp_path: Path) -> None:
    samples = counterpoint.samples(write(tmp_path / "long.data", (sample(at) for at in range(100_000))))
    reader = pa.RecordBatchReader.from_stream(samples)
    reader.read_next_batch()
    child = os.fork()
    if child == 0:
        try:
            reader.read_next_batch()
        except Exception as error:
            os._exit(0 if "the process that began to read it" in str(error) else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


def test_a_recording_comes_through_a_pipe(recording: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(recording.read_bytes()))
    writer.start()
    samples = counterpoint.samples(pipe)
    writer.join()
    # It can be read again.
    assert [len(samples.to_pyarrow()) for _ in range(2)] == [2, 2]


def test_a_wrong_file_is_named(tmp_path: Path, recording: Path) -> None:
    missing = tmp_path / "missing.data"
    with pytest.raises(FileNotFoundError) as caught:
        counterpoint.samples(missing)
    assert caught.value.errno == 2 and caught.value.filename == str(missing)
    other = tmp_path / "other.data"
    other.write_text("no recording")
    with pytest.raises(ReportError, match="other.data: it is not a file of perf record"):
        counterpoint.samples(other)
    with pytest.raises(ReportError, match="this is a directory"):
        counterpoint.samples(tmp_path)
    cut = tmp_path / "cut.data"
    cut.write_bytes(recording.read_bytes()[:-8])
    samples = counterpoint.samples(cut)
    assert len(samples.to_pyarrow()) == 1
    assert any("the rest is missing" in remark for remark in samples.remarks), samples.remarks


def test_symbols_are_looked_up_if_they_are_asked_for(tmp_path: Path) -> None:
    program = os.environ.get("COUNTERPOINT")
    if program is None:
        pytest.skip("COUNTERPOINT does not name the program")
    path = tmp_path / "perf.data"
    loop = "for _ in range(3000000): pass"
    command: list[str | Path] = [program, "record", "-e", "task-clock:u", "-c", "100000", "-o", path, "--", sys.executable, "-c", loop]
    subprocess.run(command, check=True)
    frame = counterpoint.samples(path, symbols=True).to_polars()
    assert frame["function"].drop_nulls().len() > 0
    assert counterpoint.samples(path).to_polars()["function"].drop_nulls().len() == 0
