"""Report pages made of hostile names, opened in a real browser: nothing runs, nothing is asked for, all charts drawn.

A page is held to the page of the same answer with plain names: as many scripts, charts and marks in each chart.
"""

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from judging import wrong_words

RUN: Final = "window.ran=1"
NAMES: Final = {
    "script": f"<script>{RUN}</script>",
    "script-end": f"</script><script>{RUN}</script>",
    "script-end-in-capitals": f"</SCRIPT ><script>{RUN}//",
    "comment-and-script": f"<!--<script>--><script>{RUN}</script>",
    "image": f"<img src=x onerror={RUN}>",
    "quote-and-image": f"\"'><img src=x onerror={RUN}>",
    "svg": f"<svg onload={RUN}>",
    "svg-script": f"<svg><script href='data:,{RUN}'/></svg>",
    "attribute": f'" onmouseover="{RUN}" autofocus onfocus="{RUN}" x="',
    "style": "</style><style>*{display:none}</style>",
    "title-end": f"</title><script>{RUN}</script>",
    "textarea-end": f"</textarea><script>{RUN}</script>",
    "bdi-end": f"</bdi></td></tr></table><script>{RUN}</script>",
    "link": f"javascript:{RUN}",
    "data-url": f"data:text/html,<script>{RUN}</script>",
    "base": "<base href=https://example.invalid/>",
    "refresh": "<meta http-equiv=refresh content='0;url=https://example.invalid/'>",
    "frame": f"<iframe srcdoc='<script>parent.ran=1</script>'></iframe><object data='javascript:{RUN}'>",
    "json-end": '"}]}; window.ran=1; //',
    "entity": f"&lt;script&gt;{RUN}&lt;/script&gt; &#60;img src=x&#62;",
    "jinja": "{{ 7*7 }} {% raw %} {{ self.__init__ }}",
    "template": "${window.ran=1} {low} {rope} %s %(x)s #{x}",
    "vega": "datum.x + signal('width')",
    "vega-path": "a.b['c'][0].d\\.e",
    "constructor": "constructor",
    "proto": "__proto__",
    "to-string": "toString",
    "has-own": "hasOwnProperty",
    "value-of": "valueOf",
    "length": "length",
    "undefined": "undefined",
    "nan": "NaN",
    "line-separator": "a\u2028b\u2029c",
    "control": "\x00\x07\x1b[31mred\x9b",
    "bidi": "\u202egnp.exe\u2066x\u2069",
    "right-to-left": "שלום עולم",
    "emoji": "👩‍👩‍👧‍👦🧪🚀 \U0001f3f4\U000e0067",
    "combining": "Z̸̢̛͎͓͇̠" * 40,
    "zero-width": "\u200b\u200d\ufeff",
    "blank": " ",
    "number": "1e999",
    "backslash": "\\\\ \\u003cscript\\u003e \\n \\",
    "latex": "$x^2$ \\input{x} % &",
    "markdown": "| a | `b` [c](javascript:window.ran=1) **d**",
    "long": "n" * 300,
    "ten-thousand": "n" * 10_000,
    "ten-thousand-words": "word " * 2_000,
}
OBEYED: Final = "\0\x07\x1b\x9b\u200b\u202e\u2066\u2069\u2028\u2029"  # by a browser or a terminal, if it is text
PLAIN: Final = "plain"
ITEMS: Final = 80
READY: Final = 400  # looks at a page, a twentieth of a second apart


def _draw(labels: int, systems: int = 2, items: int = ITEMS) -> Any:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, labels, items)
    said = [np.where(rng.random(items) < 0.25, rng.integers(0, labels, items), truth) for _ in range(systems)]
    return np.stack([truth, *said])


def _two(name: str) -> Any:
    import outclass as oc

    return oc.compare(*_draw(2), names=(name, f"{name}2"), positive=1)


def _label(name: str) -> Any:
    import outclass as oc

    labels = np.array([name, "other"], dtype=object)
    return oc.compare(*(labels[row].tolist() for row in _draw(2)), positive=name)


def _labels(name: str) -> Any:
    import outclass as oc

    labels = np.array([name, f"{name}2", f"x{name}"], dtype=object)
    return oc.compare(
        *(labels[row].tolist() for row in _draw(3)), names=(name, "b"), by="label", model="goutte", measure="recall"
    )


