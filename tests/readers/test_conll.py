"""CoNLL files: columns, files, sentences and documents, schemes, and what is wrong with them."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import outclass as oc
from outclass.cli import entry
from outclass.cli.main import app
from outclass.data.readers import source_of
from outclass.data.spans import is_tag
from outclass.data.unit_counts import GroupedCounts, UnitCounts
from outclass.errors import FileError, InputError

GOLD = "Ada B-PER\nLovelace I-PER\nmet O\n\nParis B-LOC\n"
OLD = "Ada B-PER\nLovelace O\nmet O\n\nParis B-LOC\n"
NEW = "Ada B-PER\nLovelace I-PER\nmet B-ORG\n\nParis B-LOC\n"
SPACED = "Ada NN B-PER B-PER B-PER\nLovelace NN I-PER O I-PER\nmet VB O O B-ORG\n\nParis NN B-LOC B-LOC B-LOC\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same tags as three files, and as one."""
    for name, text in (("gold", GOLD), ("old", OLD), ("new", NEW), ("all", SPACED)):
        (tmp_path / f"{name}.conll").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _counts(found: UnitCounts | GroupedCounts) -> dict[str, list[int]]:
    """Return TP, FN and FP of each system."""
    return {name: found.tables(name).sum(axis=0).ravel()[:3].tolist() for name in found.systems}


EXPECTED = {"old": [1, 1, 1], "new": [2, 0, 1]}


def test_one_file_per_system(folder: Path) -> None:
    """The gold standard comes first; systems are named after their files, however the files are given."""
    paths = ["gold.conll", "old.conll", "new.conll"]
    listed, given = oc.read(paths, source="conll"), oc.read(*paths)

    assert _counts(listed) == EXPECTED
    assert _counts(given) == EXPECTED
    assert (listed.items, listed.labels) == (2, ("LOC", "ORG", "PER"))
    assert listed.findings == ()


@pytest.mark.parametrize(
    "columns",
    [
        {},
        {"truth": "3", "systems": ["4", "5"]},
        {"truth": 3},
        {"systems": ["4", "5"]},
    ],
)
def test_one_file_with_several_columns(columns: dict[str, object], folder: Path) -> None:
    """The first column of tags is the truth unless another is named, by its number."""
    found = oc.read("all.conll", source="conll", names=["old", "new"], **columns)  # type: ignore[arg-type]

    assert _counts(found) == EXPECTED


def test_a_header_names_the_columns(folder: Path) -> None:
    """A first line without tags is a header; so is the list of columns of CoNLL-U Plus."""
    header = "token pos gold old new\n" + SPACED
    plus = "# global.columns = ID FORM GOLD OLD NEW\n# newdoc id = 1\n# sent_id = 1\n1\tAda\tB-PER\tO\tB-PER\n"
    plus += "2-3\tcan't\t_\t_\t_\n2\tcan\tO\tO\tO\n3\t#1\tO\tB-PER\tO\n"
    (folder / "header.conll").write_text(header)
    (folder / "plus.conll").write_text(plus)

    assert _counts(oc.read("header.conll", truth="gold", systems=["new", "old"])) == dict(reversed(EXPECTED.items()))
    assert _counts(oc.read("plus.conll")) == {"OLD": [0, 1, 1], "NEW": [1, 0, 0]}


def test_tabs_comments_and_line_ends(folder: Path) -> None:
    """Tokens may hold spaces where tabs separate, a hash may be a token, and lines may end as on Windows."""
    text = "\ufeff# a comment\r\nNew York\tB-LOC\tB-LOC\tO\r\n#\tO\tO\tO\r\n\r\n\r\nx\u2028y\tO\tO\tB-PER\r\n"
    (folder / "odd.conll").write_bytes(text.encode())
    found = oc.read("odd.conll")

    assert found.items == 2
    assert _counts(found) == {"3": [1, 0, 0], "4": [0, 1, 1]}


def test_documents_are_groups(folder: Path) -> None:
    """With documents as units, sentences are counted in groups."""
    text = "".join(f"-DOCSTART- O O O\n\n{part}\n" for part in (SPACED, SPACED))
    (folder / "docs.conll").write_text(text)
    found = oc.read("docs.conll", unit="document")

    assert isinstance(found, GroupedCounts)
    assert found.sizes.tolist() == [2, 2]
    assert oc.read("docs.conll").items == 4


