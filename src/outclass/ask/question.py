"""Parsing of arguments: data, measures, priors, seeds, names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypedDict

import numpy as np

from outclass import measures
from outclass.ask.columns import Columns, LabelSets, Population
from outclass.ask.label_sets import check_label_sets
from outclass.ask.read import read
from outclass.ask.used import ASKED, unused
from outclass.data.outcomes import Outcomes
from outclass.errors import InputError, shown
from outclass.inference.settings import Settings
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.measures.measure import Measure
from outclass.measures.names import AVERAGES, averaged
from outclass.models import model_of
from outclass.models.prior import Prior, check_parts, prior_of

MeasureSpec = str | Measure | Callable[..., Any]
FINEST_MASS: Final = 1e-4  # the numerical error of a probability


def outcomes_of(
    data: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str | None = None,
) -> Outcomes:
    """Read one label per item from paths, a table in a database, or dataframes of any kind."""
    found = read(data, truth=truth, systems=systems, count=count, id=id, missing=missing)
    if not isinstance(found, Outcomes):
        raise InputError(f"expected one label per item, got {type(found).__name__}.")
    return found


def measures_of(spec: MeasureSpec | Sequence[MeasureSpec], model: str = "paired") -> tuple[Measure, ...]:
    """Find the measures a user names; 'all' is every one without parameters that the model knows."""
    own = model_of(model, ["table", "one"]).measures
    every = [measures.get(name) for name in own or measures.MEASURES]
    asked = [spec] if isinstance(spec, str | Measure) or callable(spec) else list(spec)
    if not asked:
        raise InputError("no measure was named.")
    found: dict[str, Measure] = {}
    for each in asked:
        for measure in every if each == "all" else (measures.get(each),):
            # Two functions may have one name; both are asked for.
            number = "" if found.get(measure.name, measure) == measure else f" {len(found) + 1}"
            found[measure.name + number] = replace(measure, name=measure.name + number, title=measure.title + number)
    return tuple(found.values())


def hdi_mass_of(mass: float) -> float:
    """Check the probability mass of an interval."""
    try:
        number = float(mass)
    except (TypeError, ValueError):
        raise InputError(f"⟨hdi_mass⟩ must be a number in (0, 1), got {shown(mass)}.") from None
    if not 0 < number < 1:
        hint = f" Did you mean {number / 100:g}?" if 1 < number < 100 else ""
        raise InputError(f"⟨hdi_mass⟩ must lie in (0, 1), got {number:g}.{hint}")
    if not FINEST_MASS <= number <= 1 - FINEST_MASS:
        raise InputError(
            f"⟨hdi_mass⟩ must lie between {FINEST_MASS:g} and {1 - FINEST_MASS:g}, got {number!r}: outside this range "
            "the interval would depend on numerical error."
        )
    return number


def seed_of(rng: int | np.random.Generator | None) -> int:
    """Return the seed that everything random comes from, so that the result can name it."""
    if rng is None:
        return 0
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 2**53))
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer) or rng < 0:
        raise InputError(f"⟨rng⟩ must be a non-negative integer or a NumPy Generator, got {shown(rng)}.")
    return int(rng)


def prior_for(spec: Any, model: str) -> Prior:
    """Read a prior, or take the model's own."""
    known = model_of(model, ["table", "one"])
    prior = prior_of(known.prior if spec is None else spec)
    check_parts(prior, known.parts, model)
    return prior


def is_by_label(by: str | None, positive: Any) -> bool:
    """Read whether every label is the positive one in turn."""
    if by not in (None, "label"):
        raise InputError(f"⟨by⟩ can only be 'label' here, got {shown(by)}. Slices are for compare and evaluate.")
    if by is not None and positive is not None:
        raise InputError("⟨by=label⟩ treats every label as positive in turn; leave out ⟨positive⟩.")
    return by == "label"


def listed(measure: Any) -> list[Any]:
    """Return the measures one by one, of one or of several."""
    return [measure] if isinstance(measure, str | Measure | Average) or callable(measure) else list(measure)


def with_average(measure: Any, average: Any) -> tuple[Any, Any]:
    """Return a measure and an average as outclass has them: scikit-learn's average is part of the measure's name."""
    if average not in (*AVERAGES, "binary"):
        return measure, average
    found = averaged([] if measure is None else listed(measure), average)
    return (found[0] if len(found) == 1 else found or None), None


def is_average_only(measure: Any) -> bool:
    """Return whether a measure is of many labels alone."""
    found = averages.find(measure)
    return found is not None and (found.matrix or found.name not in measures.MEASURES)


