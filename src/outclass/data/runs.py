"""Several runs (seeds, trainings, generations) of each system on the same items: any kind of data, and who ran it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from outclass.data.grouped import Grouped
from outclass.data.multilabel import MultiLabel
from outclass.data.names import selection
from outclass.data.outcomes import Outcomes
from outclass.data.run_copies import copies
from outclass.data.scores import Scores
from outclass.data.unit_counts import GroupedCounts, PerItem
from outclass.errors import InputError, printable, quoted
from outclass.findings import Finding

Base = Outcomes | MultiLabel | Grouped | PerItem | Scores
RUN: Final = "/"  # between the names of a system and of its run, where the table has no name for both


@dataclass(frozen=True, kw_only=True, eq=False)
class Runs:
    """Runs of several systems on the same items.

    Parameters
    ----------
    base
        The runs, as if each were a system.
    of
        The names of each system's runs, by system.
    paired
        Whether runs at the same place belong together: the same seed, or the same split.
    copies
        What was found about runs that are copies of each other.
    """

    kind: ClassVar[str] = "runs"
    base: Base
    of: Mapping[str, tuple[str, ...]]
    paired: bool = False
    copies: tuple[Finding, ...] = field(default=())

    def __repr__(self) -> str:
        told = ", ".join(f"{name} ({len(runs)})" for name, runs in self.of.items())
        return f"Runs({self.items:,} items, runs of {printable(told)})"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names."""
        return tuple(self.of)

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.base) if isinstance(self.base, Scores) else self.base.items

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found while reading."""
        return (*self.base.findings, *self.copies)

    def selected(self, systems: Sequence[str]) -> "Runs":
        """Return the same items with some of the systems."""
        kept = {name: self.of[name] for name in selection(systems, self.of)}
        return runs_of(self.base, kept, paired=self.paired)


def runs_of(base: Any, of: Mapping[str, Sequence[str]], *, paired: bool = False) -> Runs:
    """Say which columns of some data are runs of one system."""
    if not isinstance(base, Base):
        raise InputError(
            f"runs are not available for {base.kind}: leave out ⟨unlabelled⟩, ⟨judge⟩, ⟨annotators⟩ or ⟨counts⟩, or "
            "the runs (⟨runs⟩, ⟨systems⟩)."
        )
    if isinstance(base, Scores) and (base.fold_share is not None or base.data_set is not None):
        raise InputError(
            "runs are of one test set, and these are results of folds or of data sets (⟨fold⟩, ⟨data_set⟩), whose "
            "repetitions have a model of their own: name the runs' folds with ⟨repeat⟩ instead."
        )
    kept = {name: tuple(dict.fromkeys(runs)) for name, runs in of.items()}
    check_each_once(kept)
    kept = _in_pairs(kept) if paired else kept
    wanted = [run for runs in kept.values() for run in runs]
    base = base if list(base.systems) == wanted else base.selected(wanted)
    return Runs(base=base, of=kept, paired=paired, copies=tuple(copies(base, kept)))


def check_each_once(of: Mapping[str, Sequence[str]]) -> None:
    """Refuse a run that is named as a run of two systems, and a system without runs."""
    owner: dict[str, str] = {}
    for name, runs in of.items():
        if not runs:
            raise InputError(f"system {quoted([name])} has no runs (⟨systems⟩).")
        for run in runs:
            if owner.setdefault(run, name) != name:
                raise InputError(
                    f"{quoted([run])} is named as a run of both {quoted([owner[run]])} and {quoted([name])} "
                    "(⟨systems⟩): a run belongs to one system."
                )


def _in_pairs(of: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Put the runs of all systems in one order: by what distinguishes their names, or else as they were given."""
    sizes = {len(runs) for runs in of.values()}
    if len(sizes) > 1:
        told = ", ".join(f"{name!r} has {len(runs)}" for name, runs in of.items())
        raise InputError(f"paired runs (⟨paired_runs⟩) come in equal numbers, but {told}: leave it out.")
    keys = {name: [run.rpartition(RUN)[2] for run in runs] for name, runs in of.items()}
    if len({frozenset(own) for own in keys.values()}) > 1:
        keys = {name: _distinguishing(own) for name, own in keys.items()}
    first = next(iter(keys.values()))
    for other in keys.values():
        lacking = [key for key in first if key not in other] or [key for key in other if key not in first]
        if lacking and (set(first) & set(other) or all(RUN in run for runs in of.values() for run in runs)):
            raise InputError(
                f"run {quoted(lacking[:1])} does not occur for every system, so runs cannot be paired "
                "(⟨paired_runs⟩): leave it out, or give every system the same runs."
            )
        if lacking:
            return dict(of)
    return {name: tuple(runs[keys[name].index(key)] for key in first) for name, runs in of.items()}


def _distinguishing(runs: Sequence[str]) -> list[str]:
    """Return what is left of the names of a system's runs without what all of them begin with."""
    shared = 0
    while len({run[: shared + 1] for run in runs}) == 1 and shared < len(runs[0]):
        shared += 1
    while shared and runs[0][shared - 1].isdigit():
        shared -= 1  # of s10 and s11, the 1 is no beginning
    return [run[shared:] for run in runs]


def in_groups(base: Base) -> bool:
    """Return whether items come in groups."""
    return isinstance(base, Grouped | GroupedCounts) or getattr(base, "group", None) is not None
