"""Fetch Vega, Vega-Lite and Vega-Embed as their makers publish them, with all licences, into the package.

    make vega    # needs npm; only to take newer versions

A page embeds them. They ship with outclass, since the alternative, to depend on a renderer that contains them, would make
every installation a quarter larger.
"""

import hashlib
import json
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1] / "src" / "outclass" / "report" / "vega"
# Those of vl-convert, which makes the same charts into pictures.
VERSIONS = {"vega": "6.2.0", "vega-lite": "6.4.1", "vega-embed": "7.0.2"}


def main() -> None:
    """Write the script and the licences of whatever may be in it."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = [f"{name}@{version}" for name, version in VERSIONS.items()]
        subprocess.run(["npm", "install", "--silent", "--prefix", folder, *wanted], check=True)  # noqa: S603, S607
        modules = Path(folder) / "node_modules"
        parts = [(modules / name / "build" / f"{name}.min.js").read_text(encoding="utf-8") for name in VERSIONS]
        # Links to maps of the source would be asked for by a browser that is open for debugging.
        lines = [line for part in parts for line in part.splitlines() if not line.startswith("//# sourceMappingURL")]
        script = "\n".join(lines) + "\n"
        assert "</script" not in script.lower()
        licences = _licences(modules)
    (HERE / "vega.min.js").write_text(script, encoding="utf-8")
    digest = hashlib.sha256(script.encode()).hexdigest()
    told = ", ".join(f"{name} {version}" for name, version in VERSIONS.items())
    (HERE / "LICENSES.txt").write_text(
        f"vega.min.js is {told}, as published on npm, one after the other (docs/make_vega.py).\nSHA-256: {digest}\n"
        f"It contains the packages below or parts of them, under these licences.\n{licences}",
        encoding="utf-8",
    )


def _licences(modules: Path) -> str:
    """Return every package's licence, packages with the same text together."""
    texts: dict[str, list[str]] = {}
    for package in sorted(modules.glob("**/package.json")):
        own = json.loads(package.read_text(encoding="utf-8"))
        files = [file for file in package.parent.iterdir() if file.name.lower().startswith(("license", "licence"))]
        if "name" in own and "version" in own and files and not own["name"].startswith("@types/"):
            text = "\n".join(line.rstrip() for line in files[0].read_text(encoding="utf-8").strip().splitlines())
            texts.setdefault(text, []).append(f"{own['name']} {own['version']}")
    return "".join(f"\n{'=' * 80}\n{', '.join(sorted(names))}\n\n{text}\n" for text, names in texts.items())


if __name__ == "__main__":
    main()
