"""What users may write, turned into what the rest works with: data, measures, priors, seeds, names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from outclass import measures
from outclass.data.arrays import from_arrays
from outclass.data.columns import columns_in, roles_of
from outclass.data.databases import is_database, opened
from outclass.data.outcomes import Outcomes
from outclass.data.state import is_state, read_state
from outclass.errors import InputError, quoted, shown
from outclass.inference.settings import Settings
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.measures.measure import Measure
from outclass.models import ALL_MEASURES, DEFAULT_PRIORS, PRIOR_PARTS
from outclass.models.prior import Prior, check_parts, prior_of

MeasureSpec = str | Measure | Callable[..., Any]


def outcomes_of(
    data: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Outcomes:
    """Read outcomes from whatever holds them: `Outcomes`, paths, a table in a database, or dataframes of any kind."""
    if isinstance(data, Outcomes):
        return data if systems is None else data.selected(systems)
    columns: dict[str, Any] = {"truth": truth, "systems": systems, "count": count, "id": id, "missing": missing}
    paths = [data] if isinstance(data, str | Path) else data
    if isinstance(paths, list | tuple) and any(map(is_database, paths)):
        with opened(paths) as tables:
            return outcomes_of(tables, **columns)
    if isinstance(data, str | Path) and is_state(Path(data)):
        found = read_state(Path(data))
        if not isinstance(found, Outcomes):
            raise InputError(f"{quoted([Path(data).name])} is a state of {type(found).__name__}, not of single labels.")
        return found if systems is None else found.selected(systems)
    if isinstance(paths, list | tuple) and paths and all(isinstance(path, str | Path) for path in paths):
        from outclass.data.files import from_files  # DuckDB is loaded for files only

        return from_files(paths, **columns)
    from outclass.data.frame_joining import frames_in, joined_frames  # Narwhals is loaded for frames only
    from outclass.data.frames import from_frame, is_frame

    if is_frame(data):
        return from_frame(data, **columns)
    if (frames := frames_in(data)) is not None:
        return joined_frames(frames, **columns)
    if isinstance(data, Mapping) and not data:
        raise InputError("the mapping is empty: give columns, or dataframes, by name.")
    if (mapped := columns_in(data)) is not None:
        if count is not None or id is not None:
            raise InputError(
                "a mapping of columns holds one label an item: leave out count and id, or use a dataframe."
            )
        roles = roles_of(
            list(mapped), truth=None if truth is None else str(truth), systems=systems, count=None, place="the mapping"
        )
        return from_arrays(mapped[roles.truth], {name: mapped[name] for name in roles.systems}, missing=missing)
    raise InputError(
        f"cannot read outcomes from {type(data).__name__}. Give arrays (y_true, a, b), a dataframe, or a path."
    )


def outcomes_from(data: Any, a: Any, b: Any, names: Sequence[str], *, missing: str, **columns: Any) -> Outcomes:
    """Read outcomes from arrays, or from whatever holds them."""
    if a is None and b is None:
        return outcomes_of(data, missing=missing, **columns)
    if a is None or b is None:
        raise InputError("two systems are needed: (y_true, a, b).")
    return from_arrays(data, dict(zip(named(names, 2), (a, b), strict=True)), missing=missing)


def measures_of(spec: MeasureSpec | Sequence[MeasureSpec], model: str = "paired") -> tuple[Measure, ...]:
    """Find the measures a user names; 'all' is every one without parameters that the model knows."""
    every = [measures.get(name) for name in ALL_MEASURES.get(model, measures.MEASURES)]
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
    """Check the probability that an interval holds."""
    try:
        number = float(mass)
    except (TypeError, ValueError):
        raise InputError(f"hdi_mass must be a number in (0, 1), got {shown(mass)}.") from None
    if not 0 < number < 1:
        hint = f" Did you mean {number / 100:g}?" if 1 < number < 100 else ""
        raise InputError(f"hdi_mass must lie in (0, 1), got {number:g}.{hint}")
    return number


def seed_of(rng: int | np.random.Generator | None) -> int:
    """Return the seed that everything random comes from, so that the result can name it."""
    if rng is None:
        return 0
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 2**53))
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer) or rng < 0:
        raise InputError(
            f"the seed (rng, --seed) must be a whole number from 0, or a numpy Generator, got {shown(rng)}."
        )
    return int(rng)


def prior_for(spec: Any, model: str) -> Prior:
    """Read a prior, or take the model's own."""
    prior = prior_of(DEFAULT_PRIORS[model] if spec is None else spec)
    check_parts(prior, PRIOR_PARTS[model], model)
    return prior


def named(names: Sequence[str], wanted: int) -> list[str]:
    """Check what systems given as arrays are to be called."""
    called = [names] if isinstance(names, str) else [str(name) for name in names]
    if len(called) != wanted or len(set(called)) != wanted:
        raise InputError(f"names must be {wanted} different names, got {quoted(called)}.")
    return called


def is_by_label(by: str | None, positive: Any) -> bool:
    """Read whether every label is the positive one in turn."""
    if by not in (None, "label"):
        raise InputError(f"by can only be 'label', got {shown(by)}.")
    if by is not None and positive is not None:
        raise InputError("by='label' makes every label the positive in turn; leave out positive (--positive).")
    return by == "label"


def listed(measure: Any) -> list[Any]:
    """Return the measures one by one, of one or of several."""
    return [measure] if isinstance(measure, str | Measure | Average) or callable(measure) else list(measure)


def is_average_only(measure: Any) -> bool:
    """Return whether a measure is of many labels alone."""
    found = averages.find(measure)
    return found is not None and found.name not in measures.MEASURES


def settings_of(
    prior: Prior, *, method: str, draws: int | None, tolerance: float | None, sampler: str, **rest: Any
) -> Settings:
    """Collect how numbers are to be made; a prior that is not conjugate needs chains."""
    if prior.laws and method == "auto":
        method = "mcmc"
    if method != "mcmc" and (sampler != "nuts" or rest.get("form") != "compact" or rest.get("chains") is not None):
        raise InputError("sampler, form and chains are of Markov chains: ask for these (method='mcmc', --method mcmc).")
    usual = 20_000 if method == "mcmc" and sampler != "metropolis" else 50_000
    return Settings(
        method=method,
        draws=usual if draws is None else draws,
        tolerance=1e-4 if tolerance is None else tolerance,
        sampler=sampler,
        **rest,
    )
