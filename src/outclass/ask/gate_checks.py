"""What a gate checks: arguments, or a file `outclass.toml`, as checks that are parsed once. Unknown keys are errors."""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict

from outclass.ask.columns import Columns, LabelSets, Population
from outclass.ask.gate_types import check_types
from outclass.ask.question import Computation
from outclass.ask.used import HABITS
from outclass.errors import FileError, InputError, did_you_mean, quoted, shown
from outclass.verdict.gate import CONFIDENCE, UNDECIDED

CONTROLS: Final = ("none", "online-fdr")
MOST_CHECKS: Final = 10_000
QUESTION: Final = ("measure", "positive", "by", "model", "prior", "undefined", "average", "rng")
READING: Final = (*Columns.__annotations__, *LabelSets.__annotations__, *Population.__annotations__)
ASKED: Final = (*QUESTION, *READING, *Computation.__annotations__)
OF_CHECK: Final = ("name", "task", "margin")
OF_FLOOR: Final = ("name", "task", "at_least", "at_most")


class GateOptions(TypedDict, total=False):
    """Settings of a gate.

    Parameters
    ----------
    name
        What the gate is called, in a comment of a pull request for example.
    confidence
        The level of every decision; 0.95 by default.
    undecided
        What an undecided gate comes to: 'fail' (exit status 3, the default), 'warn' or 'pass'.
    anchor
        A second baseline that does not move, against slow drift.
    anchor_margin
        The margin against it; by default that of the baseline.
    ledger
        A file that keeps every attempt: attempts of one commit are pooled, and one that was seen is not counted again.
    commit
        The candidate's commit; by default that of the environment (`GITHUB_SHA`, `CI_COMMIT_SHA`, `GIT_COMMIT`).
    stages
        Numbers of items at which to look: decide at the first that suffices, by intervals that hold at any time.
    anytime
        Decide by such an interval on all items, so that one may look again as often as one likes.
    control
        'online-fdr' controls the share of false alarms among all alarms that the ledger knows of; 'none' by default.
    max_errors
        The share of failed samples of logs, 0.01 by default, above which a gate does not judge.
    """

    name: str | None
    confidence: float | None
    undecided: str | None
    anchor: Any
    anchor_margin: float | str | None
    ledger: str | Path | None
    commit: str | None
    stages: Sequence[int] | str | None
    anytime: bool | None
    control: str | None
    max_errors: float | None


class Margin(NamedTuple):
    """The largest drop that is accepted: in the unit of the measure, or a share of the baseline's value."""

    value: float
    relative: bool = False
    told: str = ""

    def of(self, baseline: float) -> float:
        """Return it in the unit of the measure."""
        if not self.relative:
            return self.value
        if not (math.isfinite(baseline) and baseline != 0):
            raise InputError("a relative margin needs a baseline whose value is not zero; give a number instead.")
        return self.value * abs(baseline)


def margin_of(spec: Any, what: str = "⟨margin⟩") -> Margin:
    """Read a margin: a number, or a percentage of the baseline's value."""
    wrong = InputError(f"{what} must be a number such as 0.02, or a percentage of the baseline's value such as '5%'.")
    relative = isinstance(spec, str) and spec.strip().endswith("%")
    try:
        if isinstance(spec, bool):
            raise wrong
        number = float(spec.strip().removesuffix("%")) / 100 if relative else float(spec)
    except (TypeError, ValueError):
        raise wrong from None
    if not math.isfinite(number):
        raise wrong
    if number < 0:
        raise InputError(f"{what} must not be negative, got {shown(spec)}. It is the largest drop that is accepted.")
    return Margin(number, relative, f"{number * 100:g}%" if relative else f"{number:g}")


@dataclass(frozen=True, kw_only=True)
class CheckSpec:
    """One check: what is asked, and the margin; or a floor of the candidate's own value."""

    asked: Mapping[str, Any] = field(default_factory=dict)
    margin: Margin | None = None
    floor: float | None = None
    ceiling: bool = False
    name: str = ""
    task: str = ""


