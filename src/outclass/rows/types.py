"""The typed rows of an answer: plain numbers and words, no arrays, the same in JSON, table and page."""

import json
import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from outclass.data.labels import Label
from outclass.errors import InputError
from outclass.findings import Finding
from outclass.inference.chains import Diagnostics
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.lazy import LazyDistribution
from outclass.inference.summary import Errors, Summary
from outclass.models.evidence import Evidence
from outclass.models.many_data_sets import RopeProbabilities
from outclass.planning.additional_items import AdditionalItems
from outclass.planning.anytime import Anytime
from outclass.significance.result import Adjusted, TestResult
from outclass.verdict.bayes_factor import BayesFactor
from outclass.verdict.rope import Verdict


def _made(law: Distribution | LazyDistribution | None) -> Distribution | None:
    return law() if isinstance(law, LazyDistribution) else law


def renamed(row: object, old: str, new: str) -> Any:
    """Return a field by its old name, which goes with the next release."""
    warnings.warn(
        f"{old} is now called {new}; the old name goes with the next release.", DeprecationWarning, stacklevel=3
    )
    return getattr(row, new)


T = TypeVar("T")
LARGEST: Final = 2**63  # what an item, a seed or a draw is counted to
# What plain data of another shape than ours raise when they are taken apart.
FAULTS: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSummary:
    """One system's own measure: observed in the data, and its posterior."""

    name: str
    observed: float
    mean: float
    std: float
    hdi: Interval
    law: Distribution | LazyDistribution | None = field(default=None, compare=False, repr=False)

    @property
    def posterior(self) -> Distribution | None:
        """The law itself, made again where it was not kept; None of what was read back from a file."""
        return _made(self.law)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """What it is worth that both systems saw the same items.

    `narrower` is how much narrower the interval is than if each had been tested on as many other items (0.4: by 40%);
    `items_saved` is how many more items it would take to make up for that.
    """

    narrower: float
    items_saved: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOdds:
    """The log odds that A alone is right rather than B alone (Goutte & Gaussier 2005, eq. 21)."""

    mean: float
    std: float
    hdi: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureInfo:
    """What a report must know of a measure."""

    name: str
    title: str
    higher_is_better: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """A against B in one measure, for one label."""

    systems: tuple[SystemSummary, SystemSummary]
    measure: MeasureInfo
    label: Label | None
    model: str
    prior: str
    items: int
    observed: float
    difference: Summary
    rope: Interval
    hdi_mass: float
    verdict: Verdict
    bayes_factors: tuple[BayesFactor, ...]
    tests: tuple[TestResult, ...]
    pairing: Pairing | None
    log_odds: LogOdds | None
    additional_items: AdditionalItems | None
    findings: tuple[Finding, ...]
    seed: int
    method: str
    prior_words: str = ""
    model_key: str = ""  # which model it was, as in 'units.paired'; `model` is what a report calls it
    factor_prior: str = ""  # under which the Bayes factors are
    diagnostics: Diagnostics | None = None  # of chains
    anytime: Anytime | None = None  # what may be said whenever one looks; of evidence that grows
    rope_probabilities: RopeProbabilities | None = (
        None  # of scores: how probable a difference beyond the ROPE is, to either side
    )
    law: Distribution | LazyDistribution | None = field(default=None, compare=False, repr=False)
    prior_law: Distribution | LazyDistribution | None = field(
        default=None, compare=False, repr=False
    )  # of the difference
    evidence: Evidence | None = field(default=None, compare=False, repr=False)

    @property
    def posterior(self) -> Distribution | None:
        """The law itself, made again where it was not kept; None of what was read back from a file."""
        return _made(self.law)

    @property
    def further(self) -> Any:
        """The old name of `additional_items`."""
        return renamed(self, "further", "additional_items")

    @property
    def watched(self) -> Any:
        """The old name of `anytime`."""
        return renamed(self, "watched", "anytime")

    @property
    def practical(self) -> Any:
        """The old name of `rope_probabilities`."""
        return renamed(self, "practical", "rope_probabilities")

    @property
    def before(self) -> Distribution | None:
        """The prior's law of the difference."""
        return _made(self.prior_law)

    def forget(self) -> None:
        """Let go of the laws that can be made again."""
        for law in (self.law, self.prior_law, *(system.law for system in self.systems)):
            if isinstance(law, LazyDistribution):
                law.forget()


