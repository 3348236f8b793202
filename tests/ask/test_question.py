"""What users may write, read as a question: each word is understood, or an error says what to write instead."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass import measures
from outclass.ask.average_measures import averages_of
from outclass.ask.dispatch import Plan, planned
from outclass.ask.question import (
    Compute,
    Wishes,
    hdi_mass_of,
    is_average_only,
    is_by_label,
    listed,
    measures_of,
    outcomes_of,
    prior_for,
    seed_of,
    wishes_of,
)
from outclass.data.multilabel import Classes, from_lists
from outclass.errors import InputError
from outclass.models.weights import CELLS

TWO = (["yes", "no"] * 30, ["yes", "yes"] * 30, ["no", "no"] * 30)
MANY = (["x", "y", "z"] * 20, ["x", "y", "y"] * 20, ["x", "x", "z"] * 20)
LISTS = from_lists(
    [["x"], ["y", "z"], [], ["x", "z"]] * 5, {"a": [["x"], ["y"], ["w"], ["x"]] * 5, "b": [["x"], ["z"], ["y"], []] * 5}
)


# --- words ------------------------------------------------------------------------------------------------------------


def test_measures_are_found_by_name() -> None:
    """One name or several, in the order they were named, each once; 'all' is every one that the model knows."""
    assert [each.name for each in measures_of("f1")] == ["f1"]
    assert [each.name for each in measures_of(["recall", "f1", "recall"])] == ["recall", "f1"]
    assert [each.name for each in measures_of("all")] == list(measures.MEASURES)
    assert [each.name for each in measures_of("all", "goutte")] == ["f1", "precision", "recall", "jaccard"]
    assert measures_of(["recall", "all"])[0].name == "recall"
    assert measures_of(measures.get("f1")) == (measures.get("f1"),)
    with pytest.raises(InputError, match="no measure was named"):
        measures_of([])


def test_two_functions_of_one_name_are_two_measures() -> None:
    """Both are asked for, the second with a number; the same function twice is one."""

    def first(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return tp / (tp + fp + fn + tn)

    def second(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return tn / (tp + fp + fn + tn)

    second.__name__ = first.__name__

    both = measures_of([first, second])

    assert [each.name for each in both] == ["first", "first 2"]
    assert [each.title.endswith(" 2") for each in both] == [False, True]
    assert len(measures_of([first, first])) == 1
    assert len(measures_of(first)) == 1


@pytest.mark.parametrize("mass", [0.5, 0.95, "0.9", 0.9999])
def test_masses(mass: Any) -> None:
    """A probability between 0 and 1, as a number or as text."""
    assert hdi_mass_of(mass) == float(mass)


@pytest.mark.parametrize(
    ("mass", "told"),
    [
        (0, r"must lie in \(0, 1\), got 0\.$"),
        (1, r"must lie in \(0, 1\), got 1\.$"),
        (-0.1, r"got -0\.1\.$"),
        (95, r"got 95\. Did you mean 0\.95\?$"),
        (1.5, r"got 1\.5\. Did you mean 0\.015\?$"),
        (100, r"got 100\.$"),
        ("much", "must be a number"),
        (None, "must be a number"),
    ],
)
def test_impossible_masses(mass: Any, told: str) -> None:
    """What is no probability is an error; a percentage is recognised."""
    with pytest.raises(InputError, match=told):
        hdi_mass_of(mass)


def test_seeds() -> None:
    """A whole number is itself, a generator gives one of its own, and none is 0."""
    assert seed_of(None) == 0
    assert seed_of(0) == 0
    assert seed_of(17) == seed_of(np.int64(17)) == 17
    drawn = {seed_of(np.random.default_rng(seed)) for seed in range(20)}
    assert len(drawn) == 20
    assert max(drawn) > 2**50
    assert max(drawn) < 2**53
    assert min(drawn) >= 0
    for wrong in (-1, True, False, 1.5, "1"):
        with pytest.raises(InputError, match="non-negative integer"):
            seed_of(wrong)


def test_labels_in_turn() -> None:
    """by='label' makes every label the positive one; a positive label beside it is a contradiction."""
    assert is_by_label("label", None) is True
    assert is_by_label(None, None) is False
    assert is_by_label(None, "yes") is False
    with pytest.raises(InputError, match="by can only be 'label' here, got 'size'"):
        is_by_label("size", None)
    with pytest.raises(InputError, match="leave out positive"):
        is_by_label("label", "yes")
    with pytest.raises(InputError, match="leave out positive"):
        is_by_label("label", 0)


def test_one_measure_or_several() -> None:
    """A name, a measure, an average and a function are one; a list is as many as it holds."""
    average = oc.measures.averages.AVERAGES["macro_f1"]

    assert listed("f1") == ["f1"]
    assert listed(measures.get("f1")) == [measures.get("f1")]
    assert listed(average) == [average]
    assert listed(len) == [len]
    assert listed(["f1", "recall"]) == ["f1", "recall"]
    assert listed(("f1",)) == ["f1"]
    assert is_average_only("macro_f1")
    assert not is_average_only("accuracy")  # of two classes as well
    assert not is_average_only("f1")


def test_labels_are_asked_for() -> None:
    """A question of one label per item says what it got instead."""
    table = dict(zip(("gold", "a", "b"), TWO, strict=True))

    assert outcomes_of(table, truth="gold").systems == ("a", "b")
    assert outcomes_of(table, truth="gold", systems=["b"]).systems == ("b",)
    with pytest.raises(InputError, match="expected one label per item, got MultiLabel"):
        outcomes_of(LISTS)


def test_a_model_has_its_own_prior() -> None:
    """None is the model's own; parts that a model does not have are an error."""
    assert prior_for(None, "paired").name == "matched"
    assert prior_for("uniform", "paired").name == "uniform"
    with pytest.raises(InputError, match="goutte"):
        prior_for({"mu": 2}, "goutte")


