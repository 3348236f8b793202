"""What a build reads: text, JSON, Markdown, JUnit, annotations, Code Quality and SARIF, whatever names there are."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Tree

import jsonschema
import pytest
from gate_suites import gsm8k, labels, write

import outclass as oc
from outclass.report.gate import NAMES
from outclass.report.gate.markdown import RULE

ROOT = Path(__file__).parents[2]
OUTCLASS = Path(sys.executable).parent / "outclass"
TWO = {
    "gate": {
        "scores": True,
        "item": "id",
        "check": [{"name": "first", "margin": 0.1}, {"name": "second", "margin": 0.2}],
    }
}
HOSTILE = 'x::error title=a::b%0A\n::set-output name=a::b\r\x1b[31m]]>&<"|`\u202e ##[group]'


@pytest.fixture(scope="module")
def gates() -> list[oc.Gate]:
    """Gates of all decisions, and one with hostile names."""
    table, margins = gsm8k(), (0.005, 0.02, 0.1)
    found = [oc.gate(table, scores=True, item="id", margin=margin, undecided="warn") for margin in margins]
    sides = {
        "id": [f"{HOSTILE}{place}" for place in table["id"]],
        "a": table["6b_verification"],
        "b": table["175b_finetuning"],
    }
    config = {
        "gate": {
            "scores": True,
            "item": "id",
            "name": HOSTILE,
            "check": [{"name": HOSTILE, "margin": 0.001}, {"name": "odd", "margin": 1, "measure": HOSTILE}],
            "floor": [{"name": "low", "at_least": 0.9}],
        }
    }
    return [*found, oc.gate(sides, config=config)]


def test_json_round_trip(gates: list[oc.Gate]) -> None:
    """JSON is versioned, has the documented parts, and is read back as it was."""
    for gate in gates:
        plain = json.loads(gate.to_json())

        parts = ("schema", "decision", "exit", "checks", "baseline", "candidate", "ledger", "findings")
        assert all(part in plain for part in parts)
        assert oc.Gate.from_json(gate.to_json()) == gate
        assert plain["exit"] == gate.exit
    with pytest.raises(ValueError, match="schema version 9"):
        oc.Gate.from_json(json.dumps({**plain, "schema": 9}))
    with pytest.raises(ValueError, match="no 'checks'"):
        oc.Gate.from_json("{}")


def test_text_of_one_check_is_short(gates: list[oc.Gate]) -> None:
    """One check takes at most six lines of eighty columns."""
    for gate in gates[:3]:
        lines = gate.to_text().splitlines()

        assert len(lines) <= 6
        assert max(map(len, lines)) <= 80


# What is used of Jenkins' schema junit-10, which GitLab and Azure read as well: elements with the attributes that they
# must and may have, and what they hold, in this order. Of test cases it has no properties, of all suites no `skipped`.
JUNIT = {
    "testsuites": ({"name", "tests", "failures", "errors"}, {"time"}, ["testsuite"]),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, set(), ["properties", "testcase"]),
    "testcase": ({"name", "classname", "time"}, set(), ["skipped", "error", "failure", "system-out", "system-err"]),
    "properties": (set(), set(), ["property"]),
    "property": ({"name", "value"}, set(), []),
    "failure": ({"type"}, {"message"}, []),
    "error": ({"type"}, {"message"}, []),
    "skipped": (set(), {"message"}, []),
    "system-out": (set(), set(), []),
}


def _check_junit(element: Tree.Element) -> None:
    must, may, holds = JUNIT[element.tag]
    assert must <= set(element.attrib) <= must | may, element.tag
    places = [holds.index(child.tag) for child in element]
    assert places == sorted(places), element.tag
    for child in element:
        _check_junit(child)


def test_junit(gates: list[oc.Gate]) -> None:
    """JUnit is well-formed, follows the schema, and its counts are those of its cases."""
    for gate in gates:
        root = Tree.fromstring(gate.to_junit())

        _check_junit(root)
        (suite,) = root
        assert int(suite.attrib["tests"]) == len(gate.checks) == len(suite.findall("testcase"))
        for kind, counted in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert int(suite.attrib[counted]) == len(suite.findall(f"testcase/{kind}"))
    kinds = [gate.to_junit() for gate in gates]
    assert '<failure type="regressed"' in kinds[0]
    assert "<skipped" in kinds[1]
    assert '<error type="not judged"' in kinds[3]


TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
# SARIF 2.1.0, section 3, as far as it is used.
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    **{key: {"type": "string"} for key in ("name", "version", "semanticVersion")},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "additionalProperties": False,
                                            "properties": {"id": {"type": "string"}, "shortDescription": TEXT},
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": TEXT,
                                "properties": {"type": "object"},
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "additionalProperties": False,
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation"],
                                            },
                                            "logicalLocations": {"type": "array"},
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def test_sarif(gates: list[oc.Gate]) -> None:
    """SARIF follows its schema; a level other than none goes with kind 'fail' alone, and every rule is declared."""
    for gate in gates:
        found = json.loads(gate.written("sarif"))

        jsonschema.validate(found, SARIF)
        (run,) = found["runs"]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        for result in run["results"]:
            assert result["ruleId"] in rules
            assert result["kind"] == "fail" or result["level"] == "none"


def test_gitlab(gates: list[oc.Gate]) -> None:
    """Issues of Code Quality have what GitLab needs, with different fingerprints."""
    issues = json.loads(gates[3].written("gitlab"))

    assert len({issue["fingerprint"] for issue in issues}) == len(issues) > 0
    for issue in issues:
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert issue["location"]["path"]
        assert issue["location"]["lines"]["begin"] == 1
        assert issue["description"]
        assert issue["check_name"]


def test_annotations_escape_hostile_names(gates: list[oc.Gate]) -> None:
    """A name cannot end an annotation, begin another command, or move the cursor."""
    told = gates[3].written("github")
    lines = told.split("\n")

    commands = [line for line in lines if line.startswith("::") or "##[" in line]
    assert len(commands) == 3
    assert all(line.startswith("::error title=outclass x%3A%3Aerror") for line in commands)
    assert "::" not in "".join(lines[3:])
    for name in NAMES:
        text = gates[3].written(name)
        assert "\x1b" not in text, name
        assert "\r" not in text
        assert "\u202e" not in text


def test_markdown(gates: list[oc.Gate]) -> None:
    """A comment begins with the mark of its gate, has one table and folds the flips; names cannot break it."""
    plain, hostile = gates[0].to_markdown(), gates[3].to_markdown()

    assert plain.startswith("<!-- outclass:gate:gate -->\n")
    assert "regressed" in plain.splitlines()[1]
    assert plain.count(RULE) == 1
    assert "q" in plain.partition("<details>")[2]
    assert len(hostile) <= 60_000
    assert hostile.splitlines()[0].count("-->") == 1
    rows = [line for line in hostile.splitlines() if line.startswith("| ")]
    assert all(row.replace("\\|", "").count("|") == 9 for row in rows)
    assert "<b" not in hostile


def _run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI_"))}
    return subprocess.run(
        [str(OUTCLASS), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**kept, **environment},
    )


def test_exit_statuses_and_files(tmp_path: Path) -> None:
    """The command's status is the decision's, and every report is written, also of what could not be judged."""
    table = gsm8k()
    path = write(tmp_path / "both.csv", table)
    base = write(tmp_path / "base.csv", table, "id", "6b_verification")
    other = write(tmp_path / "other.csv", labels(), "id", "gold", "old")
    saved = str(tmp_path / "base.oc")
    junit = str(tmp_path / "g.xml")

    bless = _run("bless", base, "--scores", "--id", "id", "-o", saved, "--why", "release 1")
    regressed = _run("gate", path, "--scores", "--id", "id", "--margin", "0.01", "--junit", junit)
    undecided = _run("gate", path, "--scores", "--id", "id", "--margin", ".02", "--summary", str(tmp_path / "g.md"))
    without = _run("gate", path, "--scores", "--id", "id")
    apart = _run("gate", saved, other, "--truth", "gold", "--id", "id", "--margin", "0.1", "--junit", junit)

    assert bless.returncode == 0, bless.stderr
    assert [each.returncode for each in (regressed, undecided, without, apart)] == [1, 3, 2, 4]
    assert "--margin 0.036" in without.stderr
    assert 'type="not comparable"' in Path(junit).read_text()
    assert (tmp_path / "g.md").read_text().startswith("<!-- outclass:gate:gate -->")
    assert without.stderr.count("\n") == apart.stderr.count("\n") == 1


def _script() -> str:
    """Return the shell script of the action: what follows `run: |`."""
    told = (ROOT / "action.yml").read_text(encoding="utf-8").partition("run: |\n")[2]
    return "\n".join(line.removeprefix("        ") for line in told.splitlines())


@pytest.mark.parametrize("margin", ["0.01", "0.1"])
def test_action(tmp_path: Path, margin: str) -> None:
    """The action's script, as the runner runs it: annotations, step summary, outputs, reports, and the exit status."""
    table = gsm8k()
    evil = tmp_path / "a $(touch evil) b"
    evil.mkdir()
    write(evil / "both.csv", table)
    environment = {
        "PATH": f"{OUTCLASS.parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "CANDIDATE": str(evil / "both.csv"),
        "CONFIG": "outclass.toml",
        "MARGIN": margin,
        "OPTIONS": "--scores\n--id id",
        "INSTALL": "",
        "GITHUB_ACTIONS": "true",
        "GITHUB_SHA": "abc",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }

    done = subprocess.run(
        ["bash", "-c", _script()],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert done.returncode == (1 if margin == "0.01" else 0), done.stderr
    assert outputs["exit"] == str(done.returncode)
    assert outputs["report"] == "gate.md"
    assert done.stdout.startswith("::error" if done.returncode else "::warning")
    assert (tmp_path / "summary.md").read_text() == (tmp_path / "gate.md").read_text()
    assert json.loads((tmp_path / "gate.json").read_text())["candidate"]["commit"] == "abc"
    assert not list(tmp_path.rglob("evil"))


def test_properties_of_several_checks(gates: list[oc.Gate]) -> None:
    """Properties are of the suite, and say of which check they are."""
    (suite,) = Tree.fromstring(oc.gate(gsm8k(), config=TWO).to_junit())
    (alone,) = Tree.fromstring(gates[0].to_junit())

    names = [each.attrib["name"] for each in suite.iter("property")]
    assert {"first: difference", "second: difference"} < set(names)
    assert len(set(names)) == len(names)
    assert "difference" in [each.attrib["name"] for each in alone.iter("property")]


def test_sarif_places_are_references(gates: list[oc.Gate]) -> None:
    """A path with a blank is a valid reference."""
    found = json.loads(replace(gates[0], config="my gates\\a [1].toml").written("sarif"))

    (place,) = found["runs"][0]["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "my%20gates/a%20%5B1%5D.toml"


def test_nothing_is_not_minus_nothing() -> None:
    """A difference of nothing is written without a sign of less."""
    told = oc.gate({"a": [0.5] * 30, "b": [0.5] * 30}, scores=True, margin=0.1).to_text()

    assert "+0.000 [" in told
    assert "-0.000" not in told


def test_calibrate_takes_no_settings_of_decisions(tmp_path: Path) -> None:
    """A gate that is calibrated decides nothing: a margin with it is one sentence, and so are no files."""
    path = write(tmp_path / "both.csv", gsm8k())

    margin = _run("gate", "--calibrate", path, "--scores", "--id", "id", "--margin", "0.1")
    nothing = _run("gate", "--calibrate")

    assert (margin.returncode, nothing.returncode) == (2, 2)
    assert margin.stderr.startswith("outclass: --margin is not used with --calibrate")
    assert "takes two runs" in nothing.stderr
