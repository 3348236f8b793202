"""The command: every study from text to folder on a small corpus; and the results that are kept, held to the papers."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import outclass as oc
from outclass.cli.main import app
from outclass.data.multilabel import MultiLabel
from outclass.studies import STUDIES, corpora, goutte2005, yang1999, zhang2016
from outclass.studies.study import Results

KEPT = Path(__file__).parents[2] / "docs" / "studies"
FIGURES = {
    "zhang2016": {"figure4", "figure5a", "figure5b", "figure6_posterior", "figure6_factor"},
    "goutte2005": {"figure1"},
    "yang1999": {"figure4", "figure5", "ranking"},
}


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_quick(study: str, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool) -> None:
    """From text to a folder with everything; of fewer documents than a user's quick run has, unless in full."""
    if not full:
        monkeypatch.setattr(corpora, "FEW_TRAIN", 600)
        monkeypatch.setattr(corpora, "FEW_TEST", 300)
    given = ["reproduce", study, "--quick", "--data", str(shared / "data"), "--output", str(tmp_path / "run")]
    result = CliRunner().invoke(app, [*given, "--format", "json"])

    assert result.exit_code == 0, result.output
    results = Results.from_json((tmp_path / "run" / "results.json").read_text(encoding="utf-8"))
    assert results.quick
    assert results.study == study
    assert {Path(file).stem for file in results.figures} >= FIGURES[study]
    assert all((tmp_path / "run" / file).stat().st_size > 1_000 for file in results.figures)
    assert (tmp_path / "run" / "report.html").stat().st_size > 10_000
    for table in results.tables:
        assert table.rows
        assert (tmp_path / "run" / "tables" / f"{table.key}.tex").read_text().count(r"\\") > len(table.rows)
    _only_labels(tmp_path / "run" / "predictions")


