"""Decisions of a gate: those of the raw logs, the six rows of the table, several checks, floors, margins."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from gate_suites import SHARED, gpqa, gsm8k, labels
from scipy import stats

import outclass as oc
from outclass.errors import InputError
from outclass.planning.needed import needed
from outclass.report.words.gate import to_decide
from outclass.significance.adjust import holm
from outclass.verdict.gate import Chances, GateDecision, decide, decide_interval

EXPECTED = json.loads((SHARED / "expected.json").read_text(encoding="utf-8"))
GATE = EXPECTED["gate"]
LONG = {"item": "item_id", "system_column": "model_id", "score": "score", "repeat": "epoch"}


def _agrees(check: Any, wanted: dict[str, Any]) -> None:
    # Worse and within the margin is "slightly worse", which comes first of the two.
    slightly = wanted["decision"] == "equivalent" and wanted["worse_than_zero"]
    assert check.decision.value == ("slightly worse" if slightly else wanted["decision"])
    assert check.chances.below_margin == pytest.approx(wanted["p_below_margin"], abs=0.01)
    assert check.needed.items_if_equal == pytest.approx(wanted["total_items_for_80pct_if_equal"], rel=0.03)
    assert check.needed.items_if_right == pytest.approx(wanted["total_items_for_80pct_if_observed"], rel=0.03)


@pytest.mark.parametrize("margin", list(GATE["gsm8k 6b_verification -> 175b_finetuning"]["at_margin"]))
def test_gsm8k(margin: str) -> None:
    """Decisions, probabilities and items on GSM8K are those of the raw files, at every margin."""
    case = GATE["gsm8k 6b_verification -> 175b_finetuning"]

    found = oc.gate(gsm8k(), scores=True, item="id", margin=float(margin)).only

    _agrees(found, case["at_margin"][margin])
    assert found.difference == pytest.approx(case["difference"], abs=1e-9)
    assert found.interval.low == pytest.approx(case["lower95_one_sided"], abs=1e-3)
    assert found.interval.high == pytest.approx(case["upper95_one_sided"], abs=1e-3)
    assert (found.flips.worse, found.flips.better) == (209, 152)


@pytest.mark.parametrize("margin", ["0.01", "0.02"])
def test_gsm8k_the_other_way(margin: str) -> None:
    """The better system is an improvement."""
    case = GATE["gsm8k 175b_finetuning -> 6b_verification"]["at_margin"][margin]

    found = oc.gate(
        gsm8k(), scores=True, item="id", margin=float(margin), systems=["175b_finetuning", "6b_verification"]
    )

    _agrees(found.only, case)
    assert found.exit == 0


@pytest.mark.parametrize("margin", list(GATE["gpqa nano -> 5.4-mini, item means of 5 epochs"]["at_margin"]))
def test_gpqa(margin: str) -> None:
    """Five epochs of GPQA are averaged within items: decisions and probabilities are those of the raw files."""
    case = GATE["gpqa nano -> 5.4-mini, item means of 5 epochs"]["at_margin"][margin]

    found = oc.gate(gpqa(), margin=float(margin), **LONG).only

    slightly = case["decision"] == "equivalent" and case["worse_than_zero"]
    assert found.decision.value == ("slightly worse" if slightly else case["decision"])
    assert found.chances.below_margin == pytest.approx(case["p_below_margin"], abs=0.01)
    assert found.needed.items_if_equal == pytest.approx(case["total_items_for_80pct_if_equal"], rel=0.06)


def test_gpqa_of_a_fixed_suite() -> None:
    """Of these very questions only generation noise counts, and the drop of 5.9 points is beyond two."""
    found = oc.gate(gpqa(), margin=0.02, population="these", **LONG).only

    assert found.decision is GateDecision.REGRESSED
    assert found.error == pytest.approx(EXPECTED["fixed_items"]["gpqa"]["se_fixed_items"], rel=0.03)


def test_undecided_names_repeats() -> None:
    """What would decide is told in items, and in repeats of the same items where they can decide."""
    closed = needed(-0.03, 0.02, 400, 0.08, 0.95, noise=0.0003, repeats=2)
    size = 1.6448536 + 0.8416212

    assert closed.items_if_right == int(np.ceil((size * 0.02 * 20 / 0.05) ** 2))
    assert closed.repeats_if_right == int(np.ceil(0.0003 * 2 / ((0.05 / size) ** 2 - 0.0001)))
    assert needed(-0.03, 0.02, 400, 0.04, 0.95, noise=0.0003, repeats=2).repeats_if_right is None


ROWS = [
    (-0.10, 0.01, "regressed"),
    (0.03, 0.01, "improved"),
    (0.00, 0.005, "equivalent"),
    (-0.01, 0.003, "slightly worse"),
    (0.012, 0.01, "non-inferior"),
    (-0.01, 0.03, "undecided"),
]


@pytest.mark.parametrize(("mean", "error", "wanted"), ROWS)
def test_six_decisions(mean: float, error: float, wanted: str) -> None:
    """The rows of the table from top to bottom, for a normal posterior with a margin of .02."""
    law = stats.norm(mean, error)
    below, worse, above = law.cdf(-0.02), law.cdf(0), 1 - law.cdf(0.02)

    found = decide(Chances(below_margin=below, worse=worse, better=1 - worse, within=1 - below - above))

    assert found.value == wanted
    limits = oc.anytime(0, 0, 1).interval.__class__(law.ppf(0.05), law.ppf(0.95))
    assert decide_interval(limits, 0.02).value == wanted


def test_all_kinds_of_data() -> None:
    """Whatever `compare` reads has a decision: labels, many labels, groups, counts per item, scores, wins, counts."""
    table = labels()
    rng = np.random.default_rng(3)
    group = [f"g{place % 40}" for place in range(600)]
    two = {"systems": ["old", "new"], "margin": 0.1}
    both = {"id": list(range(300)), "gold": rng.random(300) < 0.4}
    both |= {name: both["gold"] + rng.normal(0, 0.7, 300) for name in ("old", "new")}
    cells = {f"{name}_{cell}": rng.poisson(2, 80) + 1 for name in ("old", "new") for cell in ("tp", "fp", "fn")}
    many = {"gold": ["a;b", "a", "b", "c"] * 30, "old": ["a;b", "a", "b", "c"] * 30, "new": ["a", "a", "b", "c"] * 30}
    kinds = {
        "labels": oc.gate(table, truth="gold", positive="yes", **two),
        "groups": oc.gate({**table, "doc": group}, truth="gold", group="doc", positive="yes", **two),
        "many labels": oc.gate(many, truth="gold", separator=";", measure="macro_f1", **two),
        "counts per item": oc.gate(
            pd.DataFrame(cells), tp="*_tp", fp="*_fp", fn="*_fn", margin=0.1, measure="micro_f1"
        ),
        "scores": oc.gate(both, truth="gold", scores=True, measure="auc", id="id", **two),
        "wins": oc.gate(wins=(30, 12), items=200, margin=0.02),
        "counts": oc.gate(
            counts=[{"tp": 40, "fp": 9, "fn": 14, "tn": 66}, {"tp": 43, "fp": 7, "fn": 11, "tn": 68}], margin=0.1
        ),
        "arrays": oc.gate(table["gold"], table["old"], table["new"], positive="yes", margin=0.1),
    }

    for name, found in kinds.items():
        assert found.exit in (0, 1, 3), name
        assert oc.Gate.from_json(found.to_json()) == found, name
        assert np.isfinite(found.only.chances.below_margin), name
    assert kinds["labels"].only.chances == kinds["arrays"].only.chances


def test_lower_is_better() -> None:
    """Costs are turned round, and a margin in percent is of the baseline's value."""
    rng = np.random.default_rng(5)
    old = rng.exponential(2.0, 500)
    table = {"old": old, "new": old * 1.2}

    found = oc.gate(table, scores=True, lower_is_better=True, margin="5%").only

    assert found.decision is GateDecision.REGRESSED
    assert found.difference == pytest.approx(-0.2 * old.mean())
    assert found.margin == pytest.approx(0.05 * old.mean())
    assert oc.gate(table, scores=True, margin="5%").decision is GateDecision.IMPROVED


