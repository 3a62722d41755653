"""Event sets over software events, which every machine counts."""

import gc
import mmap
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import counterpoint
from counterpoint import CountingError, Definitions, EventError, EventSet


def work() -> int:
    return sum(number * number for number in range(100_000))


def touch(pages: int) -> int:
    """Write to memory that no allocator can have kept."""
    size = mmap.PAGESIZE
    with mmap.mmap(-1, pages * size) as memory:
        for page in range(pages):
            memory[page * size] = 1
        return len(memory)


def open_events() -> int:
    """How many events this process has open."""
    files = Path("/proc/self/fd").iterdir()
    return sum(os.path.realpath(file).endswith("anon_inode:[perf_event]") for file in files)


def test_a_block_is_counted() -> None:
    states = []
    with EventSet("task-clock,page-faults") as events:
        states.append(events.state)
        work()
        first = events.read()["task-clock"].value
    states.append(events.state)
    assert states == ["running", "stopped"]
    report = events.read()
    clock = report["task-clock"]
    assert (clock.status, clock.unit, clock.coverage, clock.reason) == ("counted", "ns", 1.0, None)
    assert isinstance(clock.value, int) and first is not None and clock.value > first > 100_000
    assert [row.event for row in report] == ["task-clock", "page-faults"] and len(report) == 2
    assert "msec task-clock" in str(report)
    # What happens after the block is not counted.
    work()
    assert events.read()["task-clock"].value == clock.value


def test_a_level_has_its_least_and_greatest_value() -> None:
    report = counterpoint.measure(["memory/MemFree/", "vmstat/pgfault/"], work).report
    free, faults = report["memory/MemFree/"], report["vmstat/pgfault/"]
    assert free.least is not None and free.greatest is not None and free.value is not None
    assert 0 < free.least <= free.value <= free.greatest and free.raw is None
    assert faults.least is None and faults.greatest is None and faults.raw == faults.value


def test_an_event_without_a_counter_has_a_reason_and_no_number() -> None:
    report = counterpoint.measure(["task-clock", "cycles"], work).report
    assert report["task-clock"].status == "counted"
    cycles = report["cycles"]
    if cycles.status == "counted":
        pytest.skip("needs a machine without hardware counters")
    assert cycles.value is None and cycles.raw is None and cycles.coverage is None
    assert cycles.reason and cycles.status in ("not-supported", "not-counted")


def test_measure_returns_what_the_function_returns() -> None:
    result, report = counterpoint.measure("page-faults", touch, 1000)
    assert result == 1000 * mmap.PAGESIZE
    faults = report["page-faults"].value
    assert faults is not None and faults > 0
    events = EventSet("task-clock")
    more = counterpoint.measure(events, lambda: [work() for _ in range(20)]).report
    less = counterpoint.measure(events, lambda: None).report
    # A set counts from zero.
    assert less["task-clock"].value < more["task-clock"].value  # type: ignore[operator]


def test_a_set_is_started_stopped_and_reset() -> None:
    events = EventSet(["task-clock"])
    assert events.state == "stopped"
    work()
    assert events.read()["task-clock"].value is None or events.read()["task-clock"].value == 0
    events.start()
    work()
    events.stop()
    counted = events.read()["task-clock"].value
    events.start()
    work()
    events.stop()
    assert events.read()["task-clock"].value > counted  # type: ignore[operator]
    events.reset()
    assert not events.read()["task-clock"].value


def test_a_closed_set_is_refused_and_leaves_nothing_open() -> None:
    gc.collect()
    before = open_events()
    events = EventSet("task-clock,page-faults")
    assert open_events() > before
    events.close()
    events.close()
    assert open_events() == before and events.state == "closed"
    for call in (events.start, events.stop, events.reset, events.read):
        with pytest.raises(CountingError, match="is closed") as caught:
            call()
        assert caught.value.help == "make a new one"
    left = EventSet("task-clock")
    assert open_events() > before
    del left
    gc.collect()
    assert open_events() == before


def test_a_set_may_be_closed_in_its_block() -> None:
    with EventSet("task-clock") as events:
        events.close()
    assert events.state == "closed"


def test_an_unknown_name_has_its_place_and_similar_names() -> None:
    with pytest.raises(EventError, match="task-clokc") as caught:
        EventSet("page-faults,task-clokc")
    assert caught.value.span == (12, 22)
    assert caught.value.help == "did you mean `task-clock`?"
    with pytest.raises(EventError):
        EventSet("{page-faults")
    with pytest.raises(CountingError, match="no events"):
        EventSet()


