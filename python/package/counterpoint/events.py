"""Events that are counted, and what was counted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, ParamSpec, TypeVar

from counterpoint._native import Counters
from counterpoint.names import Definitions, files_of, text_of

if TYPE_CHECKING:
    import pandas

Status = Literal["counted", "estimated", "not-counted", "not-supported"]
Split = Literal["total", "cpu", "core", "cache", "die", "socket", "node", "thread", "cgroup"]

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """The value of an event, or why there is none.

    ``value`` is None if nothing was measured; ``reason`` says why then, and ``help`` what to do. An estimate was measured
    for the share ``coverage`` of the time. Of a level, such as a temperature, the value is the mean over time, beside its
    ``least`` and ``greatest`` value.
    """

    event: str
    canonical: str
    value: int | float | None
    status: Status
    unit: str | None
    reason: str | None
    help: str | None
    note: str | None
    coverage: float | None
    raw: int | None
    least: float | None
    greatest: float | None
    enabled_ns: int | None
    running_ns: int | None
    placement: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """The values of an event set at one time, in the order in which the events were named."""

    rows: tuple[Row, ...]
    #: What holds for all rows, such as that other threads were not counted; None if there is nothing to say.
    note: str | None = None
    _table: str = field(default="", repr=False, compare=False)

    def __getitem__(self, event: str) -> Row:
        """The row of the event that was named so."""
        rows = [row for row in self.rows if row.event == event]
        if not rows:
            events = ", ".join(dict.fromkeys(row.event for row in self.rows))
            raise KeyError(f"{event}; the report has {events}")
        if len(rows) > 1:
            raise KeyError(f"{event} has {len(rows)} rows; choose from `rows` by their placement")
        return rows[0]

    def __contains__(self, event: object) -> bool:
        """Whether there is a row of the event that was named so."""
        return any(row.event == event or row == event for row in self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return self._table if self.note is None else f"{self._table}\n note: {self.note}\n"

    def frame(self) -> pandas.DataFrame:
        """The rows for pandas, which must be installed. What was not measured is missing (``pandas.NA``), never 0.

        A sum of nothing is 0 in pandas: ask for ``sum(min_count=1)``, which is missing then.
        """
        import pandas

        frame = pandas.DataFrame([asdict(row) for row in self.rows], columns=list(Row.__slots__))
        reals = ("value", "coverage", "least", "greatest")
        numbers = dict.fromkeys(reals, "Float64")
        if all(isinstance(row.value, int | None) for row in self.rows):
            numbers["value"] = "Int64"
        whole = {"raw": "Int64", "enabled_ns": "Int64", "running_ns": "Int64"}
        texts = {name: "string" for name in frame.columns if name not in {*numbers, *whole}}
        return frame.astype({**numbers, **whole, **texts})


class EventSet:
    """Events that are counted together, and opened when the set is made.

    ``events`` is a list as ``counterpoint stat -e`` takes it, in one text or in several, and ``metrics`` has names of
    metrics or of groups of them. Without a target, the set counts the thread that makes it, with the threads and
    children that this thread starts later. Otherwise give one of:

    - ``pid``, ``tid``: the id of a process or thread, or several ids; ``pid=os.getpid()`` counts all threads of this
      process, also those that were there before, such as those of numpy's linear algebra
    - ``uid``: the id of a user, whose processes are counted
    - ``cpus``: a list such as "0-3", numbers, or "all"
    - ``cgroups``: the path of a cgroup, or several

    ``inherit=False`` leaves out threads and children that start later, ``user_only`` what happens in the kernel. With
    ``estimates=False``, events do not take turns on the hardware counters.

    A set counts between ``start`` and ``stop``, or in the block of a ``with``; a block within another one of the same set
    changes nothing. An event that cannot be opened is no
    error: its value says why. The counters stay open, and can be read, until ``close`` or until the set is gone.
    """

    def __init__(
        self,
        events: str | Iterable[str] = (),
        *,
        metrics: str | Iterable[str] = (),
        definitions: Definitions | Iterable[Definitions] = (),
        pid: int | Sequence[int] | None = None,
        tid: int | Sequence[int] | None = None,
        uid: int | None = None,
        cpus: str | int | Sequence[int] | None = None,
        cgroups: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = None,
        inherit: bool = True,
        user_only: bool = False,
        estimates: bool = True,
    ) -> None:
        targets = {"pid": pid, "tid": tid, "uid": uid, "cpus": cpus, "cgroups": cgroups}
        self._counters = Counters(
            text_of(events),
            [metrics] if isinstance(metrics, str) else list(metrics),
            files_of(definitions),
            {name: target for name, target in targets.items() if target is not None},
            inherit=inherit,
            user_only=user_only,
            estimates=estimates,
        )
        self._blocks = 0

    @property
    def state(self) -> Literal["running", "stopped", "closed"]:
        """Whether the events are counting."""
        return self._counters.state

    def start(self) -> None:
        """Start counting, or go on after ``stop``."""
        self._counters.start()

    def stop(self) -> None:
        """Stop counting. The counts are kept."""
        self._counters.stop()

    def reset(self) -> None:
        """Count from zero."""
        self._counters.reset()

    def read(self, split: Split = "total") -> Report:
        """The values up to now; with ``split``, a row for each CPU, thread or other part of the target."""
        rows, table, note = self._counters.read(split)
        return Report(tuple(Row(**row) for row in rows), note, table)

    def close(self) -> None:
        """Close the counters. Nothing can be read from then on."""
        self._counters.close()

    def __enter__(self) -> EventSet:
        if self._blocks == 0:
            self.start()
        self._blocks += 1
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._blocks -= 1
        if self._blocks == 0 and self.state == "running":
            self.stop()

    def __repr__(self) -> str:
        return f"<counterpoint.EventSet: {self.state}>"


class Measured(NamedTuple, Generic[T]):
    """What a function returned, and what was counted while it ran."""

    result: T
    report: Report


def measure(
    events: str | Iterable[str] | EventSet,
    function: Callable[P, T],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> Measured[T]:
    """Call a function, and count while it runs: events by name, or a set, which counts from zero.

    Events by name are counted for the whole process, with all its threads, because a function may use threads that were
    there before; give an ``EventSet`` to count the calling thread, or another target.
    """
    if not isinstance(events, EventSet):
        events = EventSet(events, pid=os.getpid())
    events.reset()
    with events:
        result = function(*args, **kwargs)
    return Measured(result, events.read())
