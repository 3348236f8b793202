"""Names come from files: each rendering writes them so that they are shown and nothing else."""

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
