"""The magic of IPython and Jupyter: ``%load_ext counterpoint``, then ``%%counterpoint EVENTS`` at the top of a cell."""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING

from counterpoint.events import EventSet

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

#: The events that are counted if none is named.
USUAL = "task-clock,page-faults,context-switches,cycles,instructions"


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Called by ``%load_ext counterpoint``."""

    def counterpoint(line: str, cell: str | None = None) -> object:
        """Count events of this process while a cell runs: ``%%counterpoint page-faults,cycles``."""
        if cell is None:
            print("write %%counterpoint in the first line of a cell, with events after it")
            return None
        work = ast.parse(shell.transform_cell(cell))  # type: ignore[no-untyped-call]
        last = work.body.pop() if work.body and isinstance(work.body[-1], ast.Expr) else None
        events = EventSet(line.strip() or USUAL, pid=os.getpid())
        result = None
        try:
            with events:
                exec(compile(work, "<cell>", "exec"), shell.user_ns)
                if isinstance(last, ast.Expr):
                    value = ast.Expression(last.value)
                    result = eval(compile(value, "<cell>", "eval"), shell.user_ns)
            print(events.read())
        finally:
            events.close()
        return result

    shell.register_magic_function(counterpoint, "line_cell", "counterpoint")  # type: ignore[arg-type]
