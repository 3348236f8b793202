"""The report in a real browser: what it shows, what it does, and that it asks nobody for anything."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.inference.distribution import Interval
from outclass.report import words
from outclass.report.drawing.theme import short
from outclass.verdict.rope import decide

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None and os.environ.get("CI") != "true":
    pytest.skip("there is no Chromium on this machine", allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api")
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    assert CHROMIUM is not None, "CI needs Chromium: apt-get install chromium"
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
        )
        yield found
        found.close()


@pytest.fixture(scope="module")
def one() -> oc.Comparison:
    data = oc.datasets.load("20news")
    return oc.compare(data, systems=["nb_mult", "svm_l2"], positive="sci.med")


@pytest.fixture(scope="module")
def many() -> oc.Comparison:
    return oc.compare(oc.datasets.load("20news"), systems=["nb_mult", "svm_l2"], by="label")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, one: oc.Comparison, many: oc.Comparison) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    one.to_html(folder / "one.html", command="outclass compare x.csv --truth 'gold & <b>'")
    many.to_html(folder / "many.html")
    return folder


class Tab:
    """A page with everything it says to the console and asks of the network."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.context = browser.new_context(accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda told: self.said.append(told.text) if told.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-ready]", timeout=60_000)

    def cells(self, key: str) -> list[str]:
        """Return what a column of the table shows."""
        return [told.strip() for told in self.page.locator(f'table[data-live] td[data-key="{key}"]').all_inner_texts()]

    def slide(self, value: float) -> None:
        """Move the slider."""
        self.page.evaluate(
            "v => { const s = document.getElementById('rope'); s.value = v; s.dispatchEvent(new Event('input')); }",
            value,
        )

    def sweep(self, values: list[float]) -> list[list[str]]:
        """Move the slider over values, in one go; return the verdicts at each."""
        return self.page.evaluate(
            """values => values.map(v => { const s = document.getElementById('rope');
            s.value = v; s.dispatchEvent(new Event('input'));
            return [...document.querySelectorAll('table[data-live] td[data-key="verdict"]')]
              .map(e => e.innerText.trim()); })""",
            values,
        )

    def fill(self, low: float, high: float) -> None:
        """Write both ends of the region."""
        self.page.evaluate(
            """([low, high]) => { for (const [id, v] of [['rope-low', low], ['rope-high', high]])
            document.getElementById(id).value = v;
            document.getElementById('rope-high').dispatchEvent(new Event('change')); }""",
            [low, high],
        )

    def close(self) -> None:
        """Close the tab."""
        self.context.close()


@pytest.fixture
def open_page(browser: Any, pages: Path) -> Iterator[Any]:
    tabs: list[Tab] = []

    def make(name: str, **options: Any) -> Tab:
        tabs.append(Tab(browser, pages / name if not Path(name).is_absolute() else Path(name), **options))
        return tabs[-1]

    yield make
    for tab in tabs:
        tab.close()