# --- computation ------------------------------------------------------------------------------------------------------


def test_settings_that_nobody_named() -> None:
    """Integration to 1e-4; 50,000 draws, of chains 20,000, of the papers' sampler 50,000 again."""
    usual = Compute().settings(3)

    assert (usual.method, usual.draws, usual.tolerance, usual.seed) == ("auto", 50_000, 1e-4, 3)
    assert (usual.sampler, usual.form, usual.chains) == ("nuts", "compact", None)
    assert Compute(method="draws").settings(0).draws == 50_000
    assert Compute(method="mcmc").settings(0).draws == 20_000
    assert Compute(method="mcmc", sampler="metropolis").settings(0).draws == 50_000
    assert Compute().settings(0, usual_draws=2_000).draws == 2_000
    assert Compute(draws=700).settings(0, usual_draws=2_000).draws == 700


def test_settings_that_were_named() -> None:
    """What was named is taken as it is."""
    named = Compute(method="mcmc", draws=500, tolerance=1e-3, sampler="pymc", form="original", chains=3).settings(9)

    assert (named.method, named.draws, named.tolerance, named.seed) == ("mcmc", 500, 1e-3, 9)
    assert (named.sampler, named.form, named.chains) == ("pymc", "original", 3)


@pytest.mark.parametrize(("name", "value"), [("sampler", "nuts"), ("form", "original"), ("chains", 2)])
@pytest.mark.parametrize("method", [None, "auto", "exact", "draws"])
def test_what_is_of_chains_alone(name: str, value: Any, method: str | None) -> None:
    """A sampler without chains would be ignored, so it is an error."""
    with pytest.raises(InputError, match=rf"{name} applies to MCMC"):
        Compute(method=method, **{name: value}).settings(0)


def test_computation_in_one_object_or_by_itself() -> None:
    """compute=Compute(...) and its keys by themselves ask the same; both at once, or anything else, is an error."""
    in_one, alone = (
        oc.compare(*TWO, measure="accuracy", positive="yes", **asked)  # type: ignore[arg-type]
        for asked in ({"compute": oc.Compute(method="draws", draws=500)}, {"method": "draws", "draws": 500})
    )

    assert in_one.only.difference == alone.only.difference
    with pytest.raises(InputError, match="give compute, or draws by itself, not both"):
        oc.compare(*TWO, compute=oc.Compute(method="draws"), draws=500)
    with pytest.raises(InputError, match="compute must be an oc"):
        oc.compare(*TWO, compute={"draws": 500})  # type: ignore[arg-type]


