"""What an answer loses on its way through JSON, or to another process."""

import pickle
from collections.abc import Iterator
from dataclasses import fields
from typing import Any


def lost(answer: Any) -> list[str]:
    """Return the parts of an answer that do not survive being written as JSON, or pickled."""
    from_json = type(answer).from_json(answer.to_json())
    sent = pickle.loads(pickle.dumps(answer))
    found = [] if from_json.to_json() == answer.to_json() else ["JSON is not the same again"]
    for own in fields(answer):
        if own.compare:
            # As text, since nan is no other nan; posteriors are no part of it.
            wanted = repr(getattr(answer, own.name))
            found += [f"{own.name} of JSON"] if repr(getattr(from_json, own.name)) != wanted else []
            found += [f"{own.name} when pickled"] if repr(getattr(sent, own.name)) != wanted else []
    return found + [name for name, now, then in _laws(answer, sent) if repr(_numbers(now)) != repr(_numbers(then))]


def _laws(answer: Any, sent: Any) -> Iterator[tuple[str, Any, Any]]:
    """Pair the distributions of an answer with those of its copy."""
    rows = (getattr(each, "systems" if type(answer).__name__ == "Ranking" else "rows", ()) for each in (answer, sent))
    for at, (now, then) in enumerate(zip(*rows, strict=True)):
        for name in ("posterior", "before"):
            yield f"{name} of row {at}", getattr(now, name, None), getattr(then, name, None)
        systems = ([each.system] if hasattr(each, "system") else getattr(each, "systems", ()) for each in (now, then))
        for one, other in zip(*systems, strict=True):
            yield (
                f"posterior of a system in row {at}",
                getattr(one, "posterior", None),
                getattr(other, "posterior", None),
            )


def _numbers(law: Any) -> list[float] | None:
    return None if law is None else [float(law.mean), float(law.std), float(law.cdf(law.mean)), *law.hdi(0.9)]
