"""`slices`: where the new system lost, from Python and the command line."""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import outclass as oc
from outclass.cli.main import app
from outclass.errors import InputError

NAMES = {"truth": "gold", "systems": ["old", "new"]}


def _columns(items: int = 4_000, lost: float = 0.5, seed: int = 1) -> dict[str, Any]:
    """Return a table in which the new system loses German web pages."""
    rng = np.random.default_rng(seed)
    lang, genre = rng.choice(["en", "de", "fr"], items, p=[0.5, 0.25, 0.25]), rng.choice(["news", "web", "mail"], items)
    gold = rng.choice(["yes", "no"], items, p=[0.4, 0.6])
    other = np.where(gold == "yes", "no", "yes")
    old = np.where(rng.random(items) < 0.12, other, gold)
    new = np.where(rng.random(items) < 0.03, other, np.where(rng.random(items) < 0.2, gold, old))
    new = np.where((lang == "de") & (genre == "web") & (rng.random(items) < lost), other, new)
    return {
        "doc": [f"doc {place}" for place in range(items)],
        "lang": lang.tolist(),
        "genre": genre.tolist(),
        "length": rng.integers(1, 500, items).tolist(),
        "gold": gold.tolist(),
        "old": old.tolist(),
        "new": new.tolist(),
    }


@pytest.fixture(scope="module")
def columns() -> dict[str, Any]:
    return _columns()


@pytest.fixture(scope="module")
def found(columns: dict[str, Any]) -> oc.SliceSearch:
    return oc.slices(columns, **NAMES, id="doc")


def test_the_pair_is_found_and_its_columns_are_not(found: oc.SliceSearch) -> None:
    """One entry for one reason, with the exact numbers of its items, and ids of items that were lost."""
    (row,) = [each for each in found.rows if each.listed]

    assert row.title == "lang: de, genre: web"
    assert row.pooled is not None
    assert row.pooled.interval.low < row.observed < row.pooled.interval.high
    assert row.explained is not None
    assert row.explained < row.pooled.mean
    assert row.verdict == ">>"
    assert row.expected_loss == pytest.approx(row.probability * row.pooled.mean * row.share)
    assert len(row.ids) == 5
    assert found.searched.listed == 1
    assert found.searched.columns == ("lang", "genre", "length")
    assert "lang: de, genre: web" in found.words


def test_examples_are_lost_items_of_the_slice(found: oc.SliceSearch, columns: dict[str, Any]) -> None:
    """The old system got them right, and the new one wrong."""
    table = pd.DataFrame(columns).set_index("doc")
    for row in found.rows:
        for key in row.ids:
            item = table.loc[key]

            assert all(str(item[each.column]) == each.value for each in row.where if each.column != "length")
            assert item["gold"] == item["old"] != item["new"]


def test_rows_are_those_of_a_comparison(found: oc.SliceSearch, columns: dict[str, Any]) -> None:
    """The slice by itself is what `compare` says of its items."""
    frame = pd.DataFrame(columns)
    part = frame[(frame["lang"] == "de") & (frame["genre"] == "web")].drop(columns=["doc", "lang", "genre", "length"])
    (row,) = oc.compare(part, **NAMES).rows
    first = found.rows[0]

    assert (first.items, first.observed) == (row.items, pytest.approx(row.observed))
    assert (first.old, first.new) == tuple(pytest.approx(each.observed) for each in row.systems)
    assert first.loss == pytest.approx(row.difference.mean, abs=1e-3)
    assert first.interval == pytest.approx(row.difference.hdi, abs=3e-3)


def test_nothing_is_listed_where_nothing_was_lost() -> None:
    """No slice, and a sentence with the probability that there is one."""
    answer = oc.slices(_columns(lost=0.0), **NAMES)

    assert answer.searched.listed == 0
    assert answer.words.startswith("No slice is credibly worse")
    assert "P(new worse by more than the ROPE in some slice" in answer.words


