"""Formulas: how they are compiled, and their values over numbers."""

import json
import pickle
from fractions import Fraction
from pathlib import Path

import pytest

import counterpoint
from counterpoint import ColumnError, Formula, FormulaError, NoValueError

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_a_formula_has_inputs_and_a_value() -> None:
    ipc = Formula("instructions / cycles")
    assert ipc.inputs == ("instructions", "cycles")
    assert ipc(instructions=3e9, cycles=2e9) == 1.5
    assert ipc({"instructions": 3, "cycles": 2, "other": "not looked at"}) == 1.5


def test_whole_numbers_stay_exact() -> None:
    value = Formula("N0 - N1")(N0=2**100 + 1, N1=2**100)
    assert value == 1 and isinstance(value, int)
    half = Formula("N0 / N1")
    assert half(N0=2**100, N1=2) == 2**99
    assert half(N0=1, N1=2) == 0.5


def test_what_is_missing_has_no_value() -> None:
    ipc = Formula("instructions / cycles")
    assert ipc(instructions=None, cycles=2) is None
    assert ipc(instructions=1.0, cycles=float("nan")) is None


def test_the_syntaxes_are_those_of_eval() -> None:
    assert Formula("N0|N1|2|*|-|", "postfix").infix == "N0 - N1 * 2"
    assert Formula("a b -", "rpn")(a=5, b=3) == 2
    assert Formula("d_ratio(a, b) if #smt_on else 0", syntax="perf").inputs == ("a", "b", "#smt_on")
    with pytest.raises(ValueError, match="infix, postfix, perf, rpn"):
        Formula("a", "sql")


def test_a_mistake_has_its_place_and_help() -> None:
    with pytest.raises(FormulaError, match="expected a number") as caught:
        Formula("`é` + * 2")
    error = caught.value
    # Characters, not bytes.
    assert error.text is not None and error.span == (6, 7) and error.text[6] == "*"
    assert error.code == "syntax"
    assert "      ^" in "".join(error.__notes__)
    assert isinstance(error, ValueError) and isinstance(error, counterpoint.Error)


def test_an_error_can_be_pickled() -> None:
    with pytest.raises(FormulaError) as caught:
        Formula("1 +")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.span, copy.code, str(copy)) == (
        caught.value.span,
        caught.value.code,
        str(caught.value),
    )


def test_no_value_is_an_exception_for_numbers() -> None:
    with pytest.raises(NoValueError, match="division by zero") as caught:
        Formula("1 + N0 / N1")(N0=1, N1=0)
    assert caught.value.code == "division-by-zero"
    assert caught.value.span == (7, 8)
    assert isinstance(caught.value, ArithmeticError)


def test_inputs_that_are_not_given_are_named() -> None:
    ipc = Formula("instructions / cycles")
    with pytest.raises(ColumnError, match="`cycles`") as caught:
        ipc(instructions=1)
    assert caught.value.help == "its inputs are `instructions`, `cycles`"
    with pytest.raises(ColumnError, match="`cycles`") as caught:
        ipc({"instructions": 1})
    assert isinstance(caught.value.__cause__, KeyError)
    with pytest.raises(ColumnError, match="`cycle` is not an input"):
        ipc(instructions=1, cycles=2, cycle=3)


def test_formulas_are_equal_and_pickled_by_what_they_compute() -> None:
    formula = Formula("N0|N1|/|", "postfix")
    assert formula == Formula("N0 / N1") and hash(formula) == hash(Formula("N0/N1"))
    assert formula != Formula("N1 / N0") and formula != "N0 / N1"
    copy = pickle.loads(pickle.dumps(formula))
    assert copy == formula and copy.syntax == "postfix"
    assert repr(copy) == 'Formula("N0|N1|/|", "postfix")' and str(copy) == "N0 / N1"


def test_warnings_have_their_place() -> None:
    formula = Formula("cycles 1 2 +", "rpn")
    ((message, span),) = formula.warnings
    assert "no operator uses this value" in message and span == (0, 6)


@pytest.mark.parametrize("kind", ["infix", "postfix"])
def test_papi_vectors_have_their_exact_values(kind: str) -> None:
    vectors = [json.loads(line) for line in (FIXTURES / "formula/papi.jsonl").open()]
    checked = 0
    for vector in vectors:
        if vector["type"] != kind or vector.get("error") not in (None, "div-by-zero"):
            continue
        formula = Formula(vector["formula"], kind)
        inputs: dict[str, int] = {f"N{at}": value for at, value in enumerate(vector["values"])}
        inputs["#"] = vector["mhz"] * 1_000_000
        if "error" in vector:
            with pytest.raises(NoValueError):
                formula(inputs)
        else:
            value, exact = formula(inputs), Fraction(vector["exact"])
            assert (
                value == exact
                if exact.denominator == 1 and isinstance(value, int)
                else (value == pytest.approx(float(exact), rel=1e-12))
            ), vector
        checked += 1
    assert checked > 100


def test_rpn_vectors_have_their_values() -> None:
    lines = [json.loads(line) for line in (FIXTURES / "formula/rpn.jsonl").open()]
    bindings, checked = lines[0]["bindings"], 0
    for vector in lines[1:]:
        if "error_at" in vector:
            try:
                formula = Formula(vector["formula"], "rpn")
            except FormulaError as error:
                assert error.span is not None and error.span[0] == vector["error_at"]
            else:
                # A word that is no operator is the name of an input.
                with pytest.raises(ColumnError):
                    formula(bindings)
        elif isinstance(vector["value"], str):
            with pytest.raises(NoValueError):
                Formula(vector["formula"], "rpn")(bindings)
        else:
            value = Formula(vector["formula"], "rpn")(bindings)
            assert value == pytest.approx(vector["value"]), vector
        checked += 1
    assert checked == 32
