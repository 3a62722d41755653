"""The samples of recordings as tables."""

from __future__ import annotations

import os
from typing import Any

from counterpoint import _native
from counterpoint.frames import Frames


class Samples(Frames):
    """The samples of a recording, one for each row.

    What reads streams of Arrow (``__arrow_c_stream__``) takes it as it is, and gets batches that are read as it asks for
    them: ``pyarrow.RecordBatchReader.from_stream(samples)``. Each stream begins with the first sample.
    """

    def __init__(self, samples: _native.Samples, path: str) -> None:
        self._samples = samples
        self._path = path

    @property
    def events(self) -> list[str]:
        """The names of the events of the recording."""
        return self._samples.events

    @property
    def remarks(self) -> list[str]:
        """What is missing of the file; complete after the samples have been read to the end."""
        return self._samples.remarks

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        # A producer may leave the conversion to another type to the consumer.
        return self._samples.stream()

    def __repr__(self) -> str:
        return f"<counterpoint.Samples: {self._path}>"


def samples(file: str | os.PathLike[str], *, symbols: bool = False) -> Samples:
    """Read the samples of a recording: a file, or a pipe, of ``counterpoint record`` or ``perf record``.

    With ``symbols``, the functions and source lines are looked up in the files of this system.
    """
    path = os.fspath(file)
    return Samples(_native.read_samples(path, symbols), path)
