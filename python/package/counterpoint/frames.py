"""Tables of Arrow as data frames of other packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class _Exported(Protocol):
    def __arrow_c_stream__(self, requested_schema: object = None) -> Any: ...


class Frames:
    """The conversions of what exports a stream of Arrow."""

    def to_pyarrow(self: _Exported) -> pyarrow.Table:
        """The table for pyarrow, which must be installed."""
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self: _Exported) -> polars.DataFrame:
        """The table for polars, which must be installed."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self: _Exported) -> pandas.DataFrame:
        """The table for pandas, which must be installed, and pyarrow with it. A missing value is ``pandas.NA``.

        A sum of nothing is 0 in pandas: ask for ``sum(min_count=1)``, which is missing then.
        """
        import pandas
        import pyarrow

        nullable = {
            pyarrow.int64(): pandas.Int64Dtype(),
            pyarrow.uint32(): pandas.UInt32Dtype(),
            pyarrow.uint64(): pandas.UInt64Dtype(),
            pyarrow.float64(): pandas.Float64Dtype(),
            pyarrow.bool_(): pandas.BooleanDtype(),
            pyarrow.string(): pandas.StringDtype(),
        }
        return pyarrow.table(self).to_pandas(types_mapper=nullable.get)
