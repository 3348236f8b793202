"""Many labels per item, saved document by document: its true labels, and those that each system gives it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from outclass.data.multilabel import MultiLabel
from outclass.data.saved import KINDS
from outclass.data.saved.plain import are_names, check_new, damaged, is_list, parsed, written
from outclass.findings import Finding

MARK: Final = KINDS["MultiLabel"].mark
FIELDS: Final = ("systems", "labels", "documents")
Document = list[list[int]]  # codes of the true labels, and of each system's


def to_json(data: MultiLabel) -> str:
    """Write one document per line, sorted."""
    head = {"systems": list(data.systems), "labels": list(data.labels)}
    return written(MARK, head, "documents", sorted(_documents(data)))


def from_json(text: str) -> MultiLabel:
    """Read them back."""
    plain = parsed(text, MARK, FIELDS)
    systems, labels, documents = (plain.get(name) for name in FIELDS)
    if not (are_names(systems) and systems and are_names(labels) and labels):
        raise damaged("systems or labels are not lists of different names")
    if not isinstance(documents, list) or not documents:
        raise damaged("documents are not a list")
    if not all(_is_document(each, 1 + len(systems), len(labels)) for each in documents):
        raise damaged("documents are not lists of codes of labels, of the truth and of each system")
    return _of_documents(tuple(systems), tuple(labels), documents)


def added(state: MultiLabel | None, evidence: MultiLabel, *, new_labels: bool) -> MultiLabel:
    """Add the documents; the labels are those of both."""
    if state is None:
        return _of_documents(evidence.systems, evidence.labels, _documents(evidence), evidence.findings)
    check_new(state.labels, evidence.labels, new_labels=new_labels)
    labels = tuple(sorted({*state.labels, *evidence.labels}))
    findings = tuple(dict.fromkeys((*state.findings, *evidence.findings)))
    both = [document for part in (state, evidence) for document in _documents(_relabelled(part, labels))]
    return _of_documents(state.systems, labels, both, findings)


def _relabelled(data: MultiLabel, labels: Sequence[str]) -> MultiLabel:
    place = {label: code for code, label in enumerate(labels)}
    return replace(data, labels=tuple(labels), label=np.array([place[each] for each in data.labels])[data.label])


def _documents(data: MultiLabel) -> list[Document]:
    found: list[Document] = [[[] for _ in range(1 + len(data.systems))] for _ in range(data.items)]
    for item, label, marks in sorted(zip(data.item.tolist(), data.label.tolist(), data.marks.tolist(), strict=True)):
        for place, marked in enumerate(marks):
            if marked:
                found[item][place].append(label)
    return found


def _is_document(value: Any, columns: int, labels: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == columns
        and all(
            is_list(codes, int) and len(set(codes)) == len(codes) and all(0 <= code < labels for code in codes)
            for codes in value
        )
    )


def _of_documents(
    systems: tuple[str, ...],
    labels: tuple[str, ...],
    documents: Sequence[Document],
    findings: tuple[Finding, ...] = (),
) -> MultiLabel:
    """Return the documents in their order in the file, whatever order they come in."""
    order = sorted(labels)
    place = {label: code for code, label in enumerate(order)}
    to = [place[label] for label in labels]
    recoded = sorted([sorted(to[code] for code in codes) for codes in document] for document in documents)
    rows = [
        (item, label, [label in codes for codes in sets])
        for item, document in enumerate(recoded)
        for sets in [[set(codes) for codes in document]]
        for label in sorted(set().union(*sets))
    ]
    return MultiLabel(
        systems=systems,
        labels=tuple(order),
        items=len(recoded),
        item=np.array([item for item, _, _ in rows], dtype=np.int64),
        label=np.array([label for _, label, _ in rows], dtype=np.int64),
        marks=np.array([marks for _, _, marks in rows], dtype=bool).reshape(len(rows), 1 + len(systems)),
        findings=findings,
    )
