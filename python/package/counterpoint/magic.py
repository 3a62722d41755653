"""The magic of IPython and Jupyter: ``%load_ext counterpoint``, then ``%%counterpoint EVENTS`` at the top of a cell."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from counterpoint.errors import Error
from counterpoint.events import EventSet

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

#: The events that are counted if none is named.
USUAL = "task-clock,page-faults,context-switches,cycles,instructions"


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Called by ``%load_ext counterpoint``."""

    def counterpoint(line: str, cell: str | None = None) -> None:
        """Count events of this process while a cell runs: ``%%counterpoint page-faults,cycles``."""
        if cell is None:
            print("write %%counterpoint in the first line of a cell, with events after it")
            return
        try:
            events = EventSet(line.strip() or USUAL, pid=os.getpid())
        except Error as error:
            print("\n".join([str(error), *getattr(error, "__notes__", [])]))
            return
        with events:
            shell.run_cell(cell)  # type: ignore[no-untyped-call]
        print(events.read())
        events.close()

    shell.register_magic_function(counterpoint, "line_cell", "counterpoint")  # type: ignore[arg-type]
