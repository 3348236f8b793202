"""How near the bare limits: rows to counts, counts to answers, one answer to ten thousand. `make bench` runs it.

Every ratio is of two things measured in this run, the peer interleaved with ours, each in a fresh process where memory
or start-up matters. Writes docs/speed.md. `--quick` takes a hundredth of the rows, and writes nothing.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import billions
from many_labels import many_labels

PAGE = Path(__file__).parents[1] / "docs" / "speed.md"
KEPT = Path(__file__).with_name("speed.json")
DEMO = Path(__file__).parents[1] / "src" / "outclass" / "datasets" / "20news.parquet"
ROUNDS = 5
SLICED = 20  # columns


class Row(NamedTuple):
    """One line of the table: what, ours and the bare limit (seconds), memory beyond the limit's (MB), the goal."""

    what: str
    bare: str
    ours_s: float
    bare_s: float
    extra_mb: float | None
    goal: str

    @property
    def ratio(self) -> float:
        """How many times the limit ours takes."""
        return self.ours_s / self.bare_s


# --- in a process of its own -----------------------------------------------------------------------------------------


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(task: str, *arguments: Any) -> tuple[float, ...]:
    """Run one of `TASKS` in a fresh process; return its seconds, the memory (MB) it took, and what else it tells."""
    command = [sys.executable, __file__, "--task", task, *map(str, arguments)]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return tuple(json.loads(out.splitlines()[-1]))


def labels(items: int, kind: str) -> list[np.ndarray]:
    """Return a truth and two systems, made without more memory than they take."""
    rng = np.random.default_rng(0)
    columns = [np.zeros(items, dtype=kind) for _ in range(3)]
    for start in range(0, items, 1 << 20):
        part = slice(start, min(start + (1 << 20), items))
        size = part.stop - part.start
        truth = rng.integers(0, 256, size, dtype=np.uint8) < 80
        columns[0][part] = truth
        for column in columns[1:]:
            column[part] = truth ^ (rng.integers(0, 256, size, dtype=np.uint8) < 25)
    return columns


def ours_arrays(items: str, kind: str) -> tuple[float, float]:
    from outclass.data.arrays import from_arrays

    truth, a, b = labels(int(items), kind)
    from_arrays(truth[:1000], {"A": a[:1000], "B": b[:1000]})
    before, start = peak(), time.perf_counter()
    from_arrays(truth, {"A": a, "B": b})
    return time.perf_counter() - start, peak() - before


def bare_arrays(items: str, kind: str) -> tuple[float, float]:
    truth, a, b = labels(int(items), kind)
    packed = np.zeros(len(truth), dtype=np.int64)  # its pages are there before the clock runs
    packed.fill(1)
    before, start = peak(), time.perf_counter()
    np.multiply(truth, 4, out=packed, casting="unsafe")
    packed += a
    packed += a
    packed += b
    np.bincount(packed, minlength=8)
    return time.perf_counter() - start, peak() - before


def ours_parquet(path: str) -> tuple[float, float]:
    from outclass.data.files import from_files

    start = time.perf_counter()
    from_files([path], truth="truth", systems=["a", "b"])
    return time.perf_counter() - start, peak()


def bare_parquet(path: str) -> tuple[float, float]:
    import duckdb

    start = time.perf_counter()
    duckdb.sql(f"SELECT truth, a, b, count(*) FROM '{path}' GROUP BY ALL").fetchall()
    return time.perf_counter() - start, peak()


def ours_join(first: str, second: str) -> tuple[float, float]:
    from outclass.data.files import from_files

    start = time.perf_counter()
    from_files([first, second], truth="truth", id="id")
    return time.perf_counter() - start, peak()


def bare_join(first: str, second: str) -> tuple[float, float]:
    import duckdb

    start = time.perf_counter()
    duckdb.sql(
        f"SELECT f.truth, a, b, count(*) FROM '{first}' f FULL JOIN '{second}' s ON f.id = s.id GROUP BY ALL"
    ).fetchall()
    return time.perf_counter() - start, peak()


def ours_slices(path: str) -> tuple[float, float]:
    import outclass as oc

    start = time.perf_counter()
    oc.slices(path, truth="truth", systems=["a", "b"], positive="spam")
    return time.perf_counter() - start, peak()


def bare_slices(path: str) -> tuple[float, float]:
    import duckdb

    names = [f"c{at}" for at in range(SLICED)]
    sets = ", ".join(f"({one}, {other}, truth, a, b)" for one, other in combinations(names, 2))
    start = time.perf_counter()
    duckdb.sql(
        f"SELECT {', '.join(names)}, truth, a, b, count(*) FROM '{path}' GROUP BY GROUPING SETS ({sets})"
    ).fetchall()
    return time.perf_counter() - start, peak()