def test_wishes_hold_what_was_asked() -> None:
    """Columns are what is left of the options; everything else is a wish."""
    asked = {"measure": "f1", "hdi_mass": 0.9, "rng": 4, "compute": None}
    wishes, columns = wishes_of({**asked, "options": {"truth": "gold", "draws": 300, "method": None}})

    assert columns == {"truth": "gold"}
    assert (wishes.measure, wishes.hdi_mass, wishes.seed) == ("f1", 0.9, 4)
    assert wishes.compute == Compute(draws=300)


def test_what_is_not_used_is_named() -> None:
    """One or several, as options of Python and of the command line, with a hint for what has one."""
    wishes = Wishes(prior=2, undefined="zero", compute=Compute(draws=9))

    wishes.without("these data", "average", "tolerance")
    with pytest.raises(InputError, match=r"^prior is not used with these data: leave it out\.$"):
        wishes.without("these data", "prior")
    with pytest.raises(InputError, match=r"^prior, draws are not used with these data"):
        wishes.without("these data", "prior", "draws")
    with pytest.raises(InputError, match=r"^average is not used with these data: leave it out\.$"):
        Wishes(average="groups").without("these data", "average")


# --- which model answers ----------------------------------------------------------------------------------------------


def _plan(data: Any, **wishes: Any) -> Plan:
    return planned(data, Wishes(**wishes))


def _source(labels: tuple[list[Any], ...] = TWO) -> Any:
    return oc.read(*labels)


@pytest.mark.parametrize(
    ("data", "wishes", "tables", "models"),
    [
        (_source, {"positive": "yes"}, ["paired"], []),
        (_source, {"by": "label"}, ["paired", "paired"], []),
        (_source, {"model": "sign"}, ["sign"], []),
        (lambda: _source(MANY), {}, [], ["paired"]),
        (lambda: _source(MANY), {"measure": "macro_f1"}, [], ["paired"]),
        (lambda: _source(MANY), {"measure": "accuracy"}, [], ["paired"]),
        (lambda: _source(MANY), {"positive": "x"}, ["paired"], []),
        (lambda: _source(MANY), {"by": "label"}, ["paired"] * 3, []),
        (lambda: _source(MANY), {"model": "sign"}, ["sign"], []),
        (lambda: _source(MANY), {"model": "bootstrap"}, [], ["bootstrap"]),
        (lambda: _source(MANY), {"model": "hierarchical", "by": "label"}, [], ["hierarchical"]),
        (lambda: _source(MANY), {"model": "unpaired", "positive": "x"}, ["unpaired"], []),
        (_source, {"model": "bootstrap", "measure": "macro_f1"}, [], ["bootstrap"]),
        (_source, {"measure": "macro_f1"}, [], ["paired"]),
        (lambda: LISTS, {}, [], ["paired"]),
        (lambda: LISTS, {"by": "label"}, ["paired"] * 3, []),
        (lambda: LISTS, {"positive": "x"}, ["paired"], []),
        (lambda: LISTS, {"model": "decisions"}, [], ["decisions"]),
        (lambda: oc.read(wins=(3, 4), items=20), {}, ["sign"], []),
        (lambda: oc.read(counts=[{"tp": 9, "fp": 2, "fn": 3}] * 2), {}, ["goutte"], []),
        (lambda: oc.read(_source((TWO[0], TWO[1])), _source((TWO[0], TWO[2])), apart=True), {}, ["unpaired"], []),
    ],
)
def test_the_model_that_answers(
    data: Callable[[], Any], wishes: dict[str, Any], tables: list[str], models: list[str]
) -> None:
    """The one that was named, or the first that fits the data and knows the measure."""
    plan = _plan(data(), **({"positive": "yes"} if not wishes and data().kind == "two test sets" else {}) | wishes)

    assert [question.model for _, _, question in plan.tables] == tables
    assert [question.model for _, _, question in plan.fits] == models


