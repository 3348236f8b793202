"""The report in a real browser: what it shows, what it does, and that it asks nobody for anything."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from searches import searched

import outclass as oc
from outclass.inference.distribution import Interval
from outclass.report import tiles, words
from outclass.report.drawing.theme import short
from outclass.report.live import HINT
from outclass.verdict.rope import decide

pytestmark = pytest.mark.slow
HOSTILE = [
    "<script>window.ran = 1</script>",
    "\"'><img src=x onerror=window.ran=1>",
    "שלום עולם",
    "🧪🚀 emoji",
    "a" * 300,
    "</script><script>window.ran=1</script>",
    "{{ 7 * 7 }} {low}",
]
# Names that mean something to JavaScript, to Vega's expressions, or to whatever lays out text.
ODD = [
    *("constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"),
    *(
        "C:\\users\\x",
        'a\\"b',
        "line\u2028end",
        "page\u2029end",
        "\u202eright\u2066left\u200b",
        "same" * 20,
        "same" * 21,
    ),
]


@pytest.mark.parametrize("name", ["one.html", "many.html"])
def test_it_loads_quietly(open_page: Any, name: str) -> None:
    """No console error, no warning, and no request but for the file itself."""
    tab = open_page(name)
    tab.slide(0.02)
    assert tab.said == []
    assert [url for url in tab.asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert len([url for url in tab.asked if url.startswith("file:")]) == 1


def test_it_opens_with_the_answer(open_page: Any, one: oc.Comparison) -> None:
    """The sentence and the decision, as the terminal has them; what others say and how it was made are folded."""
    tab = open_page("one.html")
    assert tab.page.locator("h1").inner_text() == words.lead(one.only)
    assert tab.page.locator("#decision").inner_text() == words.decision(one.only, hint=HINT)
    assert not tab.page.locator("#others table").is_visible()
    tab.unfold()
    assert tab.page.locator("#reproduce code").inner_text() == "outclass compare x.csv --truth 'gold & <b>'"
    assert "McNemar" in tab.page.locator("#others").inner_text()
    assert "unpaired" in tab.page.locator("#others").inner_text()


def test_the_rope_moves_every_verdict_where_python_would(open_page: Any, many: oc.Comparison) -> None:
    """Over the whole slider and two masses: verdict, share in the ROPE, interval, exactly as Python writes them."""
    tab = open_page("many.html")
    digits = min(5, max(words.decimals(row.difference.std) for row in many.rows))
    for mass in (0.95, 0.8):
        tab.page.select_option("#mass", str(mass))
        hdis = [row.posterior.hdi(mass) for row in many.rows]  # type: ignore[union-attr]
        assert tab.cells("hdi") == [words.interval(hdi, digits) for hdi in hdis]
        reaches = [step / 1000 for step in range(0, 240, 8)]
        for reach, shown in zip(reaches, tab.sweep(reaches), strict=True):
            assert shown == [decide(hdi, Interval(-reach, reach)).sign for hdi in hdis], reach
        for rope in (Interval(-0.02, 0.02), Interval(0.01, 0.05), Interval(-0.1, 0.013)):
            tab.fill(*rope)
            assert tab.signs() == [decide(hdi, rope).sign for hdi in hdis]
            decided = [replace(row, verdict=decide(hdi, rope)) for row, hdi in zip(many.rows, hdis, strict=True)]
            assert tab.cells("verdict") == [words.outcome(row, named=True) for row in decided]
            shares = [words.percent(row.posterior.probability(*rope)) for row in many.rows]  # type: ignore[union-attr]
            assert tab.cells("rope") == shares


def test_the_verdict_flips_at_the_step_where_python_flips(open_page: Any, one: oc.Comparison) -> None:
    tab = open_page("one.html")
    reaches = [step / 1000 for step in range(200)]
    seen = [shown[0] for shown in tab.sweep(reaches)]
    assert seen == [decide(one.difference.hdi, Interval(-reach, reach)).sign for reach in reaches]
    assert len(set(seen)) == 3


def test_many_are_counted_as_python_counts_them(open_page: Any, many: oc.Comparison) -> None:
    """The sentence on many comparisons follows the ROPE: none, one or more differ, and who is better on how many."""
    tab = open_page("many.html")
    assert tab.page.locator("h1").inner_text() == words.summary(many.rows)
    seen = set()
    for reach in (0.0, 0.01, 0.03, 0.1, 0.15, 0.25):
        tab.fill(-reach, reach)
        rope = Interval(-reach, reach)
        moved = [replace(row, rope=rope, verdict=decide(row.difference.hdi, rope)) for row in many.rows]
        assert tab.page.locator("h1").inner_text() == words.summary(moved)
        bare = [replace(row, findings=()) for row in moved]
        assert tab.page.locator("#decision").inner_text() == words.regions(bare)
        seen.add(words.summary(moved)[:4])
    assert len(seen) >= 3


def test_sentences_follow(open_page: Any, one: oc.Comparison) -> None:
    """The page's sentence is the one Python would have said, for regions around zero and away from it."""
    tab = open_page("one.html")
    data = oc.datasets.load("20news")
    tab.unfold()
    for rope in ((-0.005, 0.005), (-0.2, 0.2), (0.02, 0.04), (-0.05, 0.07), (-0.05, 0.05)):
        tab.fill(*rope)
        expected = oc.compare(data, systems=["nb_mult", "svm_l2"], positive="sci.med", rope=rope).only
        moved = rope != (-0.05, 0.05)
        told = words.decision(expected) if moved else words.decision(one.only, hint=HINT)
        assert tab.page.locator("h1").inner_text() == words.lead(expected)
        assert tab.page.locator("#decision").inner_text() == told
        assert tab.page.locator('[data-tile="decision"] .value').inner_text() == words.decided(expected)
        assert tab.page.locator(".stale").first.is_visible() == moved
        # What was computed for another ROPE is not shown.
        assert tab.page.locator("#methods-text").is_visible() != moved
        assert tab.page.locator("#factors table").is_visible() != moved
    tab.fill(-0.2, 0.2)
    tab.page.click("#reset")
    assert tab.page.locator("#decision").inner_text() == words.decision(one.only, hint=HINT)


