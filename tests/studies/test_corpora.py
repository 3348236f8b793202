"""The corpora are those of the papers; and the loaders of others give the same shape."""

from pathlib import Path

import pytest

from outclass.errors import FileError
from outclass.studies import corpora
from outclass.studies.goutte2005.paper import POSITIVES

SGML = """<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="1" NEWID="{first}">
<DATE>26-FEB-1987</DATE><TOPICS><D>cocoa</D><D>grain</D></TOPICS><PLACES><D>usa</D></PLACES>
<TEXT><TITLE>COCOA &lt;X> UP</TITLE><DATELINE>NOWHERE</DATELINE><BODY>Prices rose &amp; rose.
 Reuter &#3;</BODY></TEXT></REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="TEST" CGISPLIT="TRAINING-SET" OLDID="2" NEWID="{second}">
<TOPICS></TOPICS><TEXT TYPE="UNPROC">NO TOPICS HERE</TEXT></REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="TEST" OLDID="3" NEWID="{third}"><TOPICS><D>cocoa</D></TOPICS>
<TEXT><TITLE>MORE COCOA</TITLE></TEXT></REUTERS>
<REUTERS TOPICS="NO" LEWISSPLIT="TRAIN" OLDID="4" NEWID="90"><TOPICS></TOPICS>
<TEXT><BODY>left out</BODY></TEXT></REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="NOT-USED" OLDID="5" NEWID="91"><TOPICS></TOPICS>
<TEXT><BODY>too</BODY></TEXT></REUTERS>
"""


def test_aptemod(shared: Path) -> None:
    """Yang & Liu 1999, section 2: 7,769 and 3,019 documents, 90 categories, 2,877 of the largest; 3,744 test labels."""
    corpus = corpora.aptemod(shared / "data")

    assert (len(corpus.train_texts), len(corpus.test_texts), len(corpus.categories)) == (7769, 3019, 90)
    assert corpus.marks("train").sum(axis=0).max() == 2877
    assert corpus.marks("test").sum() == 3744
    assert corpus.lists(corpus.marks("test")) == [sorted(labels) for labels in corpus.test_labels]


def test_modapte(shared: Path) -> None:
    """Goutte & Gaussier 2005, section 4: 9,603 and 3,299 documents, many of them without a category."""
    corpus = corpora.modapte(shared / "data").largest(13)

    assert (len(corpus.train_texts), len(corpus.test_texts)) == (9603, 3299)
    assert corpus.categories[:2] == ("earn", "acq")
    assert corpus.marks("test").sum(axis=0)[:2].tolist() == [1087, 719]
    assert sum(not labels for labels in corpus.test_labels) > 0
    # What the search for the counts behind the printed figures starts from.
    assert dict(zip(corpus.categories, corpus.marks("test").sum(axis=0).tolist(), strict=True)) == POSITIVES


def test_small(shared: Path) -> None:
    """A quick run has a part of each, and categories that both parts have."""
    corpus = corpora.aptemod(shared / "data").small()

    assert len(corpus.train_texts) < 2000
    assert (corpus.marks("train").sum(axis=0) > 0).all()
    assert (corpus.marks("test").sum(axis=0) > 0).all()


def test_distribution_of_reuters(tmp_path: Path) -> None:
    """The files of Reuters-21578 themselves: ModApte is what the indexers saw, in the order of the numbers."""
    (tmp_path / "reut2-001.sgm").write_text(SGML.format(first=12, second=13, third=11), encoding="latin-1")
    (tmp_path / "reut2-000.sgm").write_text(SGML.format(first=2, second=3, third=1), encoding="latin-1")

    rows = corpora.sgml_rows(tmp_path)
    assert [(row[0], row[1]) for row in rows] == [
        ("test", "1"), ("train", "2"), ("test", "3"), ("test", "11"), ("train", "12"), ("test", "13"),
    ]  # fmt: skip
    assert rows[1][2] == ["cocoa", "grain"]
    assert rows[1][3].split() == ["COCOA", "<X>", "UP", "Prices", "rose", "&", "rose.", "Reuter"]
    assert rows[2][2:] == ([], "NO TOPICS HERE")
    corpus = corpora.modapte(tmp_path)
    assert corpus.categories == ("cocoa",)
    assert corpus.test_labels == [["cocoa"], [], ["cocoa"], []]


