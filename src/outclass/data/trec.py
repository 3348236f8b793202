"""TREC files: judgements (qrels) and runs, into a number for every topic and run, through ir_measures.

Runs are ranked as trec_eval does it: by score, ties by the document's name, both downwards; the rank column is not
looked at, whether it starts at 0 or at 1.
"""

import io
import subprocess
from collections.abc import Mapping, Sequence
from itertools import count, pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from outclass.data.compressed import opened
from outclass.data.counted import check_policy
from outclass.data.names import stem_of
from outclass.data.scores import Scores
from outclass.errors import FileError, InputError, MissingExtraError, quoted
from outclass.findings import Finding, finding

QRELS, RUN = 4, 6  # columns
SHOWN: Final = 5
MOST_RELEVANT: Final = 10_000  # trec_eval counts level by level, and crashes where there are too many
MOST_RETRIEVED: Final = 1_000_000  # documents that a measure looks at
LONGEST_LINE: Final = 1 << 16  # letters
FLAT: Final = 2  # documents that may well have one score by chance

# What ir_measures raises of judgements or measures that its providers cannot take.
_FAULTS: Final = (ArithmeticError, AssertionError, ImportError, LookupError, RuntimeError, TypeError, ValueError)

Judged = dict[str, dict[str, int]]
Retrieved = dict[str, dict[str, float]]


def read_trec(
    qrels: str | Path, runs: Sequence[str | Path], measure: str, *, missing: str = "error", names: Any = None
) -> Scores:
    """Return what each run is worth on each topic, in any measure of ir_measures: 'nDCG@10', 'AP', 'RR@10', 'P@5'."""
    check_policy(missing)
    try:
        import ir_measures
    except ImportError:
        raise MissingExtraError.named("trec", "Reading TREC runs") from None
    try:
        wanted = ir_measures.parse_measure(measure)
    except (*_FAULTS, NameError, SyntaxError, AttributeError, MemoryError):  # the last of brackets without end
        raise InputError(
            f"ir_measures has no measure {quoted([measure])}. Some it has: nDCG@10, AP, AP(rel=2), RR, P@10, R@1000, "
            "Bpref, ERR@20."
        ) from None
    cutoff, rel = wanted.params.get("cutoff", 1), wanted.params.get("rel", 1)
    if not (
        all(type(each) in (int, float) for each in (cutoff, rel))
        and 0 < cutoff <= MOST_RETRIEVED
        and abs(rel) <= MOST_RELEVANT
    ):
        raise InputError(f"the numbers of {quoted([measure])} are out of range: write it as in nDCG@10 or AP(rel=2).")
    judged = read_qrels(qrels)
    called = [str(name) for name in names] if names else _names(runs)
    if len(called) != len(runs) or len(set(called)) != len(called):
        raise InputError(f"{len(runs)} runs need distinct names (⟨names⟩), got {quoted(called)}.")
    if len(runs) < 2:
        raise InputError("a comparison needs at least two runs (⟨runs⟩).")
    notes: list[Finding] = []
    found: dict[str, dict[str, float]] = {}
    for name, file in zip(called, runs, strict=True):
        run, told = read_run(file, name)
        notes += told
        strange = sorted(set(run) - set(judged))
        if strange:
            notes.append(
                finding(
                    "OC119",
                    f"{name} has {len(strange):,} topics without judgements, which were dropped: {_some(strange)}.",
                )
            )
        kept = {topic: _in_order(run[topic]) for topic in run if topic in judged}
        if not kept:
            raise InputError(
                f"run {quoted([name])} has no judged topics: it has {_some(sorted(run))}, they have "
                f"{_some(sorted(judged))}."
            )
        try:
            own = {topic: judged[topic] for topic in kept}
            found[name] = {each.query_id: float(each.value) for each in ir_measures.iter_calc([wanted], own, kept)}
        except (*_FAULTS, subprocess.SubprocessError) as error:  # some measures are other people's programs
            why = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
            raise InputError(f"ir_measures cannot compute {measure} for {quoted([name])}: {why}") from None
    topics = sorted(judged)
    kept_topics, values, more = _settled(found, topics, missing)
    findings = tuple(dict.fromkeys((*notes, *more)))
    return Scores(values=values, name=str(wanted), ids=tuple(kept_topics), findings=findings)


def _in_order(retrieved: dict[str, float]) -> dict[str, float]:
    """Return scores that fall one by one in trec_eval's order, since not every measure breaks ties as it does.

    trec_eval keeps scores as single-precision numbers.
    """
    with np.errstate(over="ignore"):  # what is too large for one is infinite there too
        order = sorted(retrieved, key=lambda document: (np.float32(retrieved[document]), document), reverse=True)
    return {document: float(len(order) - place) for place, document in enumerate(order)}


