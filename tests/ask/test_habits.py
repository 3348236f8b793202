"""What users of scikit-learn, pandas and polars write by habit: names, probabilities, series, frames, estimators."""

import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import outclass as oc
from outclass.cli.main import app
from outclass.errors import InputError
from outclass.measures import MEASURES, averages, scored
from outclass.measures.names import ALIASES, HINTS, spelt

RNG = np.random.default_rng(11)
TRUTH = RNG.integers(0, 2, 240)
SCORES = [np.clip(0.3 * TRUTH + RNG.random(240) * 0.7, 0, 1) for _ in range(2)]
LABELS = [(each > 0.5).astype(int) for each in SCORES]
MATRICES = [np.column_stack([1 - each, each]) for each in SCORES]
WORDS = np.array(["ham", "spam"])[TRUTH]
CLASSES = RNG.integers(0, 4, 300)
GUESSES = np.where(RNG.random(300) < 0.7, CLASSES, RNG.integers(0, 4, 300))

# What scikit-learn says of the same data, by the names that mean exactly the same.
SAME: Final[dict[str, Callable[[Any, Any], float]]] = {
    "f1_macro": lambda y, p: metrics.f1_score(y, p, average="macro"),
    "f1_micro": lambda y, p: metrics.f1_score(y, p, average="micro"),
    "f1_weighted": lambda y, p: metrics.f1_score(y, p, average="weighted"),
    "precision_micro": lambda y, p: metrics.precision_score(y, p, average="micro"),
    "recall_micro": lambda y, p: metrics.recall_score(y, p, average="micro"),
    "recall_weighted": lambda y, p: metrics.recall_score(y, p, average="weighted"),
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "cohen_kappa_score": metrics.cohen_kappa_score,
    "zero_one_loss": metrics.zero_one_loss,
    "accuracy_score": metrics.accuracy_score,
}
OF_SCORES: Final[dict[str, Callable[[Any, Any], float]]] = {
    "roc_auc": metrics.roc_auc_score,
    "roc_auc_score": metrics.roc_auc_score,
    "average_precision": metrics.average_precision_score,
    "brier_score_loss": metrics.brier_score_loss,
    "log_loss": metrics.log_loss,
}


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize(("truth", "said"), [(CLASSES, GUESSES), (TRUTH, LABELS[0])], ids=["classes", "binary"])
def test_names_of_scikit_learn(name: str, truth: Any, said: Any) -> None:
    """A name that is understood is the same number."""
    answer = oc.evaluate(truth, said, measure=name)

    assert answer.system.observed == pytest.approx(SAME[name](truth, said), abs=1e-12)


@pytest.mark.parametrize("name", OF_SCORES)
def test_names_of_scikit_learn_for_scores(name: str) -> None:
    """Measures of scores take probabilities as they are, and are the same number."""
    answer = oc.evaluate(TRUTH, SCORES[0], measure=name)

    assert answer.system.observed == pytest.approx(OF_SCORES[name](TRUTH, SCORES[0]), abs=1e-12)


def test_every_name_leads_somewhere() -> None:
    """Other names and hints point to measures that there are, and no name is both."""
    known = {*MEASURES, *averages.AVERAGES, *scored.MEASURES}

    assert set(ALIASES.values()) <= known
    assert {near for near, _ in HINTS.values()} <= known
    assert not set(ALIASES) & (set(HINTS) | known)
    compared = {name.removesuffix("_score") for name in (*SAME, *OF_SCORES)}
    assert set(ALIASES) - compared == {"error_rate", "acc", "sensitivity", "tpr", "ppv", "tnr", "auroc"}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("precision_macro", "Did you mean 'macro_precision'.*undefined=0"),
        ("recall_macro", "Did you mean 'macro_recall'.*never true"),
        ("neg_log_loss", "Did you mean 'log_loss'.*lower is better"),
        ("neg_brier_score", "Did you mean 'brier'"),
        ("roc_auc_ovr", "Did you mean 'auc'.*positive"),
        ("pr_auc", "Did you mean 'average_precision'"),
        ("f1_macor", "Did you mean 'f1_macro'"),
        ("f_measure", "Did you mean 'f1'"),
        ("acuracy", "Did you mean 'accuracy'"),
        ("wibble", "Known: 'f1'"),
    ],
)
def test_names_that_are_not_the_same_get_a_hint(name: str, told: str) -> None:
    """Where the number would differ, or nothing is called so, the nearest name is told, in every question."""
    for question in (oc.compare, oc.rank, oc.test):
        with pytest.raises(InputError, match=told):
            question(TRUTH, *LABELS, measure=name)  # type: ignore[operator]
    with pytest.raises(InputError, match=told):
        oc.evaluate(CLASSES, GUESSES, measure=name)