def _config(*margins: float, **more: Any) -> dict[str, Any]:
    checks = [{"name": f"check {place}", "margin": margin} for place, margin in enumerate(margins)]
    return {"gate": {"scores": True, "item": "id", "check": checks, **more}}


def test_failing_is_by_holm_and_passing_is_not() -> None:
    """Two checks with .990 and .947 do not fail together at .95 as one of .990 does alone; the worst decides."""
    alone = oc.gate(gsm8k(), config=_config(0.01))
    both = oc.gate(gsm8k(), config=_config(0.01, 0.02, 0.05, 0.1, 0.1, 0.1))

    assert alone.decision is GateDecision.REGRESSED
    assert [row.decision.value for row in both.checks[:2]] == ["undecided", "undecided"]
    assert both.checks[3].decision is GateDecision.SLIGHTLY_WORSE
    assert both.exit == 3
    values = [1 - row.chances.below_margin for row in both.checks]
    assert holm(values)[0] == pytest.approx(6 * values[0])


def test_floor_and_ceiling() -> None:
    """A floor is of the candidate's own value, with its interval."""
    table = {"gate": {"truth": "gold", "id": "id", "systems": ["old", "new"], "floor": []}}
    for value, wanted in ((0.7, "non-inferior"), (0.84, "undecided"), (0.95, "regressed")):
        table["gate"]["floor"] = [{"measure": "accuracy", "positive": "yes", "at_least": value}]

        found = oc.gate(labels(), config=table)

        assert found.only.decision.value == wanted
    table["gate"]["floor"] = [{"measure": "accuracy", "positive": "yes", "at_most": 0.7}]
    assert oc.gate(labels(), config=table).decision is GateDecision.REGRESSED


