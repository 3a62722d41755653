"""Names of events and metrics: what they stand for, how they are encoded, and which can be counted."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from counterpoint import _native
from counterpoint._native import DefinitionFile


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What was found in a file of definitions. Lines and columns count from 1."""

    severity: Literal["error", "warning", "info"]
    code: str
    line: int
    column: int
    message: str
    help: str | None


class Definitions:
    """Definitions of events and metrics, as a file has them.

    The languages are PAPI's event-definition files, the metrics of Linux perf, of intel/perfmon and of this project, and
    likwid's groups. A faulty line is skipped, and ``diagnostics`` has what is wrong.
    """

    def __init__(self, text: str, path: str | os.PathLike[str] = "definitions.csv") -> None:
        self._file = DefinitionFile(os.fspath(path), text)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Definitions:
        """Read a file."""
        definitions = cls.__new__(cls)
        definitions._file = DefinitionFile.read(os.fspath(path))
        return definitions

    @property
    def language(self) -> str:
        """The language, by the name of the file and its text."""
        return self._file.language

    @property
    def names(self) -> list[str]:
        """The names that are defined, whether or not they apply to this machine."""
        return self._file.names

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was found in the text."""
        return [Diagnostic(**found) for found in self._file.diagnostics()]

    def __repr__(self) -> str:
        return f"<counterpoint.Definitions: {self._file.path}, {len(self.names)} names>"


@dataclass(frozen=True, slots=True)
class Encoding:
    """An event on a PMU: its registers, and the fields of ``perf_event_attr``.

    ``counters`` has a bit for each counter that can count it, where that is known, and ``cpus`` the CPUs on which it is
    counted, if not on any. ``attributes`` is None if the kernel cannot count it.
    """

    pmu: str
    event: str
    canonical: str
    codes: list[int]
    counters: int | None
    cpus: str | None
    attributes: dict[str, int | bool] | None


@dataclass(frozen=True, slots=True)
class Meaning:
    """Something that a name stands for; ``is_counted`` is False for what the first meaning hides."""

    name: str
    kind: str
    pmu: str | None
    description: str | None
    unit: str | None
    formula: str | None
    terms: list[str]
    unavailable: str | None
    is_counted: bool


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event of this machine, and whether it can be counted."""

    name: str
    aliases: list[str]
    group: str
    description: str | None
    unit: str | None
    status: Literal["available", "user-only", "refused", "needs", "not-tested", "unknown"]
    reason: str | None


@dataclass(frozen=True, slots=True)
class ListedMetric:
    """A metric of this machine."""

    name: str
    description: str | None
    unit: str | None
    groups: list[str]
    formula: str


@dataclass(frozen=True, slots=True)
class PmuPlan:
    """How the events of a PMU share its counters: those of a pass are counted at the same time."""

    pmu: str
    passes: list[list[str]]
    is_optimal: bool
    impossible: list[str]
    coverage: float


@dataclass(frozen=True, slots=True)
class Plan:
    """How events share counters. Software events need none."""

    pmus: list[PmuPlan]
    software: list[str]
    unavailable: list[tuple[str, str]]


def encode(event: str) -> list[Encoding]:
    """Encode an event, such as "spr::L1D:REPLACEMENT:u" of any known PMU, or one as ``stat -e`` takes it here."""
    return [Encoding(**encoding) for encoding in _native.encode(event)]


def show(name: str, *, definitions: Definitions | Iterable[Definitions] = ()) -> list[Meaning]:
    """What a name stands for: what is counted comes first, and what it hides after it."""
    return [Meaning(**meaning) for meaning in _native.show(name, files_of(definitions))]


def list_events(*, definitions: Definitions | Iterable[Definitions] = ()) -> list[ListedEvent]:
    """The events of this machine, each tested by opening it, and its tracepoints, which are not tested."""
    return [ListedEvent(**event) for event in _native.list_events(files_of(definitions))]


def list_metrics(*, definitions: Definitions | Iterable[Definitions] = ()) -> list[ListedMetric]:
    """The metrics of this machine: those that are built in, and those of definitions."""
    return [ListedMetric(**metric) for metric in _native.list_metrics(files_of(definitions))]


def plan(
    events: str | Iterable[str] = (),
    *,
    metrics: str | Iterable[str] = (),
    definitions: Definitions | Iterable[Definitions] = (),
) -> Plan:
    """In how few passes events and metrics can be counted, without counting them."""
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    planned = _native.plan(text_of(events), names, files_of(definitions))
    pmus = [PmuPlan(**pmu) for pmu in planned["pmus"]]
    return Plan(pmus, planned["software"], planned["unavailable"])


def text_of(events: str | Iterable[str]) -> str:
    """Events as one list."""
    if isinstance(events, str):
        return events
    names = list(events) if isinstance(events, Iterable) else [events]
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"events are a text, or a list of texts, and not {events!r}")
    return ",".join(names)


def files_of(definitions: Definitions | Iterable[Definitions]) -> list[DefinitionFile]:
    """The files of one or several definitions."""
    if isinstance(definitions, Definitions):
        definitions = [definitions]
    files = list(definitions) if isinstance(definitions, Iterable) else [definitions]
    if not all(isinstance(each, Definitions) for each in files):
        raise TypeError(f"definitions are what Definitions.read returns, and not {definitions!r}")
    return [each._file for each in files]
