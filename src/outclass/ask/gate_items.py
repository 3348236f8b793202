"""Items one by one: what each side of a gate scored on them, for baselines, flips, digests and stages."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.ask.handed import named
from outclass.ask.read import logs_in, read
from outclass.ask.used import unused
from outclass.data.baseline import Blessed, Part, target_of
from outclass.data.coding import coded
from outclass.data.in_memory import columns_of_any
from outclass.data.labels import name_of
from outclass.data.outcomes import Outcomes, patterns_of
from outclass.data.repeats import RepeatedScores
from outclass.data.scores import Scores
from outclass.errors import InputError, NotComparable, quoted
from outclass.rows.gate import SHOWN, ItemFlips

MOST: Final = 1_000_000  # items that are looked at one by one
ACCURACY: Final = "accuracy"
ITEM, GOLD = "item", "gold answer"
# By which data are more than one label or number per item.
MORE: Final = ("separator", "label", "judge", "unlabelled", "inclusion", "annotators")


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemPairs:
    """Both sides of a gate, item by item.

    Parameters
    ----------
    ids
        The items.
    baseline, candidate
        Their numbers; of labels 1 for right and 0 for wrong.
    truth
        Which items are positive, of classifier scores.
    labels, codes
        Of labels: all of them, and for each item the codes of what is right, and of what baseline and candidate say.
    """

    ids: Sequence[str]
    baseline: Floats
    candidate: Floats
    higher_is_better: bool = True
    truth: np.ndarray | None = None
    labels: tuple[Any, ...] = ()
    codes: Counts | None = None

    @property
    def flips(self) -> ItemFlips | None:
        """The items on which the candidate is worse, and those on which it is better."""
        if self.truth is not None:
            return None
        change = (self.candidate - self.baseline) * (1 if self.higher_is_better else -1)
        worse, better = np.flatnonzero(change < 0), np.flatnonzero(change > 0)
        return ItemFlips(
            worse=len(worse),
            better=len(better),
            worse_ids=tuple(self.ids[place] for place in worse[:SHOWN]),
            better_ids=tuple(self.ids[place] for place in better[:SHOWN]),
        )

    @cached_property
    def digest(self) -> str:
        """A digest of the candidate's scores, whatever the order of the items."""
        return self._digest(self.candidate, 2)

    @cached_property
    def baseline_digest(self) -> str:
        """A digest of the baseline's scores, whatever the order of the items."""
        return self._digest(self.baseline, 1)

    def _digest(self, numbers: Floats, column: int) -> str:
        order = sorted(range(len(self.ids)), key=self.ids.__getitem__)
        own = hashlib.sha256()
        own.update("\n".join(self.ids[place] for place in order).encode("utf-8", "surrogatepass"))
        own.update(np.ascontiguousarray(numbers[order]).tobytes())
        if self.codes is not None:
            said = [name_of(self.labels[code]) if code >= 0 else "" for code in self.codes[order, column]]
            own.update("\n".join(said).encode("utf-8", "surrogatepass"))
        return own.hexdigest()

    @cached_property
    def order(self) -> Counts:
        """An order of the items that does not depend on what was scored: by a digest of their names."""
        keys = [hashlib.sha256(str(name).encode("utf-8", "surrogatepass")).digest() for name in self.ids]
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def pairs_of(
    source: Any, data: Any, predictions: Sequence[Any], given: Mapping[str, Any], sides: tuple[str, str]
) -> ItemPairs | None:
    """Return the items of data that were read; None where they cannot be told apart."""
    base, cand = sides
    if isinstance(source, Scores) and len(source) <= MOST:
        ids = source.ids if source.ids is not None else [str(place) for place in range(1, len(source) + 1)]
        return ItemPairs(
            ids=ids,
            baseline=np.asarray(source.values[base], dtype=float),
            candidate=np.asarray(source.values[cand], dtype=float),
            higher_is_better=source.higher_is_better,
            truth=source.truth,
        )
    if not isinstance(source, Outcomes) or source.items > MOST or given.get("count") or given.get("merge"):
        return None
    columns, truth, key = _columns(data, predictions, given)
    if columns is None or truth not in columns or any(name not in columns for name in sides):
        return None
    if len(columns[truth]) != source.items:
        return None  # rows with missing labels were dropped
    ids = _texts(columns[key]) if key is not None else [str(place) for place in range(1, source.items + 1)]
    labels, codes = patterns_of(sides, [coded(columns[name], name) for name in (truth, base, cand)])
    return ItemPairs(
        ids=ids,
        baseline=(codes[:, 0] == codes[:, 1]).astype(float),
        candidate=(codes[:, 0] == codes[:, 2]).astype(float),
        labels=labels,
        codes=codes.astype(np.int64),
    )


