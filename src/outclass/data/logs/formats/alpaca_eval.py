"""AlpacaEval: `annotations.json`, a judge's preference for each instruction; and battles of two models as of arenas."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from outclass.data.logs.files import Head, digest, streamed
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, number_in
from outclass.errors import FileError, InputError, quoted

NAME: Final = "alpaca-eval"
TITLE: Final = "preferences of AlpacaEval or of an arena"
TIES: Final = (0.0, 1.5)
WINNERS: Final = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5, "tie (bothbad)": 0.5}
READABLE: Final = 60  # letters of an instruction that tell an item
PAIR: Final = 2


def claims(head: Head) -> bool:
    """Look at the fields of the first record."""
    return not head.packed and (
        head.has("preference", "generator_1", "generator_2") or head.has("winner", "model_a", "model_b")
    )


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read preferences: the system is the second generator, the first is what it is compared with."""
    if head.has("winner"):
        yield from _battles(head)
        return
    found: dict[tuple[str, str, str], Samples] = {}
    seen: dict[tuple[str, str, str, str], int] = {}
    with streamed(head.path) as stream:
        for place, row in enumerate(stream.records(), start=1):
            if not isinstance(row, dict) or "instruction" not in row or "preference" not in row:
                raise FileError(f"record {place:,} of {quoted([head.path.name])} is no annotation of an instruction.")
            key = (str(row.get("generator_2")), str(row.get("generator_1")), str(row.get("annotator")))
            item = _item(row)
            seen[(*key, item)] = epoch = seen.get((*key, item), 0) + 1
            found.setdefault(key, Samples()).add(
                item,
                _scores(row["preference"]),
                epoch=epoch,
                hashes=(digest(row["instruction"]), None, None, None),
                metadata={"dataset": str(row.get("dataset") or "")},
            )
    if not found:
        raise FileError(f"{quoted([head.path.name])} has no annotations.")
    for (system, baseline, annotator), samples in found.items():
        yield LogRun(
            system=system,
            task="alpaca_eval",
            harness=NAME,
            path=str(head.path),
            samples=samples,
            usual=("preference",),
            fixed={"baseline of the judge": baseline, "annotator": annotator},
        )


def _item(row: Mapping[str, Any]) -> str:
    text = " ".join(str(row["instruction"]).split())
    told = text if len(text) <= READABLE else f"{text[:READABLE]}… {digest(row['instruction'])[:8]}"
    return f"{row['dataset']}: {told}" if row.get("dataset") else told


def _scores(preference: Any) -> dict[str, float]:
    """Return the preference from 0 to 1, of which ties are a half, and whether it is a win."""
    if not is_score(preference):
        return {"preference": math.nan, "win": math.nan}
    number = number_in(preference)
    if number in TIES or math.isnan(number):
        score = 0.5 if number in TIES else math.nan
        return {"preference": score, "win": score}
    return {"preference": number - 1.0, "win": float(number > 1.5)}


def _battles(head: Head) -> Iterator[LogRun]:
    """Read battles of two models; both orders of a question are epochs of one item."""
    found: dict[str, Samples] = {}
    times: dict[tuple[str, str], int] = {}
    with streamed(head.path) as stream:
        for place, row in enumerate(stream.records(), start=1):
            winner = WINNERS.get(str(row.get("winner"))) if isinstance(row, dict) else None
            if winner is None or not {"question_id", "model_a", "model_b"} <= row.keys():
                raise FileError(
                    f"battle {place:,} of {quoted([head.path.name])} lacks a question_id or a model, or its "
                    "winner is none of "
                    f"{quoted(WINNERS)}."
                )
            item = f"{row['question_id']}" + (f" turn {row['turn']}" if "turn" in row else "")
            for name, score in ((str(row["model_a"]), winner), (str(row["model_b"]), 1.0 - winner)):
                times[name, item] = epoch = times.get((name, item), 0) + 1
                judge = {"judge": str(row["judge"])[:60]} if "judge" in row else {}
                found.setdefault(name, Samples()).add(item, {"preference": score}, epoch=epoch, metadata=judge)
    if len(found) != PAIR:
        raise InputError(
            f"{quoted([head.path.name])} holds battles of {len(found)} models; those of two have the same questions. "
            "Take the battles of a pair."
        )
    for system, samples in found.items():
        yield LogRun(system=system, task="battles", harness=NAME, path=str(head.path), samples=samples)
