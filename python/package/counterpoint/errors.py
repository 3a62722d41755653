"""What is raised: each exception says what is wrong, where, and what to write instead."""


class Error(Exception):
    """A request that cannot be answered.

    ``code`` is a short word that stays the same between releases, ``help`` says what to do, and ``span`` has the first
    character of ``text`` that is wrong and the one after the last. Each is None where there is none.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        help: str | None = None,
        text: str | None = None,
        span: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.help = help
        self.text = text
        self.span = span
        if text is not None and span is not None:
            start, end = span
            self.add_note(f"  {text}\n  {' ' * start}{'^' * max(1, end - start)}")
        if help is not None:
            self.add_note(f"  help: {help}")


class FormulaError(Error, ValueError):
    """The text is not a formula."""


class NoValueError(Error, ArithmeticError):
    """The formula has no value for these numbers, as for a division by zero."""


class ColumnError(Error, ValueError):
    """The columns cannot be evaluated: one is missing, has another length, or is not of numbers."""


class EventError(Error, ValueError):
    """The text does not name an event or a metric."""


class CountingError(Error, RuntimeError):
    """The events cannot be opened, started, stopped or read."""


class ReportError(Error, ValueError):
    """The file is not a report."""