def test_slices_are_checks() -> None:
    """With `by`, all items and every slice are checks of one family."""
    table = {**labels(), "lang": ["en", "de", "fr"] * 200}

    found = oc.gate(
        table, truth="gold", systems=["old", "new"], by="lang", positive="yes", margin=0.1, measure="accuracy"
    )

    assert [row.name for row in found.checks] == [
        "accuracy",
        *(f"accuracy [lang: {each}]" for each in ("de", "en", "fr")),
    ]
    assert [row.items for row in found.checks] == [600, 200, 200, 200]


def test_one_check_that_cannot_be_judged() -> None:
    """One of several checks that cannot be judged is told and decides; the others are shown."""
    config = _config(0.1)
    config["gate"]["check"].append({"name": "odd", "margin": 0.1, "measure": "f11"})

    found = oc.gate(gsm8k(), config=config)

    assert [row.decision.value for row in found.checks] == ["slightly worse", "not judged"]
    assert "f11" in found.checks[1].why
    assert found.exit == 2


BAD = [
    ({}, "name the largest drop that is accepted"),
    ({"margin": -0.1}, "must not be negative"),
    ({"margin": "much"}, "must be a number"),
    ({"margin": 0.1, "undecided": "maybe"}, "must be one of"),
    ({"margin": 0.1, "confidence": 95}, "must lie between"),
    ({"margin": 0.1, "stages": "300,100"}, "growing numbers"),
    ({"margin": 0.1, "control": "online-fdr"}, "name a ledger"),
    ({"margin": 0.1, "config": {"gate": {}}}, "is not used with"),
    ({"config": {"gate": {"check": [{"marginn": 1}]}}}, "Did you mean 'margin'"),
    ({"config": {"gate": {"check": [{"name": "a"}]}}}, "has no margin"),
    ({"config": {"gate": {"baselin": "x", "check": []}}}, "Did you mean 'baseline'"),
    ({"config": {}}, "no table"),
    ({"margin": 0.1, "anchor_margin": 0.2}, "is the margin against an anchor"),
    ({"margin": 0.1, "systems": ["6b_verification"]}, "there is 1"),
]