def _columns(
    data: Any, predictions: Sequence[Any], given: Mapping[str, Any]
) -> tuple[Mapping[str, Any] | None, str, str | None]:
    """Return columns of labels, and which are the truth and the ids."""
    if predictions:
        truth = "\0truth"
        return {truth: list(data), **named(data, predictions, given.get("names"))}, truth, None
    if given.get("truth") is None or data is None or isinstance(data, Outcomes):
        return None, "", None
    truth, key = given["truth"], given.get("id")
    keys = [] if key is None else [key]
    found = columns_of_any(data, keys=keys, shared=[truth])
    return found, truth, key if key in found else None


def _texts(column: Sequence[Any]) -> list[str]:
    return [name_of(value) for value in column]


# --- one side ---------------------------------------------------------------------------------------------------------


def side_of(
    data: Any, given: Mapping[str, Any], *, metric: str | None = None, item_needed: str = "a baseline"
) -> tuple[str, Part]:
    """Read what one system scored, item by item, and return it with the system's name."""
    if "group" in given:
        raise unused(["group"], f"{item_needed}, which holds items alone")
    own = logs_in(data, (), given)
    if own is not None:
        return _of_logs(own, metric)
    if isinstance(given.get("truth"), list):
        raise InputError(f"{item_needed} has one true label per item: name one column (⟨truth⟩).")
    key = given.get("id") or given.get("item")
    if key is None:
        raise InputError(f"{item_needed} is matched by items: name the column of their ids (⟨id=COL⟩).")
    asked: dict[str, Any] = dict(given)
    found: Any = read(data, **asked)
    if len(found.systems) != 1:
        raise InputError(
            f"{item_needed} is of one system, and the data have {len(found.systems)}: {quoted(found.systems)}. Name "
            "one (⟨systems=COL⟩)."
        )
    (system,) = found.systems
    if isinstance(found, Scores):
        if found.ids is None and not isinstance(found, RepeatedScores):
            raise InputError(f"the items of {item_needed} must have different ids, in one column (⟨item=COL⟩).")
        return system, _of_scores(found, system)
    if not isinstance(found, Outcomes):
        blamed = [name for name in MORE if name in given]
        hint = f" Leave out {', '.join(f'⟨{name}⟩' for name in blamed)}." if blamed else ""
        raise InputError(f"{item_needed} holds one label or number per item, and these data are {found.kind}.{hint}")
    columns, truth, key = _columns(data, (), given)
    if columns is None or key is None or system not in columns:
        raise InputError(f"{item_needed} is matched by items: name the column of their ids (⟨id=COL⟩).")
    return system, _of_labels(columns, truth, key, system)


def _of_labels(columns: Mapping[str, Any], truth: str, key: str, system: str) -> Part:
    labels, codes = patterns_of([system], [coded(columns[name], name) for name in (truth, system)])
    names = [name_of(label) for label in labels]
    items: dict[str, Blessed] = {}
    for place, name in enumerate(_texts(columns[key])):
        if name in items:
            raise InputError(f"the id {quoted([name])} occurs twice (⟨id⟩). Ids must be unique.")
        gold, said = codes[place]
        items[name] = Blessed.of(
            [float(gold == said)], gold=names[gold] if gold >= 0 else "", said=names[said] if said >= 0 else ""
        )
    return Part(metric=ACCURACY, items=items, of_labels=True)


