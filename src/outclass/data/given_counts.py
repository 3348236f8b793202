"""Published counts as they are given: in words or as mappings, with rates turned into the counts behind them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from outclass.data.published import ConfusionCounts, PublishedCounts, WinCounts
from outclass.data.recovered import OF_NEGATIVES, RATES, TOTALS, Rate, Sizes, listed, rate_of, rights, tables
from outclass.data.tally import MOST_ITEMS
from outclass.errors import InputError, quoted, shown, unknown

NAMES: Final = ("A", "B")
CELLS: Final = ("tp", "fp", "fn", "tn")


def confusion_counts_of(spec: "str | Mapping[str, Any] | ConfusionCounts", name: str) -> ConfusionCounts:
    """Read counts given as a mapping or as text: `tp=10,fp=10,fn=4`, or rates; `name=...` if known."""
    if isinstance(spec, ConfusionCounts):
        return spec
    if isinstance(spec, str):
        parts = [part.partition("=")[::2] for part in spec.split(",") if part.strip()]
        twice = {key.strip() for key, _ in parts if [name.strip() for name, _ in parts].count(key.strip()) > 1}
        if twice:
            raise InputError(f"the counts give {quoted(sorted(twice))} twice: {shown(spec)}.")
        spec = dict(parts)
    if not isinstance(spec, Mapping):
        raise InputError(f"⟨counts⟩ are given as tp=10,fp=10,fn=4 or a mapping, got {type(spec).__name__}.")
    given = {str(key).strip().lower(): value for key, value in spec.items() if value is not None}
    own = str(given.pop("name", name)).strip() or name
    known = (*CELLS, *RATES, *TOTALS)
    for key in given:
        if key not in known:
            raise unknown("count", key, (*known, "name"))
    lacking = [cell for cell in CELLS[:3] if cell not in given]
    if lacking and not any(key in RATES for key in given):
        raise InputError(
            f"⟨counts⟩ are missing {quoted(lacking)}; give all of tp, fp and fn, as in tp=10,fp=10,fn=4; or rates, as "
            "in precision=.90,recall=.85,positives=1000 or accuracy=.91,n=2000."
        )
    rates = {key: rate_of(key, value) for key, value in given.items() if key in RATES}
    counts = {key: _count(value, key) for key, value in given.items() if key not in RATES}
    return _of_rates(own, rates, counts) if rates else _of_cells(own, counts)


def _of_cells(name: str, counts: Mapping[str, int]) -> ConfusionCounts:
    cells = {cell: counts[cell] for cell in CELLS if cell in counts}
    tp, fp, fn, tn = (cells.get(cell, 0) for cell in CELLS)
    parts = {
        "positives": (tp + fn, True),
        "negatives": (fp + tn, "tn" in cells),
        "n": (tp + fp + fn + tn, "tn" in cells),
    }
    for total, (sum_, is_known) in parts.items():
        given = counts.get(total)
        if given is not None and (given != sum_ if is_known else given < sum_):
            raise InputError(f"the counts of {quoted([name])} add up to {sum_:,} ({total}), not {given:,}.")
    if "tn" not in cells and "n" in counts:
        cells["tn"] = counts["n"] - tp - fp - fn
    if "tn" not in cells and "negatives" in counts:
        cells["tn"] = counts["negatives"] - fp
    if counts.get("negatives", fp + cells.get("tn", 0)) != fp + cells.get("tn", 0):
        raise InputError(f"n and negatives of {quoted([name])} contradict each other.")
    return ConfusionCounts(name=name, tp=tp, fp=fp, fn=fn, tn=cells.get("tn"))


def _of_rates(name: str, rates: Mapping[str, Rate], counts: Mapping[str, int]) -> ConfusionCounts:
    """Recover counts from rates and the sizes of the test set."""
    if cells := [cell for cell in CELLS if cell in counts]:
        raise InputError(f"give counts ({quoted(cells)}) or rates ({quoted(rates)}), not both.")
    if set(rates) <= {"accuracy", "error"} and "positives" not in counts:
        if len(rates) > 1 or "n" not in counts or "negatives" in counts:
            raise InputError(
                f"give accuracy (or error) and n, as in accuracy=.91,n=2000; got {quoted([*rates, *counts])}."
            )
        return _of_accuracy(name, next(iter(rates.values())), counts["n"])
    sizes = _sizes(name, rates, counts)
    if len(rates) < 2:
        raise InputError(
            f"{listed(rates)} alone leaves too many possible counts: give two of precision, recall, f1 (with n, also "
            "accuracy and specificity)."
        )
    found = tables(rates, sizes)
    tp, fp = found.best
    tn = None if sizes.negatives is None else sizes.negatives - fp
    return ConfusionCounts(name=name, tp=tp, fp=fp, fn=sizes.positives - tp, tn=tn, recovered=found)


def _of_accuracy(name: str, rate: Rate, items: int) -> ConfusionCounts:
    if items == 0:
        raise InputError(f"{rate.name} needs items: n is 0.")
    found = rights(rate, items)
    return ConfusionCounts(
        name=name, tp=found.best.tp, fp=0, fn=items - found.best.tp, tn=0, has_classes=False, recovered=found
    )


def _sizes(name: str, rates: Mapping[str, Rate], counts: Mapping[str, int]) -> Sizes:
    """Return how many positives and negatives were tested."""
    positives, negatives, items = (counts.get(total) for total in TOTALS)
    if positives is None and negatives is not None and items is not None:
        positives = items - negatives
    if positives is None:
        raise InputError(
            f"{listed(rates)} of how many? Give the number of positive items, as in positives=1000 (n is all items)."
        )
    if items is not None and not 0 <= positives <= items:
        raise InputError(f"n={items} is less than the number of positives or negatives of {quoted([name])}.")
    if items is not None and negatives is not None and positives + negatives != items:
        raise InputError(f"{positives:,} positives and {negatives:,} negatives are not n={items}.")
    if items is not None:
        negatives = items - positives
    if positives == 0:
        raise InputError(f"{listed(rates)} cannot be of 0 positives: recall and F1 need some.")
    needing = [rate for rate in rates if rate in OF_NEGATIVES]
    if needing and not negatives:
        raise InputError(f"{quoted(needing)} with positives needs the number of all items too: add n=N.")
    return Sizes(positives, negatives)


def counts_of(specs: Any, names: Sequence[str] | None = None, *, same_items: bool = False) -> PublishedCounts:
    """Read published counts of one or more systems."""
    listed = [specs] if isinstance(specs, str | Mapping | ConfusionCounts) else list(specs)
    called = [chr(ord("A") + place % 26) for place in range(len(listed))] if names is None else [str(n) for n in names]
    if len(called) != len(listed) or len(set(called)) != len(called):
        raise InputError(f"⟨names⟩ must be {len(listed)} different names, got {quoted(called)}.")
    found = tuple(confusion_counts_of(spec, name) for spec, name in zip(listed, called, strict=True))
    twice = [name for name, many in Counter(each.name for each in found).items() if many > 1]
    if twice:
        raise InputError(f"two sets of counts are named {quoted(twice[:1])}; give them different names.")
    if len({each.has_classes for each in found}) > 1:
        alone = [each.name for each in found if not each.has_classes]
        raise InputError(
            f"⟨counts⟩ are of two kinds: of {quoted(alone)} only the accuracy is known. Give accuracy and n of all "
            "systems, or counts of all."
        )
    if same_items:
        _check_one_test_set(found)
    return PublishedCounts(found, same_items)


def _check_one_test_set(results: Sequence[ConfusionCounts]) -> None:
    """Raise an error for results that cannot be of the same items."""
    if len(results) < 2:
        raise InputError("⟨same_items⟩ needs two published results of one test set: give ⟨counts⟩ twice.")
    lacking = [each.name for each in results if each.tn is None]
    if lacking:
        raise InputError(
            f"⟨same_items⟩ needs the number of all items: add tn=N or n=N to the counts of {quoted(lacking)}."
        )
    first = results[0]
    for each in results[1:]:
        for own, other, what in zip(
            each.table.sum(axis=1), first.table.sum(axis=1), ("positives", "negatives"), strict=False
        ):
            if own != other:
                told = what if each.has_classes else "items"
                raise InputError(
                    f"results on the same items have the same {told}: {first.name} has {other:,}, {each.name} {own:,}. "
                    "Check the counts, or leave out ⟨same_items⟩."
                )


def wins_of(wins: "str | Sequence[Any]", items: Any, names: Sequence[str] = NAMES) -> WinCounts:
    """Read how often each of two systems won: two numbers, or text like `17,4`."""
    numbers = wins.split(",") if isinstance(wins, str) else list(wins) if isinstance(wins, Iterable) else [wins]
    if len(numbers) != 2:
        raise InputError(f"⟨wins⟩ are two numbers, only A right and only B right, as in 17,4; got {shown(wins)}.")
    a, b = (_count(number, "wins") for number in numbers)
    if items is None:
        raise InputError("wins need the number of items they were counted on (⟨items=N⟩).")
    total = _count(items, "items")
    names = [names] if isinstance(names, str) else list(names)
    if len(set(names)) != 2 or len(names) != 2:
        raise InputError(f"⟨names⟩ must be 2 different names, got {quoted(names)}.")
    if a + b > total:
        raise InputError(f"{a:,} and {b:,} wins exceed the {total:,} items.")
    return WinCounts(names[0], names[1], a, b, total)


def _count(value: Any, what: str) -> int:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if isinstance(value, bool) or not (0 <= number <= MOST_ITEMS and number == int(number)):
        raise InputError(f"{what} must be a non-negative integer, got {quoted([value])}.")
    # Text is read as a number first: digits are exact, but there may be thousands of zeros before them.
    text = value.strip().lstrip("0") if isinstance(value, str) else ""
    return int(value) if isinstance(value, int) else int(text) if text.isdecimal() else int(number)
