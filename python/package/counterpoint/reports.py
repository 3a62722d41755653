"""Reports of the program as tables."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from counterpoint import _native
from counterpoint.errors import ReportError
from counterpoint.frames import Frames


class ReportTable(Frames):
    """The values of reports, one for each row; `status` says what a value is worth, and what was not measured is null.

    It has the columns of ``counterpoint export``. What reads streams of Arrow (``__arrow_c_stream__``) takes it as it is.
    """

    def __init__(self, table: _native.Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        # A producer may leave the conversion to another type to the consumer.
        return self._table.stream()

    def __repr__(self) -> str:
        return f"<counterpoint.ReportTable: {len(self)} rows>"


def read_report(*paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> ReportTable:
    """Read reports: files of ``stat --json``, ``merge --json`` or ``profile --format json``, of regions, and tables of
    ``counterpoint export`` except those of Parquet. Several files, or lists of files, make one table; a directory stands
    for the reports and tables in it and in its directories."""
    files: list[str] = []
    for path in paths:
        names = [path] if isinstance(path, str | os.PathLike) else path
        for name in names:
            file = os.fspath(name)
            files.extend(_within(file) if os.path.isdir(file) else [file])
    return ReportTable(_native.read_reports(files))


_ENDINGS = (".jsonl", ".json", ".csv", ".arrow", ".feather", ".parquet")


def _within(directory: str) -> list[str]:
    """The reports and tables in a directory, as ``counterpoint export`` finds them."""

    def failed(error: OSError) -> None:
        raise error

    found: list[str] = []
    for folder, folders, names in os.walk(directory, onerror=failed):
        # Files that other programs have not finished, or keep for themselves, have such names.
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        own = sorted(name for name in names if name.endswith(_ENDINGS) and not name.startswith((".", "_")))
        found.extend(path for name in own if os.path.isfile(path := os.path.join(folder, name)))
    if not found:
        raise ReportError(
            f"{directory}: no report or table is in this directory",
            help=f"files in a directory end with {', '.join(_ENDINGS)}",
        )
    return found