def test_undefined_as_scikit_learn_has_it() -> None:
    """The hint is right: with undefined='0' the average is scikit-learn's."""
    said = np.where(GUESSES == 3, 0, GUESSES)  # one label is never predicted
    answer = oc.evaluate(CLASSES, said, measure="macro_precision", undefined="0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of what is undefined
        theirs = metrics.precision_score(CLASSES, said, average="macro")

    assert answer.system.observed == pytest.approx(theirs, abs=1e-12)
    assert answer.system.observed < oc.evaluate(CLASSES, said, measure="macro_precision").system.observed - 0.1


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_average_of_scikit_learn(average: str) -> None:
    """`average` may say what scikit-learn's does, with or without the measure's name."""
    for named in ({"measure": "f1"}, {"measure": "f1_score"}, {}):
        assert oc.evaluate(CLASSES, GUESSES, average=average, **named).only.measure.name == f"{average}_f1"
    assert oc.test(CLASSES, GUESSES, CLASSES, measure="f1", average=average, draws=200).rows[0].measure
    assert oc.compare(TRUTH, *LABELS, measure="f1", average="binary").only.measure.name == "f1"


@pytest.mark.parametrize(
    ("measure", "told"),
    [("precision", "Did you mean 'macro_precision'"), ("mcc", "goes with 'f1', 'precision', 'recall', not with 'mcc'")],
)
def test_average_that_is_not_the_same(measure: str, told: str) -> None:
    """An average that would be another number, or none, is told."""
    with pytest.raises(InputError, match=told):
        oc.compare(CLASSES, GUESSES, CLASSES, measure=measure, average="macro")


def test_averages_of_groups_are_as_before() -> None:
    """What outclass itself calls an average is no average of scikit-learn."""
    with pytest.raises(InputError, match=r"average is not used"):
        oc.compare(TRUTH, *LABELS, average="groups")


def test_probabilities_are_recognised() -> None:
    """A measure of scores says that the arrays are scores; the answer is that of `scores=True`."""
    asked = oc.compare(TRUTH, *SCORES, measure="auc")
    said = oc.compare(TRUTH, *SCORES, scores=True)

    assert asked == said
    assert oc.compare(pd.DataFrame({"y": TRUTH, "A": SCORES[0], "B": SCORES[1]}), truth="y", measure="roc_auc") == said
    assert oc.rank(TRUTH, *SCORES, measure="auc").measure.name == "auc"
    assert oc.test(TRUTH, *SCORES, measure="auc").rows[0].name == "delong"


@pytest.mark.parametrize("positive", ["ham", "spam"])
def test_matrices_of_two_classes(positive: str) -> None:
    """`predict_proba` gives a column per class, in their order: the positive one is taken."""
    place = ["ham", "spam"].index(positive)
    answer = oc.compare(WORDS, *MATRICES, measure="auc", positive=positive)

    assert answer == oc.compare(WORDS, *(each[:, place] for each in MATRICES), measure="auc", positive=positive)
    assert answer.systems[0].observed > 0.6


def test_scores_that_are_none() -> None:
    """Labels, matrices of other classes, mixed measures: each gets a sentence that says what to give."""
    with pytest.raises(InputError, match=r"'A' holds labels \('0', '1'\).*predict_proba"):
        oc.compare(TRUTH, *LABELS, measure="auc")
    with pytest.raises(InputError, match=r"'A' holds labels.*predict_proba"):
        oc.compare(WORDS, WORDS, WORDS, measure="auc", positive="spam")
    with pytest.raises(InputError, match="3 columns and the truth has 2 classes"):
        oc.compare(TRUTH, *(np.column_stack([each, each[:, 1]]) for each in MATRICES), measure="auc")
    with pytest.raises(InputError, match="'auc' of scores and measures of labels cannot be mixed"):
        oc.compare(TRUTH, *SCORES, measure=["auc", "f1"])
    with pytest.raises(InputError, match=r"shape \(240, 2\).*measure='auc'"):
        oc.compare(TRUTH, *MATRICES)
    with pytest.raises(InputError, match=r"'f1' is a measure of labels, and these are scores"):
        oc.compare(TRUTH, *SCORES, measure="f1", scores=True)
    with pytest.raises(InputError, match=r"'auc' is a measure of scores, and these are labels.*scores=True"):
        oc.compare(oc.outcomes({"y": TRUTH, "a": LABELS[0], "b": LABELS[1]}, truth="y"), measure="auc")
    with pytest.raises(InputError, match=r"looks like a score.*scores=True"):
        oc.compare(TRUTH, *SCORES)


def test_indicator_matrices_are_told_apart() -> None:
    """A matrix of 0 and 1 is many labels per item, not probabilities: the error says how to give them."""
    marks = RNG.integers(0, 2, (20, 3))

    with pytest.raises(InputError, match=r"'truth' looks like an indicator matrix.*a list of labels for each item"):
        oc.compare(marks, marks, marks)


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame])
def test_systems_by_name(kind: Callable[[Any], Any]) -> None:
    """A mapping or a dataframe of predictions beside the truth names the systems."""
    held = kind({"one": LABELS[0], "two": LABELS[1]})

    for answer in (
        oc.compare(TRUTH, held),
        oc.compare(TRUTH, kind({"one": SCORES[0], "two": SCORES[1]}), measure="auc"),
    ):
        assert [system.name for system in answer.systems] == ["one", "two"]
    assert oc.evaluate(TRUTH, held).rows[1].system.name == "two"
    assert set(oc.rank(TRUTH, held).names) == {"one", "two"}
    assert oc.test(TRUTH, held).systems == ("one", "two")
    assert oc.sensitivity(TRUTH, held).rows[0].systems[0].name == "one"
    with pytest.raises(InputError, match="have their own"):
        oc.compare(TRUTH, held, names=["a", "b"])