@pytest.mark.parametrize("name", ["one.html", "many.html"])
def test_it_loads_quietly(open_page: Any, name: str) -> None:
    """No console error, no warning, and no request but for the file itself."""
    tab = open_page(name)
    tab.slide(0.02)
    assert tab.said == []
    assert [url for url in tab.asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert len([url for url in tab.asked if url.startswith("file:")]) == 1


def test_it_opens_with_the_answer(open_page: Any, one: oc.Comparison) -> None:
    tab = open_page("one.html")
    assert tab.page.locator("h1").inner_text() == one.words
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
            assert tab.cells("verdict") == [decide(hdi, rope).sign for hdi in hdis]
            shares = [words.percent(row.posterior.probability(*rope)) for row in many.rows]  # type: ignore[union-attr]
            assert tab.cells("rope") == shares


def test_the_verdict_flips_at_the_step_where_python_flips(open_page: Any, one: oc.Comparison) -> None:
    tab = open_page("one.html")
    reaches = [step / 1000 for step in range(200)]
    seen = [shown[0] for shown in tab.sweep(reaches)]
    assert seen == [decide(one.difference.hdi, Interval(-reach, reach)).sign for reach in reaches]
    assert len(set(seen)) == 3


def test_many_are_counted_as_python_counts_them(open_page: Any, many: oc.Comparison) -> None:
    from dataclasses import replace

    tab = open_page("many.html")
    assert tab.page.locator("h1").inner_text() == words.counted(many.rows)
    tab.fill(-0.03, 0.03)
    rope = Interval(-0.03, 0.03)
    moved = [replace(row, rope=rope, verdict=decide(row.difference.hdi, rope)) for row in many.rows]
    assert tab.page.locator("h1").inner_text() == words.counted(moved)


def test_sentences_follow(open_page: Any, one: oc.Comparison) -> None:
    """The page's sentence is the one Python would have said, for regions around zero and away from it."""
    tab = open_page("one.html")
    data = oc.datasets.load("20news")
    for rope in ((-0.005, 0.005), (-0.2, 0.2), (0.02, 0.04), (-0.05, 0.05)):
        tab.fill(*rope)
        expected = oc.compare(data, systems=["nb_mult", "svm_l2"], positive="sci.med", rope=rope).words
        assert tab.page.locator("h1").inner_text() == expected
        stale = tab.page.locator(".stale").first
        assert stale.is_visible() == (rope != (-0.05, 0.05))
    tab.fill(-0.2, 0.2)
    tab.page.click("#reset")
    assert tab.page.locator("h1").inner_text() == one.words


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
    assert tab.page.locator("h1").inner_text() == answer.words
    assert tab.cells("verdict") == [answer.verdict.sign]
    assert tab.cells("rope") == [words.percent(answer.difference.rope)]


def test_what_is_open_is_not_called_decided(open_page: Any, tmp_path: Path) -> None:
    answer = oc.compare([1, 1, 0, 0, 1] * 30, [1, 0, 0, 0, 1] * 30, [1, 1, 0, 1, 1] * 30, rope=0)
    assert answer.verdict.value not in ("<<", "~=", ">>")
    assert "It is decided" not in answer.to_html()
    assert "It is decided" in oc.compare([1, 0] * 900, [1, 0] * 900, [1, 0] * 900).to_html()


def test_regions_that_differ_are_left_alone(open_page: Any, tmp_path: Path) -> None:
    said = [[1, 1, 0, 0, 1] * 30, [1, 0, 0, 0, 1] * 30, [1, 1, 0, 1, 1] * 30]
    both = oc.Comparison((*oc.compare(*said, rope=0.001).rows, *oc.compare(*said, rope=0.3, measure="accuracy").rows))
    both.to_html(tmp_path / "b.html")
    tab = open_page(str(tmp_path / "b.html"))
    shown = tab.page.locator('td[data-key="verdict"]').all_inner_texts()
    assert [told.strip() for told in shown] == [row.verdict.sign for row in both.rows]
    assert tab.page.locator("#rope").count() == 0
    assert tab.said == []


def test_blanks_in_names_stay(open_page: Any, tmp_path: Path) -> None:
    names = ("{rope} {low} \0low\0", "b\u202e\x07")
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
    assert "±0.12" in tab.page.locator("#counts").inner_text()
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
    visible = tab.page.locator("table[data-live] tbody tr:visible")
    assert visible.count() == sum("sci." in str(row.label) for row in many.rows)
    # After sorting, verdicts still go to their own rows.
    tab.slide(0.03)
    by_label = dict(zip(tab.cells("label"), tab.cells("verdict"), strict=True))
    for row in many.rows:
        assert by_label.get(str(row.label)) in (None, decide(row.difference.hdi, Interval(-0.03, 0.03)).sign)


def test_a_row_is_chosen_by_keyboard(open_page: Any) -> None:
    tab = open_page("many.html")
    line = tab.page.locator('table[data-live] tbody tr[data-row="3"]')
    line.focus()
    tab.page.keyboard.press("Enter")
    name = line.locator('td[data-key="label"]').inner_text()
    tab.page.wait_for_function(
        "name => document.getElementById('title-posterior').textContent.includes(name)", arg=name
    )


def test_downloads(open_page: Any, tmp_path: Path, many: oc.Comparison) -> None:
    tab = open_page("many.html")
    for selector, suffix in (
        ('[data-as="csv"]', ".csv"),
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
            assert lines[0].startswith("label,decision,")
        if suffix == ".svg":
            assert "<svg" in path.read_text()[:300]
        if suffix == ".png":
            assert path.read_bytes()[:4] == b"\x89PNG"


def test_copies(open_page: Any, browser: Any) -> None:
    tab = open_page("many.html", permissions=["clipboard-read", "clipboard-write"])
    for kind, begins in (("markdown", "| label |"), ("latex", "\\begin{tabular}")):
        tab.page.click(f'[data-as="{kind}"]')
        tab.page.wait_for_function("document.getElementById('said').textContent === 'Copied.'")
        assert tab.page.evaluate("navigator.clipboard.readText()").startswith(begins)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["one.html", "many.html"])
def test_both_colour_schemes_are_accessible(open_page: Any, scheme: str, name: str) -> None:
    """axe-core finds nothing serious, in either scheme; the paper is light or dark as asked."""
    from axe_playwright_python.sync_playwright import Axe

    tab = open_page(name, color_scheme=scheme)
    paper = tab.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    light = np.mean([int(part) for part in re.findall(r"\d+", paper)[:3]])
    assert (light > 128) == (scheme == "light")
    found = Axe().run(tab.page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert serious == [], json.dumps([(each["id"], [n["html"][:200] for n in each["nodes"]][:3]) for each in serious])


@pytest.mark.parametrize("name", ["one.html", "many.html"])
def test_a_phone_needs_no_sideways_scrolling(open_page: Any, name: str) -> None:
    tab = open_page(name, viewport={"width": 360, "height": 740})
    wide = tab.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360


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


@pytest.mark.parametrize("kind", ["rank", "plan", "test", "evaluate", "binary test", "sensitivity"])
def test_pages_of_other_answers(open_page: Any, tmp_path: Path, kind: str) -> None:
    data = oc.datasets.load("20news")
    answer: Any = {
        "rank": lambda: oc.rank(data, draws=2_000),
        "plan": lambda: oc.plan(
            prevalence=0.3, recalls=(0.8, 0.6), false_positive_rates=(0.05, 0.1), n=[100, 300], sets=50
        ),
        "test": lambda: oc.test(data, draws=500),
        "evaluate": lambda: oc.evaluate(data, positive="sci.med"),
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
    charts = tab.page.evaluate(
        """[...document.querySelectorAll('.canvas')].map(
            e => [e.id, [...e.querySelectorAll('svg text')].map(t => t.textContent)])"""
    )
    drawn = {name.removeprefix("chart-"): told for name, told in charts}
    shown = {"by label": ("forest", names), "rank": ("ranking", names), "test": ("frequency", names[:3])}
    shown["compare"] = ("systems", names[:2])

    assert tab.said == []
    assert all(drawn.values())
    assert bool(drawn) == (kind != "evaluate")
    if kind in shown:
        chart, wanted = shown[kind]
        # A chart has room for so much of a name; two that are cut to the same text are still two.
        begins = [short(name)[:10] for name in wanted]
        assert len([told for told in drawn[chart] if told.startswith(tuple(begins))]) == len(wanted)
        assert all(any(told.startswith(begin) for told in drawn[chart]) for begin in begins)
    assert not any(sign in tab.page.locator("body").inner_text() for sign in "\u2028\u2029\u202e\u2066\u200b")
