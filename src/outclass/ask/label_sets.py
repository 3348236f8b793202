"""Averages over some of the labels: which labels are asked about, and what the averages are then called."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from outclass.ask.used import unused
from outclass.data.labels import normal
from outclass.errors import InputError, did_you_mean, printable, quoted, shown
from outclass.measures.averages import Average

NAMED: Final = 2  # labels that a title names one by one
LONGEST: Final = 40  # letters of a label in a title
NAMES: Final = ("labels", "exclude_labels")


@dataclass(frozen=True, kw_only=True)
class LabelSet:
    """Some of the labels, by name, and what a title says of them; nothing where they are all."""

    names: tuple[str, ...]
    told: str

    def places(self, labels: Sequence[object]) -> tuple[int, ...]:
        """Return where these labels are among those of some data, which may lack a few, as a slice does."""
        own = set(self.names)
        found = tuple(place for place, label in enumerate(labels) if str(label) in own)
        if not found:
            raise InputError(f"none of the labels asked about occurs: {quoted(self.names)}.")
        return found


def check_label_sets(labels: Any, exclude_labels: Any, positive: Any) -> None:
    """Refuse what says twice, or in two ways, which labels are asked about."""
    if labels is not None and exclude_labels is not None:
        raise InputError("give ⟨labels⟩, those to average over, or ⟨exclude_labels⟩, those to leave out, not both.")
    given = [name for name, value in zip(NAMES, (labels, exclude_labels), strict=True) if value is not None]
    if given and positive is not None:
        raise unused(given, "one label against the rest (⟨positive⟩)", "It applies to averages over labels.")


def label_set_of(known: Sequence[object], labels: Any, exclude_labels: Any) -> LabelSet | None:
    """Find the labels asked about among those of the data; None where nothing is asked about them."""
    if isinstance(labels, LabelSet):
        return labels
    if labels is None and exclude_labels is None:
        return None
    names = [str(label) for label in known]
    if labels is not None:
        own = _found(names, labels, "labels")
        kept = [name for name in names if name in own]
        told = f"over {_short(kept[0])}" if len(kept) == 1 else f"over {len(kept):,} of {len(names):,} labels"
        told = "" if len(kept) == len(names) else told  # which is no restriction
        return LabelSet(names=tuple(kept), told=told)
    out = _found(names, exclude_labels, "exclude_labels")
    kept = [name for name in names if name not in out]
    if not kept:
        raise InputError(f"⟨exclude_labels⟩ leaves none of the {len(names)} labels: leave out fewer.")
    gone = [name for name in names if name in out]
    short = len(gone) <= NAMED
    told = f"without {' and '.join(map(_short, gone))}" if short else f"without {len(gone):,} of {len(names):,} labels"
    return LabelSet(names=tuple(kept), told=told)


def _short(label: str) -> str:
    """Return a label for a title: cut, and with nothing that a terminal would obey or a sentence take for its own."""
    text = printable(label).replace("⟨", "<").replace("⟩", ">")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _found(names: Sequence[str], wanted: Any, argument: str) -> set[str]:
    """Return the labels that are named.

    A text that is a label is that label; any other is split at its commas. So a label that contains a comma is given
    by itself.
    """
    listed = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Iterable) else list(wanted)
    if isinstance(wanted, Mapping) or not listed:
        raise InputError(f"⟨{argument}⟩ must name one or more labels, got {shown(wanted)}.")
    by_label = {normal(name): name for name in names}
    found: set[str] = set()
    for each in listed:
        whole = _match(each, names, by_label)
        parts = [whole] if whole is not None or not isinstance(each, str) else each.split(",")
        for part in parts if whole is None else ():
            own = _match(part, names, by_label)
            if own is None:
                raise unknown_label(part, names, argument, split=len(parts) > 1)
            found.add(own)
        if whole is not None:
            found.add(whole)
    return found


def _match(wanted: Any, names: Sequence[str], by_label: Mapping[Any, str]) -> str | None:
    if wanted is None or not str(wanted).strip():
        return None
    exact = by_label.get(normal(wanted))
    if exact is not None:
        return exact
    near = [name for name in names if name.casefold() == str(wanted).strip().casefold()]
    return near[0] if len(near) == 1 else None


def unknown_label(wanted: Any, names: Iterable[str], argument: str, *, split: bool = False) -> InputError:
    """Build the error for a label that does not occur, with the nearest that does."""
    hint = " A label that contains a comma is given by itself: repeat the option." if split else ""
    text = str(wanted).strip()
    return InputError(f"no label {quoted([text])} (⟨{argument}⟩). {did_you_mean(text, names)}{hint}")


def over_labels(found: Iterable[Average], own: LabelSet | None, labels: Sequence[str]) -> tuple[Average, ...]:
    """Restrict averages to a set of labels; one that has no such restriction is an error."""
    if own is None or not own.told:
        return tuple(found)
    places, restricted = own.places(labels), []
    for average in found:
        if average.matrix:
            raise InputError(
                f"{average.title} is a function of the whole confusion matrix: leave out ⟨labels⟩ and "
                "⟨exclude_labels⟩, and pick the rows and columns in the function."
            )
        if average.single or average.label is not None:
            instead = "macro_recall" if average.name == "balanced_accuracy" else "micro_f1 or macro_f1"
            raise InputError(
                f"{average.title} has no average over some of the labels (⟨labels⟩, ⟨exclude_labels⟩): use {instead}."
            )
        restricted.append(average.over(places, own.told))
    return tuple(restricted)


def rows_asked(found: Sequence[Any], wishes: Any, known: Sequence[object], *, by_label: bool) -> list[Any]:
    """Return the labels of rows, one each: all, or those asked about."""
    given = [name for name in NAMES if getattr(wishes, name) is not None]
    if not given:
        return list(found)
    if not by_label:
        raise unused(given, "a single label", "It applies to averages over labels, and to rows by label (⟨by=label⟩).")
    own = label_set_of(known, wishes.labels, wishes.exclude_labels)
    assert own is not None
    kept = [label for label in found if str(label) in own.names]
    if not kept:
        raise InputError(f"none of the labels asked about is ever true: {quoted(own.names)}.")
    return kept
