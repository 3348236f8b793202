"""Broken and hostile logs: one printable sentence, status 2, and nothing read from elsewhere."""

import gzip
import json
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from making import header_of, helm, inspect_eval, inspect_json, lm_eval, promptfoo, row, sample, tau

import outclass as oc
from outclass.answers.log_files import write_items
from outclass.errors import FileError, OutclassError

GOOD: Final = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]


def _cut_lines(folder: Path) -> Path:
    path = lm_eval(folder, "m", GOOD)
    path.write_bytes(path.read_bytes()[:-40])
    return path


def _cut_json(folder: Path) -> Path:
    path = tau(folder / "m.json", [[1.0]] * 6)
    path.write_bytes(path.read_bytes()[:-9])
    return path


def _cut_zip(folder: Path) -> Path:
    path = inspect_eval(folder / "m.eval", header_of("m"), [sample(at, "C") for at in range(6)])
    path.write_bytes(path.read_bytes()[:-30])
    return path


def _damaged_zip(folder: Path) -> Path:
    path = inspect_eval(folder / "m.eval", header_of("m"), [sample(at, "C") for at in range(60)])
    raw = bytearray(path.read_bytes())
    place = raw.index(b"summaries.json") + 30
    raw[place : place + 40] = bytes(40)
    path.write_bytes(bytes(raw))
    return path


def _no_zip(folder: Path) -> Path:
    (folder / "m.eval").write_bytes(b"\0\1\2 no archive")
    return folder / "m.eval"


def _bomb(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "m.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(header_of("m")))
        archive.writestr("summaries.json", "[" + " " * 50_000_000)
    return folder / "m.eval"


def _lying_bomb(folder: Path) -> Path:
    """A member that says it is small, and unpacks to much."""
    raw = b"[" + b" " * 3_000_000
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(raw) + packer.flush()
    body, entries = b"", []
    own = json.dumps(header_of("m")).encode()
    for name, data, method, size in ((b"header.json", own, 0, len(own)), (b"summaries.json", packed, 8, 10)):
        check = zlib.crc32(data if method == 0 else raw)
        facts = struct.pack("<3H3L2H", method, 0, 33, check, len(data), size, len(name), 0)
        entries.append(
            struct.pack("<4s3H", b"PK\x01\x02", 63, 63, 0) + facts + struct.pack("<3H2L", 0, 0, 0, 0, len(body)) + name
        )
        body += struct.pack("<4s2H", b"PK\x03\x04", 63, 0) + facts + name + data
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 2, 2, len(b"".join(entries)), len(body), 0)
    (folder / "m.eval").write_bytes(body + b"".join(entries) + end)
    return folder / "m.eval"


def _unscored(folder: Path) -> Path:
    samples = [{**sample(at, "C"), "scores": None} for at in range(10)]
    return inspect_json(folder / "m.json", header_of("m"), samples)


def _failed(folder: Path) -> Path:
    header = {**header_of("m"), "status": "error", "error": {"message": "the model is gone\nTraceback"}}
    return inspect_json(folder / "m.json", header, [sample(at, "C") for at in range(6)])


def _pointer(folder: Path) -> Path:
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    (folder / "samples_gsm8k_2026-01-02T03-04-05.1.jsonl").write_text(text)
    return folder


def _pointer_parquet(folder: Path) -> Path:
    (folder / "details_x_2026-01-02T03-04-05.1.parquet").write_text("version https://git-lfs.github.com/spec/v1\n")
    return folder


def _empty(folder: Path) -> Path:
    return folder


def _empty_file(folder: Path) -> Path:
    (folder / "samples_gsm8k_2026-01-02T03-04-05.1.jsonl").write_text("")
    return folder


def _two_formats(folder: Path) -> Path:
    lm_eval(folder, "m", GOOD)
    promptfoo(folder / "out.json", [row({"x": at}, success=True) for at in range(6)])
    return folder


