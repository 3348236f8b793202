"""A chart as the bytes of a file, or as a page that needs no network."""

import json
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from outclass.errors import FileError, MissingExtraError, quoted
from outclass.report.drawing.look import DPI

SUFFIXES: Final = (".png", ".svg", ".pdf", ".html", ".json")
POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:; "
    "font-src 'none'; connect-src 'none'"
)


def file_of(chart: Any, suffix: str, dpi: float = DPI) -> bytes:
    """Return a chart as the bytes of a file; of a PNG with so many dots per inch."""
    if suffix == ".json":
        return f"{chart.to_json()}\n".encode()
    if suffix == ".html":
        # Altair's own page would run what a name says.
        return page_of_chart(chart).encode()
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError.named("plot", "a picture (PNG, SVG or PDF)") from None
    spec = chart.to_dict(validate=False)  # tests hold every chart against the schema, which takes longer than drawing
    if suffix == ".png":
        return bytes(vl_convert.vegalite_to_png(spec, ppi=dpi))
    if suffix == ".svg":
        return str(vl_convert.vegalite_to_svg(spec)).encode()
    if suffix == ".pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec))
    raise FileError(f"the file name of a chart must end in {quoted(SUFFIXES)}; got {quoted([Path(suffix).name])}.")


def page_of_chart(chart: Any) -> str:
    """Return a chart as a page that needs nothing else, and that no name can break out of."""
    spec = safe_json(chart.to_dict(validate=False))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>outclass</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><div id="chart"></div>'
        f'<script type="application/json" id="spec">{spec}</script><script>{bundle()}</script>'
        "<script>vegaEmbed('#chart', JSON.parse(document.getElementById('spec').textContent))</script></html>\n"
    )


@lru_cache(maxsize=1)
def bundle() -> str:
    """Return Vega as one script, which ships with outclass."""
    return (resources.files("outclass.report") / "vega" / "vega.min.js").read_text(encoding="utf-8")


def safe_json(value: Any) -> str:
    """Write data into a script element, which nothing in it can end."""
    told = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=float)
    return told.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