def _ranked(name: str) -> Any:
    import outclass as oc

    return oc.rank(*_draw(2, 3), names=(name, f"{name}2", "c"), positive=1, draws=400)


def _tested(name: str) -> Any:
    import outclass as oc

    labels = np.array([name, f"{name}2", f"x{name}"], dtype=object)
    return oc.test(*(labels[row].tolist() for row in _draw(3)), names=(name, "b"), draws=200)


def _numbers(name: str) -> Any:
    import outclass as oc

    rng = np.random.default_rng(0)
    return oc.compare(oc.scores({name: rng.random(40), "b": rng.random(40)}, systems=[name, "b"], name=name))


def _evaluated(name: str) -> Any:
    import outclass as oc

    labels = np.array([name, "other", "x"], dtype=object)
    return oc.evaluate(*(labels[row].tolist() for row in _draw(3)), names=(name, "b"), by="label")


ANSWERS: Final[dict[str, Callable[[str], Any]]] = {
    "system": _two,
    "label": _label,
    "labels": _labels,
    "ranking": _ranked,
    "tests": _tested,
    "numbers": _numbers,
    "evaluation": _evaluated,
}
# What is done to a page, in the page: folds are opened, the region and the mass moved by field, slider and key, tables
# sorted and filtered, a row chosen.
ACTIONS: Final = """() => {
  const change = (id, value, event) => { const e = document.getElementById(id);
    if (e) { e.value = value; e.dispatchEvent(new Event(event)); } };
  for (const e of document.querySelectorAll('details')) e.open = true;
  for (const e of document.querySelectorAll('.edge')) {
    e.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', shiftKey: true, bubbles: true})); }
  change('rope', 0.03, 'input'); change('rope-low', -0.01, 'change'); change('rope-high', 0.2, 'change');
  const mass = document.getElementById('mass'); if (mass) { mass.selectedIndex = 0;
    mass.dispatchEvent(new Event('change')); }
  for (const e of document.querySelectorAll('th button')) e.click();
  for (const e of document.querySelectorAll('input[type=search]')) { e.value = '<'; e.dispatchEvent(new Event('input'));
    e.value = ''; e.dispatchEvent(new Event('input')); }
  for (const e of document.querySelectorAll('table[data-live] tbody tr')) { e.click();
    e.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})); }
  for (const e of document.querySelectorAll('*'))
    for (const name of ['mouseover', 'focus']) e.dispatchEvent(new Event(name));
}"""
DRAWN: Final = "[...document.querySelectorAll('.canvas[data-chart]')].every(e => e.dataset.drawn)"
LOOK: Final = r"""() => ({
  ran: window.ran === undefined ? null : String(window.ran),
  polluted: [...Object.keys({}), ...(Object.prototype.ran === undefined ? [] : ['ran'])],
  scripts: document.querySelectorAll('script').length,
  foreign: [...document.querySelectorAll(
    'iframe,object,embed,base,form,img,foreignObject,link,meta[http-equiv=refresh]')].map(e => e.localName),
  handlers: [...document.querySelectorAll('*')]
    .filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).map(e => e.localName),
  links: [...document.querySelectorAll('[href],[src]')].map(e => (e.getAttribute('href') || e.getAttribute('src')))
    .filter(a => !a.startsWith('#') && !a.startsWith('https://doi.org/')),
  charts: Object.fromEntries([...document.querySelectorAll('.canvas[data-chart]')].map(e => [e.dataset.chart,
    e.querySelectorAll('g.role-mark > :is(path, line, g, text, rect)').length])),
  sized: [...document.querySelectorAll('.canvas[data-chart] svg')].every(e => e.getBoundingClientRect().width > 50),
  rows: document.querySelectorAll('tbody tr').length,
  text: document.body.innerText,
})"""


@cache
def cases() -> tuple[str, ...]:
    """Return the names of all pages: the answer, and what is hostile in it."""
    return tuple(f"{answer}/{name}" for answer in ANSWERS for name in (PLAIN, *NAMES))