def _deep(folder: Path) -> Path:
    path = tau(folder / "m.json", [[1.0]] * 6)
    path.write_text(path.read_text()[:-1] + ", " + "[" * 200_000 + "]" * 200_000 + "]")
    return path


def _long_number(folder: Path) -> Path:
    path = tau(folder / "m.json", [[1.0]] * 6)
    path.write_text(path.read_text().replace("1.0", "1" * 6000, 1))
    return path


def _huge_number(folder: Path) -> Path:
    path = tau(folder / "m.json", [[1.0]] * 6)
    path.write_text(path.read_text().replace("1.0", "1" * 400, 1))
    return path


def _not_utf8(folder: Path) -> Path:
    path = lm_eval(folder, "m", GOOD)
    path.write_bytes(path.read_bytes() + b'{"doc_id": "\xff"}')
    return path


def _wrong_gzip(folder: Path) -> Path:
    path = lm_eval(folder, "m", GOOD)
    packed = path.with_name(path.name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes())[:-30])
    path.unlink()
    return packed


def _other_scores(folder: Path) -> Path:
    path = tau(folder / "m.json", [[1.0]] * 6)
    path.write_text(path.read_text().replace("1.0", '{"a": 1}', 1))
    return path


BROKEN: Final[dict[str, tuple[Callable[[Path], Path], str]]] = {
    "lines that are cut off": (_cut_lines, "cut off: it ends at byte"),
    "JSON that is cut off": (_cut_json, "cut off: it ends at byte"),
    "a ZIP that is cut off": (_cut_zip, "cannot be read as a ZIP archive"),
    "a damaged member": (_damaged_zip, "cannot be unpacked"),
    "no ZIP": (_no_zip, "cannot be read as a ZIP archive|no evaluation log"),
    "a bomb": (_bomb, "ZIP bomb"),
    "a bomb that lies": (_lying_bomb, "ZIP bomb|cannot be unpacked"),
    "no scores": (_unscored, "10 samples, none scored"),
    "a failed run": (_failed, r"status 'error' \(the model is gone\)"),
    "a pointer": (_pointer, "Git LFS pointer"),
    "a pointer instead of Parquet": (_pointer_parquet, "Git LFS pointer"),
    "an empty folder": (_empty, "no evaluation logs in"),
    "an empty file": (_empty_file, "no evaluation logs in"),
    "two formats": (_two_formats, "logs of lm-eval .* and of promptfoo|logs of promptfoo .* and of lm-eval"),
    "deep nesting": (_deep, "nested too deeply|no trial"),
    "a number of 6,000 digits": (_long_number, "not valid JSON|no evaluation log"),
    "a number of 400 digits": (_huge_number, "more digits"),
    "bytes that are no text": (_not_utf8, "not UTF-8"),
    "gzip that is cut off": (_wrong_gzip, "not a valid .gz|no evaluation log"),
    "an object as a score": (_other_scores, "dict and not a number"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_logs(name: str, tmp_path: Path) -> None:
    """Each is told in one sentence that a terminal can show."""
    make, words = BROKEN[name]
    source = {"no ZIP": "inspect", "a number of 6,000 digits": "tau", "gzip that is cut off": "lm-eval"}.get(name)
    path = make(tmp_path)

    with pytest.raises(OutclassError, match=words) as told:
        oc.evaluate(path, source=source)

    assert told.value.status == 2
    assert str(told.value).isprintable()
    assert "Traceback" not in str(told.value)


@pytest.mark.parametrize("name", ["lines that are cut off", "a bomb", "an empty folder", "a pointer"])
def test_the_command(name: str, tmp_path: Path) -> None:
    """The command says the same on standard error, and exits with 2."""
    path = str(BROKEN[name][0](tmp_path))
    for question in (["logs", path], ["compare", path, path]):
        result = subprocess.run(
            [sys.executable, "-m", "outclass", *question], capture_output=True, text=True, check=False
        )

        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr.startswith("outclass: ")
        assert result.stderr.count("\n") == 1


def test_members_that_escape_are_read_in_memory(tmp_path: Path) -> None:
    """Nothing is unpacked, so that no member can be written elsewhere."""
    path = inspect_eval(tmp_path / "in" / "m.eval", header_of("m"), [sample(at, "C") for at in range(6)])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../../escaped.json", "{}")
        archive.writestr("/etc/escaped.json", "{}")

    assert oc.logs(path).runs[0]["items"] == 6
    assert not list(tmp_path.rglob("escaped*"))


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    """A link to a log elsewhere, or to a folder, is not read with the folder; one inside of it is."""
    lm_eval(tmp_path / "secret", "secret", GOOD)
    lm_eval(tmp_path / "runs", "m", GOOD)
    (tmp_path / "runs" / "folder").symlink_to(tmp_path / "secret", target_is_directory=True)
    (tmp_path / "runs" / "samples_x_2026-01-02T03-04-09.1.jsonl").symlink_to(
        next((tmp_path / "secret").glob("samples*"))
    )

    assert oc.logs(tmp_path / "runs").systems == ("m",)


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    """A pipe without a writer would keep whoever opens it waiting."""
    lm_eval(tmp_path, "m", GOOD)
    os.mkfifo(tmp_path / "samples_x_2026-01-02T03-04-09.1.jsonl")

    assert oc.logs(tmp_path).systems == ("m",)


def test_one_broken_log_among_many(tmp_path: Path) -> None:
    """The list shows what can be read and says what cannot; a comparison stops."""
    lm_eval(tmp_path / "a", "a", GOOD)
    lm_eval(tmp_path / "b", "b", GOOD[::-1])
    path = lm_eval(tmp_path / "c", "c", GOOD)
    path.write_bytes(path.read_bytes()[:-40])

    logs = oc.logs(tmp_path)

    assert logs.systems == ("a", "b")
    assert any("cut off" in each for each in logs.problems)
    with pytest.raises(OutclassError, match="cut off"):
        oc.compare(logs)


def test_a_log_and_a_table(tmp_path: Path) -> None:
    """A log is compared with logs."""
    path = lm_eval(tmp_path, "m", GOOD)
    table = tmp_path / "table.csv"
    table.write_text("gold,a\n1,1\n0,1\n")

    with pytest.raises(OutclassError, match=r"'.*table.csv' is no evaluation log"):
        oc.compare([path, table])


@pytest.mark.parametrize("rows", [[{"gold": 1, "a": 1, "b": 0}], [{"id": 3, "task": "x", "score": 0.5}]])
def test_tables_of_json_stay_tables(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    """JSON that no harness writes is a table, as before."""
    path = tmp_path / "table.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows * 4))

    with pytest.raises(OutclassError) as told:
        oc.read(path, truth="nosuch")
    assert "nosuch" in str(told.value)


def _grader_is_text(header: dict[str, object]) -> None:
    header["eval"] = {**header["eval"], "scorers": [{"name": "choice", "options": "model"}]}  # type: ignore[dict-item]  # wrong on purpose


def _scorers_are_a_number(header: dict[str, object]) -> None:
    header["eval"] = {**header["eval"], "scorers": 3, "model_roles": [1]}  # type: ignore[dict-item]  # wrong on purpose


def _results_are_odd(header: dict[str, object]) -> None:
    header["results"] = {"scores": 1}


def _parameters_are_odd(header: dict[str, object]) -> None:
    header["results"] = {"scores": [{"params": 7}, None]}


@pytest.mark.parametrize("change", [_grader_is_text, _scorers_are_a_number, _results_are_odd, _parameters_are_odd])
def test_odd_headers_of_inspect(change: Callable[[dict[str, object]], None], tmp_path: Path) -> None:
    """What a header says in an unknown way is not known; the samples are there."""
    header = header_of("m")
    change(header)
    inspect_json(tmp_path / "m.json", header, [sample(at, "CI"[at % 2]) for at in range(6)])

    assert oc.logs(tmp_path).matched().means() == {"m": [1, 0, 1, 0, 1, 0]}


def test_odd_fields_of_helm(tmp_path: Path) -> None:
    """References and metrics that are no lists say nothing."""
    folder = helm(tmp_path, "m", {"test": GOOD})
    spec = json.loads((folder / "run_spec.json").read_text())
    (folder / "run_spec.json").write_text(json.dumps({**spec, "metric_specs": 3}))
    instance = {"id": "test0", "input": {"text": "q"}, "references": [{"output": {"text": "a"}, "tags": 0.5}]}
    (folder / "scenario_state.json").write_text(
        json.dumps({"request_states": [{"instance": instance}, {"instance": 1}]})
    )

    assert oc.logs(folder).matched().means() == {"m": GOOD}


def test_half_letters(tmp_path: Path) -> None:
    """A text that was cut within a letter can be shown and written; letters outside the basic plane stay whole."""
    lm_eval(tmp_path, "m\ud800", GOOD, gold=["\ud83d\ude00", "\ud800x", *"abcd"], more={"target_hash": "\ud800"})

    logs = oc.logs(tmp_path)

    assert logs.systems == ("m\\ud800",)
    assert logs.found.all[0][1].samples.gold[:2] == ["😀", "\\ud800x"]
    write_items(logs, tmp_path / "items.csv")
    write_items(logs, tmp_path / "items.parquet")
    assert len(logs.frame) == 6


def test_all_samples_failed(tmp_path: Path) -> None:
    """A log all of whose samples failed was not left unscored: it is to be run again."""
    samples = [{**sample(at, "C"), "scores": {}, "error": "timeout"} for at in range(5)]
    inspect_json(tmp_path / "m.json", header_of("m"), samples)

    with pytest.raises(OutclassError, match=r"5 samples, none scored, because all samples failed \(timeout\)"):
        oc.logs(tmp_path)


def test_many_filters_with_long_names(tmp_path: Path) -> None:
    """The sentence that lists filters has an end."""
    lm_eval(tmp_path, "m", GOOD, filters={f"{at} {'x' * 500}": GOOD for at in range(30)})

    with pytest.raises(OutclassError, match="and 22 more") as told:
        oc.evaluate(tmp_path)
    assert len(str(told.value)) < 1500


def test_without_zstandard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where neither Python nor a package unpacks Zstandard, the sentence names what to install."""
    for name in ("compression", "compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(OutclassError, match=r"compressed with Zstandard and needs .*\[logs\]") as told:
        oc.logs(Path(__file__).parent / "made" / "inspect_ai" / "old")

    assert told.value.status == 2


MEANS = '{"chars": 812.3, "score:std": 0.4, "score": 0.81}'
PAGE = "<!DOCTYPE html>\n<html><body><h1>Metrics</h1><td><b>Score</b></td></body></html>"


@pytest.mark.parametrize(("name", "content"), [("mmlu_gpt-4o.json", MEANS), ("mmlu_gpt-4o.html", PAGE)])
def test_aggregates_have_no_results_per_item(tmp_path: Path, name: str, content: str) -> None:
    """What simple-evals writes are means and pages: refused in a sentence, as a file and in a folder."""
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")

    for given in (path, tmp_path) if path.suffix == ".json" else (path,):
        with pytest.raises(FileError, match="this file has no results per item"):
            oc.logs(given)
        with pytest.raises(FileError, match="this file has no results per item"):
            oc.compare(given, given)


def test_a_table_of_scores_is_no_aggregate(tmp_path: Path) -> None:
    """Lines of JSON with a column called score are a table, though their first line looks like means."""
    path = tmp_path / "scores.json"
    rows = [f'{{"item": {at}, "b": {at % 2}, "score": 1}}\n' for at in range(6)]
    path.write_text("".join(rows), encoding="utf-8")

    assert oc.read(path, scores=True, item="item").systems == ("b", "score")