@pytest.mark.parametrize("kind", [lambda name, values: pd.Series(values, name=name), pl.Series])
def test_series_give_their_names(kind: Callable[[str, Any], Any]) -> None:
    """Series with names of their own name the systems; letters do where two are called the same, or as the truth."""
    truth = kind("gold", TRUTH)

    def names(*called: str, **named: Any) -> list[str]:
        arrays = [kind(name, values) for name, values in zip(called, LABELS, strict=True)]
        return [system.name for system in oc.compare(truth, *arrays, **named).systems]

    assert names("one", "two") == ["one", "two"]
    assert names("one", "two", names=["x", "y"]) == ["x", "y"]
    assert names("same", "same") == names("gold", "two") == ["A", "B"]


def test_a_system_may_be_called_truth() -> None:
    """What outclass calls the truth is no name that a user cannot give."""
    answer = oc.compare(TRUTH, *LABELS, names=["truth", "the truth"])

    assert answer.difference == oc.compare(TRUTH, *LABELS).difference
    with pytest.raises(InputError, match="1 of 240 items has a missing label"):
        oc.compare(TRUTH, [None, *LABELS[0][1:].tolist()], LABELS[1], names=["truth", "b"])


def test_estimators_are_no_predictions() -> None:
    """A model in the place of what it predicts: call predict first."""
    model = LogisticRegression().fit(MATRICES[0], TRUTH)

    for given in ((TRUTH, model, model), (TRUTH, {"a": model, "b": model}), (model, TRUTH, TRUTH), (model,)):
        with pytest.raises(InputError, match=r"LogisticRegression is an estimator.*Call predict first"):
            oc.compare(*given)
    with pytest.raises(InputError, match="Pipeline is an estimator"):
        oc.evaluate(TRUTH, make_pipeline(model))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--measure", "roc_auc"], "points of AUC"),
        (["--measure", "neg_log_loss"], "--measure: unknown measure 'neg_log_loss'. Did you mean 'log_loss'?"),
        (["--measure", "acuracy", "--scores"], "unknown measure of scores 'acuracy'"),
    ],
)
def test_command_line_knows_the_same_names(arguments: list[str], told: str, tmp_path: Any) -> None:
    """What works in Python works as an option."""
    path = tmp_path / "scores.csv"
    pd.DataFrame({"gold": TRUTH, "a": SCORES[0], "b": SCORES[1]}).to_csv(path, index=False)
    result = CliRunner().invoke(app, ["compare", str(path), "--truth", "gold", *arguments])

    assert told in result.output + str(result.exception)


def test_names_are_normalised() -> None:
    """Case, dashes and the word score do not matter."""
    assert spelt(" Roc-AUC_score ") == "auc"
    assert spelt("F1-macro") == "macro_f1"