def test_a_loss_everywhere(columns: dict[str, Any]) -> None:
    """The new system is bad on all items: that is said, and no slice is listed for it."""
    rng = np.random.default_rng(0)
    gold = np.array(columns["gold"])
    worse = np.where(rng.random(len(gold)) < 0.4, "no", gold).tolist()
    answer = oc.slices({**columns, "new": worse}, **NAMES, columns=["lang", "genre"])

    assert answer.whole.probability > 0.99
    assert answer.searched.listed == 0
    assert "over all items" in str(answer)


def test_directions_and_measures(columns: dict[str, Any]) -> None:
    """A loss is positive in accuracy as in error; columns and depth restrict the search."""
    accuracy, error = (oc.slices(columns, **NAMES, measure=name, columns="lang") for name in ("accuracy", "error"))
    own = oc.slices(columns, **NAMES, measure=lambda tp, fp, fn, tn: tp / (tp + fn), columns=["lang", "genre"], depth=1)

    assert accuracy.rows[0].observed == pytest.approx(error.rows[0].observed)
    assert accuracy.rows[0].pooled is not None
    assert error.rows[0].pooled is not None
    assert accuracy.rows[0].pooled.mean == pytest.approx(error.rows[0].pooled.mean)
    assert accuracy.whole.loss == pytest.approx(error.whole.loss, abs=1e-4)
    assert own.searched.pairs == 0
    assert own.rows[0].title == "lang: de"


def test_many_labels_are_searched_by_accuracy() -> None:
    """With three labels it matters who is right; a label that is named is compared with the rest."""
    rng = np.random.default_rng(2)
    gold, side = rng.choice(["a", "b", "c"], 900), rng.choice(["x", "y"], 900)
    new = np.where((side == "x") & (rng.random(900) < 0.4), "c", gold)
    table = {"gold": gold, "old": gold, "new": new, "side": side}
    answer = oc.slices(table, **NAMES)
    one = oc.slices(table, **NAMES, positive="a")

    assert (answer.measure.name, answer.label) == ("accuracy", None)
    assert (one.measure.name, one.label) == ("f1", "a")
    assert answer.rows[0].title == one.rows[0].title == "side: x"
    with pytest.raises(InputError, match="searched by accuracy"):
        oc.slices(table, **NAMES, measure="macro_f1")


def test_json_is_the_identity(found: oc.SliceSearch) -> None:
    """What is read back equals what was written; what was not written by outclass is refused."""
    again = oc.SliceSearch.from_json(found.to_json())

    assert again == found
    assert again.to_json() == found.to_json()
    assert json.loads(found.to_json())["schema"] == 1
    with pytest.raises(InputError, match="not written by outclass"):
        oc.SliceSearch.from_json("{}")
    plain = json.loads(found.to_json())
    plain["rows"][0]["where"] = []
    with pytest.raises(InputError, match="one or two columns"):
        oc.SliceSearch.from_json(json.dumps(plain))


def test_every_rendering(found: oc.SliceSearch) -> None:
    """CSV, frames, Markdown, LaTeX, methods, a page; the terminal's lines fit."""
    lines = list(csv.DictReader(io.StringIO(found.to_csv())))
    frame = found.to_frame("pandas")
    page = found.to_html()

    assert [line["column"] for line in lines] == ["", *(row.where[0].column for row in found.rows)]
    assert float(lines[1]["p_worse"]) == pytest.approx(found.rows[0].probability)
    assert len(frame) == len(found.rows) + 1
    assert "| all items | 4,000 |" in found.to_markdown()
    assert r"\begin{tabular}" in found.to_latex()
    assert "false discovery proportion of at most 5%" in found.methods()
    assert "lang: de, genre: web" in page
    assert 'id="chart-losses"' in page
    assert max(len(line) for line in found.to_text().splitlines()) <= 80
    assert max(len(line) for line in found.to_text(verbose=True).splitlines()) <= 80
    assert "SliceSearch" in repr(found)