@pytest.mark.parametrize(("asked", "told"), BAD)
def test_bad_input(asked: dict[str, Any], told: str) -> None:
    """What cannot be asked is one sentence."""
    with pytest.raises(InputError, match=told):
        oc.gate(gsm8k(), scores=True, item="id", **asked)


def test_no_margin_suggests_one() -> None:
    """Without a margin the noise of the suite is shown: the suggested margin passes an equal candidate in 80%."""
    with pytest.raises(InputError) as found:
        oc.gate(gsm8k(), scores=True, item="id")

    assert "0.014 on these 1,319 items" in str(found.value)
    assert "margin=0.036" in str(found.value)


def test_several_undecided_checks_say_what_would_decide() -> None:
    """Each undecided one of several checks says what would decide it, within eighty columns whatever the names."""
    checks = [{"name": f"a rather long name of a check, number {place}", "margin": 0.02} for place in range(3)]

    told = oc.gate(gsm8k(), config={"gate": {"scores": True, "item": "id", "check": checks}}).to_text()

    assert told.count("to decide (80%): ") == 3
    assert max(map(len, told.splitlines())) <= 80
    assert all(f"{place}  undecided" in told for place in range(3))


def test_items_or_repeats_whichever_is_cheaper() -> None:
    """Of items and repeats the cheaper comes first, with how many answers it takes; a fixed suite has no more items."""
    row = oc.gate(gpqa(), margin=0.02, **LONG).only
    ways = needed(-0.03, 0.02, 400, 0.07, 0.95, noise=0.0003, repeats=2)
    fixed = needed(-0.03, 0.02, 400, 0.04, 0.95, noise=0.0004, repeats=2, fixed=True)

    items, repeats = (ways.items_if_right - 400) * 2, (ways.repeats_if_right - 2) * 400
    told = to_decide(replace(row, needed=ways, items=400)).partition("; ")[2]

    assert items < repeats
    assert told == (
        f"{ways.items_if_right:,} items ({items:,} more answers) or {ways.repeats_if_right:,} repeats of each "
        f"({repeats:,} more answers) if the estimate is right"
    )
    assert (fixed.items_if_equal, fixed.items_if_right) == (None, None)
    assert fixed.repeats_if_right == int(np.ceil(0.0004 * 2 / (0.01 / 2.4864752) ** 2))


def test_several_measures_of_one_check_have_names() -> None:
    """Rows of one check are told apart by their measures."""
    check = {"name": "spam", "measure": ["f1", "recall"], "margin": 0.1}
    config = {"gate": {"truth": "gold", "id": "id", "systems": ["old", "new"], "positive": "yes", "check": [check]}}

    found = oc.gate(labels(), config=config)

    assert [row.name for row in found.checks] == ["spam [F1]", "spam [recall]"]


KINDS = [
    ({"ledger": 3}, "'ledger' in .gate. must be a path, got 3"),
    ({"scores": "yes"}, "'scores' in .gate. must be true or false, got 'yes'"),
    ({"truth": []}, "'truth' in .gate. must be a text, or a list of texts"),
    ({"stages": 0.5}, "growing numbers of items"),
    ({"check": [{"margin": 0.1, "item": ["id"]}]}, "'item' in ..gate.check.. must be a text"),
    ({"floor": [{"at_least": 0.1, "task": 3}]}, "'task' in ..gate.floor.. must be a text"),
]


@pytest.mark.parametrize(("changed", "told"), KINDS)
def test_values_of_the_wrong_kind(changed: dict[str, Any], told: str) -> None:
    """A key of a configuration whose value is of the wrong kind is one sentence that names both."""
    with pytest.raises(InputError, match=told):
        oc.gate(gsm8k(), config={"gate": {"scores": True, "item": "id", "check": [{"margin": 0.1}], **changed}})


def test_a_path_in_a_file_is_text(tmp_path: Path) -> None:
    """In a file a baseline is a path; Python gives one that was read as well."""
    path = tmp_path / "outclass.toml"
    path.write_text("[gate]\nbaseline = 3\n[[gate.check]]\nmargin = 0.1\n")

    with pytest.raises(InputError, match=r"'baseline' in .gate. must be a path, got 3"):
        oc.gate(gsm8k(), config=path)
