"""Charts by their data and encodings; and that every kind becomes a picture."""

import html
import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from searches import searched

import outclass as oc
from outclass.cli.main import app
from outclass.errors import InputError
from outclass.inference.chains import Chains
from outclass.inference.derived import Scaled
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.inference.tabulated import Tabulated
from outclass.report import words
from outclass.report.charts import CHARTS, COLOURS, chart_of, picture, plot, usual_kind
from outclass.report.curves import _settled, curve_of, intervals_of, quick, round_step, steps_of
from outclass.report.live import MASSES

altair = pytest.importorskip("altair")
SchemaError = pytest.importorskip("jsonschema").ValidationError
ROWS = [[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]]


@pytest.fixture(scope="module")
def one() -> oc.Comparison:
    return oc.compare(oc.Outcomes.of_rows(("A", "B"), ROWS, [40, 6, 3, 11, 5, 4, 2, 60]), positive=1)


@pytest.fixture(scope="module")
def answers(one: oc.Comparison) -> dict[str, Any]:
    data = oc.datasets.load("20news")
    chained = _with_chains(one)
    many = oc.compare(data, systems=["nb_mult", "svm_l2"], by="label", method="draws", draws=2_000)
    scenario = {"prevalence": 0.3, "recalls": (0.8, 0.6), "false_positive_rates": (0.05, 0.1)}
    plan = oc.plan(**scenario, n=[100, 300], sets=50, probability=0.5, characteristics=True)
    kinds = dict.fromkeys(("posterior", "systems", "factor", "prior", "confusion", "joint"), one)
    runs = oc.compare([0, 1] * 20, {"A": [[0, 1] * 20, [0, 1, 1, 1] * 10], "B": [[1, 1] * 20, [0, 0] * 20]}, draws=500)
    return {
        **kinds,
        "runs": runs,
        "forest": many,
        "trace": chained,
        "ranks": chained,
        **dict.fromkeys(("ranking", "scores"), oc.rank(data, draws=2_000)),
        "power": plan,
        "rule": plan,
        **dict.fromkeys(("frequency", "effects"), oc.test(data, draws=200)),
        "losses": searched(),
    }


def validate(spec: dict[str, Any]) -> None:
    """Fail unless the schema of Vega-Lite that Altair ships allows a specification."""
    altair.VegaLiteSchema.validate(spec, {"$ref": "#/definitions/TopLevelSpec"})


def _with_chains(one: oc.Comparison) -> oc.Comparison:
    from dataclasses import replace

    law = Chains(0.05 * np.random.default_rng(0).normal(size=(4, 500)), Interval(-1, 1), "nuts")
    return oc.Comparison((replace(one.only, law=law, diagnostics=law.diagnostics),))


@pytest.mark.parametrize("kind", CHARTS)
def test_every_kind_is_a_picture(answers: dict[str, Any], kind: str) -> None:
    """What Vega-Lite's schema allows, which nobody checks again; as PNG, SVG and PDF not empty, each of its kind."""
    assert plot(answers[kind], kind).to_dict(validate=True)
    begins = {".png": b"\x89PNG", ".svg": b"<svg", ".pdf": b"%PDF"}
    for suffix, sign in begins.items():
        found = picture(answers[kind], kind, suffix)
        assert found.startswith(sign)
        assert len(found) > 1_000


@pytest.mark.parametrize("kind", CHARTS)
def test_every_kind_is_valid(answers: dict[str, Any], kind: str) -> None:
    """The schema of Vega-Lite allows what is written out at run time, where nobody checks it; and no other marks."""
    spec = plot(answers[kind], kind).to_dict(validate=False)
    validate(spec)

    for part in spec.get("layer", spec.get("hconcat", [spec.get("spec", spec)])):
        (part["layer"][0] if "layer" in part else part)["mark"]["type"] = "smudge"
    with pytest.raises(SchemaError, match="smudge"):
        validate(spec)


def test_the_charts_of_pages_are_valid(answers: dict[str, Any]) -> None:
    """So does it what pages make of them: without titles, and as wide as the page."""
    for answer in {id(answer): answer for answer in answers.values()}.values():
        page = answer.to_html()
        charts = json.loads(page.partition('id="data">')[2].partition("</script>")[0])["charts"]

        assert charts
        for spec in charts.values():
            validate(spec)


