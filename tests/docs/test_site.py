"""The site: it builds without a warning, finds words, asks no other host for anything, and its links lead somewhere."""

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import outclass as oc

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SOURCES = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")), *sorted(DOCS.rglob("*.md"))]
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# What a page is made of; `href` of a link is only followed when somebody clicks.
LOADED = re.compile(r'<(?:script|img|iframe|source)\b[^>]*\bsrc="([^"]+)"|<link\b[^>]*\bhref="([^"]+)"')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site") / "site"
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert not result.stderr.strip(), result.stderr
    return folder


def test_every_page_is_there(site: Path) -> None:
    """Every page of docs/ and every notebook is on the site, and nothing that is no page."""
    for page in [*DOCS.rglob("*.md"), *NOTEBOOKS]:
        assert (site / page.relative_to(DOCS).with_suffix(".html")).is_file(), page
    assert not [file for file in site.rglob("*") if file.suffix in (".py", ".ipynb")]


def test_search_index(site: Path) -> None:
    """Words of pages, notebooks, docstrings and commands are found."""
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    for word, page in [
        ("scrambled", "method.html"),
        ("rope_from_reruns", "choosing.html"),
        ("rec.sport.baseball", "notebooks/newsgroups.html"),
        ("--prior-recall", "commands.html"),
        ("TREC judgements", "api.html"),
    ]:
        told = [f"{each['title']} {each['text']}" for each in entries if each["location"].startswith(page)]
        assert any(word in each for each in told), (word, page)


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """No page names a script, style, font or picture of another host."""
    seen = 0
    for page in site.rglob("*.html"):
        for found in LOADED.findall(page.read_text(encoding="utf-8")):
            address = found[0] or found[1]
            assert not re.match(r"(?:https?:)?//", address), (page, address)
            seen += 1
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"url\([\"']?(?:https?:)?//|@import", text), style
    assert seen > 100


def test_api_names_everything(site: Path) -> None:
    """The page on Python has an entry for every public name, each with a docstring, and no other public ones."""
    listed = re.findall(r"^::: outclass\.(\w+)$", (DOCS / "api.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sorted(listed) == sorted(oc.__all__)
    page = (site / "api.html").read_text(encoding="utf-8")
    for name in oc.__all__:
        assert (getattr(oc, name).__doc__ or "").strip(), name
        assert f'id="outclass.{name}"' in page


def _slug(heading: str) -> str:
    """Return a heading's anchor as GitHub makes it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def _markdown(path: Path) -> str:
    """Return a page's text without its code; of a notebook, that of its cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n\n".join(
            "".join(each["source"]) for each in json.loads(text)["cells"] if each["cell_type"] == "markdown"
        )
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", [*SOURCES, *NOTEBOOKS], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_hold_in_the_repository(page: Path) -> None:
    """Where a page links to a file, the file is there; where to a heading, the heading."""
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", _markdown(page))):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", _markdown(file), flags=re.MULTILINE)
            assert anchor in [_slug(heading.replace("`", "")) for heading in headings], target


# --- in a browser ---------------------------------------------------------------------------------------------------

needs_browser = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true", reason="there is no Chromium on this machine"
)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def places(site: Path) -> Iterator[dict[str, str]]:
    """Where the site is: in a folder, and on a plain server."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield {"folder": site.as_uri(), "server": f"http://127.0.0.1:{server.server_port}"}
    server.shutdown()
    server.server_close()
    thread.join()


@needs_browser
@pytest.mark.slow
def test_in_a_browser(places: dict[str, str]) -> None:
    """From a folder and from a server: pages open, the search finds, and no other host is asked for anything."""
    assert CHROMIUM is not None, "CI needs Chromium: apt-get install chromium"
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
        )
        for place in places.values():
            page = browser.new_page(viewport={"width": 390, "height": 844})
            asked: list[str] = []
            said: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.on("pageerror", lambda error, said=said: said.append(str(error)))
            for name in ("index", "questions/two", "notebooks/newsgroups", "api", "zhang2016"):
                page.goto(f"{place}/{name}.html", wait_until="load")
                # Tables and code scroll by themselves; on a phone the page does not.
                assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
            page.set_viewport_size({"width": 1280, "height": 900})
            page.goto(f"{place}/start.html", wait_until="load")
            page.click("input.md-search__input")
            # What is typed before the index is there would be lost.
            page.wait_for_function(
                "!document.querySelector('.md-search-result__meta').textContent.includes('Initializing')",
                timeout=60_000,
            )
            page.keyboard.type("permutation")
            page.wait_for_selector(".md-search-result__item", timeout=60_000)
            assert page.locator(".md-search-result__item").count() > 1
            assert asked
            assert not [url for url in asked if not url.startswith((place, "data:", "blob:"))]
            assert not said
            page.close()
        browser.close()