def _only_labels(folder: Path) -> None:
    """No text is written: every cell is a short label, or a list of them."""
    import duckdb

    for file in folder.iterdir():
        table = duckdb.execute("SELECT * FROM read_parquet(?)", [str(file)]).fetchall()
        cells = {cell for row in table for value in row for cell in ([value] if isinstance(value, str) else value)}
        assert max(map(len, cells)) < 30
        assert not any(" " in cell for cell in cells)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["zhang"], "unknown study"),
        (["yang1999", "--tune"], "leave out --tune"),
        (["yang1999", "--data", "nowhere"], "no folder"),
        (["yang1999", "--format", "csv"], "unknown format"),
        (["goutte2005"], "reut2-000.sgm"),
    ],
)
def test_refused(given: list[str], told: str, tmp_path: Path) -> None:
    """One sentence, exit status 2, no traceback."""
    command = [sys.executable, "-m", "outclass", "reproduce", *given]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False)

    assert result.returncode == 2
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def _kept(study: str) -> Results:
    return Results.from_json((KEPT / study / "results.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("study", STUDIES)
def test_kept_results_are_whole_runs(study: str) -> None:
    """What the docs show is a run on the whole corpus, with its figures beside it."""
    kept = _kept(study)

    assert not kept.quick
    assert all((KEPT / study / file).is_file() for file in kept.figures)


def test_zhang2016() -> None:
    """59 of 60 decisions; Tables 4 and 6 within the tolerances of method.md; Bayes factors and Table 5 as they are."""
    checks = {check.what: check for check in _kept("zhang2016").checks}

    assert checks["decisions of Tables 4 to 6"].ours == "59 of 60 the same"
    assert {what for what, check in checks.items() if check.agrees is False} == {
        "Bayes factors of Tables 4 to 6 (printed .05 or more)"
    }
    assert all("Table 5" in what for what, check in checks.items() if check.agrees is None)


def test_zhang2016_tables_are_those_of_the_data_set() -> None:
    """Tables 4 to 6, the scores and the seeds' first row come out of the shipped predictions again."""
    news = oc.datasets.load("20news")
    kept = {table.key: table for table in _kept("zhang2016").tables}
    for number, pair in zhang2016.paper.PAIRS.items():
        again = zhang2016.tables.table_of(number, oc.compare(news, systems=pair, by="label", prior="uniform"))
        _same(again.rows, kept[f"table{number}"].rows, 1e-6)
    assert isinstance(news, oc.Outcomes)
    _same(zhang2016.tables.systems_table(news).rows, kept["systems"].rows[:4], 1e-9)
    reuters = oc.datasets.load("reuters_zhang")
    row = oc.compare(reuters, systems=zhang2016.paper.PAIRS[6], positive="earn", prior="uniform").only
    assert kept["reuters6"].rows[0][0] == "earn"
    assert kept["reuters6"].rows[0][3] == pytest.approx(row.difference.mean, abs=1e-4)


def _same(ours: Sequence[Any], kept: Sequence[Any], within: float) -> None:
    assert len(ours) == len(kept)
    for mine, theirs in zip(ours, kept, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            assert a == (pytest.approx(b, rel=within, abs=within) if isinstance(b, float) else b)


def test_zhang2016_checks_can_fail() -> None:
    """A table that is not the paper's does not agree with it."""
    news = oc.datasets.load("20news")
    answers = {
        number: oc.compare(news, systems=pair[::-1], by="label", method="draws", draws=500)
        for number, pair in zhang2016.paper.PAIRS.items()
    }
    kept = {table.key: table for table in _kept("zhang2016").tables}
    plans = {
        name: oc.plan(**scenario, n=range(500, 4000, 500), goal="<<", model=["unpaired", "paired"], sets=50)
        for name, scenario in zhang2016.paper.SCENARIOS.items()
    }
    wrong = replace(kept["systems"], rows=tuple((row[0], 0.5, *row[2:]) for row in kept["systems"].rows))
    checks = zhang2016.checks.checks_of(wrong, plans, answers)

    for check in checks:
        if check.agrees is not None and not check.what.startswith(
            ("largest deviation, std", "largest deviation, p-value", "largest deviation, ROPE")
        ):
            assert not check.agrees, check


def test_yang1999() -> None:
    """Micro-F1 within what was asked for, T and T' group as the paper does; where an order differs it is told."""
    kept = _kept("yang1999")
    checks = {check.what: check for check in kept.checks}

    for system, allowed in {"svm": 0.015, "knn": 0.015, "nb": 0.02, "llsf": 0.03, "nnet": 0.03}.items():
        row = next(row for row in kept.tables[0].rows if row[0] == system)
        assert row[5] == pytest.approx(row[6], abs=allowed)
    assert checks["macro, by the T-test"].agrees
    assert checks["macro, by the T'-test"].agrees
    assert not checks["micro, by the s-test: knn and llsf"].agrees
    # Method notes, section 6: the p-tests that the printed Table 1 allows.
    tests = {row[:2]: row for table in kept.tables if table.key == "printed_tests" for row in table.rows}
    assert tests["svm", "knn"][2] == pytest.approx(0.0065, abs=5e-5)
    assert tests["svm", "knn"][6] == pytest.approx(0.114, abs=5e-4)
    assert tests["svm", "llsf"][6] == pytest.approx(0.0019, abs=5e-5)
    assert tests["knn", "nnet"][4] == pytest.approx(0.39, abs=5e-3)
    assert tests["nnet", "nb"][2] == pytest.approx(0.055, abs=2e-3)
    assert tests["llsf", "nb"][4] == pytest.approx(0.0025, abs=2e-4)


def test_yang1999_tables_are_those_of_the_data_set() -> None:
    """Tables 1 and 2 and the checks come out of the shipped predictions again; and fail with systems exchanged."""
    kept = _kept("yang1999")
    tables = {table.key: table for table in kept.tables}
    data = oc.datasets.load("reuters_yang")
    battery = oc.test(data, tests=list(yang1999.paper.TESTS), undefined="0")

    _same(yang1999.tables.table_1(battery).rows, tables["table1"].rows, 1e-9)
    _same(yang1999.tables.table_2(battery).rows, tables["table2"].rows, 1e-9)
    assert tuple(yang1999.checks.checks_of(battery)) == kept.checks
    assert isinstance(data, MultiLabel)
    turned = replace(data, systems=("nb", "nnet", "llsf", "knn", "svm")).selected(yang1999.paper.SYSTEMS)
    wrong = yang1999.checks.checks_of(oc.test(turned, tests=list(yang1999.paper.TESTS), undefined="0"))
    assert sum(bool(check.agrees) for check in wrong) < sum(bool(check.agrees) for check in kept.checks) / 2


def test_goutte2005() -> None:
    """The printed tables come out; the retrained ones say where they differ."""
    checks = {check.what: check for check in _kept("goutte2005").checks}

    assert checks["categories whose counts follow from the printed figures"].ours == "11 of 13"
    assert checks["Table 1 from the counts that are determined: largest deviation of a probability"].agrees
    assert checks["Table 2 from the printed wins, within three errors of 10,000 draws"].ours == "38 of 39"
    assert checks["retrained linear_ltc: micro-F1"].agrees
    assert checks["retrained linear_nnn: micro-F1"].agrees is None
    assert not checks["retrained F1 of categories"].agrees


def test_goutte2005_tables_are_those_of_the_data_set() -> None:
    """The retrained tables come out of the shipped predictions again; and differ with systems exchanged."""
    kept = {table.key: table for table in _kept("goutte2005").tables}
    data = oc.datasets.load("reuters_goutte")
    assert isinstance(data, MultiLabel)
    tables, checks, _ = goutte2005.own_runs.retrained_tables(data)

    for table in tables:
        _same(table.rows, kept[table.key].rows, 1e-6)
    assert set(checks) <= set(_kept("goutte2005").checks)
    turned = replace(data, systems=("quadratic_nnn", "linear_nnn", "linear_ltc", "quadratic_ltc"))
    assert set(goutte2005.own_runs.retrained_tables(turned)[1]) != set(checks)


def test_data_sets() -> None:
    """Each has its systems and items; together they take less than 2 MB."""
    sizes = {"20news": (7532, 4), "reuters_goutte": (3299, 4), "reuters_yang": (3019, 5), "reuters_zhang": (3019, 4)}
    for name, (items, systems) in sizes.items():
        found = oc.datasets.load(name)

        assert (found.items, len(found.systems)) == (items, systems)
    assert sum(oc.datasets.path(name).stat().st_size for name in oc.datasets.NAMES) < 2_000_000
    assert set(sizes) == set(oc.datasets.NAMES)


def test_data_sets_are_the_kept_runs() -> None:
    """Micro- and macro-F1 of the shipped predictions, by scikit-learn, are those in the results."""
    from sklearn.metrics import f1_score
    from sklearn.preprocessing import MultiLabelBinarizer

    data = oc.datasets.load("reuters_yang")
    assert isinstance(data, MultiLabel)
    rows = {row[0]: row for row in _kept("yang1999").tables[0].rows}
    for place, system in enumerate(data.systems, start=1):
        lists = [[[] for _ in range(data.items)] for _ in range(2)]
        for item, label, marks in zip(data.item, data.label, data.marks, strict=True):
            for which, at in enumerate((0, place)):
                if marks[at]:
                    lists[which][item].append(data.labels[label])
        binarizer = MultiLabelBinarizer(classes=data.labels)
        truth, said = (binarizer.fit_transform(each) for each in lists)

        assert f1_score(truth, said, average="micro") == pytest.approx(rows[system][5])
        assert f1_score(truth, said, average="macro", zero_division=0) == pytest.approx(rows[system][7])


@pytest.mark.slow
@pytest.mark.parametrize("system", ["nb", pytest.param("knn", marks=pytest.mark.full), "svm"])
def test_retrained_is_shipped(shared: Path, system: str) -> None:
    """Training again on the whole corpus gives the shipped predictions, but for a few on the border."""
    corpus = corpora.aptemod(shared / "data")
    again = {(at, label) for at, labels in enumerate(yang1999.classifiers.trained(corpus)(system)) for label in labels}

    data = oc.datasets.load("reuters_yang")
    assert isinstance(data, MultiLabel)
    shipped = {
        (int(item), data.labels[label])
        for item, label in zip(data.item, data.label, strict=True)
        if data.marks[(data.item == item) & (data.label == label), data.column(system)][0]
    }
    assert len(again ^ shipped) / len(shipped) < 0.01


def test_json_of_the_command(tmp_path: Path) -> None:
    """The kept results are what `--format json` prints."""
    plain = json.loads((KEPT / "goutte2005" / "results.json").read_text(encoding="utf-8"))

    assert plain["kind"] == "outclass study"
    assert {"tables", "checks", "account", "versions", "settings"} <= set(plain)
    assert np.isfinite([cell for table in plain["tables"] for row in table["rows"] for cell in row
                        if isinstance(cell, float)]).all()  # fmt: skip
