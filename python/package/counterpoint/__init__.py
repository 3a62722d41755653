"""Count performance events, and evaluate formulas over columns of counts.

import counterpoint

with counterpoint.EventSet("task-clock,page-faults") as events:
    work()
for row in events.read():
    print(row.event, row.value, row.reason)

ipc = counterpoint.Formula("instructions / cycles")
frame["ipc"] = ipc(frame)
"""

from counterpoint._native import Column, Formula, __version__
from counterpoint.errors import (
    ColumnError,
    CountingError,
    Error,
    EventError,
    FormulaError,
    NoValueError,
    ReportError,
)
from counterpoint.events import EventSet, Measured, Report, Row, measure
from counterpoint.magic import load_ipython_extension
from counterpoint.names import (
    Definitions,
    Diagnostic,
    Encoding,
    ListedEvent,
    ListedMetric,
    Meaning,
    Plan,
    PmuPlan,
    encode,
    list_events,
    list_metrics,
    plan,
    show,
)
from counterpoint.recordings import Samples, samples
from counterpoint.reports import ReportTable, read_report

__all__ = [
    "Column",
    "ColumnError",
    "CountingError",
    "Definitions",
    "Diagnostic",
    "Encoding",
    "Error",
    "EventError",
    "EventSet",
    "Formula",
    "FormulaError",
    "ListedEvent",
    "ListedMetric",
    "Meaning",
    "Measured",
    "NoValueError",
    "Plan",
    "PmuPlan",
    "Report",
    "ReportError",
    "ReportTable",
    "Row",
    "Samples",
    "__version__",
    "encode",
    "list_events",
    "list_metrics",
    "load_ipython_extension",
    "measure",
    "plan",
    "read_report",
    "samples",
    "show",
]
