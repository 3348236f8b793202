"""What draws charts on a page ships with the package, as its makers published it."""

import hashlib
from importlib import resources

from outclass.report.drawing.files import bundle


def test_the_script_is_what_its_licences_name() -> None:
    """The file is the one that was fetched, and the licences of what is in it lie beside it."""
    told = (resources.files("outclass.report") / "vega" / "LICENSES.txt").read_text(encoding="utf-8")

    assert f"SHA-256: {hashlib.sha256(bundle().encode()).hexdigest()}\n" in told
    for package in ("vega 6.", "vega-lite 6.", "vega-embed 7.", "d3-scale 4.", "topojson-client 3.", "semver 7."):
        assert package in told.partition("licences.")[2], package
    assert told.count("Copyright") > 20


def test_the_script_stays_in_its_element() -> None:
    """Nothing in it ends a script element or fetches a map of its source."""
    assert "</script" not in bundle().lower()
    assert "<!--" not in bundle()
    assert "sourceMappingURL" not in bundle()