def test_every_pair_of_systems() -> None:
    """Three systems are three pairs, with every label that is to be the positive one."""
    three = oc.read(MANY[0], {"a": MANY[1], "b": MANY[2], "c": MANY[0]})

    pairs = [((pair.a, pair.b), label) for pair, label, _ in _plan(three, by="label").tables]

    assert [names for names, _ in pairs] == [("a", "b")] * 3 + [("a", "c")] * 3 + [("b", "c")] * 3
    assert [label for _, label in pairs] == ["x", "y", "z"] * 3


def test_decisions_are_of_pairs() -> None:
    """The model of pooled decisions takes two systems at a time; the others take all at once."""
    three = from_lists([["x"], ["y"], []], {"a": [["x"], ["y"], []], "b": [["x"], [], []], "c": [[], ["y"], ["x"]]})

    pairs = [data.systems for _, data, _ in _plan(three, model="decisions").fits]
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [data.systems for _, data, _ in _plan(three).fits] == [("a", "b", "c")]


def test_labels_that_are_never_true_are_left_out() -> None:
    """Of many labels per item those that are true at least once; the others are named in a finding."""
    plan = _plan(LISTS, by="label")

    assert [label for _, label, _ in plan.tables] == ["x", "y", "z"]
    pair: Any = plan.tables[0][0]
    assert [each.message for each in pair.first.findings] == ["predicted but never true, and therefore dropped: 'w'."]
    with pytest.raises(InputError, match="nothing to evaluate"):
        _plan(from_lists([[], []], {"a": [["x"], []], "b": [[], ["x"]]}), by="label")


def _tolerances(labels: tuple[list[Any], ...], **wishes: Any) -> set[float]:
    return {question.settings.tolerance for _, _, question in _plan(_source(labels), **wishes).tables}


def _sized(positives: int, negatives: int) -> tuple[list[str], ...]:
    truth = ["yes"] * positives + ["no"] * negatives
    return truth, truth[::-1], ["yes"] * len(truth)


@pytest.mark.parametrize(
    ("positives", "negatives", "tolerance"),
    [(10, 10, 1e-4), (10, 9, 5e-4), (9, 10, 5e-4), (30, 9, 5e-4), (9, 30, 5e-4), (30, 10, 1e-4)],
)
def test_few_items_need_fewer_digits(positives: int, negatives: int, tolerance: float) -> None:
    """Below 20 items, or 10 of a class, nobody looks at a fourth digit; unless a tolerance was named."""
    labels = _sized(positives, negatives)

    assert _tolerances(labels, positive="yes") == {tolerance}
    assert _tolerances(labels, positive="yes", compute=Compute(tolerance=1e-5)) == {1e-5}


def test_long_answers_need_fewer_digits() -> None:
    """More than 30 rows are integrated to 5e-4: labels, pairs and measures count."""
    labels = [f"{number:02}" for number in range(31)]
    truth, said = labels * 10, (labels[1:] + labels[:1]) * 10

    assert _tolerances((truth, said, truth), by="label") == {5e-4}
    fewer = [label for label in truth if label != "30"]
    assert _tolerances((fewer, fewer[1:] + fewer[:1], fewer), by="label") == {1e-4}
    assert _tolerances((fewer, fewer[1:] + fewer[:1], fewer), by="label", measure=["f1", "recall"]) == {5e-4}


def test_draws_are_not_ignored() -> None:
    """Where numbers are integrated, a number of draws is an error; where they are drawn, it is taken."""
    with pytest.raises(InputError, match="The posterior is integrated"):
        _plan(_source(), positive="yes", compute=Compute(draws=500))
    with pytest.raises(InputError, match="The posterior is integrated"):
        _plan(_source(), positive="yes", compute=Compute(draws=500, method="exact"))
    for method in ("draws", "mcmc"):
        (_, _, question), *_ = _plan(_source(), positive="yes", compute=Compute(draws=500, method=method)).tables
        assert (question.settings.draws, question.settings.method) == (500, method)