def ours_batch(systems: str) -> tuple[float, ...]:
    import outclass as oc
    from outclass.parallel import stop

    rng = np.random.default_rng(0)
    truth = rng.integers(0, 10, 1_000)
    said = [np.where(rng.random(1_000) < 0.2, rng.integers(0, 10, 1_000), truth) for _ in range(int(systems))]
    names = [f"s{place}" for place in range(int(systems))]
    data = oc.Outcomes.of_rows(names, np.stack([truth, *said], axis=1).tolist(), [1] * 1_000)
    oc.compare(data.selected(names[:2]), by="label", tolerance=5e-4)
    singles = []
    for other in names[2:5]:
        start = time.perf_counter()
        oc.compare(data.selected([names[0], other]), by="label", tolerance=5e-4)
        singles.append((time.perf_counter() - start) / 10)
    start = time.perf_counter()
    found = oc.compare(data, by="label")
    took = time.perf_counter() - start
    stop()  # of processes only those that have ended are accounted for
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return took, max(peak(), largest), median(singles), float(len(found))


TASKS: dict[str, Callable[..., tuple[float, ...]]] = {
    task.__name__: task
    for task in (
        ours_arrays,
        bare_arrays,
        ours_parquet,
        bare_parquet,
        ours_join,
        bare_join,
        ours_slices,
        bare_slices,
        ours_batch,
    )
}


# --- counting --------------------------------------------------------------------------------------------------------


def interleaved(ours: str, bare: str, *arguments: Any, rounds: int = 3) -> tuple[float, float, float]:
    """Return the median seconds of both, and by how much ours took more memory."""
    runs = [(measured(ours, *arguments), measured(bare, *arguments)) for _ in range(rounds)]
    (ours_s, ours_mb), (bare_s, bare_mb) = (
        tuple(median(run[which][what] for run in runs) for what in (0, 1)) for which in (0, 1)
    )
    return ours_s, bare_s, ours_mb - bare_mb


def arrays(items: int) -> list[Row]:
    rows = []
    for kind in ("int8", "int64"):
        found = [(measured("ours_arrays", items, kind), measured("bare_arrays", items, kind)) for _ in range(3)]
        ours, bare = (median(each[which][0] for each in found) for which in (0, 1))
        extra = max(each[0][1] for each in found)
        rows.append(
            Row(
                f"counting arrays of {items:,} rows, {kind}", "packing and `bincount`", ours, bare, extra, "1.5, 150 MB"
            )
        )
    return rows