@dataclass(frozen=True, slots=True, kw_only=True)
class Appraisal:
    """One system in one measure, for one label."""

    system: SystemSummary
    median: float
    mode: float
    equal_tailed: Interval
    measure: MeasureInfo
    label: Label | None
    model: str
    prior: str
    items: int
    hdi_mass: float
    findings: tuple[Finding, ...]
    seed: int
    method: str
    prior_words: str = ""
    model_key: str = ""
    diagnostics: Diagnostics | None = None
    law: Distribution | LazyDistribution | None = field(default=None, compare=False, repr=False)

    @property
    def posterior(self) -> Distribution | None:
        """The law itself, made again where it was not kept; None of what was read back from a file."""
        return _made(self.law)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One system in a ranking."""

    system: SystemSummary
    expected_rank: float
    best: float
    ranks: tuple[float, ...]  # P(rank = 1), P(rank = 2), ...
    simultaneous: Interval
    rank_interval: Interval  # of all systems at once
    tiers: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores:
    """One system over all categories; `defined` is how many of them have an F1 to average."""

    name: str
    micro_precision: float
    micro_recall: float
    micro_f1: float
    macro_precision: float
    macro_recall: float
    macro_f1: float
    error: float
    defined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """One category: how common it is, how many items have it, and every system's F1 on it."""

    label: str
    frequency: int
    positives: int
    f1: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyBand:
    """Categories about as common as each other, and every system's macro-F1 on them."""

    low: int
    high: int
    categories: int
    macro_f1: tuple[float, ...]


# What pictures are made of, and files do not hold.
UNSAID = ("law", "prior_law", "evidence")


def _number(value: float) -> float | str | None:
    """JSON has neither nan nor infinity: nan is null, infinity a word."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return None if math.isnan(value) else value


def _plain(value: Any) -> Any:
    """Turn results into what JSON can hold."""
    if isinstance(value, Verdict):
        return value.value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Interval):
        return [_number(value.low), _number(value.high)]
    if isinstance(value, Finding):
        return {"code": value.code, "message": value.message}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if hasattr(value, "__dataclass_fields__"):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value) if part.name not in UNSAID}
    return value


def plain_of(value: Any) -> Any:
    """Return a result, or a list of them, as plain data."""
    return _plain(tuple(value) if isinstance(value, list) else value)


def test_to_dict(row: TestResult) -> dict[str, Any]:
    """Return a test in the shape of outclass's JSON."""
    plain: dict[str, Any] = _plain(row)
    return plain | {"mark": row.mark}


test_to_dict.__test__ = False  # type: ignore[attr-defined]  # not a pytest test, whatever its name says


def test_from_dict(plain: Mapping[str, Any]) -> TestResult:
    """Read a test back."""
    try:
        adjusted = plain.get("adjusted")
        row = TestResult(
            name=plain["name"],
            p_value=_float(plain["p_value"]),
            statistic=_float(plain["statistic"]),
            words=plain["words"],
            systems=tuple(plain.get("systems", ())),
            measure=plain["measure"],
            alternative=plain["alternative"],
            effect=_float(plain["effect"]),
            effect_name=plain["effect_name"],
            interval=_interval(plain["interval"]),
            assumptions=plain["assumptions"],
            findings=tuple(Finding(part["code"], part["message"]) for part in plain["findings"]),
            adjusted=None
            if adjusted is None
            else Adjusted(
                holm=_float(adjusted["holm"]),
                benjamini_hochberg=_float(adjusted["benjamini_hochberg"]),
                family=adjusted["family"],
            ),
            lower_is_better=bool(plain["lower_is_better"]),
            p_error=_float(plain.get("p_error", 0.0)),
            direction=None if plain.get("direction") is None else _float(plain["direction"]),
        )
        return checked(row, "a test")
    except FAULTS as error:
        raise InputError(f"this is not a test that outclass wrote: {type(error).__name__} {error}.") from None


