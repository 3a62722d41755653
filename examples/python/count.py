"""Counts a part of a program.

    LD_LIBRARY_PATH=DIR/lib python3 count.py task-clock,page-faults
"""

import ctypes
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint32
from ctypes import c_uint64, c_void_p

COUNTED, ESTIMATED = 1, 2


class Value(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("unit", c_char_p),
        ("reason", c_char_p),
        ("note", c_char_p),
        ("value", c_double),
        ("coverage", c_double),
        ("raw", c_uint64),
        ("enabled_ns", c_uint64),
        ("running_ns", c_uint64),
        ("least", c_double),
        ("greatest", c_double),
        ("status", c_int32),
        ("reserved", c_uint32),
    ]


lib = ctypes.CDLL("libcounterpoint.so.0")
lib.counterpoint_error.restype = c_char_p
lib.counterpoint_open.argtypes = [POINTER(c_void_p), c_char_p, c_void_p]
lib.counterpoint_read.argtypes = [c_void_p, POINTER(Value), c_size_t, c_size_t]
for name in ("count", "start", "stop", "close"):
    getattr(lib, "counterpoint_" + name).argtypes = [c_void_p]


def checked(result: int) -> int:
    if result < 0:
        raise OSError(result, lib.counterpoint_error().decode())
    return result


def main(events: str) -> None:
    counters = c_void_p()
    checked(lib.counterpoint_open(byref(counters), events.encode(), None))
    values = (Value * checked(lib.counterpoint_count(counters)))()
    checked(lib.counterpoint_start(counters))
    sum(number * number for number in range(100_000))
    checked(lib.counterpoint_stop(counters))
    checked(lib.counterpoint_read(counters, values, len(values), ctypes.sizeof(Value)))
    for value in values:
        if value.status == COUNTED:
            print(f"{value.name.decode()} {value.value:.0f} {value.unit.decode()}")
        elif value.status == ESTIMATED:
            print(f"{value.name.decode()} about {value.value:.0f}, coverage {value.coverage:.2f}")
        else:
            print(f"{value.name.decode()}: {value.reason.decode()}")
    checked(lib.counterpoint_close(counters))


try:
    main(sys.argv[1] if len(sys.argv) > 1 else "task-clock,page-faults,cycles")
except OSError as error:
    sys.exit(f"{error.strerror}")