@dataclass(frozen=True, kw_only=True)
class GateSpec:
    """A whole gate: its checks, and what holds for all of them."""

    checks: tuple[CheckSpec, ...]
    name: str = "gate"
    baseline: Any = None
    confidence: float = CONFIDENCE
    undecided: str = "fail"
    anchor: Any = None
    anchor_margin: Margin | None = None
    ledger: Path | None = None
    commit: str = ""
    stages: tuple[int, ...] = ()
    anytime: bool = False
    control: str = "none"
    max_errors: float = 0.01
    folder: Path | None = None  # that of the configuration, to which its paths are relative

    @property
    def family(self) -> int:
        """How many checks share the level of failing: those against the anchor are checks of their own."""
        differences = sum(check.margin is not None for check in self.checks)
        return max(1, len(self.checks) + (differences if self.anchor is not None else 0))


def spec_of(asked: Mapping[str, Any], options: Mapping[str, Any], margin: Any, config: Any) -> GateSpec:
    """Put arguments and a configuration together; an argument counts before what the configuration says."""
    own = {name: value for name, value in options.items() if value is not None and value is not False}
    said = {name: value for name, value in asked.items() if value is not None and value is not False}
    if config is None:
        check = CheckSpec(asked=said, margin=None if margin is None else margin_of(margin))
        return _settled(GateSpec(checks=(check,)), own)
    if margin is not None:
        raise InputError("⟨margin⟩ is not used with ⟨config⟩, whose checks have margins of their own.")
    found, settings = _read(config)
    checks = tuple(replace(each, asked={**each.asked, **said}) for each in found.checks)
    return _settled(replace(found, checks=checks), {**settings, **own}, found.folder)


def _settled(spec: GateSpec, own: Mapping[str, Any], folder: Path | None = None) -> GateSpec:
    """Check the settings of a gate."""
    for name, known in (("undecided", tuple(UNDECIDED)), ("control", CONTROLS)):
        if name in own and own[name] not in known:
            raise InputError(f"⟨{name}⟩ must be one of {quoted(known)}, got {shown(own[name])}.")
    parsed: dict[str, Callable[[Any], Any]] = {
        **dict.fromkeys(("name", "commit", "undecided", "control"), str),
        "confidence": lambda value: _share(value, "confidence", 0.5, 0.9999),
        "max_errors": lambda value: _share(value, "max_errors", 0.0, 1.0),
        "anchor": lambda value: _path(value, folder),
        "anchor_margin": lambda value: margin_of(value, "⟨anchor_margin⟩"),
        "ledger": lambda value: Path(_path(value, folder)),
        "stages": _stages,
        "anytime": bool,
    }
    changes = {name: parse(own[name]) for name, parse in parsed.items() if name in own}
    found = replace(spec, **changes)
    if found.control != "none" and found.ledger is None:
        raise InputError(f"⟨control={found.control}⟩ needs the decisions before this one: name a ledger (⟨ledger⟩).")
    if found.control != "none" and (found.anytime or found.stages):
        raise InputError(
            f"⟨control={found.control}⟩ applies to gates that look once: leave it out, or both ⟨stages⟩ and ⟨anytime⟩."
        )
    if found.anchor_margin is not None and found.anchor is None:
        raise InputError("⟨anchor_margin⟩ is the margin against an anchor: name it (⟨anchor⟩).")
    return found