def parquet(folder: Path, items: int) -> list[Row]:
    import duckdb

    rows, seconds = [], {}
    for size in (items // 200, items):
        path = folder / f"{size}.parquet"
        duckdb.sql(
            f"COPY (SELECT CASE WHEN hash(i) % 100 < 30 THEN 'spam' ELSE 'ham' END AS truth, "
            f"CASE WHEN hash(i + 7) % 100 < 10 THEN 'spam' ELSE truth END AS a, "
            f"CASE WHEN hash(i + 11) % 100 < 12 THEN 'ham' ELSE truth END AS b FROM range({size}) t(i)) TO '{path}'"
        )
        ours, bare, extra = interleaved("ours_parquet", "bare_parquet", path)
        seconds[size] = ours
        rows.append(
            Row(f"counting Parquet of {size:,} rows", "a bare DuckDB `GROUP BY`", ours, bare, extra, "1.3, 300 MB")
        )
    few, many = seconds.values()
    print(f"200 times the rows take {many / few:.0f} times as long")
    return rows


def many_rows(folder: Path, scale: int) -> list[Row]:
    """Count up to two billion rows, and compare the second billion with the first."""
    found = billions.counted(folder, scale)
    rows = [
        Row(
            f"counting Parquet of {each.rows:,} rows, in shards",
            "a bare DuckDB `GROUP BY`",
            each.ours_s,
            each.bare_s,
            each.ours_mb - each.bare_mb,
            "1.3",
        )
        for each in found
    ]
    one, two = found[-2:]
    more = two.ours_mb - one.ours_mb
    what = f"the second {one.rows:,} rows"
    return [*rows, Row(what, "the first as many, ours", two.ours_s - one.ours_s, one.ours_s, more, "1.2, 50 MB")]


def join(folder: Path, items: int) -> list[Row]:
    import duckdb

    paths = [folder / f"{name}.parquet" for name in ("a", "b")]
    for path, name, step in zip(paths, ("a", "b"), (1, 7), strict=True):
        duckdb.sql(
            f"COPY (SELECT (i * {step}) % {items} AS id, (id % 3 = 0) AS truth, "
            f"(hash(id + {step}) % 9 = 0) != truth AS {name} FROM range({items}) t(i)) TO '{path}'"
        )
    ours, bare, extra = interleaved("ours_join", "bare_join", *paths)
    return [
        Row(
            f"joining two files on {items:,} ids, checked",
            "a bare DuckDB `FULL JOIN`",
            ours,
            bare,
            extra,
            "",
        )
    ]


def slices(folder: Path, items: int) -> list[Row]:
    import duckdb

    path = folder / "slices.parquet"
    columns = ", ".join(f"'value ' || (hash(i + {100 + at}) % {3 + at % 8}) AS c{at}" for at in range(SLICED))
    duckdb.sql(
        f"COPY (SELECT {columns}, CASE WHEN hash(i) % 100 < 30 THEN 'spam' ELSE 'ham' END AS truth, "
        f"CASE WHEN hash(i + 7) % 100 < 10 THEN 'spam' ELSE truth END AS a, "
        f"CASE WHEN hash(i + 11) % 100 < 12 THEN 'ham' ELSE truth END AS b FROM range({items}) t(i)) TO '{path}'"
    )
    found = [(measured("ours_slices", path), measured("bare_slices", path)) for _ in range(3)]
    ours, bare = (median(each[which][0] for each in found) for which in (0, 1))
    print(f"a search for slices takes {max(each[0][1] for each in found):,.0f} MB in all")
    extra = max(each[0][1] for each in found) - median(each[1][1] for each in found)
    what = f"searching the slices of {SLICED} columns and their pairs, {items:,} rows"
    return [Row(what, "a bare DuckDB `GROUP BY` of all pairs", ours, bare, extra, "5")]


# --- answering -------------------------------------------------------------------------------------------------------


def bare_draws(truth: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    counts = np.bincount(truth * 4 + a * 2 + b, minlength=8)
    rng = np.random.default_rng(0)
    for count in counts:
        rng.standard_gamma(1.0 + count, 50_000)


def answers() -> list[Row]:
    """One comparison: against drawing its posterior; and in all measures, against one."""
    import outclass as oc

    rows = []
    for items in (7_532, 1_000_000):
        truth, *said = labels(items, "int64")

        # What is defined in this loop is called in its own turn of it (B023).
        def asked(turn: int) -> list[np.ndarray]:
            # Other data every time, so that nothing but the points of integration is at hand already.
            return [np.where(np.arange(items) % 97 == turn, truth, each) for each in said]  # noqa: B023

        sets = [asked(turn) for turn in range(2 * ROUNDS + 2)]
        one, least = alternating(
            lambda turn: oc.compare(truth, *sets[turn], measure="f1"),  # noqa: B023
            lambda: bare_draws(truth, *sets[0]),  # noqa: B023
            2 * ROUNDS + 1,
        )
        every, single = alternating(
            lambda turn: oc.compare(truth, *sets[turn], measure="all"),  # noqa: B023
            lambda: oc.compare(truth, *sets[-1], measure="f1", rope=0.04),  # noqa: B023
            ROUNDS,
        )
        what = f"{items:,} items"
        rows.append(Row(f"a full comparison in F1, {what}", "`bincount` and 400,000 gammas", one, least, None, "1.7"))
        rows.append(Row(f"a full comparison in all 13 measures, {what}", "the same in F1", every, single, None, "6"))
    return rows


def pages() -> list[Row]:
    """A page: against the answers it shows."""
    import outclass as oc

    data = oc.datasets.load("20news")
    pair = data.selected(["nb_mult", "svm_l2"])
    few = oc.compare(pair, by="label")
    few.to_html()
    took, least = alternating(
        lambda turn: oc.compare(pair, by="label", rng=turn).to_html(), lambda: oc.compare(pair, by="label"), 3
    )
    rows = [Row("a page of 20 labels, with its answers", "the answers", took, least, None, "3")]

    def many(seed: int) -> tuple[Any, ...]:
        more = oc.compare(data, by="label", measure="recall", rng=seed).rows
        return (*oc.compare(data, by="label", rng=seed).rows, *more[:80])

    took, least = alternating(lambda turn: oc.Comparison(many(turn)).to_html(), lambda: many(0), 2)
    return [*rows, Row("a page of 200 comparisons, with its answers", "the answers", took, least, None, "3")]


def alternating(ours: Callable[[int], object], bare: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the median seconds of both, in turns; the first turn warms up."""
    times: list[tuple[float, float]] = []
    for turn in range(rounds + 1):
        start = time.perf_counter()
        ours(turn)
        middle = time.perf_counter()
        bare()
        times.append((middle - start, time.perf_counter() - middle))
    first, second = (median(each[which] for each in times[1:]) for which in (0, 1))
    return first, second


def scores() -> list[Row]:
    return [scored(each, items) for items in (7_532, 1_000_000) for each in ("auc", "average_precision", "brier")]


def scored(measure: str, items: int) -> Row:
    """Compare scores: against DeLong's test of the same arrays or, of many, passes over sorted weights."""
    import outclass as oc
    from outclass.significance.delong import delong

    rng = np.random.default_rng(1)
    truth, common = rng.random(items) < 0.1, rng.normal(size=items)
    a, b = (1 / (1 + np.exp(2 - shift * truth - common - 0.7 * rng.normal(size=items))) for shift in (1.2, 1.0))
    labels_of, weights = truth.astype(int), rng.standard_exponential(items)

    def passes() -> None:
        for _ in range(1_000):
            np.cumsum(weights * truth)

    few = items < 10_000
    bare = (lambda: delong(truth, a, b)) if few else passes
    took, least = alternating(
        lambda seed: oc.compare(labels_of, a, b, measure=measure, rng=seed), bare, ROUNDS if few else 2
    )
    name = "DeLong's test of the arrays" if few else "1,000 weighted cumulative sums"
    return Row(f"comparing {measure}, {items:,} items", name, took, least, None, "10" if few else "3")


def ranking() -> list[Row]:
    """Rank many systems: against the product of as many weights with what every system has right."""
    import outclass as oc

    rng = np.random.default_rng(2)
    systems, items, draws = 500, 10_000, 2_000
    truth = rng.integers(0, 2, items)
    said = {f"s{place}": np.where(rng.random(items) < 0.6 + 5e-4 * place, truth, 1 - truth) for place in range(systems)}
    right = np.array([each == truth for each in said.values()], dtype=float).T

    def bare() -> None:
        weights = rng.standard_exponential((draws, items))
        _ = weights @ right

    took, least = alternating(lambda seed: oc.rank(truth, said, measure="accuracy", rng=seed), bare, 2)
    what = f"ranking {systems} systems by accuracy, {items:,} items"
    return [Row(what, f"{draws:,} draws of weights, and their product", took, least, None, "3")]


def plans() -> list[Row]:
    """Judge simulated test sets: against the bare draws that a posterior by sampling would take."""
    from outclass import measures
    from outclass.inference.distribution import Interval
    from outclass.models.prior import prior_of
    from outclass.planning.intervals import Rule
    from outclass.planning.power import goal_of, probability
    from outclass.planning.scenario import Scenario

    world = Scenario(0.5, (0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3))
    prior, goal, sets = prior_of("uniform"), goal_of(">>"), 2_000
    rule = Rule(measure=measures.get("f1"), priors={"paired": prior}, rope=Interval(-0.05, 0.05), hdi_mass=0.95)
    rng = np.random.Generator(np.random.SFC64(1))
    took, least = alternating(
        lambda seed: probability(world, 1_500, goal, "paired", rule, sets, [seed]),
        lambda: rng.standard_gamma(250.0, (sets, 1_000, 10)),
        ROUNDS,
    )
    return [
        Row(f"planning, {sets:,} simulated test sets", "1,000 draws of each set's ten gammas", took, least, None, "1")
    ]


def batch(systems: int) -> list[Row]:
    took, memory, one, rows = measured("ours_batch", systems)
    many = f"{int(rows):,}"
    return [
        Row(f"a batch of {many} comparisons", f"{many} times one comparison", took, rows * one, memory, "2, 500 MB")
    ]


GOALS = {"`outclass --help`": "1", "`outclass compare` of one label of the demo": "2.2"}


def start_up() -> list[Row]:
    command = Path(sys.executable).with_name("outclass")
    demo = ["compare", str(DEMO), "--truth", "truth", "--system", "nb_mult", "--system", "svm_l2"]
    asked = {
        "`outclass --help`": ["--help"],
        "`outclass compare` of one label of the demo": [*demo, "--positive", "sci.space"],
        "`outclass compare` of all labels of the demo, macro-F1": demo,
        "`outclass compare --by label` of the demo, 20 comparisons": [*demo, "--by", "label"],
    }
    bare_command = [sys.executable, "-c", "import numpy, scipy.special, duckdb"]
    times: dict[str, list[float]] = {name: [] for name in ("bare", *asked)}
    for _ in range(ROUNDS + 2):
        for name, arguments in (("bare", None), *asked.items()):
            run = bare_command if arguments is None else [str(command), *arguments]
            start = time.perf_counter()
            subprocess.run(run, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            times[name].append(time.perf_counter() - start)
    bare = median(times.pop("bare"))
    return [
        Row(name, "importing NumPy, scipy.special and DuckDB", median(each), bare, None, GOALS.get(name, ""))
        for name, each in times.items()
    ]


# --- the page --------------------------------------------------------------------------------------------------------


def kept() -> dict[str, Any]:
    """Return what was measured before, by part: when, and its rows."""
    return dict(json.loads(KEPT.read_text(encoding="utf-8"))) if KEPT.exists() else {}


def keep(part: str, rows: list[Row]) -> None:
    """Put a part in the place of what was measured of it before: a run that is cut off loses one part at most."""
    every = kept() | {part: {"date": date.today().isoformat(), "machine": machine(), "rows": rows}}
    KEPT.write_text(
        json.dumps({name: every[name] for name in PARTS if name in every}, indent=1) + "\n", encoding="utf-8"
    )
    PAGE.write_text(page(every), encoding="utf-8")


def machine() -> str:
    named = (line.partition(": ")[2] for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line)
    return f"{next(named, '')}, {os.cpu_count()} cores, Python {platform.python_version()}"


def page(measured: dict[str, Any]) -> str:
    machines = dict.fromkeys(part["machine"] for part in measured.values())
    lines = [
        "# Speed against simple baselines",
        "",
        "<!-- Made by `make bench` (benchmarks/scale.py) from benchmarks/speed.json. -->",
        "",
        "Counting rows and sampling a posterior are unavoidable; the baseline does just that, in the simplest",
        "way. Each row is measured in one run on one machine, alternating with the baseline; only the ratios",
        "carry over to other machines. Memory is relative to the baseline (for arrays: beyond the arrays; for the",
        "batch: that of the largest process). The batch is compared with single comparisons on one core, so on",
        "two cores the best possible ratio is 0.5. **Bold**: the goal was missed.",
        "",
        f"Measured on {'; '.join(machines)}.",
        "",
        "| what | the baseline | ours | baseline | ratio | more memory | goal | date |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for part in (measured[name] for name in PARTS if name in measured):
        for row in (Row(*each) for each in part["rows"]):
            memory = "" if row.extra_mb is None else f"{row.extra_mb:,.0f} MB"
            lines.append(
                f"| {row.what} | {row.bare} | {shown(row.ours_s)} | {shown(row.bare_s)} | {told(row)} | {memory} "
                f"| {row.goal} | {part['date']} |"
            )
    return "\n".join(lines) + "\n"


def told(row: Row) -> str:
    """Return the ratio, bold where it is above its goal."""
    goal = row.goal.partition(",")[0]
    return f"**{row.ratio:.2f}**" if goal and row.ratio > float(goal) else f"{row.ratio:.2f}"


def shown(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


class Sizes(NamedTuple):
    """Where files are put, and how much smaller a quick run is."""

    folder: Path
    scale: int
    quick: bool


PARTS: dict[str, Callable[[Sizes], list[Row]]] = {
    "start_up": lambda _: start_up(),
    "answers": lambda _: answers(),
    "pages": lambda _: pages(),
    "scores": lambda _: scores(),
    "ranking": lambda _: ranking(),
    "plans": lambda _: plans(),
    "many_labels": lambda sizes: [Row(*each) for each in many_labels(alternating, quick=sizes.quick)],
    "arrays": lambda sizes: arrays(100_000_000 // sizes.scale),
    "parquet": lambda sizes: parquet(sizes.folder, 200_000_000 // sizes.scale),
    "many_rows": lambda sizes: many_rows(sizes.folder, sizes.scale),
    "join": lambda sizes: join(sizes.folder, 100_000_000 // sizes.scale),
    "slices": lambda sizes: slices(sizes.folder, 1_000_000),
    "batch": lambda sizes: batch(6 if sizes.quick else 46),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", nargs="+")
    parser.add_argument("--quick", action="store_true", help="a hundredth of the rows; writes nothing")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS), help="measure these alone")
    given = parser.parse_args()
    if given.task:
        print(json.dumps(TASKS[given.task[0]](*given.task[1:])))
        return
    with tempfile.TemporaryDirectory(prefix="outclass-bench-") as name:
        sizes = Sizes(Path(name), 100 if given.quick else 1, given.quick)
        for part in given.part:
            rows = PARTS[part](sizes)
            for row in rows:
                print(f"{row.what}: {row.ratio:.2f} times {row.bare} ({shown(row.ours_s)})", flush=True)
            if not given.quick:
                keep(part, rows)


if __name__ == "__main__":
    main()