def test_a_prior_that_is_no_beta_is_sampled() -> None:
    """A law as a prior asks for chains, unless a method was named."""
    law = "positives=normal(0.5, 0.1)"
    methods = {
        named: _plan(_source(), positive="yes", prior=law, compute=Compute(method=named)).tables[0][2].settings.method
        for named in (None, "draws")
    }

    assert methods == {None: "mcmc", "draws": "draws"}


@pytest.mark.parametrize(
    ("rope", "fine"), [(0.999, True), (1, False), ((-1, 0.5), True), ((-0.5, 1), True), ((-1.5, 2), False)]
)
def test_a_rope_that_no_difference_can_leave(rope: Any, fine: bool) -> None:
    """A region that holds every possible difference answers nothing."""
    if fine:
        assert _plan(_source(), positive="yes", measure="accuracy", rope=rope).tables
    else:
        with pytest.raises(InputError, match="contains every possible difference in accuracy, which cannot exceed 1"):
            _plan(_source(), positive="yes", measure="accuracy", rope=rope)


def test_measures_over_many_labels() -> None:
    """Averages by default; with a positive label, measures of that label; each once."""
    many, lists = Classes(_source(MANY)), LISTS

    assert [each.name for each in averages_of(many, None, None)] == [
        each.name for each in averages_of(lists, None, None)
    ]
    assert len(averages_of(many, ["macro_f1", "macro_f1", "micro_f1"], None)) == 2
    assert [each.label for each in averages_of(many, "f1", "y")] == [1]
    assert [each.label for each in averages_of(many, None, "z")] == [2]
    assert [each.label for each in averages_of(Classes(_source()), None, None)] == [1]
    with pytest.raises(InputError, match="no measure was named"):
        averages_of(many, [], None)
    with pytest.raises(InputError, match="needs one label per item"):
        averages_of(lists, "accuracy", None)
    with pytest.raises(InputError, match="measure of many labels"):
        averages_of(lists, "f1", None)


@pytest.mark.parametrize(
    ("prior", "mass"),
    [(None, None), ("matched", None), (" Matched ", None), ("uniform", CELLS), ("jeffreys", CELLS / 2), (3, 3 * CELLS)]
    + [("0", 0.0), (1e6, 1e6 * CELLS)],
)
def test_priors_over_many_labels(prior: Any, mass: float | None) -> None:
    """A preset or a pseudo-count per cell; as many pseudo-items in all as eight cells have."""
    assert _plan(_source(MANY), measure="macro_f1", prior=prior).fits[0][2].mass == mass


@pytest.mark.parametrize(
    ("prior", "told"),
    [(-0.1, "between 0 and a million"), (1e6 + 1, "between 0 and a million"), ("much", "a pseudo-count per cell")],
)
def test_impossible_priors_over_many_labels(prior: Any, told: str) -> None:
    """What is no count of pseudo-items is an error."""
    with pytest.raises(InputError, match=told):
        _plan(_source(MANY), measure="macro_f1", prior=prior)


def test_as_many_draws_as_there_is_room_for() -> None:
    """20,000 for small data; a number that was named is taken."""
    few, named = (
        _plan(_source(MANY), measure="macro_f1", compute=Compute(draws=draws)).fits[0][2].settings
        for draws in (None, 300)
    )

    assert (few.draws, named.draws) == (20_000, 300)
    # 400 distinct labels of the truth by 100 of a system are 40,000 distinct rows: 8e8 numbers are 10,000 draws.
    truth, said = [f"t{at % 400}" for at in range(40_000)], [f"t{at // 400}" for at in range(40_000)]
    assert _plan(oc.read(truth, said, truth), measure="macro_f1").fits[0][2].settings.draws == 10_000


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ({"measure": "macro_f1", "compute": Compute(tolerance=1e-3)}, "tolerance .* not used"),
        ({"measure": "macro_f1", "compute": Compute(method="exact")}, "can only be sampled"),
        ({"model": "bootstrap", "compute": Compute(method="mcmc")}, "not used with the bootstrap model"),
        ({"measure": "macro_f1", "undefined": "half"}, "undefined must be one of"),
        ({"measure": "macro_f1", "average": "groups"}, "items in groups"),
        ({"measure": "f1", "positive": "x", "undefined": "zero"}, "not used with the paired model for one label"),
        ({"measure": "f1", "positive": "x", "average": "items"}, "not used with the paired model for one label"),
        ({"model": "hierarchical", "measure": "accuracy"}, "supports only .*, not accuracy"),
        ({"measure": "macro_f1", "by": "label"}, "analyses one label at a time"),
        ({"model": "best"}, "model"),
    ],
)
def test_wishes_that_do_not_fit(wishes: dict[str, Any], told: str) -> None:
    """Each is an error that names what does not fit."""
    with pytest.raises(InputError, match=told):
        _plan(_source(MANY), **wishes)


