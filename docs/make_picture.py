"""Draw the README's pictures: what a terminal shows of a comparison on the demo data, and the first screen of its page."""

import io
import re
import shutil
import tempfile
from pathlib import Path

from rich.console import Console

import outclass as oc
from outclass.report import brief

HERE = Path(__file__).parent
SCREEN = {"width": 1024, "height": 800}


def main() -> None:
    """Write docs/demo.svg and, where there is a Chromium, docs/report.png."""
    answer = oc.compare(
        oc.datasets.path("20news"), truth="truth", systems=["nb_mult", "svm_l2"], positive="rec.sport.hockey"
    )
    console = Console(record=True, width=88, force_terminal=True, file=io.StringIO())
    console.print("$ outclass compare 20news.parquet --truth truth --system nb_mult --system svm_l2 \\")
    console.print("    --positive rec.sport.hockey\n")
    console.print(brief.contrasts(answer.rows, 88))
    picture = console.export_svg(title="outclass")
    # Fonts would be fetched from a network; whatever monospace font the reader has will do.
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    (HERE / "demo.svg").write_text(picture)
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is not None:
        _photograph(answer, browser)


def _photograph(answer: oc.Comparison, browser: str) -> None:
    """Write the first screen of an answer's page."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        answer.to_html(path)
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = opened.new_page(viewport=SCREEN)
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]")
        page.screenshot(path=HERE / "report.png")
        opened.close()


if __name__ == "__main__":
    main()
