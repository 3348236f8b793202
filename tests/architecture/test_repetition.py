"""No block of six or more lines stands twice."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import outclass

SOURCE: Final = Path(outclass.__file__).parent
LINES: Final = 6


def _bodies(tree: ast.Module) -> Iterator[set[int]]:
    """Yield the lines of each function's statements; signatures, docstrings and fields of classes are declarations."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            lines = {line for each in body for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)}
            for inner in ast.walk(node):
                if inner is not node and isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                    lines -= set(range(inner.lineno, (inner.end_lineno or inner.lineno) + 1))
            yield lines


def repeated(folder: Path) -> dict[str, list[str]]:
    """Return blocks of lines that stand in several places, with the places."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for body in _bodies(ast.parse(text)):
            code = [(at, lines[at - 1].strip()) for at in sorted(body)]
            # Brackets alone say nothing.
            code = [(at, line) for at, line in code if line.strip("()[]{},:") and not line.startswith("#")]
            for start in range(len(code) - LINES + 1):
                block = "\n".join(line for _, line in code[start : start + LINES])
                found[block].append(f"{path.relative_to(folder)}:{code[start][0]}")
    return {block: places for block, places in found.items() if len(places) > 1}


def test_nothing_is_written_twice() -> None:
    """No six lines of code in a row, other than declarations, stand in two places."""
    assert not repeated(SOURCE)


def test_a_copy_is_found(tmp_path: Path) -> None:
    """A function copied under another name is found, and one line less is not."""
    body = "\n".join(f"    x = {number}" for number in range(LINES))
    (tmp_path / "a.py").write_text(f"def f():\n{body}\n")
    (tmp_path / "b.py").write_text(f"def g(y):\n    # why\n{body}\n    return y\n")

    assert list(repeated(tmp_path).values()) == [["a.py:2", "b.py:3"]]
    (tmp_path / "b.py").write_text(f"def g(y):\n{body}\n    return y\n".replace("x = 3", "x = 4"))
    assert not repeated(tmp_path)