test_from_dict.__test__ = False  # type: ignore[attr-defined]  # nor is this one


def contrast_to_dict(row: Contrast, verdict_words: str) -> dict[str, Any]:
    """Return a contrast in the shape of outclass's JSON."""
    plain: dict[str, Any] = _plain(row)
    return plain | {
        "measure": row.measure.name,
        "measure_info": {"title": row.measure.title, "higher_is_better": row.measure.higher_is_better},
        "verdict": {"symbol": row.verdict.value, "words": verdict_words},
        "tests": [test_to_dict(test) for test in row.tests],
        "additional_items": None if row.additional_items is None else row.additional_items._asdict(),
        "anytime": None if row.anytime is None else _watched(row.anytime),
        "rope_probabilities": None if row.rope_probabilities is None else row.rope_probabilities._asdict(),
        "bayes_factors": {
            factor.name: {"value": _number(factor.value), "words": factor.words} for factor in row.bayes_factors
        },
    }


def appraisal_to_dict(row: Appraisal) -> dict[str, Any]:
    """Return an appraisal in the shape of outclass's JSON."""
    plain: dict[str, Any] = _plain(row)
    return plain | {
        "measure": row.measure.name,
        "measure_info": {"title": row.measure.title, "higher_is_better": row.measure.higher_is_better},
    }


def contrast_from_dict(plain: Mapping[str, Any]) -> Contrast:
    """Read a contrast back."""
    try:
        a, b = (_system(part) for part in plain["systems"])
        pairing = plain["pairing"]
        row = Contrast(
            systems=(a, b),
            difference=_summary(plain["difference"]),
            rope=_interval(plain["rope"]),
            verdict=Verdict(plain["verdict"]["symbol"]),
            observed=_float(plain["observed"]),
            hdi_mass=_float(plain["hdi_mass"]),
            bayes_factors=tuple(
                BayesFactor(name=name, value=_float(factor["value"]), words=factor["words"])
                for name, factor in plain["bayes_factors"].items()
            ),
            tests=tuple(test_from_dict(test) for test in plain["tests"]),
            pairing=None if pairing is None else Pairing(**pairing),
            log_odds=_log_odds(plain.get("log_odds")),
            additional_items=None
            if plain.get("additional_items") is None
            else AdditionalItems(**plain["additional_items"]),
            anytime=_anytime_of(plain.get("anytime")),
            rope_probabilities=None
            if plain.get("rope_probabilities") is None
            else RopeProbabilities(**plain["rope_probabilities"]),
            factor_prior=plain.get("factor_prior", ""),
            **_shared(plain),
        )
        return checked(row, "a comparison")
    except FAULTS as error:
        raise InputError(f"this is not a comparison that outclass wrote: {type(error).__name__} {error}.") from None


def _watched(seen: Anytime) -> dict[str, Any]:
    return {
        "measure": "accuracy",
        "e_value": _number(seen.e_value),
        "interval": _plain(seen.interval),
        "alpha": seen.alpha,
        "refuses_equality": seen.refuses,
    }


def _anytime_of(plain: Mapping[str, Any] | None) -> Anytime | None:
    if plain is None:
        return None
    return Anytime(_float(plain["e_value"]), _interval(plain["interval"]), _float(plain["alpha"]))


def appraisal_from_dict(plain: Mapping[str, Any]) -> Appraisal:
    """Read an appraisal back."""
    try:
        row = Appraisal(
            system=_system(plain["system"]),
            median=_float(plain["median"]),
            mode=_float(plain["mode"]),
            equal_tailed=_interval(plain["equal_tailed"]),
            hdi_mass=_float(plain["hdi_mass"]),
            **_shared(plain),
        )
        return checked(row, "an evaluation")
    except FAULTS as error:
        raise InputError(f"this is not an evaluation that outclass wrote: {type(error).__name__} {error}.") from None