def chromium() -> str | None:
    """Return where the browser is."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@cache
def _browser() -> Any:
    """Start a browser, for as long as this process lives."""
    from playwright.sync_api import sync_playwright

    where = chromium()
    assert where is not None
    return (
        sync_playwright()
        .start()
        .chromium.launch(
            executable_path=where,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
        )
    )


def seen(path: Path) -> dict[str, Any]:
    """Open a page, use it, and return what was seen."""
    context = _browser().new_context()
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    went: list[str] = []
    page.on("console", lambda told: said.append(told.text) if told.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (went.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("popup", lambda other: went.append(f"popup {other.url}"))
    # The page keeps its setting in the fragment of its own address.
    page.on("framenavigated", lambda frame: went.append(frame.url) if _bare(frame.url) != path.as_uri() else None)
    context.on("request", lambda request: asked.append(request.url))
    try:
        page.goto(path.as_uri())
        _wait(page, said)
        first = page.evaluate(LOOK)
        page.evaluate(ACTIONS)
        page.wait_for_function(DRAWN)
        page.wait_for_timeout(300)  # until the setting is in the address
        then = page.evaluate(LOOK)
    finally:
        context.close()
    outside = [url for url in asked if url != path.as_uri() and not url.startswith(("data:", "blob:"))]
    return {**first, "then": then, "said": said, "asked": outside, "went": went}


def _bare(url: str) -> str:
    return url.partition("#rope=")[0]


def _wait(page: Any, said: list[str]) -> None:
    """Wait until a page is ready; no longer once its script has failed."""
    for _ in range(READY):
        if page.evaluate("document.documentElement.hasAttribute('data-ready')"):
            return
        if said:
            raise RuntimeError(f"never ready: {said[0][:80]!r}")
        page.wait_for_timeout(50)
    raise RuntimeError("never ready")


@cache
def _plain(answer: str, folder: Path) -> dict[str, Any]:
    """Return what is seen of an answer with plain names."""
    return seen(_written(answer, PLAIN, folder))


def _written(answer: str, name: str, folder: Path) -> Path:
    path = folder / f"{answer}-{name}.html"
    hostile = NAMES.get(name, name)
    ANSWERS[answer](hostile).to_html(path, command=f"outclass compare {hostile} --truth gold")
    return path


def wrong_page(found: dict[str, Any], plain: dict[str, Any]) -> str:
    """Return what is wrong with a page."""
    for at, when in ((found, "on opening"), (found["then"], "in use")):
        if at["ran"] is not None or at["polluted"]:
            return f"a script ran {when}"
        for kind in ("scripts", "foreign", "handlers", "links"):
            if at[kind] != plain[kind]:
                return f"a name became part of the page {when}: {kind} {str(at[kind])[:60]}"
        if at["charts"].keys() != plain["charts"].keys() or not at["sized"]:
            return f"a chart is not drawn {when}"
    if found["went"] or found["asked"]:
        return f"goes elsewhere: {(found['went'] + found['asked'])[0][:80]}"
    if found["said"]:
        return f"console: {found['said'][0][:100]!r}"
    # Most charts are drawn in use, when their fold is opened.
    for at, of in ((found, plain), (found["then"], plain["then"])):
        for chart, marks in of["charts"].items():
            if at["charts"][chart] != marks:
                return f"the chart {chart} has {at['charts'][chart]} marks instead of {marks}"
    if found["rows"] != plain["rows"]:
        return f"{found['rows']} rows instead of {plain['rows']}"
    odd = [sign for sign in found["text"] + found["then"]["text"] if sign in OBEYED]
    return f"control character U+{ord(odd[0]):04X} in the text" if odd else ""


def tried(name: str, folder: Path) -> dict[str, Any]:
    """Make a page, open it, and judge it; or the sentence that says why there is none."""
    from outclass.errors import OutclassError

    answer, hostile = name.split("/")
    try:
        path = _written(answer, hostile, folder)
    except OutclassError as error:
        wrong = wrong_words(str(error))
        return {"outcome": "failed" if wrong else "sentence", "fault": wrong}
    except Exception as error:
        return {"outcome": "failed", "fault": f"{type(error).__name__}: {str(error)[:80]}"}
    try:
        wrong = wrong_page(seen(path), _plain(answer, folder))
    except Exception as error:
        wrong = str(error).splitlines()[0][:120]
    if not wrong:
        path.unlink(missing_ok=True)
    return {"outcome": "failed" if wrong else "answer", "fault": wrong}