def _settled(
    found: dict[str, dict[str, float]], topics: list[str], missing: str
) -> tuple[list[str], dict[str, Any], list[Finding]]:
    """Settle topics that a run has not got; return those that stay, and what they are worth."""
    gone = {name: [topic for topic in topics if topic not in own] for name, own in found.items()}
    lacking = {name: several for name, several in gone.items() if several}
    told = "; ".join(f"{name} lacks {len(several):,}: {_some(several)}" for name, several in lacking.items())
    notes: list[Finding] = []
    kept = topics
    if lacking and missing == "error":
        raise InputError(
            f"topics are missing in a run ({told}). Count them as 0, as trec_eval -c does (⟨missing=wrong⟩), or drop "
            "them from every run (⟨missing=drop⟩)."
        )
    if lacking and missing == "wrong":
        notes.append(finding("OC102", f"topics missing in a run were counted as 0: {told}."))
    if lacking and missing == "drop":
        kept = [topic for topic in topics if all(topic in own for own in found.values())]
        if not kept:
            raise InputError("no topic is in every run.")
        notes.append(
            finding(
                "OC101", f"{len(topics) - len(kept):,} of {len(topics):,} topics were dropped from every run: {told}."
            )
        )
    return kept, {name: np.array([own.get(topic, 0.0) for topic in kept]) for name, own in found.items()}, notes


def _check_once(document: str, own: Mapping[str, Any], topic: str, place: str, what: str) -> None:
    if document in own:
        raise InputError(f"{place}: document {quoted([document])} is {what} twice for topic {quoted([topic])}.")


def read_qrels(file: str | Path) -> Judged:
    """Read judgements: topic, iteration, document, relevance."""
    judged: Judged = {}
    for number, parts in _lines(file, QRELS, "topic iteration document relevance"):
        topic, _, document, relevance = parts
        own = judged.setdefault(topic, {})
        _check_once(document, own, topic, _place(file, number), "judged")
        try:
            own[document] = int(relevance)
        except ValueError:
            raise InputError(
                f"{_place(file, number)}: the relevance {quoted([relevance])} is not an integer."
            ) from None
        if abs(own[document]) > MOST_RELEVANT:
            raise InputError(f"{_place(file, number)}: the relevance {quoted([relevance])} is implausibly large.")
    if not judged:
        raise InputError(f"{quoted([file])} has no judgements.")
    return judged


def read_run(file: str | Path, name: str) -> tuple[Retrieved, list[Finding]]:
    """Read a run: topic, Q0, document, rank, score, tag."""
    run: Retrieved = {}
    ranks: dict[str, list[tuple[int, float]]] = {}
    for number, parts in _lines(file, RUN, "topic Q0 document rank score tag"):
        topic, _, document, rank, score, _ = parts
        own = run.setdefault(topic, {})
        _check_once(document, own, topic, _place(file, number), "retrieved")
        try:
            own[document] = float(score)
            ranks.setdefault(topic, []).append((int(float(rank)), own[document]))
        except (ValueError, OverflowError):  # a rank may be infinite
            raise InputError(
                f"{_place(file, number)}: rank and score must be numbers, got {quoted([rank, score])}."
            ) from None
        if not np.isfinite(own[document]):
            raise InputError(f"{_place(file, number)}: the score {quoted([score])} is not a number.")
    if not run:
        raise InputError(f"{quoted([file])} has no documents.")
    # Ranks that go against the scores are a mistake in one of them; scores decide.
    against = []
    for topic, pairs in ranks.items():
        by_rank = [score for _, score in sorted(pairs, key=lambda pair: pair[0])]
        if any(later > earlier for earlier, later in pairwise(by_rank)):
            against.append(topic)
    flat = [topic for topic, own in run.items() if len(own) > FLAT and len(set(own.values())) == 1]
    notes = []
    if against:
        notes.append(
            finding(
                "OC118",
                f"in {name}, ranks and scores disagree for {len(against):,} topics ({_some(sorted(against))}); "
                "scores are used, as in trec_eval.",
            )
        )
    if flat:
        notes.append(
            finding(
                "OC118",
                f"in {name}, all documents of {len(flat):,} topics ({_some(sorted(flat))}) have the same score, so "
                "they are ordered by name, as in trec_eval; to use the ranks, write scores that decrease with rank.",
            )
        )
    return run, notes


def _lines(file: str | Path, columns: int, shape: str) -> Any:
    try:
        with opened(file) as stream, io.TextIOWrapper(stream, encoding="utf-8") as text:
            for number in count(1):
                line = text.readline(LONGEST_LINE)
                if not line:
                    return
                parts = line.split()
                if not parts:
                    continue
                if len(parts) != columns or len(line) == LONGEST_LINE:
                    raise InputError(
                        f"{_place(file, number)} has {len(parts)} columns, not the {columns} of a TREC file: {shape}."
                    )
                yield number, parts
    except UnicodeDecodeError:
        raise FileError(f"{quoted([file])} is not text.") from None


def _names(runs: Sequence[str | Path]) -> list[str]:
    stems = [stem_of(run) for run in runs]
    return stems if len(set(stems)) == len(stems) else [str(run) for run in runs]


def _place(file: str | Path, number: int) -> str:
    return f"{quoted([file])}, line {number:,}"


def _some(names: Sequence[str]) -> str:
    return quoted(names, most=SHOWN)
