"""`assert_not_worse`: a gate as a test."""

from typing import Any, Unpack

from outclass.ask.gate import GateArguments, gate
from outclass.errors import InputError, shown


def assert_not_worse(
    candidate: Any,
    baseline: Any,
    *,
    truth: Any = None,
    margin: float | str,
    measure: Any = None,
    undecided: str = "fail",
    **options: Unpack[GateArguments],
) -> None:
    """Raise an AssertionError if a candidate is worse than a baseline by more than a margin, or if that is not known.

    Parameters
    ----------
    candidate, baseline
        Paths, evaluation logs or a saved baseline, as of `gate`; predictions, with an array of the true labels as
        `truth`; or numbers of the same items, higher for better.
    truth
        The true labels, or the column of them.
    margin, measure
        As of `gate`.
    undecided
        'fail' (the default), 'warn' or 'pass'.
    options
        As of `gate`.
    """
    own: dict[str, Any] = dict(options)
    if truth is not None and not isinstance(truth, str):
        data: tuple[Any, ...] = (truth, {"baseline": baseline, "candidate": candidate})
    elif truth is None and _is_array(candidate) and _is_array(baseline):
        if len(candidate) != len(baseline):
            raise InputError(f"the candidate has {len(candidate):,} numbers and the baseline {len(baseline):,}.")
        data = ({"baseline": list(baseline), "candidate": list(candidate)},)
        own["scores"] = True
    else:
        data = (baseline, candidate)
        own |= {} if truth is None else {"truth": truth}
    if undecided not in ("fail", "warn", "pass"):
        raise InputError(f"undecided must be 'fail', 'warn' or 'pass', got {shown(undecided)}.")
    found = gate(*data, margin=margin, measure=measure, undecided=undecided, **own)
    if not found.passed:
        raise AssertionError(found.to_markdown())


def _is_array(data: Any) -> bool:
    return hasattr(data, "__len__") and not isinstance(data, str | bytes | dict) and not hasattr(data, "columns")