def test_the_lead_follows_the_mass(open_page: Any, one: oc.Comparison) -> None:
    """With another mass, the sentence, the tile and the table have the interval that Python would have given."""
    tab = open_page("one.html")
    tab.page.select_option("#mass", "0.8")
    data = oc.datasets.load("20news")
    expected = oc.compare(data, systems=["nb_mult", "svm_l2"], positive="sci.med", hdi_mass=0.8).only
    wanted = {each.key: each for each in tiles.of_contrast(expected)}

    assert tab.page.locator("h1").inner_text() == words.lead(expected)
    assert tab.page.locator('[data-tile="difference"] .detail').inner_text() == wanted["difference"].detail
    assert tab.page.locator('[data-tile="score-0"] .detail').inner_text() == ""


@pytest.mark.parametrize("draws", [2_000, pytest.param(4_000, marks=pytest.mark.full)])
def test_draws_are_counted_as_python_counts_them(open_page: Any, tmp_path: Path, draws: int) -> None:
    """Of a law of draws every percentage, ties in rounding too, is Python's."""
    truth, a, b = np.random.default_rng(3).integers(0, 2, (3, 300))
    answer = oc.compare(truth, a, b, positive=1, method="draws", draws=draws)
    answer.to_html(tmp_path / "d.html")
    tab = open_page(str(tmp_path / "d.html"))
    for step in range(1, 120, 7):
        for rope in ((-step / 1000, step / 1000), (0.0, step / 1000), (-step / 1000, 0.004)):
            tab.fill(*rope)
            assert tab.cells("rope") == [words.percent(answer.posterior.probability(*rope))], rope