def _of_scores(found: Scores, system: str) -> Part:
    told: dict[str, Any] = {"metric": found.name, "lower_is_better": not found.higher_is_better}
    if isinstance(found, RepeatedScores):
        own = found.repeats.distinct.systems[system]
        ids = found.ids or [str(place) for place in range(1, len(found) + 1)]
        numbers: list[list[float]] = [[] for _ in ids]
        for place, value in zip(own.item.tolist(), own.values.tolist(), strict=True):
            numbers[place].append(value)
        return Part(items={name: Blessed.of(each) for name, each in zip(ids, numbers, strict=True)}, **told)
    assert found.ids is not None
    gold: list[str | None] = [None] * len(found)
    if found.truth is not None:
        gold = ["1" if each else "0" for each in found.truth]
    values = found.values[system].tolist()
    rows = zip(found.ids, values, gold, strict=True)
    return Part(
        items={
            name: Blessed.of([value], gold=right, said=None if right is None else "") for name, value, right in rows
        },
        **told,
    )


def _of_logs(own: Any, metric: str | None) -> tuple[str, Part]:
    if len(own.systems) != 1:
        raise InputError(
            f"a side of a gate is one system, and these logs are of {len(own.systems)}: {quoted(own.systems)}. Name "
            "the logs of one (⟨systems⟩)."
        )
    own.found.check()
    name = metric or _only(own.metrics)
    found = own.matched(name)
    (system,) = found.systems
    items = {}
    for item, cell in zip(found.items, found.cells[system], strict=True):
        if cell is None or not cell.scores:
            continue
        samples = cell.run.samples
        target = "|".join(str(hashes[cell.at]) for hashes in (samples.input_hash, samples.target_hash))
        items[item] = Blessed.of(cell.scores, target=None if target == "None|None" else target)
    runs = {run.task: run for _, run in own.found.all}
    facts = {f"{task}: {key}": value for task, run in runs.items() for key, value in run.fixed.items()}
    return system, Part(metric=name, items=items, lower_is_better=found.lower, facts=facts)


def _only(metrics: Sequence[str]) -> str:
    if len(metrics) > 1:
        raise InputError(f"the logs have several metrics; name one (⟨metric⟩): {quoted(metrics)}.")
    return metrics[0]


# --- two sides --------------------------------------------------------------------------------------------------------