@pytest.mark.parametrize(
    ("tags", "scheme", "malformed"),
    [
        ("B-A I-A O B-B I-A", "bio", 1),
        ("I-A I-A O I-B B-B", "iob1", 0),
        ("I-A B-B I-B O I-B", "bio", 2),
        ("B-A E-A S-B O B-A", "bioes", 1),
        ("B-A L-A U-B O I-A", "bilou", 1),
    ],
)
def test_schemes_are_detected(tags: str, scheme: str, malformed: int, folder: Path) -> None:
    """The scheme is told by the letters and by how the gold standard begins entities; malformed tags are counted."""
    text = "".join(f"w {tag} O\n" for tag in tags.split())
    (folder / "tags.conll").write_text(text)
    own, named = oc.read("tags.conll"), oc.read("tags.conll", scheme=scheme.upper())

    assert _counts(own) == _counts(named)
    assert own.findings == named.findings
    told = [each.message for each in own.findings]
    assert len(told) == bool(malformed)
    assert all(f"scheme {scheme}" in each and f"{malformed} in column 2" in each for each in told)


def test_malformed_tags_are_shown(folder: Path) -> None:
    """What became of them depends on strictness, and the first is shown with its line."""
    (folder / "new.conll").write_text(NEW.replace("met B-ORG", "met I-ORG"))
    lenient, strict = (oc.read(["gold.conll", "new.conll"], strict=each) for each in (False, True))

    assert _counts(lenient) == {"new": [2, 0, 1]}
    assert _counts(strict) == {"new": [2, 0, 0]}
    assert "1 in new.conll (first: line 3, I-ORG after I-PER). They were read" in lenient.findings[0].message
    assert "They are not part of an entity" in strict.findings[0].message


def test_other_columns_of_tags(folder: Path) -> None:
    """Beside a column of chunks, columns that are named are taken as they are, and a system may find nothing."""
    (folder / "chunks.conll").write_text("Ada B-NP B-PER B-PER O\nLovelace I-NP I-PER O O\n" * 5)

    found = oc.read("chunks.conll", truth="3", systems=["4", "5"])
    assert _counts(found) == {"4": [0, 5, 5], "5": [0, 5, 0]}
    assert _counts(oc.read("chunks.conll", truth="2", systems=["4"])) == {"4": [0, 5, 5]}


def test_types_that_are_never_true(folder: Path) -> None:
    """A type that occurs in no truth, such as a misnamed one, is a finding: macro-F1 may leave it out."""
    (folder / "old.conll").write_text(OLD.replace("LOC", "LOCATION"))
    answer = oc.evaluate("gold.conll", "old.conll", measure="macro_f1")
    known = oc.evaluate("gold.conll", "new.conll", measure="macro_f1", labels=["PER", "LOC"])

    (told,) = (each.message for each in answer.rows[0].findings if each.code == "OC110")
    assert told.startswith("predicted but never true: 'LOCATION'. A macro average skips such a label")
    assert "OC110" not in [each.code for each in known.rows[0].findings]


def test_a_truth_without_entities(folder: Path) -> None:
    """Where there is nothing to find, micro-F1 alone is shown; macro-F1, if named, has a sentence."""
    for name, tags in (("none", "O O"), ("one", "B-A O"), ("other", "O B-B")):
        (folder / f"{name}.conll").write_text("".join(f"w {tag}\n\n" for tag in tags.split()))
    answer = oc.compare("none.conll", "one.conll", "other.conll")

    assert [row.measure.name for row in answer.rows] == ["micro_f1"]
    with pytest.raises(InputError, match="macro-F1 is undefined for every draw: no label"):
        oc.compare("none.conll", "one.conll", "other.conll", measure="macro_f1")


def test_untyped_tags(folder: Path) -> None:
    """Tags without types give counts without labels."""
    (folder / "bare.conll").write_text("a B B\nb I O\n\nc B B\n")
    found = oc.read("bare.conll")

    assert isinstance(found, UnitCounts)
    assert not found.typed
    assert _counts(found) == {"3": [1, 1, 1]}


def test_which_files_are_recognised() -> None:
    """Files are CoNLL by their names, or if the user says so."""
    assert source_of([Path("a.conll"), Path("b.bio.gz")]) == "conll"
    assert source_of([Path("a.conll"), Path("b.csv")]) is None
    assert source_of([]) is None
    assert [is_tag(text) for text in ("O", "B", "B-X", "U-a-b", "B-", "X-PER", "", "PER", "b-PER")] == [
        *(True, True, True, True),
        *(False, False, False, False, False),
    ]


