"""Names come from files: each rendering writes them so that they are shown and nothing else."""

from collections.abc import Sequence
from typing import Final

from outclass.errors import printable

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "`": r"\textasciigrave{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "\0": "{}",  # which no name has: see `latex`
    # Signs that outclass itself writes, and Greek letters, which pdfLaTeX has in formulas only.
    "≪": r"$\ll$",
    "≫": r"$\gg$",
    "≈": r"$\approx$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
    "∞": r"$\infty$",
    "←": r"$\leftarrow$",
    "→": r"$\rightarrow$",
    "Δ": r"$\Delta$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "λ": r"$\lambda$",
    "μ": r"$\mu$",
    "σ": r"$\sigma$",
}
_MARKDOWN: Final = {sign: "\\" + sign for sign in "\\`*_{}[]()#!|~"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


_FORMULA: Final = tuple("=+-@＝＋－＠")  # spreadsheets take wide letters for the others


def plain(name: object) -> str:
    """Make a name safe for a terminal or any other plain text: one line, and no character that is obeyed or hidden."""
    return printable(str(name))


def latex(name: object) -> str:
    """Escape a name for LaTeX, which would join two hyphens into a dash."""
    apart = plain(name).replace("--", "-\0-").replace("--", "-\0-")  # twice, for a row of them
    return "".join(_LATEX.get(sign, sign) for sign in apart)


def markdown(name: object) -> str:
    """Escape a name for Markdown and the HTML it becomes."""
    return "".join(_MARKDOWN.get(sign, sign) for sign in plain(name))


def cell(name: object) -> str:
    """Make a name safe for a spreadsheet, which would run a cell that starts like a formula."""
    text = plain(name)
    if not isinstance(name, str):
        return text  # a number, even if it starts with a sign
    return "'" + text if text[:1] in _FORMULA else text


def shortened(names: Sequence[str], width: int) -> dict[str, str]:
    """Cut names to a width, in the middle or wherever else keeps them apart, and by number if nothing does."""
    apart = list(dict.fromkeys(names))
    long = [name for name in apart if len(name) > width]
    middle = width // 2
    for head in sorted(range(width), key=lambda size: abs(size - middle)):
        cut = {name: f"{name[:head]}…{name[len(name) - (width - 1 - head) :]}" for name in long}
        if len({cut.get(name, name) for name in apart}) == len(apart):
            return {name: cut.get(name, name) for name in apart}
    # They differ in the middle alone.
    start = next((at for at, signs in enumerate(zip(*long, strict=False)) if len(set(signs)) > 1), 0)
    within = {name: f"…{name[start : start + width - 2]}…" for name in long}
    if len({within.get(name, name) for name in apart}) == len(apart):
        return {name: within.get(name, name) for name in apart}
    number = {name: f"…{place}" for place, name in enumerate(apart, start=1)}
    return {name: f"{name[: width - len(number[name])]}{number[name]}" if len(name) > width else name for name in apart}