def test_one_system_is_not_compared() -> None:
    """A comparison needs two; the error names the one and the question that takes it."""
    with pytest.raises(InputError, match=r"only one system, 'A'; a comparison needs two\..*evaluate"):
        _plan(_source(TWO[:2]))


def test_an_exact_measure() -> None:
    """What cannot be integrated exactly is an error; what can is a question."""
    with pytest.raises(InputError, match="cannot be integrated exactly"):
        _plan(_source(), positive="yes", measure="mcc", compute=Compute(method="exact"))
    assert _plan(_source(), positive="yes", measure="f1", compute=Compute(method="exact")).tables


def test_models_that_are_named_for_another() -> None:
    """A model that is not known is answered with those that are: of one system, or of two and of many labels."""
    with pytest.raises(InputError, match="unknown model of one system 'bootstrp'") as of_one:
        oc.evaluate(TWO[0], TWO[1], positive="yes", measure="f1", model="bootstrp")
    with pytest.raises(InputError, match="unknown model 'bootstrp'") as of_two:
        oc.compare(*TWO, positive="yes", measure="f1", model="bootstrp")

    assert "'bootstrap'" not in str(of_one.value)
    assert "'bootstrap'" in str(of_two.value)


def test_two_test_sets_are_not_paired() -> None:
    """Models that need the same items say which ones do not."""
    apart = oc.read(_source((TWO[0], TWO[1])), _source((TWO[0], TWO[2])), apart=True)

    for model in ("paired", "sign"):
        with pytest.raises(InputError, match="can only be compared with the unpaired or the goutte model"):
            _plan(apart, positive="yes", model=model)
    for model in ("unpaired", "goutte"):
        assert _plan(apart, positive="yes", model=model).tables
    for name in ("undefined", "average"):
        with pytest.raises(InputError, match=f"{name} .*not used with the unpaired model"):
            _plan(apart, positive="yes", **{name: "items"})


def test_a_positive_label_is_of_labels() -> None:
    """Scores and results know their positive label, or have none: to name one again is an error."""
    scores = oc.read({"gold": [1, 0] * 5, "a": [0.5, 0.1] * 5, "b": [0.4, 0.3] * 5}, truth="gold", scores=True)
    results = {"item": list(range(4)), "a": [1.0, 2, 3, 4], "b": [2.0, 3, 1, 2]}

    for wrong in (lambda: oc.read(scores, positive=1), lambda: oc.read(results, item="item", scores=True, positive=1)):
        with pytest.raises(InputError, match=r"positive applies to labels"):
            wrong()
    assert oc.read(_source(), positive="yes").systems == ("A", "B")


def test_numbers_as_labels_are_no_matrix() -> None:
    """Lists of one length that hold whole numbers other than 0 and 1 are labels; zeros, ones and fractions are not."""
    lists = [[2, 3], [4, 5], [2, 5]]

    assert oc.read(lists, [[2, 3], [4, 6], [2, 5]]).labels == ("2", "3", "4", "5", "6")
    assert oc.read([[1], [0], [1]], [[1], [1], [0]]).items == 3  # one label each
    assert oc.read([[1, 0], [0]], [[1], [1, 0]]).items == 2  # as many as an item has
    for matrix in ([[0, 1], [1, 0]], [[0.2, 0.8], [0.7, 0.3]], [[1.5, 2.5], [0.5, 0.5]]):
        with pytest.raises(InputError, match="looks like a matrix with a number for each class"):
            oc.read(matrix, matrix)
