"""What a reader finds without scrolling, on a desktop and on a phone: who is better, by how much, and how surely."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.inference.distribution import Interval
from outclass.report import tiles, words
from outclass.verdict.rope import decide

pytestmark = pytest.mark.slow
SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
CHART = 200  # pixels of a chart that must be seen, or all of it
# The parts of a page that lie wholly in the first screen, and how much of the first chart does.
SEEN = """() => {
  const whole = e => { const box = e.getBoundingClientRect(); return box.width > 0 && box.top >= 0
    && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth; };
  const svg = document.querySelector('.canvas svg').getBoundingClientRect();
  return {
    told: [...document.querySelectorAll('h1, .told, .tile > *')].filter(whole).map(e => e.innerText.trim()),
    chart: Math.min(svg.bottom, innerHeight) - svg.top, height: svg.height,
    texts: [...document.querySelectorAll('.canvas svg text')].filter(whole).map(e => e.textContent),
  }; }"""


def _scores() -> oc.Comparison:
    rng = np.random.default_rng(5)
    base = rng.normal(0.6, 0.2, 200)
    found = {name: base + shift + rng.normal(0, 0.1, 200) for name, shift in (("baseline", 0.0), ("finetuned", 0.03))}
    return oc.compare(oc.scores(found, systems=list(found), name="BLEU"))


SCENARIO: dict[str, Any] = {"prevalence": 0.3, "recalls": (0.8, 0.6), "false_positive_rates": (0.05, 0.1)}
ANSWERS: dict[str, Callable[[], Any]] = {
    "scores": _scores,
    "ranking": lambda: oc.rank(oc.datasets.load("20news"), draws=1_000),
    "tests": lambda: oc.test(oc.datasets.load("20news"), draws=200),
    "two tests": lambda: oc.test(
        oc.datasets.load("20news"), systems=["nb_mult", "svm_l2"], positive="sci.med", draws=200
    ),
    "plan": lambda: oc.plan(**SCENARIO, n=[100, 300], sets=50, probability=0.5),
    "evaluation": lambda: oc.evaluate(oc.datasets.load("20news"), positive="sci.med"),
}


@pytest.fixture(scope="module")
def written(
    tmp_path_factory: pytest.TempPathFactory, pages: Path, one: oc.Comparison, many: oc.Comparison
) -> dict[str, tuple[Any, Path]]:
    folder = tmp_path_factory.mktemp("screens")
    found: dict[str, tuple[Any, Path]] = {"one": (one, pages / "one.html"), "labels": (many, pages / "many.html")}
    for name, make in ANSWERS.items():
        answer = make()
        answer.to_html(folder / f"{name}.html")
        found[name] = (answer, folder / f"{name}.html")
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["one", "labels", "scores"])
def test_a_comparison_is_answered_without_scrolling(
    open_page: Any, written: dict[str, tuple[Any, Path]], name: str, size: str, scheme: str
) -> None:
    """Both scores with their intervals, the difference with its own, P, the decision and the chart are in sight."""
    answer, path = written[name]
    row = max(answer.rows, key=lambda each: abs(each.difference.mean))
    tab = open_page(str(path), viewport=SIZES[size], color_scheme=scheme)

    seen = tab.page.evaluate(SEEN)
    wanted = [part for tile in tiles.of_contrast(row) for part in (tile.label, tile.value, tile.detail)]
    assert [part for part in wanted if part not in seen["told"]] == []
    assert (words.lead(row) if name != "labels" else words.summary(answer.rows)) in seen["told"]
    assert seen["chart"] >= min(CHART, seen["height"])
    assert f"ROPE {words.region(row.rope, row.measure)}" in seen["texts"]
    if name != "labels":
        assert seen["chart"] == seen["height"]  # all of it
        a, b = (system.name for system in row.systems)
        assert {f"← {b} better", f"{a} better →"} <= set(seen["texts"])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["ranking", "tests", "two tests", "plan", "evaluation"])
def test_other_answers_are_found_without_scrolling(
    open_page: Any, written: dict[str, tuple[Any, Path]], name: str, size: str
) -> None:
    """The sentence, every tile and the chart are in sight; of a ranking also P(best), of two systems both scores."""
    answer, path = written[name]
    tab = open_page(str(path), viewport=SIZES[size])

    seen = tab.page.evaluate(SEEN)
    sheet = answer.page_sheet
    assert sheet.sentences[0] in seen["told"]
    assert [tile.value for tile in sheet.tiles if tile.value not in seen["told"]] == []
    assert sheet.tiles
    assert seen["chart"] == seen["height"]
    if name == "two tests":
        own = tiles.of_appraisals(answer.appraisals)
        assert [tile.label for tile in own] == list(answer.systems)
        assert {part for tile in own for part in (tile.label, tile.value, tile.detail)} <= set(seen["told"])
    if name == "ranking":
        assert {"tiers", "P(best)", *(words.percent(each.best) for each in answer.systems)} <= set(seen["texts"])


@pytest.mark.parametrize("name", ["one", "labels", *ANSWERS])
def test_everything_else_is_folded(open_page: Any, written: dict[str, tuple[Any, Path]], name: str) -> None:
    """One chart and one table are shown; the others open, and their charts are drawn then."""
    tab = open_page(str(written[name][1]))
    tables, charts = (tab.page.locator(what) for what in ("table:visible", ".canvas:visible"))

    assert (tables.count(), charts.count()) == (1, 1)
    tab.unfold()
    assert tab.page.locator(".canvas svg:visible").count() == tab.page.locator(".canvas").count()
    assert tab.said == []


def _edge(tab: Any, name: str = "Upper") -> Any:
    return tab.page.get_by_role("slider", name=f"{name} edge of the ROPE")


def _rope(tab: Any) -> tuple[float, float]:
    return tuple(float(tab.page.input_value(f"#rope-{end}")) for end in ("low", "high"))  # type: ignore[return-value]


@pytest.mark.parametrize("name", ["one", "labels"])
def test_the_rope_is_dragged_in_the_chart(open_page: Any, written: dict[str, tuple[Any, Path]], name: str) -> None:
    """An edge follows the pointer in round steps, the other as far from zero; decisions are those of Python."""
    answer, path = written[name]
    tab = open_page(str(path))
    box = _edge(tab).bounding_box()
    tab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    tab.page.mouse.down()
    for step in range(1, 6):
        tab.page.mouse.move(box["x"] + box["width"] / 2 - 9 * step, box["y"] + 40)
    tab.page.mouse.up()
    low, high = _rope(tab)

    assert low == -high
    assert 0 < high < 5
    step = float(tab.page.get_attribute("#rope-high", "step"))
    assert step in (0.1, 0.2, 0.5, 1)
    assert high / step == pytest.approx(round(high / step))
    rope = Interval(low / 100, high / 100)
    assert tab.signs() == [decide(row.difference.hdi, rope).sign for row in answer.rows]
    # The handle is where the ROPE ends in the chart.
    moved = _edge(tab).bounding_box()
    band = tab.page.locator(f"#chart-{'forest' if name == 'labels' else 'posterior'} g.mark-rect path").first
    edge = band.bounding_box()
    assert moved["x"] + moved["width"] / 2 == pytest.approx(edge["x"] + edge["width"], abs=2)


def test_the_rope_moves_by_keyboard(open_page: Any, written: dict[str, tuple[Any, Path]]) -> None:
    """Arrows move both edges by a step, with Shift one alone; Home brings them to zero."""
    tab = open_page(str(written["one"][1]))
    step = float(tab.page.get_attribute("#rope-high", "step"))
    _edge(tab).focus()
    tab.page.keyboard.press("ArrowRight")
    wider = _rope(tab)
    tab.page.keyboard.press("Shift+ArrowRight")
    alone = _rope(tab)
    tab.page.keyboard.press("Home")

    assert wider == pytest.approx((-5 - step, 5 + step))
    assert alone == pytest.approx((-5 - step, 5 + 2 * step))
    assert _rope(tab) == pytest.approx((-5 - step, 0))
    assert _edge(tab).get_attribute("aria-valuenow") == "0"
    assert "0 points" in _edge(tab, "Lower").get_attribute("aria-valuetext")


def test_the_setting_is_kept_in_the_address(open_page: Any, written: dict[str, tuple[Any, Path]]) -> None:
    """A ROPE and a mass that were chosen are in the address, and a page opened there has them; reset removes both."""
    tab = open_page(str(written["one"][1]))
    tab.fill(-0.02, 0.03)
    tab.page.select_option("#mass", "0.9")
    tab.page.wait_for_function("location.hash === '#rope=-0.02,0.03&hdi=0.9'")
    told = tab.page.locator("#decision").inner_text()
    tab.page.reload()
    tab.page.wait_for_selector("html[data-ready]")

    assert _rope(tab) == (-2, 3)
    assert tab.page.input_value("#mass") == "0.9"
    assert tab.page.locator("#decision").inner_text() == told
    tab.page.click("#reset")
    tab.page.wait_for_function("location.hash === ''")
    assert _rope(tab) == (-5, 5)


def test_an_address_that_means_nothing_is_let_be(open_page: Any, written: dict[str, tuple[Any, Path]]) -> None:
    """A fragment that names no ROPE and no mass leaves the page as it was made."""
    tab = open_page(str(written["one"][1]))
    for asked in ("rope=x,y", "rope=1", "rope=0.03,-0.02", "hdi=7", "rope=NaN,NaN&hdi=", "main", "%"):
        tab.page.evaluate("asked => { location.hash = asked; }", asked)
        tab.page.reload()
        tab.page.wait_for_selector("html[data-ready]")

        assert _rope(tab) == (-5, 5), asked
        assert tab.page.input_value("#mass") == "0.95", asked
        assert tab.said == [], asked


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["one", "labels", *ANSWERS])
def test_ticks_and_words_hold_together(
    open_page: Any, written: dict[str, tuple[Any, Path]], name: str, size: str
) -> None:
    """No two labels of an axis touch, no name is broken inside a word, and no page is wider than its screen."""
    tab = open_page(str(written[name][1]), viewport=SIZES[size])
    tab.unfold()
    touching = tab.page.evaluate(
        """() => [...document.querySelectorAll('g.role-axis-label')].flatMap(axis => {
        const boxes = [...axis.querySelectorAll('text')].filter(e => +getComputedStyle(e).opacity > 0)
          .map(e => e.getBoundingClientRect());
        return boxes.slice(1).filter((box, at) => box.left < boxes[at].right && box.right > boxes[at].left
          && box.top < boxes[at].bottom - 3 && box.bottom > boxes[at].top + 3); }).length"""
    )
    # A word that is broken has its first and its last letter on different lines.
    broken = tab.page.evaluate(
        r"""() => [...document.querySelectorAll('h1 span, .told, .tile bdi, td bdi, th button, summary')].flatMap(e => {
        const found = [], node = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
        while (node.nextNode()) for (const word of node.currentNode.data.matchAll(/[\w.]+/g)) {
          const range = document.createRange();
          range.setStart(node.currentNode, word.index);
          range.setEnd(node.currentNode, word.index + word[0].length);
          const tops = [...range.getClientRects()].map(box => Math.round(box.top));
          if (new Set(tops).size > 1) found.push(word[0]);
        }
        return found; })"""
    )

    assert touching == 0
    assert broken == []
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["one", "labels", *ANSWERS])
def test_every_page_is_accessible(open_page: Any, written: dict[str, tuple[Any, Path]], name: str, scheme: str) -> None:
    """axe-core finds nothing, with all folds open and in either scheme; the paper is light or dark as asked."""
    from axe_playwright_python.sync_playwright import Axe

    tab = open_page(str(written[name][1]), color_scheme=scheme)
    tab.unfold()
    paper = tab.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    found = Axe().run(tab.page).response["violations"]

    assert (np.mean([int(part) for part in re.findall(r"\d+", paper)[:3]]) > 128) == (scheme == "light")
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]][:3]) for each in found] == []


@pytest.mark.parametrize("name", ["tests", "two tests"])
def test_effects_are_labelled_whole_on_a_phone(open_page: Any, written: dict[str, tuple[Any, Path]], name: str) -> None:
    """Tests, measures and who is better to which side are written out, and the title of the axis is in sight."""
    tab = open_page(str(written[name][1]), viewport=SIZES["phone"])
    texts = tab.page.locator("#chart-effects svg text").all_text_contents()
    frame = tab.page.locator("#chart-effects svg").bounding_box()
    title = tab.page.locator("#chart-effects .role-axis-title text").first.bounding_box()

    assert len(texts) > 10
    assert [told for told in texts if "…" in told] == []
    assert title["y"] + title["height"] <= frame["y"] + frame["height"]


def test_grey_paper_keeps_what_colour_says(open_page: Any, written: dict[str, tuple[Any, Path]]) -> None:
    """In print, words in dark cells stay white, others are black; two curves have different dashes, also in legends."""
    ranking, one = (open_page(str(written[name][1])) for name in ("ranking", "one"))
    for tab in (ranking, one):
        tab.unfold()
        tab.page.emulate_media(media="print")
    fills = "marks => marks.map(e => [e.getAttribute('fill'), getComputedStyle(e).fill])"
    texts = [pair for tab in (ranking, one) for pair in tab.page.locator(".canvas svg text").evaluate_all(fills)]
    dashes = {
        name: one.page.locator(f"#chart-{name} .role-legend-symbol path").evaluate_all(
            "marks => marks.map(e => e.getAttribute('stroke-dasharray'))"
        )
        for name in ("systems", "factor")
    }

    assert {shown for own, shown in texts if own == "white"} == {"rgb(255, 255, 255)"}
    assert {shown for own, shown in texts if own != "white"} == {"rgb(0, 0, 0)"}
    assert {name: len(set(found)) for name, found in dashes.items()} == {"systems": 2, "factor": 2}


def test_a_page_is_made_the_same_twice(written: dict[str, tuple[Any, Path]]) -> None:
    """Two renderings of an answer are equal, byte by byte, and ask for nothing."""
    answer, path = written["scores"]
    html = path.read_text(encoding="utf-8")

    assert answer.to_html() == html
    assert not re.search(r"<(link|img|iframe)\b|src=", html[: html.index("<script>")])