def test_processes_threads_and_cpus_are_targets() -> None:
    child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        events = EventSet("task-clock", pid=child.pid)
        with events:
            pass
        with events:
            threading.Event().wait(0.05)
        value = events.read()["task-clock"].value
        assert value is not None and value > 0
    finally:
        child.kill()
        child.wait()
    with pytest.raises(CountingError, match="there is no process"):
        EventSet("task-clock", pid=child.pid)
    report = counterpoint.measure(
        EventSet("task-clock", tid=[threading.get_native_id()]), work
    ).report
    assert report["task-clock"].value


def test_a_split_has_a_row_for_each_part() -> None:
    events = EventSet("task-clock", cpus="all")
    with events:
        work()
    total = events.read()["task-clock"]
    if total.status != "counted":
        pytest.skip(f"needs the right to count whole CPUs: {total.reason}")
    assert total.placement is None
    rows = events.read(split="cpu").rows
    assert len(rows) == os.sysconf("SC_NPROCESSORS_ONLN")
    assert rows[0].placement == "CPU 0"
    if len(rows) > 1:
        with pytest.raises(KeyError, match="rows"):
            events.read(split="cpu")["task-clock"]


def test_wrong_targets_are_refused() -> None:
    with pytest.raises(ValueError, match="give one"):
        EventSet("task-clock", pid=1, cpus="all")
    with pytest.raises(ValueError, match="is not a split"):
        EventSet("task-clock").read("row")  # type: ignore[arg-type]
    with pytest.raises(CountingError, match="0-x"):
        EventSet("task-clock", cpus="0-x")
    with pytest.raises(CountingError, match="no CPU 99999"):
        EventSet("task-clock", cpus=[99999])
    with pytest.raises(ValueError, match="pid is not an id"):
        EventSet("task-clock", pid=-1)
    with pytest.raises(KeyError, match="the report has task-clock"):
        EventSet("task-clock").read()["page-faults"]


def test_metrics_and_definitions_are_counted() -> None:
    own = Definitions("EVENT,FAULTS_TWICE,DERIVED_INFIX,N0*2,page-faults\n")
    events = EventSet("page-faults,FAULTS_TWICE", metrics="page_fault_rate", definitions=own)
    report = counterpoint.measure(events, touch, 1000).report
    faults, twice, rate = (row.value for row in report)
    assert faults and twice == 2 * faults and rate and rate > 0
    assert report.rows[2].unit == "/s"


def test_children_are_counted_unless_left_out() -> None:
    def child() -> None:
        subprocess.run([sys.executable, "-c", "bytes(range(256)) * (1 << 18)"], check=True)

    with_child = counterpoint.measure(EventSet("page-faults"), child).report
    without = counterpoint.measure(EventSet("page-faults", inherit=False), child).report
    assert with_child["page-faults"].value > without["page-faults"].value  # type: ignore[operator]


def test_threads_that_start_later_are_counted_and_any_thread_reads() -> None:
    events = EventSet("task-clock")
    reports = []

    def other() -> None:
        for _ in range(20):
            work()
        reports.append(events.read())

    with events:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    value = reports[0]["task-clock"].value
    assert value is not None and value > 1_000_000


