"""Tables as Markdown."""

from collections.abc import Sequence
from typing import Any, Final

from outclass.report import captions, text
from outclass.report.tables import Column

SUFFIX: Final = ".md"


def write(answer: Any) -> str:
    """Return the tables of an answer, with everything said of them about the first."""
    sheet = answer.paper
    (title, columns), *others = sheet.tables
    parts = [document(title, columns, sheet.sentences, captions.below(sheet))]
    return "\n".join([*parts, *(document(title, columns, [], []) for title, columns in others)])


def table(columns: Sequence[Column]) -> str:
    """Lay out columns as a pipe table; numbers to the right."""
    # A decision may name a system.
    named = [column.is_name or column.key == "verdict" for column in columns]
    shown = [
        [text.markdown(cell) if is_name else cell.replace("<", "&lt;").replace(">", "&gt;") for cell in column.cells]
        for is_name, column in zip(named, columns, strict=True)
    ]
    titles = [
        text.markdown(column.title)
        if column.names_a_system
        else text.plain(column.title).replace("<", "&lt;").replace(">", "&gt;")
        for column in columns
    ]
    rules = [":---" if column.is_name else ":---:" if column.key == "verdict" else "---:" for column in columns]
    lines = [titles, rules, *([cells[at] for cells in shown] for at in range(len(shown[0])))]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def document(title: str, columns: Sequence[Column], sentences: Sequence[str], remarks: Sequence[str]) -> str:
    """A table with its title above and its remarks below."""
    parts = [f"**{text.markdown(title)}**", *(text.markdown(s) for s in sentences), table(columns).rstrip()]
    parts += [text.markdown(remark) for remark in remarks]
    return "\n\n".join(part for part in parts if part) + "\n"
