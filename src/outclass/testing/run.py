"""Chooses tests, fits them to the data and runs them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from outclass.errors import InputError
from outclass.significance.adjust import adjusted
from outclass.significance.result import TestResult
from outclass.testing.checks import check_result
from outclass.testing.data import Subject, TestData
from outclass.testing.declaration import KINDS, SignificanceTest, TestOptions
from outclass.testing.registry import all_tests, find
from outclass.testing.views import GroupedItems, Values, View

FEWEST_OF_MANY = 3  # systems that a test of all of them needs


class FittedTest(NamedTuple):
    """A test with the systems and the view of the data that it is of."""

    name: str
    test: SignificanceTest
    subject: Subject
    view: View


def choose_tests(kinds: Sequence[str], names: Sequence[str] | None, *, every: bool) -> list[str]:
    """Return the tests to run: those named, all, or those that run by default on the kinds of data."""
    if names:
        return [name for name in dict.fromkeys(names) if find(name)]
    return [
        name for name, test in all_tests().items() if (every and not test.same_as) or set(test.default_on) & set(kinds)
    ]


def fit_tests(names: Iterable[str], data: TestData, *, asked: bool) -> list[FittedTest]:
    """Fit tests to all systems or to every pair; one that was asked for and does not fit the data is an error."""
    found: list[FittedTest] = []
    for name in names:
        test = find(name)
        for subject in (data.every,) if test.all_systems else data.pairs:
            view = subject.view(test.needs)
            if view is not None and not (test.all_systems and len(subject.systems) < FEWEST_OF_MANY):
                found.append(FittedTest(name, test, subject, view))
            elif asked:
                raise InputError(_why_not(name, test, subject, data))
    if not found:
        raise InputError("no test applies to these data.")
    return found


def _why_not(name: str, test: SignificanceTest, subject: Subject, data: TestData) -> str:
    if subject.view((GroupedItems,)) is not None and subject.view((Values,)) is None:
        return (
            f"the test {name} treats items as independent, but these are in groups: use permutation_exact or "
            "cluster_t, or leave out the group (⟨group⟩)."
        )
    if test.all_systems and len(subject.systems) < FEWEST_OF_MANY:
        return f"the test {name} needs at least three systems, got {len(subject.systems)}."
    required = "; or ".join(dict.fromkeys(need.required for need in test.needs))
    return f"the test {name} requires {required}. These data are {KINDS[data.kinds[0]]}."


def check_used(given: Iterable[str], fitted: Sequence[FittedTest], also: Iterable[str]) -> None:
    """Raise an error for options that no test uses; `also` are those that the data use."""
    used = {option for each in fitted for option in each.test.uses} | set(also)
    for option in given:
        if option not in used:
            names = ", ".join(dict.fromkeys(each.name for each in fitted))
            hint = " It requires items in groups: name their column (⟨group⟩)." if option == "average" else ""
            raise InputError(f"⟨{option}⟩ is not used by {names} on these data: leave it out.{hint}")


def run_tests(fitted: Sequence[FittedTest], data: TestData, options: TestOptions) -> list[TestResult]:
    """Run tests, add what contradicts their p-values, and adjust these within families."""
    return adjusted([result for each in fitted for result in _results(each, data, options)])


def _results(fitted: FittedTest, data: TestData, options: TestOptions) -> Iterator[TestResult]:
    name, test, subject, view = fitted
    # The papers' tests look at the observed side of one test set.
    side = options.alternative or ("two-sided" if view.apart else test.side)
    for result in test.run(view, replace(options, alternative=side)):
        yield replace(
            result,
            systems=result.systems or subject.systems,
            lower_is_better=data.lower_is_better or result.lower_is_better,
            findings=tuple(dict.fromkeys((*result.findings, *check_result(name, view, side, result)))),
        )
