"""Which definitions a study depends on, and what each of them means.

Names are followed from definition to definition without importing anything: from a study's own functions into
`src/outclass`. A definition is hashed over its syntax tree without docstrings, annotations and the wording of errors
and findings, and it is known by its name alone: moving it to another file, rewording or formatting it changes nothing.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
SHORT: Final = 8  # hexadecimal digits of a definition's hash
CODE: Final = re.compile(r"OC\d{3}")
LOOSE: Final = "statements"  # of a module, which bind no name


class Definition(NamedTuple):
    """A name that a file defines."""

    file: Path
    name: str

    @property
    def label(self) -> str:
        """Where it is, as a reader of a failed test looks for it: `models.prior.prior_of`."""
        inside = self.file.relative_to(ROOT).with_suffix("").parts
        parts = inside[2:] if inside[:2] == ("src", "outclass") else inside[-1:]
        return ".".join([*(part for part in parts if part != "__init__"), self.name])


@dataclass
class Module:
    """What one file binds: definitions, and names from elsewhere."""

    file: Path
    bound: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imported: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def definitions(self) -> set[Definition]:
        """Return all of them."""
        return {Definition(self.file, name) for name in self.bound}


@cache
def module_of(file: Path) -> Module:
    """Read a file."""
    module = Module(file)
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                path = tuple(each.name.split("."))
                module.imported[each.asname or path[0]] = path if each.asname else path[:1]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for each in node.names:
                module.imported[each.asname or each.name] = (*node.module.split("."), each.name)
    for statement in tree.body:
        if not _is_silent(statement):
            for name in set(_binds(statement)) or {LOOSE}:
                module.bound.setdefault(name, []).append(statement)
    return module


def _is_silent(statement: ast.stmt) -> bool:
    """Say whether a statement computes nothing for an importer: an import, a docstring, `__all__`, a script's call."""
    if isinstance(statement, ast.If):
        return ast.unparse(statement.test) in ("TYPE_CHECKING", "__name__ == '__main__'")
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id in ("__all__", "__version__")
    return isinstance(statement, ast.Import | ast.ImportFrom) or _is_docstring(statement)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _binds(statement: ast.AST) -> Iterator[str]:
    """Yield the names that a statement binds in its module."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Name) and isinstance(statement.ctx, ast.Store):
        yield statement.id
    elif not isinstance(statement, ast.Lambda | ast.comprehension):
        for child in ast.iter_child_nodes(statement):
            yield from _binds(child)


def _file_of(path: tuple[str, ...], near: Path) -> Path | None:
    """Return the file of a module: of outclass, or beside the file that imports it."""
    if not path:
        return None
    base = ROOT / "src" if path[0] == "outclass" else near.parent
    found = (base.joinpath(*path, "__init__.py"), base.joinpath(*path).with_suffix(".py"))
    return next((file for file in found if file.is_file()), None)


def _resolved(path: tuple[str, ...], near: Path) -> set[Definition]:
    """Return what a dotted path names: a definition, or a module and so all that is in it."""
    for length in range(len(path), 0, -1):
        file = _file_of(path[:length], near)
        if file is None:
            continue
        module, rest = module_of(file), path[length:]
        if not rest:
            return module.definitions()
        if rest[0] in module.bound:
            return {Definition(file, rest[0])}
        if rest[0] in module.imported and module.imported[rest[0]] != path[: length + 1]:
            return _resolved((*module.imported[rest[0]], *rest[1:]), file)
        return set()
    return set()


@cache
def references(definition: Definition) -> frozenset[Definition]:
    """Return what a definition uses, annotations aside."""
    module = module_of(definition.file)
    found: set[Definition] = set()
    for path in {path for statement in module.bound[definition.name] for path in _paths(statement)}:
        if path[0] in module.bound:
            found.add(Definition(definition.file, path[0]))
        elif path[0] in module.imported:
            found |= _resolved((*module.imported[path[0]], *path[1:]), definition.file)
        if path[0] == "iter_modules":  # a registry that finds its members by itself
            for file in definition.file.parent.glob("*.py"):
                found |= module_of(file).definitions()
    # Statements that bind nothing run whenever the module is used.
    if LOOSE in module.bound:
        found.add(Definition(definition.file, LOOSE))
    return frozenset(found)


def _paths(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """Yield the dotted names that are read."""
    attributes: list[str] = []
    inner = node
    while isinstance(inner, ast.Attribute):
        attributes.insert(0, inner.attr)
        inner = inner.value
    if isinstance(inner, ast.Name):
        yield (inner.id, *attributes)
        return
    for name, value in ast.iter_fields(inner):
        if name not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _paths(child)


@cache
def meaning(definition: Definition) -> str:
    """Return the hash of what a definition does, under its name."""
    told = "\n".join(_plain(statement) for statement in module_of(definition.file).bound[definition.name])
    return sha256(f"{definition.name}\n{told}".encode()).hexdigest()


def _plain(node: object, *, wording: bool = False) -> str:
    """Write a tree out, the same in every version of Python."""
    if isinstance(node, list):
        return f"[{','.join(_plain(each, wording=wording) for each in node if not _is_docstring(each))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return "''" if wording and not CODE.fullmatch(node.value) else repr(node.value)
    wording = wording or isinstance(node, ast.Raise) or _is_finding(node)
    parts = [
        f"{name}={_plain(value, wording=wording)}"
        for name, value in ast.iter_fields(node)
        if value not in (None, []) and name not in ("annotation", "returns", "ctx", "kind", "type_comment")
    ]
    return f"{type(node).__name__}({','.join(parts)})"


def _is_finding(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "finding"


def reached(entries: Iterable[Definition], without: Iterable[str]) -> dict[str, Definition]:
    """Return the definitions reached from the entries, by name and hash, leaving out the files of some folders."""
    left_out = [ROOT / each for each in without]
    waiting, found = list(entries), {}
    seen: set[Definition] = set()
    while waiting:
        definition = waiting.pop()
        if definition in seen or any(definition.file.is_relative_to(each) for each in left_out):
            continue
        seen.add(definition)
        found[f"{definition.name} {meaning(definition)[:SHORT]}"] = definition
        waiting += references(definition)
    return dict(sorted(found.items()))