def joined_sides(
    base: tuple[str, Part], cand: tuple[str, Part], *, labels: bool, missing: str = "error", repeats: bool = False
) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Put a baseline and a candidate side by side: a table, and what its columns are."""
    (name, mine), (other, theirs) = base, cand
    other = other if other != name else f"{other} (candidate)"
    _check_same(mine, theirs, missing)
    items = [item for item in mine.items if item in theirs.items]
    if labels:
        for part, who in ((mine, "the baseline"), (theirs, "the candidate")):
            if not part.keeps_labels:
                raise InputError(
                    f"{who} holds no labels, which this measure needs: bless it with labels (⟨keep_labels=True⟩)."
                )
        if all(each.said == "" for each in mine.items.values()):  # classifier scores
            columns: dict[str, list[Any]] = {
                ITEM: list(items),
                GOLD: [int(str(mine.items[item].gold)) for item in items],
            }
            columns |= {name: [mine.items[i].mean for i in items], other: [theirs.items[i].mean for i in items]}
            return columns, {"truth": GOLD, "item": ITEM, "systems": [name, other], "scores": True}
        columns = {ITEM: list(items), GOLD: [mine.items[item].gold for item in items]}
        columns |= {name: [mine.items[item].said for item in items], other: [theirs.items[i].said for i in items]}
        return columns, {"truth": GOLD, "id": ITEM, "systems": [name, other]}
    given: dict[str, Any] = {"scores": True, "item": ITEM, "title": mine.metric, "systems": [name, other]}
    given |= {"lower_is_better": True} if mine.lower_is_better else {}
    if repeats:
        return _with_repeats(items, (name, mine), (other, theirs), given)
    means = {who: [part.items[item].mean for item in items] for who, part in ((name, mine), (other, theirs))}
    return {ITEM: list(items), **means}, given


def _check_same(mine: Part, theirs: Part, missing: str) -> None:
    """Refuse items that are not the same."""
    lacking = [item for item in mine.items if item not in theirs.items]
    extra = [item for item in theirs.items if item not in mine.items]
    common = len(mine.items) - len(lacking)
    if not common or ((lacking or extra) and missing != "drop"):
        told = f"{len(lacking):,} items only in the baseline, {len(extra):,} only in the candidate, {common:,} in both"
        hint = " To use those in both: ⟨missing=drop⟩." if common else ""
        some = (*lacking[:3], *extra[:3])[:3]
        raise NotComparable(
            f"the baseline is of other items: {told}, such as {quoted(some)}.{hint}",
            counts={"baseline": len(lacking), "candidate": len(extra)},
            ids=tuple(some),
        )
    changed = [
        item
        for item, each in mine.items.items()
        if item in theirs.items
        and None not in (one := target_of(each), two := target_of(theirs.items[item]))
        and one != two
    ]
    if changed:
        raise NotComparable(
            f"the gold answer or question of {len(changed):,} of {common:,} items differs from the baseline's, such "
            f"as {quoted(changed[:3])}. Bless the baseline again.",
            counts={"changed": len(changed)},
            ids=tuple(changed[:3]),
        )
    for fact in mine.facts.keys() & theirs.facts.keys():
        if mine.facts[fact] != theirs.facts[fact]:
            raise NotComparable(
                f"{quoted([fact])} is {quoted([mine.facts[fact]])} in the baseline and "
                f"{quoted([theirs.facts[fact]])} in the candidate, so that their scores cannot be compared."
            )
    if mine.lower_is_better != theirs.lower_is_better:
        raise NotComparable("lower is better in one of baseline and candidate, and higher in the other.")


def _with_repeats(
    items: Sequence[str], base: tuple[str, Part], cand: tuple[str, Part], given: Mapping[str, Any]
) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Return a long table whose repeats have the mean and the variance of those that were blessed."""
    rows: dict[str, list[Any]] = {ITEM: [], "system": [], "repeat": [], "score": []}
    for name, part in (base, cand):
        for place, item in enumerate(items):
            values = _numbers(part.items[item])
            turned = values[place % len(values) :] + values[: place % len(values)]
            for number, value in enumerate(turned, start=1):
                for column, cell in zip(rows.values(), (item, name, number, value), strict=True):
                    column.append(cell)
    own = {"item": ITEM, "system_column": "system", "repeat": "repeat", "score": "score"}
    kept = {key: value for key, value in given.items() if key in ("systems", "lower_is_better", "title")}
    return rows, own | kept


def _numbers(each: Blessed) -> list[float]:
    """Return numbers with this sum and this sum of squares: ones and zeros if they may be, else one apart from all."""
    if each.total == each.squares and float(each.total).is_integer() and 0 <= each.total <= each.many:
        return [1.0] * int(each.total) + [0.0] * (each.many - int(each.total))
    if each.many == 1:
        return [each.total]
    spread = math.sqrt(max(each.squares - each.total**2 / each.many, 0.0) * (each.many - 1) / each.many)
    return [each.mean + spread, *[each.mean - spread / (each.many - 1)] * (each.many - 1)]


def renamed_part(part: Part, metric: str) -> Part:
    """Return the same under another name."""
    return replace(part, metric=metric)