def test_the_same_answer_from_a_file(found: oc.SliceSearch, columns: dict[str, Any], tmp_path: Path) -> None:
    """A file, counted by DuckDB, and a mapping in memory give the same numbers."""
    pd.DataFrame(columns).to_parquet(tmp_path / "t.parquet")
    again = oc.slices(tmp_path / "t.parquet", **NAMES, id="doc")

    assert again.rows == found.rows
    assert again.searched == found.searched


def test_the_command(columns: dict[str, Any], tmp_path: Path) -> None:
    """Columns by comma or repeated; the number of rows; a page beside the table."""
    path = tmp_path / "t.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    line = ["slices", str(path), "--truth", "gold", "--system", "old", "--system", "new"]
    once = CliRunner().invoke(app, [*line, "--columns", "lang,genre", "--id", "doc", "--top", "1"])
    twice = CliRunner().invoke(app, [*line, "--columns", "lang", "--columns", "genre", "--id", "doc", "--top", "1"])

    assert once.exit_code == twice.exit_code == 0, once.output
    assert once.output == twice.output
    assert "new is worse than old by more than the ROPE of ±5 points in 1 slice" in once.output
    assert "for example: doc " in once.output


def test_progress(columns: dict[str, Any]) -> None:
    """Counting and the exact engine tell how far they are."""
    steps: list[tuple[int, int]] = []
    oc.slices(columns, **NAMES, progress=lambda done, total: steps.append((done, total)))

    assert steps
    assert all(done <= total for done, total in steps)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"depth": 3}, "depth must be 1 .* or 2 .*got 3"),
        ({"depth": 0}, "positive whole number, got 0"),
        ({"top": 0}, "top must be a positive whole number"),
        ({"columns": "doc"}, "column 'doc' cannot be sliced: it has 4,000 values for 4,000 items, like an id"),
        ({"columns": []}, "names no column"),
        ({"columns": "langs"}, "Did you mean 'lang'"),
        ({"columns": "lang:3"}, "column 'lang' cannot be sliced: '..' is not a number, and only numbers are cut"),
        ({"columns": "length:1"}, "columns takes 2 to 100 bins, got 'length:1'"),
        ({"columns": ["length:3", "length"]}, "columns names column 'length' twice"),
        ({"measure": ["f1", "accuracy"]}, "one measure"),
        ({"measure": "macro_f1"}, "searched by accuracy"),
        ({"rope": (-0.02, math.inf)}, "open on the side"),
        ({"hdi_mass": 95}, "Did you mean 0.95"),
        ({"group": "lang"}, "not used"),
        ({"systems": ["old"]}, "which two systems"),
        ({"systems": ["old", "old"]}, "one name twice"),
    ],
)
def test_wrong_questions(columns: dict[str, Any], asked: dict[str, Any], told: str) -> None:
    """Each is one sentence that says what to do."""
    with pytest.raises(InputError, match=told):
        oc.slices(columns, **{**NAMES, **asked})


def test_a_column_may_have_a_comma_in_its_name(columns: dict[str, Any]) -> None:
    """What is a column's name is that column; anything else is split at its commas."""
    table = {"kind, of text" if name == "genre" else name: own for name, own in columns.items()}
    found = oc.slices(table, **NAMES, columns=["kind, of text", "lang,length:3"], depth=1)

    assert found.searched.columns == ("kind, of text", "lang", "length")


@pytest.mark.parametrize("items", [300, 1_300])
def test_numbers_are_cut_into_bins_where_asked(items: int, tmp_path: Path) -> None:
    """Whole numbers with more values than half the items are like an id, unless bins are named; files cut the same."""
    rng = np.random.default_rng(3)
    table = _columns(items) | {"length": rng.integers(0, items, items).tolist()}
    pd.DataFrame(table).to_csv(tmp_path / "t.csv", index=False)

    for source in (table, str(tmp_path / "t.csv")):
        found = oc.slices(source, **NAMES, columns=["length:3", "lang"], depth=1)
        with pytest.raises(InputError, match="like an id; columns='length:4' cuts its numbers into bins"):
            oc.slices(source, **NAMES, columns="length")

        assert (found.searched.columns, found.searched.slices) == (("length", "lang"), 6)


