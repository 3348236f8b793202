"""Tables as LaTeX, for a paper: booktabs, nothing else."""

import re
from collections.abc import Sequence
from typing import Any, Final

from outclass.report import captions, text
from outclass.report.tables import Column

SUFFIX: Final = ".tex"
_MINUS: Final = re.compile(r"-(?![^\W\d])")  # but not that of two-sided
_SIGNS: Final = {"≪": r"$\ll$", "≫": r"$\gg$", "≈": r"$\approx$", "<": "$<$", ">": "$>$", "?": "?"}


def write(answer: Any) -> str:
    """Return the tables of an answer that a paper has room for, with everything said of them below the first."""
    sheet = answer.document
    shown = sheet.tables[: answer.in_papers]
    return "\n".join(
        table(title, columns, [] if place else captions.below(sheet)) for place, (title, columns) in enumerate(shown)
    )


def _cell(column: Column, cell: str) -> str:
    if column.is_name:
        return "{}" + text.latex(cell) if cell[:1] in ("[", "*") else text.latex(cell)
    if column.key == "verdict":
        return _SIGNS[cell]
    # A hyphen is not a minus, and a lone bracket after \\ would be read as its argument.
    cell = cell.replace("~", r"\textasciitilde{}").replace("%", r"\%").replace("<", "$<$").replace(">", "$>$")
    cell = _MINUS.sub("$-$", cell).replace("+", "$+$")
    return "{" + cell + "}" if cell.startswith("[") else cell


def _remark(remark: str) -> str:
    told = text.latex(remark)
    for sign, command in (_SIGNS | {"±": r"$\pm$"}).items():
        told = told.replace(sign, command) if not sign.isascii() else told
    return told


def table(title: str, columns: Sequence[Column], remarks: Sequence[str]) -> str:
    """Lay out columns as a table float."""
    heads = [text.latex(column.title) for column in columns]
    shape = "".join("l" if column.is_name else "c" if column.key == "verdict" else "r" for column in columns)
    rows = [
        " & ".join(_cell(column, column.cells[at]) for column in columns) + r" \\"
        for at in range(len(columns[0].cells))
    ]
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{text.latex(title)}.}}",
            rf"\begin{{tabular}}{{{shape}}}",
            r"\toprule",
            " & ".join(heads) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            *([r"\par\smallskip\footnotesize\raggedright"] if remarks else []),
            *(_remark(remark) + r"\par" for remark in remarks),
            r"\end{table}",
            "",
        ]
    )