@pytest.mark.parametrize("rope", [0.0333, 5e-5, (0.01, 0.03), 0.0])
def test_it_opens_with_any_region(open_page: Any, tmp_path: Path, one: oc.Comparison, rope: Any) -> None:
    answer = oc.compare([1, 1, 0, 0, 1] * 30, [1, 0, 0, 0, 1] * 30, [1, 1, 0, 1, 1] * 30, rope=rope)
    answer.to_html(tmp_path / "r.html")
    tab = open_page(str(tmp_path / "r.html"))
    assert tab.page.locator("h1").inner_text() == words.lead(answer.only)
    assert tab.page.locator("#decision").inner_text() == words.decision(answer.only)
    assert tab.signs() == [answer.verdict.sign]
    assert tab.cells("rope") == [words.percent(answer.difference.rope)]


def test_what_is_open_is_not_called_decided(open_page: Any, tmp_path: Path) -> None:
    answer = oc.compare([1, 1, 0, 0, 1] * 30, [1, 0, 0, 0, 1] * 30, [1, 1, 0, 1, 1] * 30, rope=0)
    assert answer.verdict.value not in ("<<", "~=", ">>")
    assert "It is decided" not in answer.to_html()
    assert "It is decided" in oc.compare([1, 0] * 900, [1, 0] * 900, [1, 0] * 870 + [0, 1] * 30).to_html()


def test_regions_that_differ_are_left_alone(open_page: Any, tmp_path: Path) -> None:
    said = [[1, 1, 0, 0, 1] * 30, [1, 0, 0, 0, 1] * 30, [1, 1, 0, 1, 1] * 30]
    both = oc.Comparison((*oc.compare(*said, rope=0.001).rows, *oc.compare(*said, rope=0.3, measure="accuracy").rows))
    both.to_html(tmp_path / "b.html")
    tab = open_page(str(tmp_path / "b.html"))
    assert tab.cells("verdict") == [words.outcome(row, named=True) for row in both.rows]
    assert tab.page.locator("#rope").count() == 0
    assert tab.said == []


def test_blanks_in_names_stay(open_page: Any, tmp_path: Path) -> None:
    names = ("{rope} {low} \0rope\0", "b\u202e\x07")
    answer = oc.compare([1, 1, 0, 0, 1] * 30, [1, 0, 0, 0, 1] * 30, [1, 1, 0, 1, 1] * 30, names=names)
    answer.to_html(tmp_path / "n.html")
    tab = open_page(str(tmp_path / "n.html"))
    head = tab.page.locator("h1").inner_text()
    assert "{rope} {low}" in head
    assert "\u202e" not in head


def test_it_prints(open_page: Any) -> None:
    """On paper: black on white, no column cut off, and the region that was chosen is said."""
    tab = open_page("many.html", color_scheme="dark", viewport={"width": 720, "height": 900})
    tab.slide(0.12)
    tab.page.emulate_media(media="print")
    assert "±12 points" in tab.page.locator("#counts").inner_text()
    assert not tab.page.locator(".edge").first.is_visible()
    wide = tab.page.evaluate("[...document.querySelectorAll('.wide')].every(e => e.scrollWidth <= e.clientWidth + 1)")
    assert wide
    colour = tab.page.evaluate("getComputedStyle(document.querySelector('.canvas svg text')).fill")
    assert colour == "rgb(0, 0, 0)"
    assert len(tab.page.pdf()) > 10_000


def test_charts_have_names(open_page: Any) -> None:
    tab = open_page("one.html")
    names = tab.page.evaluate("[...document.querySelectorAll('.canvas svg')].map(e => e.getAttribute('aria-label'))")
    names += tab.page.evaluate("[...document.querySelectorAll('.canvas')].map(e => e.getAttribute('aria-label'))")
    assert "The difference" in names
    assert "Vega visualization" not in names


def test_sorting_and_filtering(open_page: Any, many: oc.Comparison) -> None:
    tab = open_page("many.html")
    tab.page.click('th[data-key="mean"] button')
    means = [float(told) for told in tab.cells("mean")]
    assert means == sorted(means)
    assert tab.page.get_attribute('th[data-key="mean"]', "aria-sort") == "ascending"
    tab.page.click('th[data-key="mean"] button')
    assert [float(told) for told in tab.cells("mean")] == sorted(means, reverse=True)
    tab.page.click('th[data-key="label"] button')
    assert tab.cells("label") == sorted(str(row.label) for row in many.rows)
    tab.page.fill('input[type="search"]', "sci.")
    visible = tab.page.locator("#table-1 tbody tr:visible")
    assert visible.count() == sum("sci." in str(row.label) for row in many.rows)
    # After sorting, verdicts still go to their own rows.
    tab.slide(0.03)
    by_label = dict(zip(tab.cells("label"), tab.signs(), strict=True))
    for row in many.rows:
        assert by_label.get(str(row.label)) in (None, decide(row.difference.hdi, Interval(-0.03, 0.03)).sign)