def _share(value: Any, name: str, low: float, high: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not low <= number <= high:
        raise InputError(f"⟨{name}⟩ must lie between {low:g} and {high:g}, got {shown(value)}.")
    return number


def _stages(spec: Any) -> tuple[int, ...]:
    parts = spec.split(",") if isinstance(spec, str) else list(spec) if isinstance(spec, list | tuple) else [spec]
    try:
        found = tuple(int(str(part).replace("_", "").strip()) for part in parts)
    except ValueError:
        found = ()
    if not found or any(each < 1 for each in found) or list(found) != sorted(set(found)):
        raise InputError(f"⟨stages⟩ must be growing numbers of items, as in 100,300,1000; got {shown(spec)}.")
    return found


def _path(value: Any, folder: Path | None) -> Any:
    return folder / value if folder is not None and isinstance(value, str) and not Path(value).is_absolute() else value


# --- the file ---------------------------------------------------------------------------------------------------------


def _read(config: Any) -> tuple[GateSpec, dict[str, Any]]:
    """Read a configuration: a file, or a mapping as it would be in one."""
    if isinstance(config, Mapping):
        plain, folder = dict(config), None
    else:
        path = Path(config)
        folder = path.parent
        try:
            with path.open("rb") as stream:
                plain = tomllib.load(stream)
        except OSError as error:
            raise FileError(f"cannot read {quoted([path])}: {error.strerror}.") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(f"{quoted([path.name])} is not valid TOML: {error}") from None
    _known(plain, ("gate",), "the configuration")
    gate = plain.get("gate")
    if not isinstance(gate, Mapping):
        raise InputError("the configuration has no table [gate].")
    settings = tuple(GateOptions.__annotations__)
    _known(gate, ("baseline", "check", "floor", *settings, *ASKED), "[gate]")
    check_types(gate, "[gate]", isinstance(config, Mapping))
    shared = {name: value for name, value in gate.items() if name in ASKED}
    checks = [_check(each, shared) for each in _listed(gate, "check")]
    checks += [_floor(each, shared) for each in _listed(gate, "floor")]
    if not checks:
        raise InputError("the configuration has no checks: add a [[gate.check]] with a margin.")
    if len(checks) > MOST_CHECKS:
        raise InputError(f"the configuration has {len(checks):,} checks; {MOST_CHECKS:,} is the most.")
    named = [each.name for each in checks if each.name]
    if both := [name for name in named if named.count(name) > 1]:
        raise InputError(f"two checks are called {quoted(both[:1])}: names must differ.")
    found = GateSpec(checks=tuple(checks), baseline=_path(gate.get("baseline"), folder), folder=folder)
    return found, {name: gate[name] for name in settings if name in gate}


def _listed(gate: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = gate.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
        raise InputError(f"[[gate.{key}]] must be a list of tables.")
    return found


def _known(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for name in table:
        if name not in known:
            near = HABITS.get(name, "")
            hint = f"Did you mean {near!r}?" if near in known else did_you_mean(str(name), known)
            raise InputError(
                f"unknown key {quoted([name])} in {where}. {hint if hint.startswith('Did') else ''}".rstrip()
            )


def _check(table: Mapping[str, Any], shared: Mapping[str, Any]) -> CheckSpec:
    _known(table, (*OF_CHECK, *ASKED), "[[gate.check]]")
    check_types(table, "[[gate.check]]")
    if "margin" not in table:
        raise InputError(f"{_called(table)} has no margin: the largest drop that is accepted.")
    return CheckSpec(margin=margin_of(table["margin"], f"the margin of {_called(table)}"), **_told(table, shared))


def _floor(table: Mapping[str, Any], shared: Mapping[str, Any]) -> CheckSpec:
    _known(table, (*OF_FLOOR, *ASKED), "[[gate.floor]]")
    check_types(table, "[[gate.floor]]")
    if ("at_least" in table) == ("at_most" in table):
        raise InputError(f"{_called(table)} needs one of at_least and at_most.")
    ceiling = "at_most" in table
    value = table["at_most" if ceiling else "at_least"]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f"{_called(table)} needs a number, got {shown(value)}.")
    return CheckSpec(floor=float(value), ceiling=ceiling, **_told(table, shared))


def _called(table: Mapping[str, Any]) -> str:
    return f"the check {quoted([table['name']])}" if "name" in table else "a check"


def _told(table: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in table.items() if name in ASKED}
    return {
        "name": table.get("name", ""),
        "task": table.get("task", ""),
        "asked": {**shared, **own},
    }
