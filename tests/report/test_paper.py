"""Tables for papers, Markdown and notebooks: systems as rows, with score, difference, P and p."""

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import outclass as oc

RNG = np.random.default_rng(7)
TRUTH = RNG.choice(["ham", "spam"], 400, p=[0.7, 0.3])
OTHER = np.where(TRUTH == "ham", "spam", "ham")
NEW, OLD, BASE = (np.where(RNG.random(400) < right, TRUTH, OTHER) for right in (0.93, 0.85, 0.8))
TWO: dict[str, Any] = {"names": ["new", "old"], "positive": "spam"}
COLOURS = np.array(["red", "green", "blue"])
HUE = COLOURS[RNG.integers(0, 3, 300)]
HUES = [np.where(RNG.random(300) < right, HUE, COLOURS[RNG.integers(0, 3, 300)]) for right in (0.9, 0.7)]
HOSTILE = "<b>|_%$&\\input{x}"


def _cells(text: str) -> list[list[str]]:
    """Return the cells of the first table in Markdown."""
    lines = [line for line in text.partition("\n\n| ")[2].partition("\n\n")[0].splitlines() if line]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]


class _Table(HTMLParser):
    """The rows of all tables of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self.inside = False
        self.tags: set[str] = set()
        self.feed(re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        self.inside = tag in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1].append(data)
            self.inside = False


def test_systems_are_rows() -> None:
    """Of one comparison each system has a row with its score; the difference stands beside the first."""
    answer = oc.compare(TRUTH, NEW, OLD, **TWO)
    head, _, new, old = _cells(answer.to_markdown())
    row = answer.only

    assert head == ["system", r"F1 \[95% HDI\]", "Δ", "P(Δ &gt; 0)", "p", "decision"]
    assert new[0] == "new"
    assert new[1].startswith(f"{row.systems[0].mean:.3f} [{row.systems[0].hdi.low:.3f}, ")
    assert new[2].startswith(f"{row.difference.mean:+.3f} [{row.difference.hdi.low:+.3f}, ")
    assert new[4] == "&lt;.001"
    assert old == ["old", old[1], "–", "–", "–", "–"]
    assert old[1].startswith(f"{row.systems[1].mean:.3f} [")


def test_latex_is_booktabs_without_codes() -> None:
    """A paper gets the table and notes in words; the codes of findings are in a comment."""
    told = oc.compare(TRUTH, NEW, OLD, **TWO).to_latex()
    comment, _, table = told.partition("\n")

    assert comment == "% findings: OC305"
    assert not re.search(r"OC\d{3}", table)
    assert r"system & F1 [95\% HDI] & $\Delta$ & $P(\Delta > 0)$ & $p$ & decision \\" in table
    assert r"$\Delta$: new $-$ old; P: posterior probability; p: exact permutation test.\par" in table
    assert r"ROPE $\pm$5 points (the default)." in table
    assert [table.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 1, 1]
    assert "|" not in table.partition(r"\begin{tabular}")[2].partition("}")[0]


def test_more_systems_are_compared_with_the_last() -> None:
    """Each system has one row, with its difference from the last; all pairs follow in a table of their own."""
    answer = oc.compare(TRUTH, {"new": NEW, "old": OLD, "base": BASE}, positive="spam")
    told = answer.to_markdown()
    lines = _cells(told)
    by_pair = {tuple(system.name for system in row.systems): row for row in answer.rows}

    assert [line[0] for line in lines[2:]] == ["new", "old", "base"]
    for line in lines[2:4]:
        assert line[2].startswith(f"{by_pair[line[0], 'base'].difference.mean:+.3f}")
    assert lines[4][2] == "–"
    assert told.count("\n| new | old |") == told.count("\n| old | base |") == 1
    assert answer.to_latex().count(r"\begin{table}") == 2


def test_many_labels_have_both_scores_in_a_row() -> None:
    """One row per label, whose columns of scores are named after the systems."""
    answer = oc.compare(HUE, *HUES, names=["good", "poor"], by="label")
    head, _, *lines = _cells(answer.to_markdown())

    assert head[:4] == ["label", "good", "poor", "Δ"]
    assert [line[0] for line in lines] == [str(row.label) for row in answer.rows]
    for line, row in zip(lines, answer.rows, strict=True):
        assert [float(cell.split()[0]) for cell in line[1:3]] == pytest.approx(
            [system.mean for system in row.systems], abs=6e-4
        )


def test_evaluations_of_many_labels_stand_side_by_side() -> None:
    """One row per label with every system's score; of one label, one row per system."""
    many = _cells(oc.evaluate(HUE, *HUES, names=["good", "poor"], by="label").to_markdown())
    one = _cells(oc.evaluate(HUE, *HUES, names=["good", "poor"], measure="accuracy").to_markdown())

    assert many[0] == ["label", "good", "poor"]
    assert [line[0] for line in many[2:]] == ["blue", "green", "red"]
    assert one[0] == ["system", "observed", r"accuracy \[95% HDI\]"]
    assert [line[0] for line in one[2:]] == ["good", "poor"]


