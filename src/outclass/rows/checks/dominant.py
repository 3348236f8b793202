"""One label that makes up most of a micro average: 'O' in tagging."""

from collections.abc import Iterator
from typing import Any, Final

from outclass.errors import quoted
from outclass.findings import Finding, declare, finding
from outclass.rows.checks import Case

declare(OC610="one label makes up most of a micro average")

# From here on, a difference of 0.15 on all other labels moves the average by no more than the default ROPE of 0.05.
# It includes the relation corpora that are scored without their majority label, in which that has 79% of the items.
MOST: Final = 2 / 3
FEWEST: Final = 3  # labels; of two, the other is all that is left


def check(case: Case) -> Iterator[Finding]:
    """Look at the share of the commonest label among those that are averaged over."""
    data: Any = case.fit.data
    if not hasattr(data, "frequencies") or not case.measure.name.startswith("micro"):
        return
    places = getattr(case.measure, "places", None)
    places = range(len(data.labels)) if places is None else places
    known = data.frequencies[list(places)]
    if len(known) < FEWEST or not known.any():
        return
    label, share = str(data.labels[places[int(known.argmax())]]), float(known.max() / known.sum())
    if share >= MOST:
        plain = label.isprintable() and not set("⟨⟩") & set(label)
        option = f"⟨exclude_labels={label}⟩" if plain else "⟨exclude_labels⟩"
        yield finding(
            "OC610",
            f"{share:.0%} of the true labels in {case.measure.title} are {quoted([label])}, so it says little of the "
            f"others; leave that label out ({option}), or use macro-F1.",
        )
