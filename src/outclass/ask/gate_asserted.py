"""`assert_not_worse`: a gate as a test."""

from typing import Any, Unpack

from outclass.ask.gate import GateArguments, gate
from outclass.errors import InputError


def assert_not_worse(
    candidate: Any,
    baseline: Any,
    *,
    margin: float | str,
    measure: Any = None,
    y_true: Any = None,
    **options: Unpack[GateArguments],
) -> None:
    """Raise an AssertionError if a candidate is worse than a baseline by more than a margin, or if that is not known.

    Parameters
    ----------
    candidate, baseline
        Paths, evaluation logs or a saved baseline, as of `gate`; predictions, with the true labels in `y_true`; or
        numbers of the same items.
    margin, measure
        As of `gate`.
    y_true
        The true labels, if baseline and candidate are arrays of labels.
    options
        As of `gate`.
    """
    own: dict[str, Any] = dict(options)
    if y_true is not None:
        data: tuple[Any, ...] = (y_true, {"baseline": baseline, "candidate": candidate})
    elif _is_array(candidate) and _is_array(baseline):
        if len(candidate) != len(baseline):
            raise InputError(f"the candidate has {len(candidate):,} numbers and the baseline {len(baseline):,}.")
        data = ({"baseline": list(baseline), "candidate": list(candidate)},)
        own["scores"] = True
    else:
        data = (baseline, candidate)
    found = gate(*data, margin=margin, measure=measure, **own)
    if not found.passed:
        raise AssertionError(found.to_markdown())


def _is_array(data: Any) -> bool:
    return hasattr(data, "__len__") and not isinstance(data, str | bytes | dict) and not hasattr(data, "columns")