def test_many_threads_have_sets_of_their_own_and_share_one() -> None:
    shared = EventSet("task-clock")
    problems: list[BaseException] = []

    def each() -> None:
        try:
            for _ in range(20):
                report = counterpoint.measure("task-clock,page-faults", work).report
                assert report["task-clock"].value
                shared.start()
                shared.read()
                shared.stop()
        except BaseException as problem:  # noqa: BLE001
            problems.append(problem)

    threads = [threading.Thread(target=each) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_reads_but_does_not_start() -> None:
    events = EventSet("task-clock")
    events.start()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        answer = "nothing"
        try:
            events.read()
            events.stop()
            answer = "stopped"
        except CountingError as error:
            answer = f"{error}; {error.help}"
        except BaseException as error:  # noqa: BLE001
            answer = repr(error)
        finally:
            os.write(write, answer.encode())
            os._exit(0)
    os.waitpid(child, 0)
    answer = os.read(read, 1000).decode()
    assert "from which this one was forked; open a set in each process" in answer
    events.stop()
    assert events.read()["task-clock"].value


def test_an_exception_leaves_the_block_stopped() -> None:
    events = EventSet("task-clock")
    with pytest.raises(ZeroDivisionError), events:
        1 / 0
    assert events.state == "stopped" and repr(events) == "<counterpoint.EventSet: stopped>"


def test_measure_counts_threads_that_were_there_before() -> None:
    pages, ready, done = 2000, threading.Event(), threading.Event()

    def wait_and_touch() -> None:
        ready.wait()
        touch(pages)
        done.set()

    thread = threading.Thread(target=wait_and_touch)
    thread.start()

    def let_it_work() -> None:
        ready.set()
        done.wait()

    report = counterpoint.measure("page-faults", let_it_work).report
    thread.join()
    faults = report["page-faults"].value
    assert faults is not None and faults >= pages
    assert report.note is None


def test_linear_algebra_of_numpy_is_counted_with_all_its_threads() -> None:
    numpy = pytest.importorskip("numpy")
    matrix = numpy.ones((600, 600))
    # The library starts its threads with the first product.
    _ = matrix @ matrix

    def multiply() -> float:
        begun = time.process_time()
        for _ in range(5):
            _ = matrix @ matrix
        return time.process_time() - begun

    seconds, report = counterpoint.measure("task-clock", multiply)
    clock = report["task-clock"].value
    assert clock is not None and clock >= 0.9e9 * seconds


def test_threads_that_are_not_counted_are_said() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    with EventSet("page-faults") as events:
        touch(10)
    report = events.read()
    stop.set()
    thread.join()
    assert report.note and "are not counted; pid=os.getpid() counts all" in report.note
    assert report.note in str(report)


def test_a_report_says_whether_it_has_an_event() -> None:
    report = counterpoint.measure("page-faults", work).report
    assert "page-faults" in report and "cycles" not in report
    assert report["page-faults"] in report and None not in report


def test_a_report_is_a_frame_whose_missing_values_are_missing() -> None:
    pandas = pytest.importorskip("pandas")
    report = counterpoint.measure(["page-faults", "cycles"], work).report
    frame = report.frame()
    assert list(frame["event"]) == ["page-faults", "cycles"]
    for row, value in zip(report, frame["value"], strict=True):
        assert (value is pandas.NA) if row.value is None else (value == row.value)
    sums = frame.groupby("event")["value"].sum(min_count=1)
    assert (sums["cycles"] is pandas.NA) == (report["cycles"].value is None)
    assert str(frame["raw"].dtype) == "Int64"


def test_a_block_within_a_block_changes_nothing() -> None:
    with EventSet("task-clock") as events:
        with events:
            work()
        states = [events.state]
        inner = events.read()["task-clock"].value
        work()
    states.append(events.state)
    assert states == ["running", "stopped"]
    outer = events.read()["task-clock"].value
    assert inner is not None and outer is not None and outer > inner


def test_what_is_no_list_of_events_or_cgroups_is_said() -> None:
    for wrong in (None, 7, ["page-faults", 7]):
        with pytest.raises(TypeError, match="events are a text, or a list of texts"):
            EventSet(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cgroups is not a path, or a list of paths: 7"):
        EventSet("page-faults", cgroups=7)  # type: ignore[arg-type]
    targets: list[dict[str, Any]] = [{"cgroups": []}, {"cgroups": ""}, {"cpus": []}, {"cpus": ""}]
    for target in [*targets, {"pid": []}, {"pid": True}]:
        with pytest.raises((TypeError, ValueError), match="|".join(target)):
            EventSet("page-faults", **target)
    with pytest.raises(TypeError, match="Definitions.read"):
        EventSet("page-faults", definitions="a.csv")  # type: ignore[arg-type]
    with pytest.raises(counterpoint.Error, match="no-such-cgroup"):
        EventSet("page-faults", cgroups="no-such-cgroup")


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert counterpoint.__version__ == version("counterpoint")


def test_a_cell_is_counted_by_a_magic(capsys: pytest.CaptureFixture[str]) -> None:
    testing = pytest.importorskip("IPython.core.interactiveshell")
    shell = testing.InteractiveShell.instance()
    shell.run_line_magic("load_ext", "counterpoint")
    shell.run_cell_magic("counterpoint", "page-faults", "answer = 6 * 7")
    assert shell.user_ns["answer"] == 42
    assert "page-faults" in capsys.readouterr().out
    assert shell.run_cell_magic("counterpoint", "page-faults", "6 * 7") == 42
    # An error ends a notebook, as it does without the magic.
    with pytest.raises(counterpoint.EventError):
        shell.run_cell_magic("counterpoint", "page-fualts", "never = 1")
    assert "never" not in shell.user_ns
    with pytest.raises(ZeroDivisionError):
        shell.run_cell_magic("counterpoint", "page-faults", "1 / 0")


def test_blocks_of_one_set_within_each_other_are_one() -> None:
    events = counterpoint.EventSet("task-clock")
    with events:
        with events:
            sum(range(1000))
        # The inner block did not stop it.
        assert events.state == "running"
    assert events.state != "running"
    assert events.read()["task-clock"].value is not None
