"""What Python users hand over beside the truth: arrays, series, mappings, frames, probabilities; or an estimator.

Takes these, gives arrays by the systems' names. Must not read files; what the arrays hold is for `data` to check.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import numpy as np

from outclass.ask.used import spelt
from outclass.data.labels import positive_of
from outclass.errors import InputError, quoted
from outclass.measures.names import HINTS, unknown_measure
from outclass.measures.names import spelt as spelt_measure
from outclass.measures.scored import is_of_scores

BINARY: Final = 2


def is_several(predictions: Any) -> bool:
    """Return whether something holds the predictions of several systems by name: a mapping or a dataframe."""
    return isinstance(predictions, Mapping) or _columns(predictions) is not None


def named(truth: Any, predictions: Sequence[Any], names: Sequence[str] | None) -> dict[str, Any]:
    """Give every array its name: those of a mapping or a frame, those that were given, those of series, or letters."""
    if len(predictions) == 1 and is_several(predictions[0]):
        if names is not None:
            raise InputError(f"{spelt('names')} are for arrays; those in a mapping or a dataframe have their own.")
        held = predictions[0] if isinstance(predictions[0], Mapping) else _columns(predictions[0])
        if not held:
            raise InputError("the mapping is empty: give the predictions of each system by name.")
        return {str(name): array for name, array in held.items()}
    called = list(names) if names is not None else _called(truth, predictions)
    if len(called) != len(predictions):
        raise InputError(f"{spelt('names')} must be {len(predictions)} different names, got {quoted(called)}.")
    return dict(zip(called, predictions, strict=True))


def _called(truth: Any, predictions: Sequence[Any]) -> list[str]:
    """Take the names of series where each has one of its own; letters otherwise."""
    found = [_series_name(each) for each in predictions]
    own = [name for name in (_series_name(truth), *found) if name]
    if all(found) and len(set(own)) == len(own):
        return found
    return [chr(ord("A") + place) for place in range(len(predictions))]


def _series_name(array: Any) -> str:
    """Return what a series of pandas or polars is called; nothing of anything else."""
    name = getattr(array, "name", None) if hasattr(array, "dtype") else None
    return name if isinstance(name, str) else ""


def _columns(frame: Any) -> dict[str, Any] | None:
    """Return the columns of a dataframe as series, or None if it is none."""
    names = getattr(frame, "columns", None)
    if names is None or callable(names) or not hasattr(frame, "__getitem__") or not hasattr(frame, "shape"):
        return None
    return {str(name): frame[name] for name in names}


def has_annotators(data: Any, predictions: Sequence[Any], given: Mapping[str, Any]) -> bool:
    """Return whether there are several columns, or arrays, of true labels."""
    truth = given.get("truth")
    return isinstance(truth, list | tuple) or (bool(predictions) and isinstance(data, Mapping))


def refuse_estimators(things: Iterable[Any]) -> None:
    """Refuse models in the place of what they predict, before they are taken for tables or labels."""
    for each in things:
        inside = each.values() if isinstance(each, Mapping) else [each]
        found = next((one for one in inside if hasattr(one, "fit") and hasattr(one, "predict")), None)
        if found is not None:
            kind = found.__name__ if isinstance(found, type) else type(found).__name__
            raise InputError(
                f"{kind} is an estimator, not its predictions. Call predict first, as in compare(y_test, "
                "model_a.predict(X_test), model_b.predict(X_test)); for AUC give predict_proba(X_test)[:, 1]."
            )


def wants_scores(measure: Any) -> bool:
    """Return whether what is asked needs scores; a mixture with measures of labels is an error."""
    asked = measure if isinstance(measure, list | tuple) else [measure]
    for each in asked:
        near = HINTS.get(spelt_measure(each), ("", ""))[0] if isinstance(each, str) else ""
        if is_of_scores(near):
            raise unknown_measure("measure", str(each), ())
    found = [is_of_scores(each) for each in asked]
    if any(found) and not all(found):
        scored = [each for each, is_scored in zip(asked, found, strict=True) if is_scored]
        raise InputError(f"{quoted(scored)} of scores and measures of labels cannot be mixed: ask in two calls.")
    return any(found)


def scores_in(truth: Any, arrays: Mapping[str, Any], positive: Any) -> dict[str, Any]:
    """Return a score per item and system; of a matrix of two class probabilities that of the positive class."""
    return {name: _of_positive(truth, array, name, positive) for name, array in arrays.items()}


def refuse_labels(arrays: Mapping[str, Any]) -> None:
    """Refuse labels where a measure needs scores: two values are the labels that `predict` gives."""
    for name, array in arrays.items():
        values = set(islice(_distinct(array), BINARY + 1))
        if len(values) <= BINARY or any(isinstance(each, str) for each in values):
            raise InputError(
                f"{quoted([name])} holds labels ({quoted(sorted(map(str, values)))}), but the measure needs a score "
                "per item, such as predict_proba(X)[:, 1] or decision_function(X). If these are the scores, say so "
                "(⟨scores=True⟩)."
            )


def _distinct(array: Any) -> Iterable[Any]:
    seen = set()
    for each in np.asarray(array).tolist():
        if isinstance(each, str | int | float | bool) and each not in seen:
            seen.add(each)
            yield each


def _of_positive(truth: Any, array: Any, name: str, positive: Any) -> Any:
    """Take the column of the positive class, if there is one for each class, in the order of scikit-learn."""
    shape: tuple[int, ...] = np.shape(array) if hasattr(array, "shape") else ()
    if len(shape) != BINARY or shape[1] == 1:
        return np.asarray(array)[:, 0] if len(shape) == BINARY else array
    classes = sorted(set(_distinct(np.asarray(truth))), key=lambda label: (str(type(label)), label))
    if shape[1] != BINARY or len(classes) != BINARY:
        raise InputError(
            f"{quoted([name])} has {shape[1]} columns and the truth has {len(classes)} classes. Give the scores of one "
            "class, as in proba[:, 1], and name that class with ⟨positive⟩."
        )
    wanted = positive_of(classes) if positive is None else positive
    place = next((at for at, each in enumerate(classes) if str(each) == str(wanted)), 1)
    # Which of two words is positive, and a label that is none, are told where the scores are read.
    return np.asarray(array)[:, place]


def holds_lists(array: Any) -> bool:
    """Return whether an array holds lists or sets of labels: many per item. A matrix of NumPy holds none."""
    if not hasattr(array, "__len__") or isinstance(array, str | bytes | Mapping):
        return False
    first = next((each for each in array if each is not None), None)
    return isinstance(first, list | tuple | set | frozenset)
