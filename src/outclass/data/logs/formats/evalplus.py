"""EvalPlus: `*_eval_results.json`, old (`base`, `plus`) and new (`base_status`, `plus_status`)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from outclass.data.logs.files import Head, streamed
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples
from outclass.data.names import stem_of
from outclass.errors import FileError, quoted

NAME: Final = "evalplus"
TITLE: Final = "a result of EvalPlus"
_NAMED: Final = "eval_results.json"
_RIGHT: Final = ("success", "pass")  # before and since version 0.2


def claims(head: Head) -> bool:
    """Look at the name, and for results per problem."""
    found = head.first if isinstance(head.first, dict) else {}
    return not head.packed and head.name.endswith(_NAMED) and isinstance(found.get("eval"), dict)


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the generations of each problem: right on the base tests, and on the further ones too."""
    samples, version = Samples(), ""
    with streamed(head.path) as stream:
        for path, key, value in stream.walk("eval"):
            if key is None and path == "hash":
                version = str(value)
            elif key is not None:
                for epoch, scores in enumerate(_generations(value, str(key), head), start=1):
                    samples.add(key, scores, epoch=epoch)
    if not len(samples):
        raise FileError(f"{quoted([head.path.name])} has no results of problems.")
    name = head.name.removesuffix(_NAMED).rstrip("_.")
    yield LogRun(
        system=name or stem_of(head.path.absolute().parent),
        task=samples.item[0].partition("/")[0].lower() or "evalplus",
        harness=NAME,
        path=str(head.path),
        samples=samples,
        fixed={"version of the problems (hash)": version} if version else {},
    )


def _generations(value: Any, problem: str, head: Head) -> Iterator[dict[str, float]]:
    if isinstance(value, dict) and isinstance(value.get("base"), list):
        further = value.get("plus")
        plus: list[Any] = further if isinstance(further, list) else []
        for at, own in enumerate(value["base"]):
            base = _old(own)
            yield {"base": base} | ({"plus": base * _old(plus[at])} if at < len(plus) else {})
    elif isinstance(value, list) and all(isinstance(each, dict) and "base_status" in each for each in value):
        for each in value:
            yield _new(each)
    else:
        raise FileError(f"problem {quoted([problem])} of {quoted([head.path.name])} has no results of tests.")


def _old(result: Any) -> float:
    return float(isinstance(result, list) and bool(result) and result[0] in _RIGHT)


def _new(result: Mapping[str, Any]) -> dict[str, float]:
    """Return whether all tests passed; the further ones count with the base tests alone."""
    base = float(result["base_status"] in _RIGHT)
    plus = result.get("plus_status")
    return {"base": base} | ({"plus": base * float(plus in _RIGHT)} if plus is not None else {})
