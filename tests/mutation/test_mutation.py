"""The mutation harness: its operators, its page, and a few mutants that must die."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import mutants
import mutation_page
import pytest
from equivalents import EQUIVALENT
from fixed import FIXED

HERE = Path(__file__).parent


def _changes(source: str) -> list[tuple[str, str]]:
    return [(mutant.before, mutant.after) for mutant in mutants.mutants_of("x/y.py", source)]


@pytest.mark.parametrize(
    ("source", "changes"),
    [
        ("a + b", [("a + b", "a - b")]),
        ("a ** b // c", [("a ** b // c", "a ** b / c"), ("a ** b", "a * b")]),
        ("a < b", [("a < b", "a <= b"), ("a < b", "a >= b")]),
        ("a is b", [("a is b", "a is not b")]),
        ("a and not b", [("a and (not b)", "a or not b"), ("not b", "b")]),
        ("-a", [("-a", "a")]),
        ("f(2, True, 0.5)", [("f(2, True, 0.5)", "nothing"), ("2", "3"), ("True", "False"), ("0.5", "1.5")]),
        ("a += b", [("a += b", "a -= b"), ("a += b", "nothing")]),
        ("a[b:c]", [("[b:c]", "[:c]"), ("[b:c]", "[b:]")]),
        ("np.minimum", [("np.minimum", "np.maximum")]),
        ("if a:\n    b\nelse:\n    c", [("if a", "if True"), ("if a", "if False")]),
        ("a if b else c", [("a if b else c", "a if True else c"), ("a if b else c", "a if False else c")]),
        ("def f():\n    return a", [("return a", "return None")]),
        # What is left alone: texts, annotations, decorators, asserts, what is raised, protocols, docstrings.
        ("a = 'text'\nb: 1 + 1\nassert a < b\nf'{1 + 1}'", []),
        ("def f(a: 1 + 1) -> 2:\n    'text'\n    return None", []),
        ("raise Error(1 + 1)", []),
        ("@decorated(1)\nclass A(Protocol):\n    b = 1", []),
        ("if TYPE_CHECKING:\n    a = 1", []),
        ("__all__ = [1]", []),
    ],
)
def test_operators(source: str, changes: list[tuple[str, str]]) -> None:
    """Each operator makes the faults it should, in order, and nothing else is touched."""
    assert _changes(source) == changes


def test_one_fault_at_a_time() -> None:
    """A mutant's tree differs from the file's in what its name says, and in nothing else."""
    source = "def f(a, b=1):\n    return a + b if a < 2 else a + b\n"
    found = [ast.unparse(mutants.mutated(source, mutant.number)) for mutant in mutants.mutants_of("x/y.py", source)]
    plain = ast.unparse(ast.parse(source))

    assert ast.unparse(mutants.mutated(source, -1)) == plain
    assert plain not in found
    assert len(set(found)) == len(found)
    assert plain.replace("b=1", "b=2") in found
    assert plain.replace("else a + b", "else a - b") in found


def test_names_and_lists_are_not_stale() -> None:
    """Every mutant has a name of its own; what is judged, fixed or left alone is still in the code."""
    everything = mutants.every()
    names = {mutant.name for mutant in everything}

    assert len(names) == len(everything) > 5_000
    assert set(EQUIVALENT) <= names
    assert {name for name, _ in FIXED} <= names
    for file, text, _ in mutants.UNSEEN:
        where = mutants.files() if file == "*" else [file]
        assert any(text in (mutants.SOURCE / each).read_text(encoding="utf-8") for each in where), (file, text)


def test_page() -> None:
    """docs/mutation.md is what the last run gave, and in each package enough mutants were killed."""
    results = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
    rows = results["mutants"]

    assert mutation_page.PAGE.read_text(encoding="utf-8") == mutation_page.text(results)
    assert len(rows) >= 600
    # Two blind samples of `inference` (seeds 1999 and 2005) gave 81%: tabulated, hdi and mode have too few tests.
    wanted = dict.fromkeys(mutants.PACKAGES, mutation_page.WANTED) | {"inference": 0.8}
    for package, least in wanted.items():
        assert mutation_page.share(mutation_page.of_package(rows, package)) >= least


def test_a_few_mutants_die() -> None:
    """The fixed mutants, one of each kind, are killed, each by its test; the same tests pass on the code as it is."""
    done = subprocess.run(
        [sys.executable, str(HERE / "run.py"), "--fixed"], capture_output=True, text=True, timeout=300, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(FIXED)} mutants, 0 wrong" in done.stdout
    kinds = {mutant.name: mutant.kind for mutant in mutants.every()}
    assert {kinds[name] for name, _ in FIXED} == set(kinds.values())
