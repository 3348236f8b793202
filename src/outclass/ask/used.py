"""Which options each kind of model uses: one table. An option that is not used is an error, never ignored."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from outclass.errors import InputError, did_you_mean, shown
from outclass.models import TITLES

# Command-line options whose name is not that of the argument.
SPELT: Final = {
    "systems": "--system",
    "names": "--name",
    "exclude_labels": "--exclude-label",
    "runs": "--run",
    "tests": "--test",
    "every": "--all",
    "rng": "--seed",
    "source": "--from",
    "log_runs": "--runs",
    "recalls": "--recall-a, --recall-b",
    "false_positive_rates": "--fpr-a, --fpr-b",
}
CHAINS: Final = ("sampler", "form", "chains")
SAMPLED: Final = ("method", "draws", *CHAINS)
SETS: Final = ("labels", "exclude_labels")
# What is supported for each view of the data, beside measure, model, ROPE, HDI mass and seed, which all of them use.
ASKED: Final[Mapping[str, tuple[str, ...]]] = {
    "table": ("positive", "by", *SETS, "prior", "tolerance", *SAMPLED),
    "one": ("positive", "by", *SETS, "prior", "tolerance", *SAMPLED),
    "units": ("positive", "by", *SETS, "prior", "undefined", *SAMPLED),
    "unit_counts": ("positive", "by", *SETS, "prior", "undefined", *SAMPLED),
    "judged": ("positive", "by", *SETS, "prior", "undefined", "draws"),
    "groups": ("positive", "by", *SETS, "undefined", "average", "draws"),
    "scores": ("draws",),
    "grouped_scores": ("average", "draws"),
    "values": ("population", "draws"),
    "grouped_values": ("population", "average", "draws"),
    "fixed_items": ("population",),
    "folds": ("test_share",),
    "data_sets": ("draws", "test_share"),
    "runs": ("positive", "by", *SETS, "prior", "undefined", "average", "draws"),
}
# Arguments of questions by themselves, which are near misses' targets.
ASKED_OF_ALL: Final = (
    "measure",
    "rng",
    "hdi_mass",
    "rope",
    "model",
    "jobs",
    "tests",
    "every",
    "frequencies",
    *dict.fromkeys(name for names in ASKED.values() for name in names),
)
HINTS: Final = {
    "average": "It applies to items in groups: name their column (⟨group⟩).",
    **dict.fromkeys(("undefined", *SETS), "It applies to averages over labels."),
    "draws": "The posterior is integrated, not sampled; to sample it, use ⟨method=draws⟩.",
    "tolerance": "It applies to numerical integration, which this model or method does not use.",
    "method": "This model chooses its method itself.",
    "prior": "This model has no prior to choose.",
    "test_share": "It applies to models of folds.",
    "population": "It applies to repeats of items (⟨repeat⟩).",
}


# What arguments are called elsewhere, and on the command line.
HABITS: Final = {
    **dict.fromkeys(("seed", "random_state"), "rng"),
    **dict.fromkeys(("metrics", "scoring", "measures"), "measure"),
    **dict.fromkeys(("pos_label", "positive_label"), "positive"),
    **dict.fromkeys(("system", "columns"), "systems"),
    "y_true": "truth",
    "name": "names",
    "run": "runs",
    "test": "tests",
    "all": "every",
    "hdi_prob": "hdi_mass",
    "ci_prob": "hdi_mass",
    "samples": "draws",
    "n_jobs": "jobs",
    "zero_division": "undefined",
    "groups": "group",
}


def unknown_arguments(names: Iterable[str], known: Iterable[str]) -> TypeError:
    """Build the error for arguments that there are not, with the nearest that there are."""
    there = list(known)
    told = []
    for name in names:
        near = HABITS.get(name, "")
        others = [each for each in there if each != name]  # which another question takes
        hint = f"Did you mean {near!r}?" if near in others else did_you_mean(name, others)
        told.append(f"unknown argument {shown(name)}. {hint if hint.startswith('Did') else ''}".rstrip())
    return TypeError(" ".join(told))


def flag(name: str) -> str:
    """Return the option of the command line that is an argument."""
    return SPELT.get(name, f"--{name.replace('_', '-')}")


def spelt(name: str) -> str:
    """Return an option as an error names it: see `OutclassError`."""
    return f"⟨{name}⟩"


def unused(names: Iterable[str], what: str, hint: str = "") -> InputError:
    """Build the error for options that are not used."""
    left = list(names)
    one = len(left) == 1 and left[0] not in ("recalls", "false_positive_rates")  # which are two options each
    are, them = ("is", "it") if one else ("are", "them")
    if left == ["metric"]:
        hint = "It names a metric of evaluation logs. Did you mean ⟨measure⟩?"
    told = f"{', '.join(map(spelt, left))} {are} not used with {what}: leave {them} out."
    return InputError(f"{told} {hint}".strip())


def used_by(view: str, known: Any, method: str | None = None, *, ranks: bool = False) -> set[str]:
    """Return what a model uses of all that can be asked of its view; a ranking is always drawn."""
    counts, chains = view in ("table", "one"), getattr(known, "chains", False) and not ranks
    sampled = method in ("draws", "mcmc")
    can = {
        "prior": bool(known.prior),
        "average": getattr(known, "averages", False),
        "test_share": getattr(known, "shares", False),
        "tolerance": getattr(known, "integrates", True) and not sampled,
        "method": (counts or chains) and not ranks,  # elsewhere there is one way to compute it
        "draws": sampled if counts else getattr(known, "draws", True) or ranks,
        **dict.fromkeys(CHAINS, chains),
    }
    return {name for name in ASKED[view] if can.get(name, True)}


def check_used(
    given: Iterable[str], view: str, key: str, known: Any, method: str | None, *, ranks: bool = False
) -> None:
    """Raise the error for what a model does not use."""
    used = used_by(view, known, method, ranks=ranks)
    left = [name for name in given if name not in used]
    if not left:
        return
    here = TITLES[view].partition(" (")[0]
    what = f"the {key} model for {here}" + (" in a ranking" if ranks and "method" in left else "")
    raise unused(left, what, HINTS.get(left[0], "") if len(left) == 1 else "")
