"""Counts a loop with PAPI's functions, through ctypes.

    cargo xtask capi --install DIR
    LD_LIBRARY_PATH=DIR/lib python3 papi_counts.py perf::TASK-CLOCK perf::PAGE-FAULTS
"""

import ctypes
import sys

VERSION = 7 << 24
NULL = -1

papi = ctypes.CDLL("libpapi.so.7.0")
papi.PAPI_strerror.restype = ctypes.c_char_p


def check(result, what):
    if result != 0:
        sys.exit(f"{what}: {papi.PAPI_strerror(result).decode()}")


def main(events):
    if papi.PAPI_library_init(VERSION) != VERSION:
        sys.exit("the library is of another version")
    event_set = ctypes.c_int(NULL)
    check(papi.PAPI_create_eventset(ctypes.byref(event_set)), "PAPI_create_eventset")
    for event in events:
        check(papi.PAPI_add_named_event(event_set, event.encode()), event)

    check(papi.PAPI_start(event_set), "PAPI_start")
    sum(1 / term for term in range(1, 200_000))
    values = (ctypes.c_longlong * len(events))()
    check(papi.PAPI_stop(event_set, values), "PAPI_stop")

    for event, value in zip(events, values):
        print(f"{value:20} {event}")
    check(papi.PAPI_cleanup_eventset(event_set), "PAPI_cleanup_eventset")
    check(papi.PAPI_destroy_eventset(ctypes.byref(event_set)), "PAPI_destroy_eventset")
    papi.PAPI_shutdown()


if __name__ == "__main__":
    main(sys.argv[1:] or ["perf::TASK-CLOCK", "perf::PAGE-FAULTS"])