@pytest.mark.parametrize("kind", CHARTS)
def test_no_encoding_is_looked_up(answers: dict[str, Any], kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each encoding is an object: to find the class that a bare string stands for takes Altair milliseconds."""

    def from_dict(*_: Any, **__: Any) -> None:
        raise AssertionError("an encoding is a string or a dictionary: write altair.Text('label:N'), for one")

    monkeypatch.setattr(altair.SchemaBase, "from_dict", from_dict)
    assert plot(answers[kind], kind)


def test_altair_checks_the_charts_of_others(one: oc.Comparison) -> None:
    """What is not checked is ours alone: after a chart, and after one that cannot be, Altair checks as before."""
    plot(one)
    with pytest.raises(InputError):
        plot(one, "trace")
    with pytest.raises(SchemaError):
        altair.Axis(title=lambda: None)


def test_a_chart_can_be_changed(one: oc.Comparison) -> None:
    """What `plot` returns is an Altair chart, whose copies share nothing that a reader can write to."""
    chart = plot(one)
    spec = chart.to_dict()
    mine = chart.properties(width=99).to_dict()
    next(each for each in _layers(chart) if each["data"].get("name") == "curve")["data"]["values"].clear()

    assert mine["width"] == 99
    assert chart.to_dict() == spec == chart.copy().to_dict() == json.loads(chart.to_json())


def test_listing_the_kinds_loads_no_chart() -> None:
    """The names of the files are enough: neither a chart nor Altair is imported for a list."""
    code = "from outclass.report.charts import CHARTS; import sys; print(len(CHARTS), *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    many, *loaded = done.stdout.split()

    assert int(many) == len(CHARTS)
    assert "outclass.report.charts" in loaded
    assert not {"altair", *(f"outclass.report.charts.{kind}" for kind in CHARTS)} & set(loaded)


@pytest.mark.parametrize("kind", CHARTS)
def test_a_chart_is_for_the_answers_it_names(answers: dict[str, Any], kind: str) -> None:
    """It declares the class of answer it draws, and of any other says which question has one."""
    chart = chart_of(kind)
    others = [answer for answer in answers.values() if not chart.is_for(answer)]

    assert chart.title
    assert chart.is_for(answers[kind])
    assert others
    with pytest.raises(InputError, match=rf"a {kind} chart needs the answer of `\w+`( or `\w+`)*, not a \w+"):
        plot(others[0], kind)


def test_an_answer_has_one_default(answers: dict[str, Any]) -> None:
    """Unasked, every answer shows one chart, and never two could be it."""
    for answer in answers.values():
        kinds = [kind for kind in CHARTS if chart_of(kind).is_for(answer) and chart_of(kind).is_default(answer)]
        assert kinds == [usual_kind(answer)]


def _layers(chart: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chart.to_dict()["layer"]
    return found


def test_the_posterior_shows_the_answer(one: oc.Comparison) -> None:
    layers = {layer["data"].get("name"): layer for layer in _layers(plot(one, "posterior"))}
    assert layers["rope"]["data"]["values"] == [{"low": -0.05, "high": 0.05, "label": "ROPE ±5 points"}]
    assert layers["left"]["data"]["values"] == [{"label": "← B better"}]
    assert layers["right"]["data"]["values"] == [{"label": "A better →"}]
    assert layers["hdi"]["data"]["values"][0]["low"] == one.difference.hdi.low
    assert layers["hdi"]["data"]["values"][0]["colour"] == COLOURS[one.verdict.sign]
    assert layers["mean"]["data"]["values"][0]["mean"] == one.difference.mean
    curve = layers["curve"]
    assert curve["encoding"]["x"]["field"] == "x"
    assert curve["encoding"]["y"]["field"] == "height"
    assert curve["encoding"]["y"]["axis"] is None
    assert max(point["height"] for point in curve["data"]["values"]) == 1
    x = np.array([point["x"] for point in curve["data"]["values"]])
    density = np.array([point["density"] for point in curve["data"]["values"]])
    assert np.trapezoid(density, x) == pytest.approx(1, abs=0.01)
    assert x[np.argmax(density)] == pytest.approx(one.difference.mean, abs=one.difference.std / 2)
    title = " ".join(plot(one, "posterior").to_dict()["title"]["text"])
    assert one.words.startswith(title)


def test_the_forest_has_every_row(answers: dict[str, Any]) -> None:
    many = answers["forest"]
    layers = _layers(plot(many))
    (rows, *_) = [layer["data"]["values"] for layer in layers if layer["data"].get("name") == "rows"]
    assert len(rows) == len(many.rows)
    assert {row["verdict"] for row in rows} == {row.verdict.sign for row in many.rows}
    order = next(layer["encoding"]["y"]["scale"] for layer in layers if "field" in layer["encoding"].get("y", {}))[
        "domain"
    ]
    by_key = {row["key"]: row["mean"] for row in rows}
    assert [by_key[key] for key in order] == sorted(by_key.values(), reverse=True)


def test_joint_and_confusion_show_the_counts(one: oc.Comparison) -> None:
    cells = _layers(plot(one, "joint"))[0]
    values = plot(one, "joint").to_dict()
    text = json.dumps(values)
    for count in (40, 6, 3, 11, 5, 4, 2, 60):
        assert f'"label": "{count}"' in text
    assert cells["mark"]["type"] == "rect"
    apart = [each["label"] for each in values["data"]["values"] if each["apart"]]
    assert apart == ["6", "3", "4", "2"]  # where exactly one system is right
    assert '"label": "46"' in json.dumps(plot(one, "confusion").to_dict())  # A's true positives: 40 + 6


def test_the_power_curve(answers: dict[str, Any]) -> None:
    plan = answers["power"]
    values = _layers(plot(plan, "power"))[0]["data"]["values"]
    assert [(each["n"], each["probability"]) for each in values] == [(cell.n, cell.probability) for cell in plan.powers]


def test_lower_is_better_turns_the_sides(one: oc.Comparison) -> None:
    """Where a lower number is better, the side of positive differences speaks for B."""
    outcomes = oc.Outcomes.of_rows(("A", "B"), ROWS, [40, 6, 3, 11, 5, 4, 2, 60])
    error = oc.compare(outcomes, positive=1, measure="error", method="draws", draws=2_000)

    layers = {layer["data"].get("name"): layer for layer in _layers(plot(error, "posterior"))}
    assert layers["left"]["data"]["values"] == [{"label": "← A better"}]
    assert layers["right"]["data"]["values"] == [{"label": "B better →"}]


def _legends(spec: dict[str, Any]) -> set[str]:
    """Return the channels that tell categories apart, each with a field."""
    parts = spec.get("layer", [spec])
    return {channel for part in parts for channel in ("color", "strokeDash", "shape") if _field(part, channel)}


def _field(part: dict[str, Any], channel: str) -> bool:
    found = part.get("encoding", {}).get(channel, {})
    return "field" in found and found.get("scale", True) is not None


@pytest.mark.parametrize(
    "kind", ["systems", "factor", "prior", "forest", "power", "rule", "frequency", "effects", "losses"]
)
def test_legends_differ_by_more_than_colour(answers: dict[str, Any], kind: str) -> None:
    """In grey print, and to every eye, lines differ by their dash and points by their shape."""
    channels = _legends(plot(answers[kind], kind).to_dict())

    assert "color" in channels
    assert channels & {"strokeDash", "shape"}


def test_the_scores_show_tiers_and_chances(answers: dict[str, Any]) -> None:
    """A ranking's chart has every system's interval, a bar for each tier and P(best)."""
    ranking = answers["scores"]
    layers = _layers(plot(ranking))
    bars = [layer["data"]["values"][0] for layer in layers if "first" in layer["data"]["values"][0]]
    told = [each["p"] for layer in layers for each in layer["data"]["values"] if "p" in each]

    assert [each["mean"] for each in layers[0]["data"]["values"]] == [each.system.mean for each in ranking.systems]
    assert {each["label"] for each in bars} == set("ab")
    assert told == [words.percent(each.best) for each in ranking.systems]


def test_the_effects_have_their_intervals(answers: dict[str, Any]) -> None:
    """Of several pairs one line each, of one pair one line a test; none without an interval."""
    pairs = plot(answers["effects"]).to_dict()["layer"][1]["data"]["values"]
    one_pair = oc.test([1, 0, 1, 0] * 9, [1, 0, 0, 0] * 9, [1, 1, 1, 0] * 9, draws=200)
    tests = plot(one_pair).to_dict()["layer"][1]["data"]["values"]

    assert len(pairs) == 6
    assert len(tests) > 1
    assert all(each["low"] <= each["effect"] <= each["high"] for each in [*pairs, *tests])


def test_the_ranking_adds_up(answers: dict[str, Any]) -> None:
    values = plot(answers["ranking"], "ranking").to_dict()["data"]["values"]
    for name in {each["system"] for each in values}:
        assert sum(each["p"] for each in values if each["system"] == name) == pytest.approx(1)


def test_rank_plots_count_every_draw(answers: dict[str, Any]) -> None:
    values = plot(answers["ranks"], "ranks").to_dict()["data"]["values"]
    assert sum(each["count"] for each in values) == 2_000


@pytest.mark.parametrize(
    ("kind", "told"),
    [("trace", "chains"), ("ranking", "the answer of `rank`"), ("power", "plan"), ("nonsense", "unknown chart")],
)
def test_charts_that_cannot_be(one: oc.Comparison, kind: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        plot(one, kind)


def test_curves_are_the_laws(one: oc.Comparison) -> None:
    """What a page reads off a table is what the law says: intervals to a millionth of a std, the cdf to 1e-7."""
    law = one.posterior
    table = quick(law)
    for mass in (0.5, 0.8, 0.95, 0.99):
        assert np.allclose(table.hdi(mass), law.hdi(mass), atol=1e-5 * law.std)
    step = round_step(6 * law.std)
    steps = steps_of(table, step)
    for low, high in ((-50, 50), (-10, 3), (0, 0), (-2000, 2000)):
        assert steps.inside(low, high) == pytest.approx(law.probability(low * step, high * step), abs=1e-6)
    for law_or_table in (table, quick(law, roughly=True)):
        curve = curve_of(law_or_table)
        assert np.allclose(curve.density, law.pdf(curve.x), rtol=1e-3, atol=1e-4 * curve.density.max())
    assert np.allclose(quick(law, roughly=True).hdi(0.95), law.hdi(0.95), atol=1e-4 * law.std)


@pytest.mark.parametrize("shape", [(60, 25), (3, 2), (40, 1.5)])
def test_intervals_are_found_together(shape: tuple[float, float]) -> None:
    """The shortest intervals of all masses, found at once on a table, are those that are found one by one."""
    theirs = stats.beta(*shape)
    law = Tabulated.of(theirs.cdf, theirs.pdf, Interval(0, 1), theirs.mean(), theirs.std())
    found = intervals_of(law, MASSES)

    assert np.isfinite(_settled(law, np.array(MASSES))).any()
    for mass, interval in zip(MASSES, found, strict=True):
        assert interval == pytest.approx(law.hdi(mass), abs=1e-5 * law.std)
        assert theirs.cdf(interval.high) - theirs.cdf(interval.low) == pytest.approx(mass, abs=1e-6)


@pytest.mark.parametrize("shape", [(1.0, 9.0), (0.5, 0.5)])
def test_peaks_at_an_end_do_not_settle(shape: tuple[float, float]) -> None:
    """There the densities at an interval's ends are not alike, or those of the longest: it is searched for alone."""
    theirs = stats.beta(*shape)
    law = Tabulated.of(theirs.cdf, theirs.pdf, Interval(0, 1), theirs.mean(), theirs.std())
    masses = (0.5, 0.9)

    assert np.isnan(_settled(law, np.array(masses))).all()
    assert intervals_of(law, masses) == [law.hdi(mass) for mass in masses]


def test_a_linear_function_is_drawn_by_the_table_of_its_measure() -> None:
    """The law of error is read off a table as that of accuracy is, turned round."""
    rng = np.random.default_rng(0)
    truth = rng.random(900) < 0.3
    a, b = (truth ^ (rng.random(900) < wrong) for wrong in (0.2, 0.15))
    accuracy, error = (
        quick(oc.compare(truth.astype(int), a.astype(int), b.astype(int), measure=name).posterior)
        for name in ("accuracy", "error")
    )
    masses = (0.5, 0.95)

    assert isinstance(error, Scaled)
    assert isinstance(error.law, Tabulated)
    turned = [Interval(-high, -low) for low, high in intervals_of(accuracy, masses)]
    assert np.array(intervals_of(error, masses)) == pytest.approx(np.array(turned), abs=1e-12)
    assert curve_of(error).density == pytest.approx(curve_of(accuracy).density[::-1], rel=1e-3, abs=1e-3)


def test_draws_have_intervals_of_their_own() -> None:
    """What is no table is asked for each interval."""
    law = Draws(np.random.default_rng(0).normal(size=501), Interval(-9, 9), "draws")

    assert intervals_of(law, (0.5, 0.9)) == [law.hdi(0.5), law.hdi(0.9)]


def test_names_do_not_break_pictures() -> None:
    names = ("<script>x</script>" * 30, '"quoted" \n\u202e right to left \ud83d\ude80')
    answer = oc.compare(oc.Outcomes.of_rows(names, ROWS, [4, 6, 3, 11, 5, 4, 2, 6]), positive=1)
    for kind in ("posterior", "systems", "joint"):
        assert picture(answer, kind, ".svg").startswith(b"<svg")
        assert b"<script" not in picture(answer, kind, ".svg")
    names = ("</script><script>window.ran=1</script>", "b")
    answer = oc.compare(oc.Outcomes.of_rows(names, ROWS, [4, 6, 3, 11, 5, 4, 2, 6]), positive=1)
    assert b"window.ran=1</script>" not in picture(answer, "posterior", ".html")


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("gold,a,b\n" + "yes,yes,no\nno,no,no\nyes,yes,yes\nno,yes,no\n" * 50)
    run, asked = CliRunner(), [str(tmp_path / "p.csv"), "--truth", "gold", "--positive", "yes"]
    for suffix in ("svg", "png", "pdf", "html", "json"):
        result = run.invoke(app, ["plot", *asked, "-o", str(tmp_path / f"x.{suffix}")])
        assert result.exit_code == 0, result.output
        assert (tmp_path / f"x.{suffix}").stat().st_size > 1_000
    assert run.invoke(app, ["plot", *asked, "-o", str(tmp_path / "x.docx")]).exit_code != 0
    assert run.invoke(app, ["plot", *asked, "--kind", "power", "-o", str(tmp_path / "x.svg")]).exit_code != 0
    result = run.invoke(app, ["report", *asked, "-o", str(tmp_path / "r.html")])
    assert result.stdout.strip().endswith("r.html")
    assert "practical equivalence" in (tmp_path / "r.html").read_text()
    result = run.invoke(app, ["compare", *asked, "--report", str(tmp_path / "s.html"), "-o", str(tmp_path / "s.svg")])
    assert result.exit_code == 0
    assert (tmp_path / "s.html").exists()
    assert (tmp_path / "s.svg").read_bytes().startswith(b"<svg")
    for kind in ("ranking", "scores", "effects"):
        result = run.invoke(app, ["plot", *asked, "--kind", kind, "-o", str(tmp_path / f"{kind}.svg")])
        assert result.exit_code == 0, result.output


def test_a_notebook_shows_it(one: oc.Comparison) -> None:
    shown = one._repr_html_()
    assert shown is not None
    assert "<svg" in shown
    assert "<table>" in shown
    assert "<script" not in shown


@lru_cache
def _named(name: str) -> oc.Comparison:
    return oc.compare(oc.Outcomes.of_rows((name, "toString"), ROWS, [40, 6, 3, 11, 5, 4, 2, 60]), positive=1)


@pytest.mark.parametrize("kind", ["posterior", "systems", "factor", "prior", "confusion", "joint"])
@pytest.mark.parametrize("name", ["C:\\users\\x", 'a\\"; b', "__proto__"])
def test_no_name_breaks_a_chart(kind: str, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A backslash in a system's name is text to Vega, not a part of an expression; so is a word of JavaScript."""
    svg = picture(_named(name), kind, ".svg").decode()
    assert name in html.unescape(svg)
    assert capfd.readouterr().err == ""  # where Vega tells why it left a chart blank