def test_a_row_is_chosen_by_keyboard(open_page: Any, many: oc.Comparison) -> None:
    """Choosing a row of the table puts its scores into the tiles and its posterior into the chart."""
    tab = open_page("many.html")
    tab.unfold()
    line = tab.page.locator('#table-1 tbody tr[data-row="3"]')
    line.focus()
    tab.page.keyboard.press("Enter")
    name = line.locator('td[data-key="label"]').inner_text()
    tab.page.wait_for_function(
        "name => document.getElementById('title-posterior').textContent.includes(name)", arg=name
    )
    wanted = tiles.of_contrast(many.rows[3])

    assert tab.page.locator("#chosen").inner_text() == name
    assert tab.page.locator(".tile .value").all_inner_texts() == [each.value for each in wanted]
    assert tab.page.locator(".tile .detail").all_inner_texts() == [each.detail for each in wanted]


def test_downloads(open_page: Any, tmp_path: Path, many: oc.Comparison) -> None:
    tab = open_page("many.html")
    tab.unfold()
    for selector, suffix in (
        ('[data-table="table-1"][data-as="csv"]', ".csv"),
        ('[data-save="forest"][data-as="svg"]', ".svg"),
        ('[data-save="posterior"][data-as="png"]', ".png"),
    ):
        with tab.page.expect_download() as waiting:
            tab.page.click(selector)
        path = tmp_path / f"x{suffix}"
        waiting.value.save_as(path)
        assert path.stat().st_size > 200
        if suffix == ".csv":
            lines = path.read_text().strip().splitlines()
            assert len(lines) == 1 + len(many.rows)
            assert lines[0].startswith("label,nb_mult,svm_l2,nb_mult - svm_l2,")
        if suffix == ".svg":
            assert "<svg" in path.read_text()[:300]
        if suffix == ".png":
            assert path.read_bytes()[:4] == b"\x89PNG"


def test_copies(open_page: Any, browser: Any) -> None:
    tab = open_page("many.html", permissions=["clipboard-read", "clipboard-write"])
    for kind, begins in (("markdown", "| label |"), ("latex", "\\begin{tabular}")):
        tab.page.click(f'[data-table="table-1"][data-as="{kind}"]')
        tab.page.wait_for_function("document.getElementById('said').textContent === 'Copied.'")
        assert tab.page.evaluate("navigator.clipboard.readText()").startswith(begins)


@pytest.mark.parametrize("name", ["one.html", "many.html"])
def test_a_phone_needs_no_sideways_scrolling(open_page: Any, name: str) -> None:
    tab = open_page(name, viewport={"width": 360, "height": 740})
    tab.unfold()
    wide = tab.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360


@pytest.mark.parametrize("width", [800, 1100, 1280])
def test_the_table_is_seen_whole(open_page: Any, width: int) -> None:
    """On a desktop, and in half a window, no column is cut off; no decision is broken into lines."""
    tab = open_page("many.html", viewport={"width": width, "height": 800})
    seen, whole = tab.page.evaluate("(e => [e.clientWidth, e.scrollWidth])(document.querySelector('.wide'))")
    heights = tab.page.evaluate("[...document.querySelectorAll('#table-1 tbody tr')].map(e => e.offsetHeight)")

    assert whole <= seen
    assert max(heights) < 1.5 * min(heights)


