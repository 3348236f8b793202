"""What a reproduced paper gives: tables, ours beside theirs, checks, an account; and the folder they go to."""

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

from outclass.atomic import write_whole
from outclass.errors import FileError, InputError, MissingExtraError, quoted
from outclass.report import terminal, text
from outclass.report.drawing.files import file_of
from outclass.report.formats import latex, markdown
from outclass.report.full import versions
from outclass.report.sheets import Sheet
from outclass.report.tables import Column
from outclass.rows.plain import from_plain, loads, to_plain

Cell = str | int | float | None
LIBRARIES: Final = ("outclass", "numpy", "scipy", "scikit-learn", "nltk")
KIND: Final = "outclass study"
VERSION: Final = 1
FEW_DRAWS: Final = 2_000  # of a quick run


@dataclass(frozen=True, kw_only=True)
class Heading:
    """The head of a table's column: how many decimals its numbers have, and how dear it is where there is no room."""

    title: str
    digits: int = 0
    signed: bool = False
    rank: int = 0


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of numbers and words."""

    key: str
    title: str
    heads: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    @property
    def columns(self) -> list[Column]:
        """The columns, as every rendering takes them."""
        return [
            Column(
                key=f"c{place}",
                title=head.title,
                cells=tuple(_told(row[place], head) for row in self.rows),
                is_name=all(row[place] is None or isinstance(row[place], str) for row in self.rows),
                rank=head.rank,
            )
            for place, head in enumerate(self.heads)
        ]


def _told(value: Cell, head: Heading) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:{'+' if head.signed else ''}.{head.digits}f}"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that a paper says, what we find, and whether that agrees."""

    what: str
    ours: str
    theirs: str
    agrees: bool | None  # None: not to be judged, because we chose what it depends on, or the paper says nothing
    why: str = ""  # it does not, or what to know of it

    @property
    def told(self) -> str:
        """Whether it agrees, in a word."""
        return "not assessed" if self.agrees is None else "yes" if self.agrees else "no"