def _shared(plain: Mapping[str, Any]) -> dict[str, Any]:
    info = plain["measure_info"]
    return {
        "measure": MeasureInfo(
            name=plain["measure"], title=info["title"], higher_is_better=bool(info["higher_is_better"])
        ),
        "label": plain["label"],
        "model": plain["model"],
        "prior": plain["prior"],
        "items": int(plain["items"]),
        "findings": tuple(Finding(part["code"], part["message"]) for part in plain["findings"]),
        "seed": int(plain["seed"]),
        "method": plain["method"],
        "prior_words": plain.get("prior_words", ""),
        "model_key": plain.get("model_key", ""),
        "diagnostics": _diagnostics(plain.get("diagnostics")),
    }


def _diagnostics(plain: Mapping[str, Any] | None) -> Diagnostics | None:
    if plain is None:
        return None
    return Diagnostics(
        sampler=plain["sampler"],
        chains=int(plain["chains"]),
        draws=int(plain["draws"]),
        tuned=int(plain["tuned"]),
        ess_bulk=_float(plain["ess_bulk"]),
        ess_tail=_float(plain["ess_tail"]),
        r_hat=_float(plain["r_hat"]),
        mcse=_float(plain["mcse"]),
        divergences=int(plain["divergences"]),
    )


def loads(text: str | bytes) -> Any:
    """Read JSON as outclass writes it: what JSON has no numbers for, outclass writes as words."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON: {error}.") from None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number in it is too large")
    return number


def checked(row: T, what: str) -> T:
    """Return what was read back, if every field holds what its type says; what is shown of it relies on that."""
    wrong = _misfit(row, type(row))
    if wrong:
        raise InputError(f"this is not {what} that outclass wrote: {wrong} is not what it should be.")
    return row


def _misfit(value: Any, kind: Any, name: str = "it") -> str:
    """Return the name of what does not fit its type, if anything does not."""
    options = get_args(kind)
    if isinstance(kind, UnionType) or get_origin(kind) is Union:
        # None first: it is what laws are after reading, and a protocol cannot be asked about.
        sound = (value is None and NoneType in options) or any(not _misfit(value, each) for each in options)
        return "" if sound else name
    if get_origin(kind) is tuple:
        if not isinstance(value, tuple) or (options[-1] is not ... and len(value) != len(options)):
            return name
        kinds = [options[0]] * len(value) if options[-1] is ... else options
        return next((wrong for each, own in zip(value, kinds, strict=True) if (wrong := _misfit(each, own, name))), "")
    if kind is float:
        return "" if isinstance(value, int | float) and not isinstance(value, bool) else name
    if kind is int:
        return "" if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST else name
    if not isinstance(kind, type):
        return ""  # of mappings and the like nothing is asked
    if not isinstance(value, kind):
        return name
    if not (is_dataclass(kind) or hasattr(kind, "_fields")):
        return ""
    hints = get_type_hints(kind)
    own = [each.name for each in fields(kind)] if is_dataclass(kind) else list(kind._fields)
    return next((wrong for each in own if (wrong := _misfit(getattr(value, each), hints[each], each))), "")


def _float(value: Any) -> float:
    if isinstance(value, str) and value not in ("inf", "-inf"):
        raise ValueError("a word stands where a number should")
    return math.nan if value is None else float(value)


def _interval(value: Any) -> Interval:
    low, high = value
    return Interval(_float(low), _float(high))


def _system(plain: Mapping[str, Any]) -> SystemSummary:
    return SystemSummary(
        name=plain["name"],
        observed=_float(plain["observed"]),
        mean=_float(plain["mean"]),
        std=_float(plain["std"]),
        hdi=_interval(plain["hdi"]),
    )


def _log_odds(plain: Mapping[str, Any] | None) -> LogOdds | None:
    if plain is None:
        return None
    return LogOdds(mean=_float(plain["mean"]), std=_float(plain["std"]), hdi=_interval(plain["hdi"]))


def _summary(plain: Mapping[str, Any]) -> Summary:
    errors = plain["errors"]
    numbers = {name: _float(plain[name]) for name in ("mean", "std", "below", "above", "rope")}
    return Summary(
        **numbers,
        hdi=_interval(plain["hdi"]),
        errors=Errors(**{name: _float(errors[name]) for name in numbers}, hdi=_interval(errors["hdi"])),
    )