class Computation(TypedDict, total=False):
    """Settings of the computation, accepted by every question directly or as `compute=Compute(...)`.

    Parameters
    ----------
    method, draws, tolerance
        'auto' and 'exact' integrate to within `tolerance` (1e-4; for more than 30 rows, fewer than 20 items or fewer
        than 10 of a class 5e-4, which is still below the printed precision); 'draws' samples `draws` times; 'mcmc' runs
        MCMC (the default for a non-conjugate prior).
    sampler, form, chains
        MCMC settings (requires the extra `mcmc`): the sampler, 'nuts' (nutpie; the default), 'metropolis' (as in
        the papers), 'pymc' or 'numpyro'; the form of the likelihood, 'compact' (counts) or 'original' (one event per
        item); and the number of chains.
    """

    method: str | None
    draws: int | None
    tolerance: float | None
    sampler: str | None
    form: str | None
    chains: int | None


@dataclass(frozen=True, kw_only=True)
class Compute:
    """Settings of the computation; see `Computation`. None means the default."""

    method: str | None = None
    draws: int | None = None
    tolerance: float | None = None
    sampler: str | None = None
    form: str | None = None
    chains: int | None = None

    def settings(
        self, seed: int, *, usual_draws: int | None = None, progress: Any = None, method: str | None = None
    ) -> Settings:
        """Return what the models work with; `method` is the one where none is named."""
        method = self.method or method or "auto"
        for name in ("sampler", "form", "chains"):
            if method != "mcmc" and getattr(self, name) is not None:
                raise InputError(f"⟨{name}⟩ applies to MCMC only: use ⟨method=mcmc⟩.")
        sampler = self.sampler or "nuts"
        usual = usual_draws or (20_000 if method == "mcmc" and sampler != "metropolis" else 50_000)
        return Settings(
            method=method,
            draws=usual if self.draws is None else self.draws,
            tolerance=1e-4 if self.tolerance is None else self.tolerance,
            seed=seed,
            sampler=sampler,
            form=self.form or "compact",
            chains=self.chains,
            progress=progress,
        )


class Options(Columns, LabelSets, Population, Computation, total=False):
    """Further arguments of a question: roles of columns, labels to average over, and settings of the computation."""


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What a user asks, whatever the data are; None where nothing was said."""

    measure: Any = None
    positive: Any = None
    by: Any = None
    labels: Any = None
    exclude_labels: Any = None
    rope: Any = None
    model: str | None = None
    prior: Any = None
    hdi_mass: float = 0.95
    undefined: str | None = None
    average: str | None = None
    population: str | None = None  # what repeats of items are evidence about
    test_share: float | None = None  # read with the data, and used by models of folds alone
    compute: Compute = Compute()
    seed: int = 0
    progress: Callable[[int, int], None] | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """What the user said of all that only some models use."""
        names = dict.fromkeys(name for names in ASKED.values() for name in names)
        said = {name: getattr(self if hasattr(self, name) else self.compute, name) for name in names}
        return tuple(name for name, value in said.items() if value is not None)

    @property
    def some_labels(self) -> bool:
        """Whether averages over some of the labels are asked for."""
        return self.by is None and (self.labels is not None or self.exclude_labels is not None)

    def without(self, what: str, *names: str) -> None:
        """Raise an error for what these data do not use."""
        left = [name for name in self.given if name in names]
        if left:
            raise unused(left, what)


def wishes_of(asked: Mapping[str, Any]) -> tuple[Wishes, dict[str, Any]]:
    """Return what the arguments of a question ask, and the columns that are left of its options."""
    options, compute = asked["options"], asked["compute"]
    flat = {name: options[name] for name in Computation.__annotations__ if options.get(name) is not None}
    if compute is not None and not isinstance(compute, Compute):
        raise InputError(f"compute must be an oc.Compute(draws=..., method=...), got {shown(compute)}.")
    if compute is not None and flat:
        raise InputError(f"give compute, or {', '.join(flat)} by itself, not both.")
    own_parts = (*LabelSets.__annotations__, *Population.__annotations__)
    others = {*Computation.__annotations__, *own_parts}
    columns = {name: value for name, value in options.items() if name not in others}
    asked = {**asked, **{name: options.get(name) for name in own_parts}}
    own = {each.name: asked[each.name] for each in fields(Wishes) if each.name in asked}
    if isinstance(own.get("by"), list | tuple) and list(own["by"]) == ["label"]:
        own["by"] = "label"  # which may be given like the columns of slices
    own |= {"compute": compute or Compute(**flat), "hdi_mass": hdi_mass_of(asked["hdi_mass"])}
    check_label_sets(own.get("labels"), own.get("exclude_labels"), own.get("positive"))
    own["measure"], own["average"] = with_average(asked.get("measure"), asked.get("average"))
    return Wishes(**own, seed=seed_of(asked["rng"])), columns
