"""What changes nothing: the order of lines, names of folders, the type of ids, compression, line ends, NaN literals."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from making import header_of, helm, inspect_eval, inspect_json, lm_eval, promptfoo, row, sample, tau

import outclass as oc

RIGHT: Final = [True, False, True, True, False, True, True]


def _lm_eval(folder: Path) -> None:
    lm_eval(folder, "m-1.5@v2", [float(each) for each in RIGHT])


def _inspect_json(folder: Path) -> None:
    values = ["C" if each else "I" for each in RIGHT]
    samples = [sample(at, value, epoch=epoch) for epoch in (1, 2) for at, value in enumerate([*values, None])]
    inspect_json(folder / "m.json", header_of("m"), samples)


def _inspect_eval(folder: Path) -> None:
    inspect_eval(folder / "m.eval", header_of("m"), [sample(at, "C" if own else "I") for at, own in enumerate(RIGHT)])


def _helm(folder: Path) -> None:
    helm(folder, "openai/gpt2", {"test": [float(each) for each in RIGHT], "valid": [0.0]})


def _promptfoo(folder: Path) -> None:
    promptfoo(folder / "out.json", [row({"x": at}, success=own) for at, own in enumerate(RIGHT)])


def _tau(folder: Path) -> None:
    tau(folder / "gpt-4o.json", [[float(own), float(at % 2)] for at, own in enumerate(RIGHT)])


def _livebench(folder: Path) -> None:
    rows = [
        {"question_id": at, "model": "m", "score": float(own), "task": "t", "category": "c"}
        for at, own in enumerate(RIGHT)
    ]
    folder.mkdir(parents=True)
    (folder / "ground_truth_judgment.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))


def _openai_evals(folder: Path) -> None:
    matches = [{"sample_id": at, "type": "match", "data": {"correct": own}} for at, own in enumerate(RIGHT)]
    lines = [{"spec": {"completion_fns": ["m"], "eval_name": "e"}}, *matches]
    folder.mkdir(parents=True)
    (folder / "m.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))


def _alpaca_eval(folder: Path) -> None:
    one = {"generator_1": "b", "generator_2": "m", "annotator": "j", "dataset": "d"}
    rows = [{**one, "instruction": f"do {at}", "preference": 1.0 + own} for at, own in enumerate(RIGHT)]
    folder.mkdir(parents=True)
    (folder / "annotations.json").write_text(json.dumps(rows))


MAKE: Final[dict[str, Callable[[Path], None]]] = {
    make.__name__.removeprefix("_"): make
    for make in (
        *(_lm_eval, _inspect_json, _inspect_eval, _helm, _promptfoo, _tau, _livebench, _openai_evals, _alpaca_eval),
    )
}


def _content(path: Path) -> dict[str, Any]:
    """Return all that a log says, whatever its order: systems, tasks, and each item's mean in each metric."""
    logs = oc.logs(path)
    return {
        f"{system} {task} {metric}": sorted(zip(found.items, found.means()[system], strict=True))
        for system, task in zip(logs.systems, logs.tasks, strict=True)
        for metric in logs.metrics
        for found in [logs.matched(metric)]
    }


def _changed(folder: Path, change: Callable[[str], str]) -> None:
    for path in folder.rglob("*.json*"):
        with path.open(encoding="utf-8", newline="") as stream:
            text = stream.read()
        with path.open("w", encoding="utf-8", newline="") as stream:
            stream.write(change(text))


def _lines(change: Callable[[list[Any]], Any]) -> Callable[[str], str]:
    """Apply a change to the records of a file, wherever they are."""

    def changed(text: str) -> str:
        try:
            whole = json.loads(text)
        except ValueError:
            return "\n".join(json.dumps(each) for each in change([json.loads(line) for line in text.splitlines()]))
        if isinstance(whole, list):
            return json.dumps(change(whole))
        if isinstance(whole.get("samples"), list):
            whole["samples"] = change(whole["samples"])
        if isinstance(whole.get("results"), dict) and isinstance(whole["results"].get("results"), list):
            whole["results"]["results"] = change(whole["results"]["results"])
        return json.dumps(whole)

    return changed


@pytest.mark.parametrize("name", MAKE)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.randoms(use_true_random=False))
def test_the_order_of_records(name: str, order: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Records in another order are the same log."""
    folder = tmp_path_factory.mktemp("log")
    MAKE[name](folder / "m")
    before = _content(folder / "m")

    _changed(folder, _lines(lambda records: order.sample(records, len(records))))

    assert _content(folder / "m") == before


def _texts(records: list[Any]) -> list[Any]:
    keys = ("doc_id", "id", "instance_id", "task_id", "question_id", "sample_id")
    return [{key: str(own) if key in keys else own for key, own in each.items()} for each in records]


def _packed(folder: Path) -> None:
    for path in list(folder.rglob("*.json*")):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()


def _renamed(folder: Path) -> None:
    shutil.move(folder / "m", folder / "other")
    (folder / "runs of May" / "deeper").mkdir(parents=True)
    shutil.move(folder / "other", folder / "runs of May" / "deeper" / "m")


CHANGES: Final[dict[str, Callable[[Path], None]]] = {
    "integers become texts": lambda folder: _changed(folder, _lines(_texts)),
    "gzip": _packed,
    "line ends": lambda folder: _changed(folder, lambda text: text.replace("\n", "\r\n")),
    "a mark of byte order": lambda folder: _changed(folder, lambda text: f"\ufeff{text}"),
    "indented": lambda folder: _changed(
        folder, lambda text: json.dumps(json.loads(text), indent=2) if text.count("\n") < 2 else text
    ),
    "NaN for null": lambda folder: _changed(folder, lambda text: text.replace('"value": null', '"value": NaN')),
    "other folders": _renamed,
    "a last line end less": lambda folder: _changed(folder, str.rstrip),
    "spaces after it": lambda folder: _changed(folder, lambda text: f"{text}\n\n  \n"),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", MAKE)
def test_changes_of_form(name: str, change: str, tmp_path: Path) -> None:
    """Another form of the same log is the same log."""
    MAKE[name](tmp_path / "m")
    before = _content(tmp_path / "m")

    CHANGES[change](tmp_path)

    assert _content(tmp_path) == before
