"""The corpora of the papers' experiments, from local files or from scikit-learn's own loader."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from outclass.errors import FileError, MissingExtraError


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Texts and their classes, split as the papers split them."""

    train_texts: Sequence[str]
    train_labels: Sequence[str]
    test_texts: Sequence[str]
    test_labels: Sequence[str]


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
        parts = [fetch_20newsgroups(subset=part, remove=("headers", "footers", "quotes")) for part in ("train", "test")]
        train, test = ((part.data, [part.target_names[at] for at in part.target]) for part in parts)
    else:
        import duckdb

        file = folder / "20news_bydate.parquet"
        if not file.is_file():
            raise FileError(f"there is no corpus file {str(file)!r}.")

        def split(name: str) -> tuple[list[str], list[str]]:
            rows = duckdb.execute(
                "SELECT text, target_name FROM read_parquet(?) WHERE split = ? ORDER BY sklearn_order",
                [str(file), name],
            ).fetchall()
            clean = [strip_newsgroup_quoting(strip_newsgroup_footer(strip_newsgroup_header(text))) for text, _ in rows]
            return clean, [label for _, label in rows]

        train, test = split("train"), split("test")
    return Corpus(train_texts=train[0], train_labels=train[1], test_texts=test[0], test_labels=test[1])
