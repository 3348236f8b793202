"""`bless`: freeze what a system scores as the baseline of a gate, with the reason for it."""

from pathlib import Path
from typing import Any, Unpack

from outclass.ask.columns import Columns
from outclass.ask.gate_history import commit_of_build
from outclass.ask.gate_items import side_of
from outclass.ask.read import given_columns, logs_in
from outclass.ask.used import unused
from outclass.data.baseline import SUFFIX, Baseline, Part
from outclass.errors import InputError, quoted


def bless(
    data: Any,
    output: str | Path | None = None,
    *,
    why: str,
    keep_labels: bool = False,
    commit: str | None = None,
    created_by: str = "",
    **columns: Unpack[Columns],
) -> Baseline:
    """Freeze one system's scores as a baseline, item by item. Nothing else ever moves a baseline.

    Parameters
    ----------
    data
        What the system scored: a table with a column of item ids, or evaluation logs.
    output
        The file to write, `NAME.oc`; None writes none.
    why
        The reason, which is kept.
    keep_labels
        Whether what is right and what was said is kept, which F1 and other measures of labels need.
    commit, created_by
        The commit of the system, by default that of the environment; and how the file was made.
    columns
        Columns, as of `compare`.
    """
    if not str(why).strip():
        raise InputError("say why this becomes the baseline (⟨why⟩): the reason is kept with it.")
    if output is not None and not str(output).lower().endswith(SUFFIX):
        raise InputError(f"a baseline is a file that ends in {SUFFIX}, not {quoted([output])}.")
    system, parts = _parts(data, given_columns(columns), keep_labels=keep_labels)
    found = Baseline(
        system=system,
        parts=tuple(parts),
        reason=str(why).strip(),
        commit=commit or commit_of_build(),
        created_by=created_by,
    )
    found = found if keep_labels else found.without_labels()
    if output is not None:
        found.write(Path(output))
    return found


def _parts(data: Any, given: dict[str, Any], *, keep_labels: bool) -> tuple[str, list[Part]]:
    """Return the system and its metrics: all that logs have, unless one is named."""
    own = logs_in(data, (), given)
    if own is None:
        system, part = side_of(data, given)
        return system, [part]
    if keep_labels:
        raise unused(["keep_labels"], "evaluation logs, whose baselines keep scores only")
    if "group" in given:
        raise unused(["group"], "a baseline, which holds items alone")
    metrics = [given["metric"]] if given.get("metric") is not None else list(own.metrics)
    found = [side_of(own, {}, metric=metric) for metric in metrics]
    return found[0][0], [part for _, part in found]
