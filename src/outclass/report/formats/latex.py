"""Tables as LaTeX, for a paper: booktabs, nothing else."""

import re
from collections.abc import Sequence
from typing import Any, Final

from outclass.report import captions, text
from outclass.report.tables import Column

SUFFIX: Final = ".tex"
_MINUS: Final = re.compile(r"-(?![^\W\d])")  # but not that of two-sided
_RANGE: Final = re.compile(r"(?<=\d)-(?=\d)")  # of ranks: 1 to 3
_HEADS: Final = {"delta": r"$\Delta$", "above": r"$P(\Delta > 0)$", "p": "$p$"}


def write(answer: Any) -> str:
    """Return the tables of an answer that a paper has room for, with everything said of them below the first.

    A paper's readers do not know the codes of findings: these are in a comment.
    """
    sheet = answer.paper
    shown = sheet.tables[: answer.in_papers]
    codes = ", ".join(dict.fromkeys(code for code, _, _ in sheet.findings))
    told = [f"% findings: {text.plain(codes)}\n"] if codes else []
    below = captions.below_in_papers(sheet)
    return "".join(told) + "\n".join(
        table(title, columns, [] if place else below) for place, (title, columns) in enumerate(shown)
    )


def _cell(column: Column, cell: str) -> str:
    if column.key == "verdict":
        return f"${cell}$" if cell in ("<", ">") else text.latex(cell)
    if column.is_name:
        return "{}" + text.latex(cell) if cell[:1] in ("[", "*") else text.latex(cell)
    # A hyphen is not a minus, and a lone bracket after \\ would be read as its argument.
    cell = cell.replace("~", r"\textasciitilde{}").replace("%", r"\%").replace("<", "$<$").replace(">", "$>$")
    cell = _MINUS.sub("$-$", _RANGE.sub("–", cell)).replace("+", "$+$").replace("–", "--")
    return "{" + cell + "}" if cell.startswith("[") else cell


def table(title: str, columns: Sequence[Column], remarks: Sequence[str]) -> str:
    """Lay out columns as a table float."""
    heads = [_HEADS.get(column.key, text.latex(column.title)) for column in columns]
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
            *(text.latex(remark) + r"\par" for remark in remarks),
            r"\end{table}",
            "",
        ]
    )
