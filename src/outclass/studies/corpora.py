"""The corpora of the papers' experiments: from local files, or from the loaders of scikit-learn and NLTK."""

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

    def small(self) -> "LabelledCorpus":
        """Return every so-manieth document: for a quick run."""
        rows = [
            *zip(["train"] * len(self.train_texts), map(str, range(len(self.train_texts))), self.train_labels,
                 self.train_texts, strict=True),
        ]  # fmt: skip
        tests = [
            *zip(["test"] * len(self.test_texts), self.test_ids, self.test_labels, self.test_texts, strict=True),
        ]
        kept = [rows[at] for at in _every(len(rows), FEW_TRAIN)] + [tests[at] for at in _every(len(tests), FEW_TEST)]
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
    """Return Reuters-21578 ApteMod: 7,769 documents to train on, 3,019 to test, 90 categories.

    From `reuters_aptemod.parquet` in `folder`, or, without one, from NLTK, which fetches it.
    """
    if folder is not None:
        rows = _parquet(folder, "reuters_aptemod.parquet", "split, id, categories, text", "true ORDER BY split, id")
        return LabelledCorpus.of_rows([(part, str(name), labels, text) for part, name, labels, text in rows])
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
    if folder is not None and sorted(folder.glob("reut2-*.sgm")):
        return LabelledCorpus.of_rows(sgml_rows(folder))
    if folder is None:
        raise FileError(
            "no library fetches Reuters-21578 with its unlabelled documents. Unpack reuters21578.tar.gz "
            "(https://kdd.ics.uci.edu/databases/reuters21578/) and name its folder, which has reut2-000.sgm (--data)."
        )
    rows = _parquet(folder, "reuters_modapte.parquet", "split, id, categories, text", "true ORDER BY split, id")
    return LabelledCorpus.of_rows([(part, str(name), labels, text) for part, name, labels, text in rows])


_DOCUMENT: Final = re.compile(r"<REUTERS ([^>]*)>(.*?)</REUTERS>", re.DOTALL)
_TOPICS: Final = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC: Final = re.compile(r"<D>(.*?)</D>")
_TEXT: Final = re.compile(r"<(TITLE|BODY)>(.*?)</\1>", re.DOTALL)
_UNPROC: Final = re.compile(r'<TEXT TYPE="UNPROC">(.*?)</TEXT>', re.DOTALL)


def sgml_rows(folder: Path) -> list[tuple[str, str, list[str], str]]:
    """Read the distribution of Reuters-21578: the documents of ModApte, in the order of their numbers."""
    found = []
    for file in sorted(folder.glob("reut2-*.sgm")):
        for attributes, content in _DOCUMENT.findall(file.read_text(encoding="latin-1")):
            given = dict(re.findall(r'(\w+)="([^"]*)"', attributes))
            part = {"TRAIN": "train", "TEST": "test"}.get(given.get("LEWISSPLIT", ""))
            # ModApte: the documents that the indexers saw, with topics or without.
            if part is None or given.get("TOPICS") != "YES":
                continue
            topics = _TOPICS.search(content)
            plain = _UNPROC.search(content)
            pieces = [plain.group(1)] if plain else [text for _, text in _TEXT.findall(content)]
            text = html.unescape("\n".join(pieces)).replace("\x03", " ").strip()
            labels = _TOPIC.findall(topics.group(1)) if topics else []
            found.append((part, int(given["NEWID"]), labels, text))
    return [(part, str(number), labels, text) for part, number, labels, text in sorted(found, key=lambda row: row[1])]


def _parquet(folder: Path, name: str, columns: str, where: str) -> list[tuple[Any, ...]]:
    """Read a corpus; columns and condition are ours, never a user's."""
    import duckdb

    file = folder / name
    if not file.is_file():
        raise FileError(
            f"there is no corpus file {quoted([file])}. Name the folder that has it (--data), or leave --data out to "
            "ask the loaders of scikit-learn and NLTK."
        )
    try:
        return duckdb.execute(f"SELECT {columns} FROM read_parquet(?) WHERE {where}", [str(file)]).fetchall()
    except duckdb.Error as error:
        raise FileError(f"cannot read the corpus {quoted([file])}: {str(error).splitlines()[0]}") from None
