"""Small faults for a source file: each mutant is the file's syntax tree with one node changed.

The operators are those of mutmut and the textbooks: arithmetic, comparisons (their boundary and their sense), and, or
and not, numbers (n + 1), True and False, returned values (None), branches (always, never), statements left out, min and
max, ends of slices. Strings are left alone, and so is what no test can or should see: `_skipped` and `UNSEEN`.
"""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCE: Final = ROOT / "src" / "outclass"
# What is mutated: a package's files; and the tests that are about it, where they are not those of its name.
PACKAGES: Final = {
    "measures": ("measures/*.py",),
    "inference": ("inference/*.py",),
    "verdict": ("verdict/*.py",),
    "rows": ("rows/*.py",),
    "checks": ("rows/checks/*.py",),
    "questions": ("ask/read.py", "ask/question.py", "ask/dispatch.py", "models/question.py"),
}
HOMES: Final = {
    "checks": ("tests/rows/",),
    "questions": ("tests/ask/", "tests/data/test_read.py", "tests/cli/test_refusals.py"),
}

# What is not mutated though it could be: (file, text in the line, why). It is about speed, memory or types alone.
UNSEEN: Final = (
    ("*", "@lru_cache(maxsize=", "the size of a cache"),
    ("*", ", total=False)", "only for the type checker"),
    ("*", "strict=True", "a safeguard: the lengths are always equal"),
    (
        "inference/replicates.py",
        "MANY_NODES: Final",
        "the size above which arrays are discarded after use, to save memory",
    ),
    ("inference/mixture.py", "TOGETHER: Final", "the number of values processed together, for speed"),
    ("inference/replicates.py", "if z.size > MANY_NODES", "whether arrays are discarded after use, to save memory"),
    ("inference/mixture.py", "together = TOGETHER", "the number of values processed together, for speed"),
    ("inference/mixture.py", "if together < 2", "the number of values processed together, for speed"),
    (
        "inference/mixture.py",
        "for start in range(0, len(new) - 1, together)",
        "omitted values are computed on demand",
    ),
    ("inference/mixture.py", "if value not in self._seen:", "caching"),
    ("inference/mixture.py", "if mass not in self._intervals:", "caching"),
    ("inference/mixture.py", "if mass in self._moved:", "caching"),
    ("inference/lazy.py", "deque(maxlen=8)", "the size of a cache"),
    ("inference/scores.py", 'mode="clip"', "avoids a check"),
    ("rows/ranking.py", "BLOCK: Final", "the number of values in memory at a time"),
    ("rows/ranking.py", "step = max(1, BLOCK", "the number of draws processed together, to save memory"),
    ("rows/ranking.py", "MOST_DIFFERENCES: Final", "the number of draws used, to save memory"),
    ("rows/ranking.py", "kept = self.values[: max(200", "the number of draws used, to save memory"),
    ("measures/scored.py", "step = max(1, 2_000_000", "the number of rows processed together, to save memory"),
)