def test_nltk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NLTK's own reader, on a small copy in its own format."""
    import nltk
    from nltk.corpus import LazyCorpusLoader
    from nltk.corpus.reader import CategorizedPlaintextCorpusReader

    folder = tmp_path / "corpora" / "reuters"
    documents = {"training/9": "grain trade", "training/10": "crude", "test/8": "oats", "test/7": "oil and grain"}
    for name, text in documents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="latin-1")
    cats = "test/7 crude grain\ntest/8 grain\ntraining/9 grain trade\ntraining/10 crude\n"
    (folder / "cats.txt").write_text(cats, encoding="latin-1")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    # The loader remembers what it has found; a new one, as NLTK defines it, is asked here.
    fresh = LazyCorpusLoader(
        "reuters", CategorizedPlaintextCorpusReader, "(training|test).*", cat_file="cats.txt", encoding="ISO-8859-2"
    )
    monkeypatch.setattr("nltk.corpus.reuters", fresh)

    corpus = corpora.aptemod()
    assert corpus.categories == ("crude", "grain")
    assert corpus.train_texts == ["grain trade", "crude"]
    assert corpus.test_ids == ["7", "8"]
    assert corpus.test_labels == [["crude", "grain"], ["grain"]]


def test_nothing_to_fetch_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a loader cannot fetch, one sentence says what to do."""
    import nltk
    from nltk.corpus import LazyCorpusLoader
    from nltk.corpus.reader import CategorizedPlaintextCorpusReader

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    monkeypatch.setattr(nltk, "download", lambda *_, **__: False)
    fresh = LazyCorpusLoader("reuters", CategorizedPlaintextCorpusReader, "(training|test).*", cat_file="cats.txt")
    monkeypatch.setattr("nltk.corpus.reuters", fresh)
    with pytest.raises(FileError, match=r"nltk\.downloader reuters"):
        corpora.aptemod()
    with pytest.raises(FileError, match=r"reut2-000\.sgm"):
        corpora.modapte()
    with pytest.raises(FileError, match="no corpus file"):
        corpora.newsgroups(tmp_path)
    (tmp_path / "reuters_aptemod.parquet").write_text("not parquet")
    with pytest.raises(FileError, match="cannot read the corpus"):
        corpora.aptemod(tmp_path)


def test_aptemod_of_the_distribution(tmp_path: Path) -> None:
    """Without NLTK's copy ApteMod is what of ModApte has a category."""
    (tmp_path / "reut2-000.sgm").write_text(SGML.format(first=2, second=3, third=1), encoding="latin-1")

    corpus = corpora.aptemod(tmp_path)
    assert corpus.test_labels == [["cocoa"]]


@pytest.mark.parametrize(
    "text",
    ["", "junk", "<REUTERS " * 20_000, '<REUTERS A="1">' * 20_000, SGML.format(first="x", second=3, third=1)],
)
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    """One sentence, and at once."""
    (tmp_path / "reut2-000.sgm").write_text(text, encoding="latin-1")
    with pytest.raises(FileError):
        corpora.modapte(tmp_path)


@pytest.mark.parametrize(
    "rows",
    [
        "SELECT 'train' AS split, 1 AS id, NULL AS categories, 'x' AS text",
        "SELECT 'train' AS split, 1 AS id, ['a'] AS categories, NULL AS text",
        "SELECT 'dev' AS split, 1 AS id, ['a'] AS categories, 'x' AS text",
        "SELECT 'train' AS split, 1 AS id, ['a'] AS categories, 'x' AS text",
        "SELECT 1 AS a",
    ],
)
def test_odd_parquet_is_refused(tmp_path: Path, rows: str) -> None:
    import duckdb

    duckdb.execute(f"COPY ({rows}) TO '{tmp_path / 'reuters_aptemod.parquet'}' (FORMAT parquet)")
    with pytest.raises(FileError):
        corpora.aptemod(tmp_path)
