"""A real browser, the pages that most tests open, and what a tab shows and does."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import outclass as oc

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")  # Playwright runs an event loop, in which tests of other files must not find themselves
def browser() -> Iterator[Any]:
    if CHROMIUM is None and os.environ.get("CI") != "true":
        pytest.skip("there is no Chromium on this machine")
    sync_api = pytest.importorskip("playwright.sync_api")
    assert CHROMIUM is not None, "CI needs Chromium: apt-get install chromium"
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
        )
        yield found
        found.close()


@pytest.fixture(scope="session")
def one() -> oc.Comparison:
    data = oc.datasets.load("20news")
    return oc.compare(data, systems=["nb_mult", "svm_l2"], positive="sci.med")


@pytest.fixture(scope="session")
def many() -> oc.Comparison:
    return oc.compare(oc.datasets.load("20news"), systems=["nb_mult", "svm_l2"], by="label")


@pytest.fixture(scope="session")
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
        return [told.strip() for told in self.page.locator(f'#table-1 td[data-key="{key}"]').all_inner_texts()]

    def signs(self) -> list[str]:
        """Return the decisions, as signs."""
        return self.page.evaluate(
            "[...document.querySelectorAll('#table-1 td[data-key=verdict]')].map(e => e.dataset.verdict)"
        )

    def unfold(self) -> None:
        """Open every fold, and wait for its charts."""
        self.page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
        self.page.wait_for_function("[...document.querySelectorAll('.canvas')].every(e => e.dataset.drawn)")

    def slide(self, value: float) -> None:
        """Move the slider."""
        self.page.evaluate(
            "v => { const s = document.getElementById('rope'); s.value = v; s.dispatchEvent(new Event('input')); }",
            value,
        )

    def sweep(self, values: list[float]) -> list[list[str]]:
        """Write regions as far to both sides as each of these values, in one go; return the decisions at each."""
        return self.page.evaluate(
            """values => values.map(v => {
            const unit = document.getElementById('unit').textContent === 'points' ? 100 : 1;
            document.getElementById('rope-low').value = -v * unit;
            document.getElementById('rope-high').value = v * unit;
            document.getElementById('rope-high').dispatchEvent(new Event('change'));
            return [...document.querySelectorAll('#table-1 td[data-key="verdict"]')].map(e => e.dataset.verdict); })""",
            values,
        )

    def fill(self, low: float, high: float) -> None:
        """Write both ends of the region."""
        self.page.evaluate(
            """([low, high]) => { const unit = document.getElementById('unit').textContent === 'points' ? 100 : 1;
            for (const [id, v] of [['rope-low', low], ['rope-high', high]])
            document.getElementById(id).value = v * unit;
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