def test_long_decisions_are_broken(open_page: Any, tmp_path: Path) -> None:
    """Of systems with long names the decisions take several lines, rather than be cut off."""
    data = oc.datasets.load("20news").selected(["nb_mult", "svm_l2"])
    names = ("bayes of several variables", "machines of one large margin")
    oc.compare(replace(data, systems=names), by="label").to_html(tmp_path / "long.html")
    tab = open_page(tmp_path / "long.html", viewport={"width": 1100, "height": 800})
    tight = tab.page.evaluate("document.querySelector('.wide').className")
    cut = tab.page.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('.wide'))")

    assert tight == "wide tight"
    assert cut <= 0


def test_hostile_names_are_text(open_page: Any, tmp_path: Path) -> None:
    """Scripts, quotes, right-to-left, emoji, 300 characters, as systems and classes: shown, not run."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, len(HOSTILE), 400)
    said = [np.where(rng.random(400) < wrong, rng.integers(0, len(HOSTILE), 400), truth) for wrong in (0.2, 0.3)]
    rows = [[HOSTILE[label] for label in row] for row in np.stack([truth, *said], axis=1).tolist()]
    outcomes = oc.Outcomes.of_rows((HOSTILE[0], HOSTILE[1]), rows, [1] * len(rows))
    path = tmp_path / "hostile.html"
    oc.compare(outcomes, by="label").to_html(path, command=f"outclass compare {HOSTILE[5]}")
    tab = open_page(str(path))
    tab.unfold()
    assert tab.page.evaluate("window.ran") is None
    assert tab.said == []
    shown = tab.page.locator("body").inner_text()
    assert HOSTILE[0] in shown
    assert HOSTILE[5] in shown
    assert "49" not in tab.cells("label")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= tab.page.evaluate("innerWidth")
    tab.slide(0.03)
    assert tab.page.evaluate("window.ran") is None


def test_two_hundred_classes(open_page: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 200, 6000)
    said = [np.where(rng.random(6000) < wrong, rng.integers(0, 200, 6000), truth) for wrong in (0.2, 0.3)]
    names = [f"class {number}" for number in range(200)]
    rows = [[names[label] for label in row] for row in np.stack([truth, *said], axis=1).tolist()]
    outcomes = oc.Outcomes.of_rows(("A", "B"), rows, [1] * len(rows))
    path = tmp_path / "classes.html"
    page = oc.compare(outcomes, by="label", method="draws", draws=2_000).to_html(path)
    assert len(page) < 4_000_000
    tab = open_page(str(path))
    assert len(tab.cells("label")) == 200
    assert tab.said == []


def test_slices(open_page: Any, tmp_path: Path) -> None:
    """A filter leaves the forest with the rows of the table, and choosing a slice opens its posterior."""
    truth, a = [1, 0, 1, 0] * 60, [1, 0, 1, 1] * 60
    b = [1, 0, 0, 0] * 30 + [1, 0, 1, 0] * 30
    by = {"a long name of a column": ["web"] * 120 + ["mail"] * 120, "month": ["2024-01", "2024-02", "2024-03"] * 80}
    oc.compare(truth, a, b, names=("the old system", "the new one"), by=by).to_html(tmp_path / "x.html")
    tab = open_page(str(tmp_path / "x.html"))
    shown = "[...document.querySelectorAll('#chart-forest .role-axis-label text')].filter(e => e.textContent.includes("
    assert "in grey, each slice by itself" in tab.page.inner_text("main")
    assert tab.page.evaluate("[...document.querySelectorAll('.wide')].every(e => e.scrollWidth <= e.clientWidth)")

    tab.page.fill('input[type="search"]', "month")
    tab.page.wait_for_function(f"!{shown}'web')).length")

    assert tab.page.evaluate(f"{shown}'month')).length") == 3
    assert not tab.page.locator("#chart-posterior").is_visible()

    tab.page.click('#table-1 tbody tr[data-row="4"]')
    tab.page.wait_for_selector("#chart-posterior svg", state="visible")

    assert tab.page.locator("#title-posterior").inner_text().endswith("month: 2024-02")
    assert tab.said == []


@pytest.mark.parametrize("kind", ["rank", "plan", "test", "evaluate", "binary test", "sensitivity", "slices"])
def test_pages_of_other_answers(open_page: Any, tmp_path: Path, kind: str) -> None:
    data = oc.datasets.load("20news")
    answer: Any = {
        "rank": lambda: oc.rank(data, draws=2_000),
        "plan": lambda: oc.plan(
            prevalence=0.3, recalls=(0.8, 0.6), false_positive_rates=(0.05, 0.1), n=[100, 300], sets=50
        ),
        "test": lambda: oc.test(data, draws=500),
        "evaluate": lambda: oc.evaluate(data, positive="sci.med"),
        "slices": searched,
        "binary test": lambda: oc.test([1, 0, 1, 0] * 9, [1, 0, 0, 0] * 9, [1, 1, 1, 0] * 9, draws=200),
        "sensitivity": lambda: oc.sensitivity(
            [1, 0, 1, 0, 1] * 40, [1, 0, 0, 0, 1] * 40, [1, 1, 1, 0, 0] * 40, tolerance=1e-3
        ),
    }[kind]()
    answer.to_html(tmp_path / "x.html")
    tab = open_page(str(tmp_path / "x.html"))
    assert tab.said == []
    assert tab.page.locator("table").count() >= 1
    assert tab.page.locator("h1").inner_text().strip()


def _odd(systems: list[str], labels: list[str]) -> oc.Outcomes:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, len(labels), 300)
    said = [
        np.where(rng.random(300) < 0.1 * at, rng.integers(0, len(labels), 300), truth) for at in range(len(systems))
    ]
    rows = [[labels[label] for label in row] for row in np.stack([truth, *said], axis=1).tolist()]
    return oc.Outcomes.of_rows(tuple(systems), rows, [1] * len(rows))


@pytest.mark.parametrize("kind", ["compare", "by label", "pairs", "rank", "evaluate", "test", "plan"])
@pytest.mark.parametrize("first", [5, *(pytest.param(at, marks=pytest.mark.full) for at in (0, 2, 8))])
def test_names_that_mean_something_elsewhere(open_page: Any, tmp_path: Path, kind: str, first: int) -> None:
    r"""Systems and labels called `__proto__`, `C:\users` or with U+2028: every chart is drawn, every name is shown."""
    names = ODD[first:] + ODD[:first]
    answer: Any = {
        "compare": lambda: oc.compare(_odd(names[:2], names[2:4]), positive=names[2]),
        "by label": lambda: oc.compare(_odd(names[:2], names), by="label", method="draws", draws=500),
        "pairs": lambda: oc.compare(_odd(names[:4], names), measure="accuracy"),
        "rank": lambda: oc.rank(_odd(names, names), measure="accuracy", draws=500),
        "evaluate": lambda: oc.evaluate(_odd(names, names), measure="accuracy"),
        "test": lambda: oc.test(_odd(names[:3], names), draws=100),
        "plan": lambda: oc.plan(pilot=_odd(names[:2], names[2:4]), positive=names[2], n=[100], sets=20),
    }[kind]()
    answer.to_html(tmp_path / "odd.html")
    tab = open_page(str(tmp_path / "odd.html"))
    tab.unfold()
    charts = tab.page.evaluate(
        """[...document.querySelectorAll('.canvas')].map(
            e => [e.id, [...e.querySelectorAll('svg text')].map(t => t.textContent)])"""
    )
    drawn = {name.removeprefix("chart-"): told for name, told in charts}
    shown = {"by label": ("forest", names), "rank": ("scores", names), "test": ("frequency", names[:3])}
    shown |= {"compare": ("systems", names[:2]), "evaluate": ("scores", names)}

    assert tab.said == []
    assert all(drawn.values())
    assert drawn
    if kind in shown:
        chart, wanted = shown[kind]
        # A chart has room for so much of a name; two that are cut to the same text are still two.
        begins = [short(name)[:10] for name in wanted]
        told_apart = [told for told in drawn[chart] if "better" not in told]  # sides of an axis name systems too
        assert len([told for told in told_apart if told.startswith(tuple(begins))]) == len(wanted)
        assert all(any(told.startswith(begin) for told in drawn[chart]) for begin in begins)
    assert not any(sign in tab.page.locator("body").inner_text() for sign in "\u2028\u2029\u202e\u2066\u200b")
