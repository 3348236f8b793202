"""The corpora of the papers' experiments: from local files, or from the loaders of scikit-learn and NLTK."""

import hashlib
import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from outclass.errors import FileError, MissingExtraError, quoted

FEW_TRAIN, FEW_TEST = 1_500, 600  # documents of a quick run


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Texts and their classes, split as the papers split them."""

    train_texts: Sequence[str]
    train_labels: Sequence[str]
    test_texts: Sequence[str]
    test_labels: Sequence[str]

    @property
    def fingerprint(self) -> str:
        """A hash of all texts and labels."""
        return _hash(self.train_texts, self.train_labels, self.test_texts, self.test_labels)

    def small(self) -> "Corpus":
        """Return every so-manieth document: for a quick run."""
        train, test = _every(len(self.train_texts), FEW_TRAIN), _every(len(self.test_texts), FEW_TEST)
        return Corpus(
            train_texts=[self.train_texts[at] for at in train],
            train_labels=[self.train_labels[at] for at in train],
            test_texts=[self.test_texts[at] for at in test],
            test_labels=[self.test_labels[at] for at in test],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledCorpus:
    """Texts with any number of categories each."""

    categories: tuple[str, ...]
    train_texts: Sequence[str]
    train_labels: Sequence[Sequence[str]]
    test_texts: Sequence[str]
    test_labels: Sequence[Sequence[str]]
    test_ids: Sequence[str]

    @classmethod
    def of_rows(cls, rows: Sequence[tuple[str, str, Sequence[str], str]]) -> "LabelledCorpus":
        """Take rows of (train or test, id, categories, text); the categories are those that both parts have."""
        train, test = ([row for row in rows if row[0] == part] for part in ("train", "test"))
        both = {each for row in train for each in row[2]} & {each for row in test for each in row[2]}
        return cls(
            categories=tuple(sorted(both)),
            train_texts=[row[3] for row in train],
            train_labels=[[each for each in row[2] if each in both] for row in train],
            test_texts=[row[3] for row in test],
            test_labels=[[each for each in row[2] if each in both] for row in test],
            test_ids=[row[1] for row in test],
        )

    def largest(self, many: int) -> "LabelledCorpus":
        """Return the same documents with the categories that most of them have, the largest first."""
        seen = Counter(each for labels in (*self.train_labels, *self.test_labels) for each in labels)
        kept = tuple(sorted(self.categories, key=lambda each: (-seen[each], each))[:many])
        return LabelledCorpus(
            categories=kept,
            train_texts=self.train_texts,
            train_labels=[[each for each in labels if each in kept] for labels in self.train_labels],
            test_texts=self.test_texts,
            test_labels=[[each for each in labels if each in kept] for labels in self.test_labels],
            test_ids=self.test_ids,
        )

    @property
    def labelled(self) -> "LabelledCorpus":
        """The documents that have a category."""
        rows = [row for row in self._rows() if row[2]]
        return LabelledCorpus.of_rows(rows)

    def _rows(self) -> list[tuple[str, str, Sequence[str], str]]:
        train, test = len(self.train_texts), len(self.test_texts)
        numbers = map(str, range(train))
        return [
            *zip(["train"] * train, numbers, self.train_labels, self.train_texts, strict=True),
            *zip(["test"] * test, self.test_ids, self.test_labels, self.test_texts, strict=True),
        ]

    @property
    def fingerprint(self) -> str:
        """A hash of all texts and labels."""
        return _hash(self._rows(), self.categories)

    def small(self) -> "LabelledCorpus":
        """Return every so-manieth document: for a quick run."""
        rows = self._rows()
        train, test = rows[: len(self.train_texts)], rows[len(self.train_texts) :]
        kept = [train[at] for at in _every(len(train), FEW_TRAIN)] + [test[at] for at in _every(len(test), FEW_TEST)]
        return LabelledCorpus.of_rows(kept)

    def marks(self, part: str) -> np.ndarray:
        """Return 0 or 1 for each document of a part ('train' or 'test') and category."""
        labels = self.train_labels if part == "train" else self.test_labels
        place = {category: at for at, category in enumerate(self.categories)}
        found = np.zeros((len(labels), len(place)), dtype=int)
        for row, each in enumerate(labels):
            found[row, [place[category] for category in each]] = 1
        return found

    def lists(self, marks: np.ndarray) -> list[list[str]]:
        """Return the categories that each row of 0 and 1 stands for."""
        return [[self.categories[at] for at in np.flatnonzero(row)] for row in marks]


def _hash(*parts: Any) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _every(size: int, few: int) -> range:
    return range(0, size, max(1, size // few))


def newsgroups(folder: Path | None = None) -> Corpus:
    """Return 20 Newsgroups "bydate" with headers, footers and quotes removed.

    From `20news_bydate.parquet` in `folder`, or, without one, from scikit-learn, which fetches it.
    """
    try:
        from sklearn.datasets import fetch_20newsgroups
        from sklearn.datasets._twenty_newsgroups import (  # the loader's own cleaning; it has no public name
            strip_newsgroup_footer,
            strip_newsgroup_header,
            strip_newsgroup_quoting,
        )
    except ImportError:
        raise MissingExtraError.named("studies", "The 20 Newsgroups corpus") from None
    if folder is None:
        try:
            parts = [
                fetch_20newsgroups(subset=part, remove=("headers", "footers", "quotes")) for part in ("train", "test")
            ]
        except OSError as error:
            raise FileError(
                f"scikit-learn could not fetch 20 Newsgroups ({error}). With a copy at hand, name its folder (--data)."
            ) from None
        train, test = ((part.data, [part.target_names[at] for at in part.target]) for part in parts)
    else:

        def split(name: str) -> tuple[list[str], list[str]]:
            rows = _parquet(
                folder, "20news_bydate.parquet", "text, target_name", f"split = '{name}' ORDER BY sklearn_order"
            )
            clean = [strip_newsgroup_quoting(strip_newsgroup_footer(strip_newsgroup_header(text))) for text, _ in rows]
            return clean, [label for _, label in rows]

        train, test = split("train"), split("test")
    return Corpus(train_texts=train[0], train_labels=train[1], test_texts=test[0], test_labels=test[1])


def aptemod(folder: Path | None = None) -> LabelledCorpus:
    """Return Reuters-21578 ApteMod: 7,769 training and 3,019 test documents, 90 categories.

    From `reuters_aptemod.parquet` in `folder`, or the distribution's own files there (`reut2-*.sgm`: the documents of
    ModApte that have a category, one more than in NLTK's copy), or, without a folder, from NLTK, which fetches it.
    """
    if folder is not None and not (folder / "reuters_aptemod.parquet").is_file() and _has_sgml(folder):
        return modapte(folder).labelled
    if folder is not None:
        return _labelled(folder, "reuters_aptemod.parquet")
    reuters = _nltk_reuters()
    rows = []
    for file in reuters.fileids():
        part, _, name = file.partition("/")
        rows.append(
            ("train" if part.startswith("train") else "test", name, reuters.categories(file), reuters.raw(file))
        )
    # In the order of their numbers, as in a local file.
    return LabelledCorpus.of_rows(sorted(rows, key=lambda row: (row[0], int(row[1]))))


def _nltk_reuters() -> Any:
    try:
        import nltk
        from nltk.corpus import reuters
    except ImportError:
        raise MissingExtraError.named("studies", "The Reuters corpus") from None
    for chance in (1, 2):
        try:
            reuters.ensure_loaded()
            break
        except LookupError:
            if chance == 2 or not nltk.download("reuters", quiet=True):
                raise FileError(
                    "NLTK has no copy of Reuters ApteMod and could not fetch one. Fetch it where there is a network "
                    "(python -m nltk.downloader reuters), or name a folder that has it (--data)."
                ) from None
    return reuters


def modapte(folder: Path | None = None) -> LabelledCorpus:
    """Return Reuters-21578 ModApte with its unlabelled documents: 9,603 to train on, 3,299 to test.

    From `reuters_modapte.parquet` in `folder`, or from the distribution's own files there, `reut2-000.sgm` to
    `reut2-021.sgm`. No loader of NLTK or scikit-learn has the unlabelled documents.
    """
    if folder is not None and _has_sgml(folder):
        return LabelledCorpus.of_rows(sgml_rows(folder))
    if folder is None:
        raise FileError(
            "no library fetches Reuters-21578 with its unlabelled documents. Unpack reuters21578.tar.gz "
            "(https://kdd.ics.uci.edu/databases/reuters21578/) and name its folder, which has reut2-000.sgm (--data)."
        )
    return _labelled(folder, "reuters_modapte.parquet")


def _has_sgml(folder: Path) -> bool:
    return any(folder.glob("reut2-*.sgm"))


_TOPICS: Final = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC: Final = re.compile(r"<D>([^<]*)</D>")
_PARTS: Final = ("TITLE", "BODY")


def sgml_rows(folder: Path) -> list[tuple[str, str, list[str], str]]:
    """Read the distribution of Reuters-21578: the documents of ModApte, in the order of their numbers."""
    found = []
    for file in sorted(folder.glob("reut2-*.sgm")):
        try:
            text = file.read_text(encoding="latin-1")
        except OSError as error:
            raise FileError(f"cannot read {quoted([file])}: {error.strerror}.") from None
        for piece in text.split("</REUTERS>"):
            start = piece.find("<REUTERS ")
            end = piece.find(">", start)
            if start < 0 or end < 0:
                continue
            given = dict(re.findall(r'(\w+)="([^"]*)"', piece[start:end]))
            part = {"TRAIN": "train", "TEST": "test"}.get(given.get("LEWISSPLIT", ""))
            # ModApte: the documents that the indexers saw, with topics or without.
            if part is None or given.get("TOPICS") != "YES":
                continue
            if not given.get("NEWID", "").isdigit():
                raise FileError(f"{quoted([file])} has a document without a number (NEWID): is it Reuters-21578?")
            content = piece[end + 1 :]
            topics = _TOPICS.search(content)
            labels = _TOPIC.findall(topics.group(1)) if topics else []
            found.append((part, int(given["NEWID"]), labels, _text(content)))
    if not {part for part, *_ in found} >= {"train", "test"}:
        raise FileError(f"the files reut2-*.sgm in {quoted([folder])} hold no documents of ModApte.")
    return [(part, str(number), labels, text) for part, number, labels, text in sorted(found, key=lambda row: row[1])]


def _text(content: str) -> str:
    """Return title and body, or all of a text that was not taken apart."""
    pieces = [_between(content, f"<{part}>", f"</{part}>") for part in _PARTS]
    if not any(pieces):
        inside = _between(content, "<TEXT", "</TEXT>")
        pieces = [inside[inside.find(">") + 1 :]]
    return html.unescape("\n".join(piece for piece in pieces if piece)).replace("\x03", " ").strip()


def _between(text: str, start: str, end: str) -> str:
    first = text.find(start)
    last = text.find(end, first)
    return "" if first < 0 or last < 0 else text[first + len(start) : last]


def _labelled(folder: Path, name: str) -> LabelledCorpus:
    """Read a corpus of several categories a document, and see that it is one."""
    rows = _parquet(folder, name, "split, id, categories, text", "true ORDER BY split, id")
    for part, _, labels, text in rows:
        if part not in ("train", "test") or not isinstance(labels, list) or not isinstance(text, str):
            raise FileError(
                f"{quoted([folder / name])} is not what was expected: every row needs split (train or test), id, "
                "categories (a list) and text."
            )
    if len({part for part, *_ in rows}) < 2:
        raise FileError(f"{quoted([folder / name])} needs documents to train on and to test.")
    return LabelledCorpus.of_rows([(part, str(each), labels, text) for part, each, labels, text in rows])


def _parquet(folder: Path, name: str, columns: str, where: str) -> list[tuple[Any, ...]]:
    """Read a corpus; columns and condition are ours, never a user's."""
    import duckdb

    file = folder / name
    if not file.is_file():
        raise FileError(
            f"there is no corpus file {quoted([file])}. Name the folder that has it (--data)"
            + (
                ", or the distribution's own reut2-000.sgm and so on."
                if "modapte" in name
                else ", or leave --data out to ask the loaders of scikit-learn and NLTK."
            )
        )
    try:
        return duckdb.execute(f"SELECT {columns} FROM read_parquet(?) WHERE {where}", [str(file)]).fetchall()
    except duckdb.Error as error:
        raise FileError(f"cannot read the corpus {quoted([file])}: {str(error).splitlines()[0]}") from None
