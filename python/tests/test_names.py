"""Names of events, and files that define them."""

from pathlib import Path

import pytest

import counterpoint
from counterpoint import Definitions, EventError

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_events_of_any_processor_are_encoded() -> None:
    (event,) = counterpoint.encode("spr::L1D:REPLACEMENT:u")
    assert (event.pmu, event.codes, event.counters) == ("spr", [0x530151], 0xF)
    assert event.attributes is not None and event.attributes["config"] == 0x151
    assert event.attributes["exclude_kernel"] is True


def test_events_of_the_kernel_are_encoded() -> None:
    for name in ("page-faults:u", "perf::PAGE-FAULTS:u"):
        (event,) = counterpoint.encode(name)
        assert event.pmu == "perf" and event.attributes is not None
        assert (event.attributes["type"], event.attributes["config"]) == (1, 2)
        assert event.attributes["exclude_kernel"] is True


def test_a_name_that_has_no_encoding_is_an_error() -> None:
    with pytest.raises(EventError, match="REPLACEMNT") as caught:
        counterpoint.encode("spr::L1D:REPLACEMNT")
    assert caught.value.span == (9, 19) and caught.value.help and caught.value.code == "ATTR"
    with pytest.raises(EventError, match="no event is called"):
        counterpoint.encode("no-such-event")
    with pytest.raises(EventError, match="needs no counter"):
        counterpoint.encode("duration_time")


def test_a_name_is_shown_with_what_it_hides() -> None:
    (faults,) = counterpoint.show("page-faults")
    assert (faults.kind, faults.pmu, faults.is_counted) == ("kernel", "perf", True)
    assert faults.description and "faults" in faults.description
    own = Definitions("EVENT,page-faults,DERIVED_INFIX,N0/2,minor-faults\n")
    defined, hidden = counterpoint.show("page-faults", definitions=own)
    assert (defined.kind, defined.formula) == ("definition", "`minor-faults` / 2")
    assert defined.terms == ["minor-faults"]
    assert (hidden.kind, hidden.is_counted) == ("kernel", False)
    with pytest.raises(EventError, match="did you mean|no event") as caught:
        counterpoint.show("page-fautls")
    assert caught.value.help == "did you mean `page-faults`?"


def test_events_are_listed_with_whether_they_count_here() -> None:
    own = Definitions("EVENT,OWN_FAULTS,NOT_DERIVED,page-faults\n")
    events = {event.name: event for event in counterpoint.list_events(definitions=own)}
    assert events["task-clock"].status in ("available", "user-only")
    assert events["task-clock"].unit == "ns" and events["OWN_FAULTS"].group == "definitions.csv"
    assert all(event.reason for event in events.values() if event.status == "refused")


def test_metrics_are_listed_with_their_formulas() -> None:
    metrics = {metric.name: metric for metric in counterpoint.list_metrics()}
    rate = metrics["page_fault_rate"]
    assert rate.unit == "/s" and rate.formula and rate.description and "software" in rate.groups


def test_events_are_planned() -> None:
    plan = counterpoint.plan("page-faults,task-clock", metrics=["page_fault_rate"])
    assert "page-faults" in plan.software and plan.pmus == []
    hardware = counterpoint.plan("cycles")
    assert hardware.pmus or hardware.unavailable[0][0] == "cycles"


def test_definition_files_are_read_with_what_is_wrong_in_them() -> None:
    first = Definitions.read(FIXTURES / "definitions/first.csv")
    assert first.names == ["FAULTS_PER_MS", "MAJOR_PERCENT"] and first.diagnostics == []
    faulty = Definitions("CPU,perf\nEVENT,é,BAD,1\nEVENT,GOOD,NOT_DERIVED,page-faults\n")
    assert faulty.names == ["GOOD"]
    (found,) = faulty.diagnostics
    # Characters, not bytes.
    assert (found.severity, found.code, found.line, found.column) == ("error", "unknown-type", 2, 9)
    assert "DERIVED_INFIX" in (found.help or "")
    with pytest.raises(FileNotFoundError):
        Definitions.read("/no/such/file.csv")


def test_any_file_of_definitions_is_read(tmp_path: Path) -> None:
    torn = tmp_path / "torn.csv"
    torn.write_bytes(b"EVENT,\xff\xfe,NOT_DERIVED,page-faults\nEVENT,A,NOT_DERIVED,page-faults\n")
    definitions = Definitions.read(torn)
    assert "A" in definitions.names
    metrics = Definitions(
        "metric pages\n formula `page-faults` * 4\n unit KiB\n group paging\n", "own.metrics"
    )
    assert metrics.names == ["pages"] and metrics.language != first_language()


def first_language() -> str:
    return Definitions.read(FIXTURES / "definitions/first.csv").language