BINARY: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
COMPARED: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
SWAPPED: Final = {
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "argmin": "argmax",
    "argmax": "argmin",
    "nanargmax": "nanargmin",
    "all": "any",
    "any": "all",
    "ceil": "floor",
    "floor": "ceil",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the file (below `src/outclass`), where in it, and what it changes."""

    file: str
    number: int  # of the sites of this file, in order
    line: int
    place: str  # the function it is in
    kind: str
    before: str
    after: str
    nth: int  # of the mutants of this place that read the same

    @property
    def name(self) -> str:
        """A name that other changes of the file leave alone."""
        again = f" ({self.nth + 1})" if self.nth else ""
        return f"{self.file}::{self.place}: {self.before} -> {self.after}{again}"

    @property
    def package(self) -> str:
        """Which of the packages it is in."""
        return package_of(self.file)

    @property
    def homes(self) -> tuple[str, ...]:
        """Where the tests are that are about it: how their names begin."""
        return HOMES.get(self.package, (f"tests/{self.package}/",))

    @property
    def module(self) -> str:
        """The module's name."""
        return "outclass." + self.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


@dataclass(frozen=True, slots=True)
class _Site:
    kind: str
    node: ast.AST
    new: ast.AST
    place: str
    change: Callable[[ast.AST], None]


def _skipped(node: ast.AST, field: str) -> bool:
    """Whether a part of the tree is left alone.

    Annotations and decorators are for the type checker and the machinery of classes; asserts state what the type
    checker cannot see; f-strings and what is raised are texts.
    """
    if field in ("annotation", "returns", "decorator_list", "bases"):
        return True
    if isinstance(node, ast.JoinedStr | ast.Raise | ast.Assert | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True  # docstrings
    if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
        return True
    if isinstance(node, ast.ClassDef):
        return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _like(node: ast.AST, **changes: object) -> ast.AST:
    new = copy.copy(node)
    for name, value in changes.items():
        setattr(new, name, value)
    return new


def _variants(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Give the faulty forms of one node."""
    match node:
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in BINARY:
            yield "arithmetic", _like(node, op=BINARY[type(op)]())
        case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert(), operand=operand):
            yield "negation", operand
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                for other in COMPARED[type(op)]:
                    yield "comparison", _like(node, ops=[*ops[:place], other(), *ops[place + 1 :]])
        case ast.BoolOp(op=op):
            yield "boolean", _like(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.Constant(value=bool() as value):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield "constant", ast.Constant(value + 1)
        case ast.If() | ast.IfExp():
            yield "branch", _like(node, test=ast.Constant(True))
            yield "branch", _like(node, test=ast.Constant(False))
        case ast.Name(id=name) if name in SWAPPED:
            yield "extremum", _like(node, id=SWAPPED[name])
        case ast.Attribute(attr=name) if name in SWAPPED:
            yield "extremum", _like(node, attr=SWAPPED[name])
        case ast.Slice():
            yield from (("slice", _like(node, **{end: None})) for end in ("lower", "upper") if getattr(node, end))
    yield from _without(node)


def _without(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Give what is left when a statement, or what it returns, is left out."""
    match node:
        case ast.Return(value=ast.AST() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "returned value", _like(node, value=ast.Constant(None))
        case ast.AugAssign() | ast.Expr(value=ast.Call()) | ast.Break() | ast.Continue():
            yield "statement", ast.Pass()


def _sites(tree: ast.AST, place: str = "") -> Iterator[_Site]:
    """Walk the tree in order and give every place that can be changed."""
    for field, value in ast.iter_fields(tree):
        many = value if isinstance(value, list) else [value]
        for index, node in enumerate(many):
            if not isinstance(node, ast.AST) or _skipped(node, field):
                continue

            def change(new: ast.AST, field: str = field, value: object = value, index: int = index) -> None:
                if isinstance(value, list):
                    value[index] = new
                else:
                    setattr(tree, field, new)

            inner = place
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                inner = f"{place}.{node.name}" if place else node.name
            for kind, new in _variants(node):
                yield _Site(kind, node, new, inner, change)
            yield from _sites(node, inner)


def _text(node: ast.AST) -> str:
    """A node in one short line; of a branch or a function its head."""
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}"
    if isinstance(node, ast.Pass):
        return "nothing"
    if isinstance(node, ast.Slice):
        return f"[{ast.unparse(node)}]"
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else f"{text[:70]} ... {text[-25:]}"


def reason_unseen(file: str, line: str) -> str:
    """Return why a line is left alone, or nothing."""
    return next((why for where, text, why in UNSEEN if where in ("*", file) and text in line), "")


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Return every mutant of a file."""
    lines = source.splitlines()
    found, seen = [], Counter[tuple[str, str, str]]()
    for number, site in enumerate(_sites(ast.parse(source))):
        line = site.node.lineno if hasattr(site.node, "lineno") else site.node.lower.lineno  # type: ignore[attr-defined]
        if reason_unseen(file, lines[line - 1]):
            continue
        key = (site.place or "module", _text(site.node), _text(site.new))
        found.append(Mutant(file, number, line, key[0], site.kind, key[1], key[2], seen[key]))
        seen[key] += 1
    return found


def mutated(source: str, number: int) -> ast.Module:
    """Return the tree of a file with one site changed; with none if the number is below zero."""
    tree = ast.parse(source)
    if number < 0:
        return tree
    for place, site in enumerate(_sites(tree)):
        if place == number:
            site.change(site.new)
            return ast.fix_missing_locations(tree)
    raise IndexError(number)


@cache
def _packages() -> dict[str, str]:
    """Return the package of each file under test, in order; files are named below `src/outclass`."""
    return {
        path.relative_to(SOURCE).as_posix(): package
        for package, patterns in PACKAGES.items()
        for pattern in patterns
        for path in sorted(SOURCE.glob(pattern))
    }


def files() -> list[str]:
    """Return the files under test, below `src/outclass`."""
    return list(_packages())


def package_of(file: str) -> str:
    """Return the package that a file counts for."""
    return _packages()[file]


def every() -> list[Mutant]:
    """Return every mutant of the packages."""
    return [mutant for file in files() for mutant in mutants_of(file, (SOURCE / file).read_text(encoding="utf-8"))]
