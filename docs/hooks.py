"""What MkDocs needs to be told: notebooks become pages, and links that leave docs/ stay links.

Pages are written for the repository, where `notebooks/x.ipynb` and `../CHANGELOG.md` are files. On the site both are
pages, made here.
"""

import base64
import re
from pathlib import Path
from typing import Any, Final

import nbformat
from mkdocs.structure.files import File, Files

ROOT: Final = Path(__file__).resolve().parents[1]
ABOVE: Final = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "README.md": "index.md"}
ALONE: Final = ("index.md", "start.md")  # they have no neighbours to show
_LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
# What cells leave behind, the best last.
_SHOWN: Final = ("text/plain", "text/markdown", "image/png")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are no Markdown in docs/."""
    for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, ABOVE[name], content=text))
    for path in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        text, pictures = page_of(path)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=text))
        for name, picture in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=picture))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links to notebooks and to files above docs/ into links to their pages, or into plain words."""
    up = "../" * page.file.src_uri.count("/")
    if page.file.src_uri in ALONE:
        page.meta["hide"] = ["navigation"]  # here and not above the page, where the repository would show it

    def settled(match: re.Match[str]) -> str:
        text, target = match.groups()
        path, hash_, anchor = target.partition("#")
        if path.endswith(".ipynb"):
            return f"[{text}]({path.removesuffix('.ipynb')}.md)"
        if not path.startswith(f"{up}../"):
            return match.group()
        name = path.removeprefix(f"{up}../")
        # Source and benchmarks are not on the site.
        return f"[{text}]({up}{ABOVE[name]}{hash_}{anchor})" if name in ABOVE else text

    return _LINK.sub(settled, markdown)


def page_of(path: Path) -> tuple[str, dict[str, bytes]]:
    """Return a notebook as Markdown, with its pictures by their names."""
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        for output in cell.outputs:
            shown = output.get("data") or {"text/plain": output.get("text", "")}
            kind = next(kind for kind in reversed(_SHOWN) if kind in shown)
            if kind == "image/png":
                name = f"{path.stem}_{len(pictures) + 1}.png"
                pictures[name] = base64.b64decode(shown[kind])
                parts.append(f"![The chart that the cell draws]({name})")
            elif kind == "text/markdown":
                parts.append(shown[kind])
            else:
                told = shown[kind].rstrip("\n")
                parts.append(f'<div class="cell-output" markdown>\n\n```text\n{told}\n```\n\n</div>')
    return "\n\n".join(parts) + "\n", pictures
