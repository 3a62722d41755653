"""Compares columns in Python with the same columns in Rust, and with numexpr.

    python columns.py PROGRAM

PROGRAM is built from `python/peer`; `cargo xtask python` runs both. The contenders take
turns, and the least time of each counts, which is the one that was disturbed least.
A formula is evaluated on one thread: the limits are for numexpr on one thread, and its
time on all CPUs stands beside them.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import numexpr
import numpy as np
import pyarrow as pa
import pyarrow.compute

from counterpoint import Formula

ROWS = 10_000_000
ROUNDS = 40
CPUS = numexpr.detect_number_of_cores()
FORMULAS = ["a + b", "a / b", "(a - b) / (a + b)", "100 * a / (a + 3 * b)"]

Contender = Callable[[], float]


def main(program: str) -> bool:
    peer = subprocess.Popen(
        [program, str(ROWS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    row = np.arange(ROWS)
    # The numbers of the peer.
    columns = {
        name: 1.0 + (row * 7919 + seed * 104_729) % 1_000_003 for seed, name in enumerate("ab")
    }
    out = np.empty(ROWS)

    def rust(text: str) -> float:
        assert peer.stdin is not None and peer.stdout is not None
        peer.stdin.write(text + "\n")
        peer.stdin.flush()
        return float(peer.stdout.readline())

    within = True
    for text in FORMULAS:
        formula = Formula(text)
        ours, in_rust, others, others_on_all, new, others_new = turns(
            lambda: seconds(lambda: formula(columns, out=out)),
            lambda: rust(text),
            lambda: on_threads(1, lambda: numexpr.evaluate(text, columns, out=out)),
            lambda: on_threads(CPUS, lambda: numexpr.evaluate(text, columns, out=out)),
            lambda: seconds(lambda: formula(columns)),
            lambda: on_threads(1, lambda: numexpr.evaluate(text, columns)),
        )
        name = f"10 M rows of {text}"
        within &= line(name, "ms", ours, ("Rust", in_rust), 1 / 0.9)
        within &= line(name, "ms", ours, ("numexpr", others), 1)
        line(name, "ms", ours, (f"numexpr, {CPUS} threads", others_on_all))
        within &= line(f"{name}, new array", "ms", new, ("numexpr", others_new), 1)
    peer.kill()
    peer.wait()

    ratio, a, b = Formula("a / b"), np.arange(10.0), np.arange(1.0, 11.0)
    arrow_a, arrow_b = pa.array(a), pa.array(b)
    expression = "a / b"
    numpy_call, arrow_call, numbers, others, arrow_others = turns(
        lambda: of_many(lambda: ratio(a=a, b=b)),
        lambda: of_many(lambda: ratio(a=arrow_a, b=arrow_b)),
        lambda: of_many(lambda: ratio(a=6, b=4)),
        lambda: of_many(lambda: numexpr.evaluate(expression, {"a": a, "b": b})),
        lambda: of_many(lambda: pyarrow.compute.divide(arrow_a, arrow_b)),
    )
    within &= line("10 rows of numpy", "us", numpy_call, ("numexpr", others), most=5)
    # Most of it is what pyarrow needs to export two arrays.
    line("10 rows of Arrow", "us", arrow_call, ("pyarrow.compute", arrow_others))
    line("numbers", "us", numbers, None)
    return within


def seconds(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def on_threads(count: int, call: Callable[[], object]) -> float:
    numexpr.set_num_threads(count)
    return seconds(call)


def of_many(call: Callable[[], object], calls: int = 5_000) -> float:
    """The mean over many calls, each of which is too short to be timed."""

    def repeated() -> None:
        for _ in range(calls):
            call()

    return seconds(repeated) / calls


def turns(*contenders: Contender) -> list[list[float]]:
    """The times of each, one for each round. Each goes first in some rounds, so that none always finds the caches warm."""
    times: list[list[float]] = [[] for _ in contenders]
    for round_ in range(ROUNDS):
        for turn in range(len(contenders)):
            contender = (round_ + turn) % len(contenders)
            times[contender].append(contenders[contender]())
    return times


SCALES = {"ms": 1e3, "us": 1e6}


def line(
    name: str,
    unit: str,
    ours: list[float],
    peer: tuple[str, list[float]] | None,
    times: float | None = None,
    most: float | None = None,
) -> bool:
    """Print a row of the table of `cargo xtask bench`; False if it exceeds the limit."""
    within, limit, ratio, other = True, "", "", ""
    own = min(ours) * SCALES[unit]
    if peer is not None:
        others = min(peer[1]) * SCALES[unit]
        relative = own / others
        other, ratio = f"{peer[0]} {others:.2f} {unit}", f"x {relative:.3f}"
        if times is not None:
            within, limit = relative <= times, f"x {times:.3f}"
    if most is not None:
        within, limit = own <= most, f"{most} {unit}"
    verdict = "" if not limit else "ok" if within else "over"
    shown = f"{own:.2f} {unit}"
    print(f"{name:<46}\t{shown:>12}\t{other:>28}\t{ratio:>8}\t{limit:>9}\t{verdict}", flush=True)
    return within


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(0 if main(sys.argv[1]) else 1)