def test_a_table_without_slices(columns: dict[str, Any]) -> None:
    """Only ids and texts beside the systems: an error that says why each is left out."""
    bare = {name: columns[name] for name in ("gold", "old", "new", "doc")}
    with pytest.raises(InputError, match=r"no column to make slices of.*'doc': it has 4,000 values"):
        oc.slices(bare, **NAMES)
    with pytest.raises(InputError, match="no column to make slices of"):
        oc.slices({name: columns[name] for name in ("gold", "old", "new")}, **NAMES)


def test_columns_that_are_left_out_are_told(found: oc.SliceSearch, columns: dict[str, Any]) -> None:
    """A finding names them; of a named id column nothing is said, since nobody expects it to be a slice."""
    answer = oc.slices(columns, **NAMES)

    assert "OC641" not in [each.code for each in found.findings]
    assert "OC641" in [each.code for each in answer.findings]
    assert "'doc'" in dict(answer.findings)["OC641"]


def test_columns_that_say_the_same(columns: dict[str, Any]) -> None:
    """A copy of a column under another name is not listed again, but named."""
    names = {"en": "English", "de": "German", "fr": "French"}
    answer = oc.slices({**columns, "language": [names[each] for each in columns["lang"]]}, **NAMES, id="doc")
    listed = [row for row in answer.rows if row.listed]

    assert [row.title for row in listed] == ["lang: de, genre: web"]
    assert listed[0].same == ("genre: web, language: German",)
    assert "the same items as genre: web, language: German" in str(answer)


def test_slices_of_which_every_item_was_dropped(columns: dict[str, Any]) -> None:
    """A slice whose labels are all missing is gone, and the pairs still lie in the right columns."""
    frame = pd.DataFrame(columns).iloc[:3_000].copy()
    extra = frame.iloc[:40].assign(lang="aa", new=None)
    asked = {**NAMES, "columns": ["lang", "genre"]}
    dropped = oc.slices(pd.concat([extra, frame]), **asked, missing="drop")
    plain = oc.slices(frame, **asked)

    assert dropped.rows == plain.rows
    assert (dropped.searched.slices, dropped.searched.pairs) == (plain.searched.slices, plain.searched.pairs)
    assert "OC101" in [each.code for each in dropped.findings]


def test_columns_that_overlap_are_a_finding() -> None:
    """A column that says what another says is named, with Cramér's V: 1 for a copy; independent ones are not."""
    rng = np.random.default_rng(3)
    lang, genre = rng.integers(0, 4, 800), rng.integers(0, 3, 800)
    gold = rng.integers(0, 2, 800)
    table = {"gold": gold.tolist(), "old": gold.tolist(), "new": (gold ^ (rng.random(800) < 0.1)).tolist()}
    table |= {"lang": [f"l{each}" for each in lang], "genre": [f"g{each}" for each in genre]}
    apart = oc.slices(table, truth="gold", systems=["old", "new"])
    alike = oc.slices({**table, "country": [f"c{each}" for each in lang]}, truth="gold", systems=["old", "new"])

    assert "OC642" not in [each.code for each in apart.findings]
    (told,) = [each.told for each in alike.findings if each.code == "OC642"]
    assert "'lang', 'country' overlap (Cramér's V 1.00)" in told


def test_slices_with_equal_counts_are_not_the_same_items() -> None:
    """Two values of one column share no items, whatever their counts: both are listed."""
    rows = [(lang, 1, 1, int(lost)) for lang in "abcdefgh" for lost in [0] * (60 if lang in "ab" else 4) + [1] * 90]
    lang, gold, old, new = zip(*[*rows, *((each, 0, 0, 0) for each in "abcdefgh" for _ in range(90))], strict=True)
    found = oc.slices({"lang": lang, "gold": gold, "old": old, "new": new}, truth="gold", systems=["old", "new"])

    assert [row.title for row in found.rows if row.listed] == ["lang: a", "lang: b"]
    assert all(not row.same for row in found.rows)