@dataclass(frozen=True, kw_only=True)
class Results:
    """A paper, reproduced."""

    study: str
    title: str
    corpus: str
    quick: bool
    settings: Mapping[str, Any]
    tables: tuple[Table, ...]
    checks: tuple[Check, ...]
    account: tuple[str, ...]
    figures: Mapping[str, str] = field(default_factory=dict)  # file: what it shows
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The outcome in one sentence."""
        if self.quick:
            return "A quick run on part of the corpus, only to check that it runs; nothing is compared with the paper."
        judged = [check for check in self.checks if check.agrees is not None]
        told = f"{sum(bool(check.agrees) for check in judged)} of {len(judged)} checks against the paper agree"
        rest = len(self.checks) - len(judged)
        return told + (f"; {rest} more are shown but not assessed." if rest else ".")

    @property
    def check_table(self) -> Table:
        """The checks, as a table."""
        rows = tuple(
            (check.what, check.ours, check.theirs, "not assessed" if self.quick else check.told)
            for check in self.checks
        )
        heads = tuple(
            Heading(title=title, rank=rank) for title, rank in (("what", 0), ("ours", 0), ("theirs", 1), ("agrees", 0))
        )
        return Table(key="checks", title="Ours against the paper", heads=heads, rows=rows)

    @property
    def sheet(self) -> Sheet:
        """What there is to show."""
        tables = [(table.title, table.columns) for table in (*self.tables, self.check_table)]
        return Sheet(self.title, [self.words], tables, [f"* {each}" for each in self.told], [])

    @property
    def told(self) -> tuple[str, ...]:
        """What agrees, what does not, and why."""
        whys = [f"{check.what}: {check.why}" for check in self.checks if check.why]
        return (*whys, *self.account)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, in the shape of `results.json`."""
        return {"kind": KIND, "version": VERSION, **to_plain(self)}

    def to_json(self) -> str:
        """Return JSON."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, given: str) -> "Results":
        """Read `results.json` back."""
        plain = loads(given)
        if not isinstance(plain, dict) or plain.get("kind") != KIND or plain.get("version") != VERSION:
            raise InputError("this JSON holds no study of this version of outclass.")
        return from_plain(cls, plain, "a study")

    def to_markdown(self, figures_at: str = "") -> str:
        """Return the whole as a page: the outcome, the checks, what does not agree and why, then every table.

        `figures_at` is where the folder of figures is, seen from the page.
        """
        parts = [f"# {self.title}", self.corpus, f"**{self.words}**", markdown.table(self.check_table.columns).rstrip()]
        if self.told:
            parts += [
                "## What agrees, what does not, and why",
                "\n".join(f"* {text.markdown(each)}" for each in self.told),
            ]
        for file, shown in self.figures.items():
            parts += [f"## {text.markdown(shown)}", f"![{text.markdown(shown)}]({figures_at}{file})"]
        for table in self.tables:
            parts += [f"## {text.markdown(table.title)}", markdown.table(table.columns).rstrip()]
            parts += [text.markdown(table.note)] if table.note else []
        told = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        return "\n\n".join([*parts, f"Produced with {told}."]) + "\n"

    def to_latex(self) -> str:
        """Return every table in LaTeX (booktabs)."""
        return "\n".join(
            latex.table(table.title, table.columns, [table.note] if table.note else []) for table in self.tables
        )

    def __str__(self) -> str:
        return terminal.for_screen(lambda width: terminal.sheet(self.sheet, width))


def printed(name: str) -> list[dict[str, str]]:
    """Return one of the papers' tables as printed."""
    with resources.files("outclass.studies").joinpath("printed", f"{name}.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@dataclass(kw_only=True)
class Desk:
    """Where a study is worked out: its corpora come from `data`, what is finished goes into `folder`.

    Parameters
    ----------
    folder
        Predictions, results, tables, figures, the page and the account are written here. What it holds of an
        interrupted run with the same settings is not done again.
    data
        Where the corpora are; None asks scikit-learn and NLTK.
    quick, tune
        A small part of the corpus; parameters by grid search.
    tell
        Called with what is being done, how many steps are done, and how many there are.
    """

    folder: Path
    data: Path | None = None
    quick: bool = False
    tune: bool = False
    tell: Callable[[str, int, int], None] = lambda what, done, total: None
    steps: int = 1
    done: int = 0
    figures: dict[str, str] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)

    def open(self, study: str, steps: int) -> None:
        """Make the folder, or take up what it holds; refuse one of another run."""
        self.steps, self.done = steps, 0
        self.figures = {}
        own = {"study": study, "quick": self.quick, "tune": self.tune, "versions": versions(LIBRARIES)}
        key = self.folder / "run.json"
        try:
            if key.exists():
                if _plain(key) != own:
                    raise InputError(
                        f"{quoted([self.folder])} holds another run ({_different(_plain(key), own)}). Name another "
                        "folder (--output), or empty this one."
                    )
            elif self.folder.exists() and any(self.folder.iterdir()):
                raise InputError(
                    f"{quoted([self.folder])} is not empty, and is no run of ours. Name another (--output)."
                )
            for part in ("predictions", "tables", "figures"):
                (self.folder / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"cannot use the folder {quoted([self.folder])}: {error.strerror}.") from None
        write_whole(key, json.dumps(own, indent=1) + "\n")
        notes = self.folder / "notes.json"
        kept = _plain(notes) if notes.exists() else {}
        self.notes = kept if isinstance(kept, dict) else {}

    def note(self, part: str, name: str, value: Any) -> None:
        """Keep something that was found on the way and that is not to be found again."""
        self.notes.setdefault(part, {})[name] = value
        write_whole(self.folder / "notes.json", json.dumps(self.notes, indent=1) + "\n")

    @property
    def how(self) -> dict[str, Any]:
        """How to compare: with the papers' prior; by draws in a quick run, which has few documents."""
        return {"prior": "uniform"} | ({"method": "draws", "draws": FEW_DRAWS} if self.quick else {})

    def step(self, what: str) -> None:
        """Say what comes next."""
        self.tell(what, self.done, self.steps)
        self.done += 1

    def predictions(
        self, name: str, key: str, truth: Sequence[Any], systems: Mapping[str, Callable[[], Sequence[Any]]]
    ) -> dict[str, list[Any]]:
        """Return the truth and what each system says of it, from the folder or by asking the system; keep each.

        A label an item, or a list of labels. `key` stands for the corpus and the settings: what was kept under another
        is not used.
        """
        path = self.folder / "predictions" / f"{name}.parquet"
        found = _read(path) if self.notes.get("keys", {}).get(name) == key else {}
        if found.get("truth") != list(truth):
            found = {"truth": list(truth)}
            self.note("keys", name, key)
        for system, asked in systems.items():
            self.step(f"{name}: {system}")
            if system not in found:
                found[system] = list(asked())
                write_labels(found, path)
        return {each: found[each] for each in ("truth", *systems)}

    def figure(self, file: str, shown: str, chart: Callable[[], Any]) -> None:
        """Draw a figure; where the extra it needs is missing there is none."""
        try:
            drawn = file_of(chart(), ".svg")
        except MissingExtraError:
            return
        write_whole(self.folder / "figures" / f"{file}.svg", drawn)
        self.figures[f"figures/{file}.svg"] = shown

    def close(self, results: Results, page: Callable[[Path], Any]) -> Results:
        """Write everything that a study has found."""
        finished = replace(results, quick=self.quick, figures=dict(self.figures), versions=versions(LIBRARIES))
        if self.quick:
            # What is told of the whole corpus does not hold of a part of it.
            checks = tuple(replace(check, agrees=None, why="") for check in finished.checks)
            finished = replace(finished, corpus=f"A part of: {finished.corpus}", checks=checks, account=())
        for table in (*finished.tables, finished.check_table):
            told = markdown.document(table.title, table.columns, [], [table.note] if table.note else [])
            write_whole(self.folder / "tables" / f"{table.key}.md", told)
            told = latex.table(table.title, table.columns, [table.note] if table.note else [])
            write_whole(self.folder / "tables" / f"{table.key}.tex", told)
        page(self.folder / "report.html")
        write_whole(self.folder / "account.md", finished.to_markdown())
        write_whole(self.folder / "results.json", finished.to_json())
        self.tell("done", self.steps, self.steps)
        return finished


def write_labels(found: Mapping[str, Sequence[Any]], path: Path) -> None:
    """Write labels as a small Parquet file."""
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {}
    for name, labels in found.items():
        many = bool(labels) and not isinstance(labels[0], str)
        columns[name] = pa.array(labels, pa.list_(pa.string())) if many else pa.array(labels).dictionary_encode()
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream, compression="zstd", compression_level=19)
    write_whole(path, stream.getvalue())


def _different(there: Any, own: Mapping[str, Any]) -> str:
    if not isinstance(there, dict):
        return "its run.json cannot be read"
    names = [name for name, value in own.items() if there.get(name) != value]
    return "another " + " and ".join(names).replace("versions", "version of a library")


def _plain(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None


def _read(path: Path) -> dict[str, list[Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.exists():
        return {}
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException):
        return {}  # damaged: it is made again
    return {name: table[name].to_pylist() for name in table.column_names}


def farthest(pairs: Iterable[tuple[float, float]]) -> float:
    """Return the greatest distance of ours from theirs."""
    return max(abs(ours - theirs) for ours, theirs in pairs)
