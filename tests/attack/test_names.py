"""Hostile names of columns, classes, systems and files through every command and format: shown, never obeyed."""

import csv
import io
import json
import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import numpy as np
import pytest
from attacking import NAMES, OF_SQL, is_plain, table

import outclass as oc
from outclass.cli.entry import _run
from outclass.errors import OutclassError
from outclass.report.text import cell

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run a command in this process; return its status and what it says on both streams."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["outclass", *arguments])
        status = _run()
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


def rows_of(labels: tuple[str, ...], systems: int, items: int = 1_000) -> list[list[str]]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, len(labels), items)
    said = [np.where(rng.random(items) < 0.25, rng.integers(0, len(labels), items), truth) for _ in range(systems)]
    return [[labels[code] for code in row] for row in np.stack([truth, *said], axis=1).tolist()]


def hostile(path: Path, names: tuple[str, ...] = NAMES) -> tuple[Path, list[str]]:
    """Write a table whose truth, systems and classes all have hostile names."""
    heads = [names[0], names[2], names[6]]
    return table(path, heads, rows_of(names, 2)), heads


ASKED: dict[str, Callable[[Path, str, str], object]] = {
    "compare": lambda path, truth, _: oc.compare(path, truth=truth, by="label", measure="recall", model="goutte"),
    "one": lambda path, truth, positive: oc.compare(path, truth=truth, positive=positive),
    "evaluate": lambda path, truth, _: oc.evaluate(path, truth=truth, by="label", model="goutte", measure="recall"),
    "test": lambda path, truth, _: oc.test(path, truth=truth),
    "rank": lambda path, truth, _: oc.rank(path, truth=truth, draws=400),
    "macro": lambda path, truth, _: oc.compare(path, truth=truth, draws=400),
    "plan": lambda path, truth, positive: oc.plan(pilot=path, truth=truth, positive=positive, n=[100], sets=20, jobs=1),
}