WRONG = {
    "other tokens": (
        ["gold.conll", "other.conll"],
        {},
        "line 3 of 'gold.conll' has the token 'met', line 3 of 'other.conll' has 'saw'",
    ),
    "shorter": (
        ["gold.conll", "short.conll"],
        {},
        "'short.conll' ends after 3 tokens, but line 5 of 'gold.conll' has the token 'Paris'",
    ),
    "longer": (["short.conll", "gold.conll"], {}, "'short.conll' ends after 3 tokens"),
    "other sentences": (
        ["gold.conll", "joined.conll"],
        {},
        "a sentence ends before line 5 of 'gold.conll' (token 'Paris'), but not before line 4 of 'joined.conll'",
    ),
    "unknown scheme": (["gold.conll", "old.conll"], {"scheme": "bioes2"}, "Did you mean 'bioes'"),
    "another scheme": (["end.conll"], {"scheme": "bio"}, "'E-PER' (line 2 of 'end.conll') is not a tag of the scheme"),
    "two schemes": (["mixed.conll"], {}, "the tags mix two schemes"),
    "not tags": (["gold.conll", "words.conll"], {}, "line 2 of 'words.conll' has 'NN' in column 2, which is not a tag"),
    "no tag at the top": (
        ["first.conll"],
        {"truth": "2", "systems": ["3"]},
        "line 1 of 'first.conll' has 'X-PER' in column 2, which is not a tag",
    ),
    "a digit at the top": (["gold.conll", "zero.conll"], {}, "line 1 of 'zero.conll' has '0' in column 2"),
    "too few columns": (["thin.conll"], {}, "line 2 of 'thin.conll' has nothing in column 3"),
    "one column of tags": (["gold.conll"], {}, "columns that hold tags: 2"),
    "no such column": (["all.conll"], {"truth": "9"}, "has columns 1 to 5, and no column '9'"),
    "a column twice": (["all.conll"], {"truth": "3", "systems": ["3", "4"]}, "a column is named twice"),
    "chunks beside entities": (
        ["chunks.conll"],
        {},
        "column 2 of 'chunks.conll' has tags of the types 'NP', column 3 of 'PER': which is the truth",
    ),
    "chunks taken for a system": (["chunks.conll"], {"truth": "3"}, "column 3 of 'chunks.conll' has tags of the types"),
    "a file twice": (["gold.conll", "old.conll", "old.conll"], {}, "'old.conll' is given twice"),
    "no documents": (["all.conll"], {"unit": "document"}, "has no -DOCSTART- lines"),
    "unknown unit": (["all.conll"], {"unit": "word"}, "must be one of 'sentence', 'document'"),
    "no entities": (["none.conll"], {}, "there are no entities"),
    "nothing": (["empty.conll"], {}, "has no tokens"),
    "not UTF-8": (["latin.conll"], {}, "line 2 of 'latin.conll' is not UTF-8"),
    "too many names": (["all.conll"], {"names": ["x"]}, "1 names"),
    "unused": (["all.conll"], {"missing": "drop"}, "is not used with tagged sequences"),
    "unknown format": (["all.conll"], {"source": "conllx"}, "unknown format to read from 'conllx'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every fault is one sentence that shows the first place; on the command line, with status 2."""
    more = {
        "other": OLD.replace("met", "saw"),
        "short": "Ada B-PER\nLovelace I-PER\nmet O\n",
        "joined": GOLD.replace("\n\n", "\n"),
        "words": "Ada B-PER\nLovelace NN\nmet O\n\nParis O\n",
        "first": "Ada X-PER X-PER\nLovelace I-PER O\n",
        "zero": OLD.replace("B-PER", "0", 1),
        "thin": "a B-X B-X\nb O\n",
        "end": "a B-PER O\nb E-PER O\n",
        "mixed": "a S-PER O\nb U-PER O\n",
        "none": "a O O\n",
        "empty": "\n\n",
        "chunks": "Ada B-NP B-PER B-PER\nLovelace I-NP I-PER O\n" * 5,
    }
    for stem, text in more.items():
        (folder / f"{stem}.conll").write_text(text)
    (folder / "latin.conll").write_bytes(b"a B-X B-X\n\xe9 O O\n")
    paths, how, told = WRONG[name]

    with pytest.raises((InputError, FileError)) as error:
        oc.read(paths, **{"source": "conll", **how})  # type: ignore[typeddict-item]
    options = [
        f"--{ {'systems': 'system', 'names': 'name', 'source': 'from'}.get(key, key) }={each}"
        for key, value in {"source": "conll", **how}.items()
        for each in (value if isinstance(value, list) else [value])
    ]
    monkeypatch.setattr("sys.argv", ["outclass", "compare", *paths, *options])
    status = entry._run()

    assert told in str(error.value)
    assert status == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_questions_from_the_command_line(folder: Path) -> None:
    """Compare, evaluate, rank and test read the files alike; slices have a sentence, and --by label has rows."""
    files = ["gold.conll", "old.conll", "new.conll"]

    def run(*line: str) -> str:
        found = CliRunner().invoke(app, [*line], env={"COLUMNS": "200"})
        return found.output if found.exception is None else str(found.exception)

    assert "old" in run("compare", *files, "--measure", "f1")
    assert "old" in run("evaluate", *files)
    assert "old" in run("rank", *files)
    assert "permutation" in run("test", *files)
    assert "PER" in run("compare", *files, "--by", "label")
    assert "tagged sequences have none" in run("compare", *files, "--by", "lang")
    assert "micro-F1" in run("compare", "all.conll", "--from", "conll", "--strict", "--scheme", "bio")