def test_ranking_has_scores_with_intervals() -> None:
    """A ranking's table is systems, scores and the probability of being best."""
    head, _, first, *_ = _cells(oc.rank(TRUTH, NEW, OLD, **TWO).to_markdown())

    assert head == ["system", r"F1 for spam \[95% HDI\]", "95% ranks", "P(best)", "group"]
    assert re.fullmatch(r"new \d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\] 1 (&gt;)?\d+\.\d% a", " ".join(first))


def test_tests_have_no_marks() -> None:
    """The p-value stands by itself, beside the difference and its interval."""
    head, _, *lines = _cells(oc.test(TRUTH, NEW, OLD, **TWO).to_markdown())

    assert head[:2] == ["test", "measure"]
    assert head[-1] == "p"
    assert "mark" not in head
    assert all("[" in line[head.index("Δ")] for line in lines if line[0].startswith("permutation"))


def test_notebook_shows_the_same_table() -> None:
    """The notebook's cells are those of Markdown, and nothing in them is obeyed."""
    answer = oc.compare(TRUTH, {HOSTILE: NEW, "old": OLD}, positive="spam")
    shown = _Table(answer._repr_html_())

    assert shown.rows[0] == ["system", "F1 [95% HDI]", "Δ", "P(Δ > 0)", "p", "decision"]
    assert [row[0] for row in shown.rows[1:]] == [HOSTILE, "old"]
    assert "b" not in shown.tags


def test_hostile_names_in_decisions() -> None:
    """A decision that names who leads escapes the name as every other cell does."""
    weak = np.where(np.arange(400) % 40 == 0, OTHER, OLD)
    answer = oc.compare(TRUTH, {"old": OLD, HOSTILE: weak}, positive="spam", rope=0.01)

    assert not answer.verdict.is_decided
    leans = next(line for line in answer.to_latex().splitlines() if "leans" in line)
    assert r"\input" not in leans
    assert re.fullmatch(r"old & .* & leans old \\\\", leans)
    swapped = oc.compare(TRUTH, {HOSTILE: OLD, "weak": weak}, positive="spam", rope=0.01)
    assert r"leans \textless{}b\textgreater{}\textbar{}\_\%\$\&\textbackslash{}input\{x\} \\" in swapped.to_latex()
    assert r"leans &lt;b&gt;\|\_%$&amp;\\input\{x\} |" in swapped.to_markdown()


def test_one_sided_rope_in_latex() -> None:
    """The sign of non-inferiority is one that LaTeX knows."""
    told = oc.compare(TRUTH, NEW, OLD, rope=(-0.02, float("inf")), **TWO).to_latex()

    assert r"& $\ge$ \\" in told


def test_wins_have_no_scores() -> None:
    """Of wins alone nothing is known of either system: the table is of the pair."""
    head, _, line = _cells(oc.compare(wins=(30, 10), items=300).to_markdown())

    assert head == ["A", "B", "Δ", "P(Δ &gt; 0)", "p", "decision"]
    assert line[:2] == ["A", "B"]