@pytest.mark.parametrize("command", ASKED)
def test_every_answer_in_every_format(tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that a terminal, Markdown, LaTeX or a spreadsheet would obey; JSON gives the names back as they were."""
    path, heads = hostile(tmp_path / "h.csv")
    monkeypatch.setenv("COLUMNS", "160")
    answer: Any = ASKED[command](path, heads[0], NAMES[2])
    check_plain(str(answer))
    check_csv(answer.to_csv())
    check_markdown(answer.to_markdown())
    check_latex(answer.to_latex())
    if command != "plan":
        check_json(answer.to_json())


@pytest.mark.parametrize("format", ["table", "json"])
def test_what_the_command_says_beside(run: Run, tmp_path: Path, format: str) -> None:
    """`update` speaks of systems, and of its state, on the other stream."""
    table(tmp_path / "h.csv", ["gold", NAMES[5], NAMES[6]], rows_of(("x", "y"), 2, 60))
    status, out, err = run("update", "\x1b[1ms.json", "h.csv", "--truth", "gold", "--positive", "x", "--format", format)
    assert status == 0
    assert is_plain(err)
    assert "red" in err
    assert is_plain(out) if format == "table" else json.loads(out)


def check_plain(text: str) -> None:
    assert is_plain(text)
    assert text.strip()


def check_json(text: str) -> None:
    assert json.loads(text)
    assert json.dumps(NAMES[6], ensure_ascii=False) in text or json.dumps(NAMES[2], ensure_ascii=False) in text


def check_csv(text: str) -> None:
    assert is_plain(text)
    lines = list(csv.reader(io.StringIO(text)))
    assert len({len(line) for line in lines}) == 1
    for line in lines:
        for each in line:
            if each[:1] in tuple("=+-@\t\r＝＋－＠"):
                float(each)  # nothing but a number may start with a sign


def check_markdown(text: str) -> None:
    assert is_plain(text)
    for block in text.split("\n\n"):
        rows = [re.sub(r"\\.", "", line) for line in block.splitlines() if line.startswith("|")]
        assert len({row.count("|") for row in rows}) <= 1
        if not rows:
            assert "|" not in re.sub(r"\\.", "", block) or block.startswith("```")
    bare = re.sub(r"\\.", "", text)
    assert not re.search(r"<[A-Za-z/!]", bare)
    assert "](" not in bare


def check_latex(text: str) -> None:
    """Every brace closes, and every command is one that outclass writes itself."""
    assert is_plain(text)
    bare = re.sub(r"\\[%$&#_{}\\]", "", text)
    comments = re.compile(r"% needs .*|% findings: OC\d{3}(, OC\d{3})*")
    body = "\n".join(line for line in bare.splitlines() if not comments.fullmatch(line))
    assert "%" not in body
    depth = 0
    for sign in body:
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0
    assert all(line.count("$") % 2 == 0 for line in body.splitlines())
    own = {
        "begin",
        "end",
        "centering",
        "caption",
        "toprule",
        "midrule",
        "bottomrule",
        "par",
        "smallskip",
        "footnotesize",
    }
    own |= {"raggedright", "ll", "gg", "approx", "ge", "le", "pm", "Delta", "alpha", "usepackage"}
    commands = {each for each in re.findall(r"\\([A-Za-z]+)", body) if not each.startswith("text")}
    assert commands <= own
    for line in body.splitlines():
        assert line.count("&") in (0, body.splitlines()[6].count("&")) or not line.endswith(r"\\")


class _Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attributes)))


@pytest.mark.slow
def test_the_page_has_the_same_elements(run: Run, tmp_path: Path) -> None:
    """With hostile names the page has no kind of element, and none with other attributes, than with plain ones."""
    plain = tuple(f"name {at:02}" for at in range(len(NAMES)))
    found = []
    for names in (NAMES, plain):
        _, heads = hostile(tmp_path / "h.csv", names)
        status, _, err = run(
            *("compare", "h.csv", "--truth", heads[0], "--by", "label", "--report", "r.html", "-o", "o.json"),
            *("--method", "draws", "--draws", "400"),  # elements do not depend on it
        )
        assert status == 0, err
        text = (tmp_path / "r.html").read_text(encoding="utf-8")
        # Drawings have as many elements as their lines of text, so they are left out: they are looked at below.
        found.append(_Tags(re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)).tags)
        assert "\u2028" not in text
        assert "window.ran=1</script>" not in text
    assert set(found[0]) <= set(found[1])


@pytest.mark.slow
def test_pictures_hold_no_scripts(run: Run, tmp_path: Path) -> None:
    _, heads = hostile(tmp_path / "h.csv")
    status, _, err = run("plot", "h.csv", "--truth", heads[0], "--by", "label", "-o", "p.svg")
    assert status == 0, err
    tags = {each.tag.rpartition("}")[2] for each in Xml.parse(tmp_path / "p.svg").iter()}
    assert "script" not in tags
    assert "foreignObject" not in tags


def counts_of(data: Path | list[Path], label: str = "x", **columns: Any) -> list[list[int]]:
    """Return the joint table of two systems, whatever they are called."""
    found = oc.outcomes(data, **columns)
    return found.joint(*found.systems, label).tolist()


LIKELY = tuple(name for name in dict.fromkeys((*NAMES, *OF_SQL)) if name.strip() == name)


@pytest.mark.parametrize("name", LIKELY)
def test_names_are_no_sql(tmp_path: Path, name: str) -> None:
    """Whatever the columns, the classes and the ids are called, the counts are those of plain names."""
    rows = [[str(at), *row] for at, row in enumerate(rows_of(("x", "y"), 2, 60))]
    plain = table(tmp_path / "plain.csv", ["id", "gold", "a", "b"], rows)
    wanted = counts_of(plain, truth="gold", systems=["a", "b"], id="id")
    for place in range(4):
        heads = ["id", "gold", "a", "b"]
        heads[place] = name
        one = table(tmp_path / "one.csv", heads, rows)
        assert counts_of(one, truth=heads[1], systems=heads[2:], id=heads[0]) == wanted
    classes = [[name if each == "x" else each for each in row] for row in rows]
    one = table(tmp_path / "one.csv", ["id", "gold", "a", "b"], classes)
    assert counts_of(one, truth="gold", systems=["a", "b"], id="id", label=name) == wanted
    first = table(tmp_path / "first.csv", [name, "gold", "said"], [row[:3] for row in rows])
    second = table(tmp_path / "second.csv", ["said", name], [[row[3], row[0]] for row in rows])
    assert counts_of([first, second], truth="gold", id=name) == wanted


FILES = (
    *("; rm -rf x.csv", "$(touch ran).csv", "`touch ran`.csv", "a'b\".csv", "[x].csv", "a*b?.csv", "a\nb.csv"),
    *("\x1b[31m.csv", "-o.csv", "%s{0}.csv", "\u202ecsv.csv", "a\\b.csv", "~x.csv", "~", "é.csv"),
)


@pytest.mark.parametrize("name", FILES)
def test_names_of_files(run: Run, tmp_path: Path, name: str) -> None:
    """A file is read whatever its name means to a shell, a glob or DuckDB, and its name is shown escaped."""
    name = name if name.endswith(".csv") else f"{name}/x.csv"
    (tmp_path / name).parent.mkdir(exist_ok=True)
    rows = rows_of(("x", "y"), 2, 60)
    table(tmp_path / name, ["gold", "a", "b"], rows)
    status, out, err = run("compare", "--truth", "gold", "--positive", "x", "--", name)
    assert status == 0, err
    assert is_plain(out)
    assert is_plain(err)
    (tmp_path / name).write_text("gold,a\n1\n")
    for arguments in (
        ("compare", "--truth", "gold", "--", name),
        ("update", "--truth", "gold", "--", f"{name}.json", name),
    ):
        status, _, err = run(*arguments)
        assert status == 2
        assert is_plain(err)
    assert not (tmp_path / "ran").exists()


def test_line_breaks_of_two_kinds(tmp_path: Path) -> None:
    """A name that holds a line break which is not the file's own is refused: DuckDB would find no rows."""
    (tmp_path / "b.csv").write_bytes(b'gold,"a\nx",b\r\n1,0,1\r\n0,0,1\r\n')
    with pytest.raises(OutclassError, match="line break"):
        oc.outcomes(tmp_path / "b.csv", truth="gold")


@pytest.mark.parametrize("name", NAMES)
def test_errors_of_the_library_are_plain(tmp_path: Path, name: str) -> None:
    """A sentence that names a column, a class or an id holds no control character, from Python too."""
    path = table(tmp_path / "e.csv", [name, name + "x", "b"], [[name, name, "q"], [name + "y", "", "q"]])
    for wanted in (
        {"truth": name.strip() + "!"},
        {"truth": name.strip(), "systems": [(name + "x").strip(), "b"]},
        {"truth": "b", "id": name.strip()},
        {"truth": (name + "x").strip(), "missing": "drop", "positive": name + "?"},
    ):
        with pytest.raises(OutclassError) as caught:
            oc.compare(path, measure="f1", **wanted)  # type: ignore[arg-type]
        assert is_plain(str(caught.value))


def test_cells_of_spreadsheets() -> None:
    """A cell is text whatever sign it starts with, in wide letters too; a number stays one."""
    for name in ("=1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠x"):
        assert cell(name)[0] in "'\\"
    assert cell(-1) == "-1"
    assert cell("a=1") == "a=1"
