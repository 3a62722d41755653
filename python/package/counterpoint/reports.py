"""Reports of the program as tables."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from counterpoint import _native
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
    ``counterpoint export`` except those of Parquet. Several files, or lists of files, make one table."""
    files: list[str] = []
    for path in paths:
        names = [path] if isinstance(path, str | os.PathLike) else path
        files.extend(os.fspath(name) for name in names)
    return ReportTable(_native.read_reports(files))
