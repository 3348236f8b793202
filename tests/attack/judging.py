"""What is wrong with a sentence, an answer or a run of the command; nothing, if it is as it should be."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as Xml

from forked import SECONDS, Ended, Room

SOUND: Final = (0, 2, 75)  # an answer, a sentence, busy
LONGEST: Final = 6_000  # letters of what is said beside an answer
MOST_LINES: Final = 12
MEGABYTES: Final = 2_048
IDLE: Final = 3.0  # seconds of computing, below which a process was waiting for something
# Numbers of an answer that are always there: where one is not, a finding says why.
ALWAYS: Final = frozenset(("mean", "std", "hdi", "below", "above", "p_value"))
# A sentence that tells the cost beforehand.
COST: Final = re.compile(r"\b(GB|MB|gigabytes|megabytes|minutes)\b|takes? about \d")


def is_plain(text: str) -> bool:
    """Return whether a terminal shows a text and does nothing else."""
    return all(sign.isprintable() or sign == "\n" for sign in text)


def wrong_words(text: str) -> str:
    """Return what is wrong with a sentence."""
    if not text.strip():
        return "says nothing"
    if not is_plain(text):
        odd = next(sign for sign in text if not sign.isprintable() and sign != "\n")
        return f"control character U+{ord(odd):04X} in what it says"
    if len(text) > LONGEST or text.count("\n") > MOST_LINES:
        return f"says too much: {text.count(chr(10))} lines, {len(text):,} letters"
    return ""


def wrong_json(text: str) -> str:
    """Return what is wrong with an answer in JSON."""
    try:
        found = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        return f"not JSON: {str(error)[:80]}"
    place = next(_silent(found, "", told=False), None)
    return f"no number and no finding: {place}" if place else ""


def _refuse(token: str) -> Any:
    raise ValueError(f"the token {token}")


def _silent(value: Any, place: str, *, told: bool) -> Iterator[str]:
    """Yield where a number is missing that no finding explains."""
    if isinstance(value, list):
        for at, each in enumerate(value):
            yield from _silent(each, f"{place}[{at}]", told=told)
    elif isinstance(value, dict):
        told = told or bool(value.get("findings"))
        for key, each in value.items():
            here = f"{place}.{key}".lstrip(".")
            if key in ALWAYS and not told and (each is None or (isinstance(each, list) and None in each)):
                yield here
            elif isinstance(each, dict | list):
                yield from _silent(each, here, told=told)


def wrong_run(arguments: list[str], ended: Ended, room: Room, allowed: tuple[str, ...]) -> str:
    """Return what is wrong with a run of the command, which may leave files whose names begin as allowed."""
    err = room.said("err")
    if ended.timed_out and ended.computing < IDLE:
        return "hangs"
    if ended.timed_out or min(ended.seconds, ended.computing) > SECONDS:  # it may use several cores, or have to wait
        # What takes long may be stopped here, if it said so beforehand.
        return "" if COST.search(err) else "takes more than a minute"
    if "Traceback (most recent call last)" in err:
        return _traced(err)
    if ended.status < 0:
        return f"dies of signal {-ended.status}"
    if ended.status not in SOUND:
        return f"status {ended.status}: {_first(err)}"
    if re.search(r"^\S*:\d+: \w*Warning:|^\w*Warning:", err, re.MULTILINE):
        return f"a Python warning: {_first(err)}"
    if (ended.status or err) and (wrong := wrong_words(err)):
        return wrong
    if ended.megabytes > MEGABYTES and not COST.search(err):
        return f"takes {ended.megabytes:,} MB and does not say so"
    return wrong_files(ended.status, arguments, room, allowed) or (
        wrong_answer(arguments, room.said("out")) if ended.status == 0 else ""
    )


def wrong_files(status: int, arguments: list[str], room: Room, allowed: tuple[str, ...]) -> str:
    """Return what a run left that it should not have, or did not write."""
    left = room.left()
    for path in left:
        name = path.partition("/")[2]
        if not path.startswith("work/") or not name.startswith(allowed):
            return f"leaves {path}"
    wanted = [arguments[at + 1] for at, each in enumerate(arguments) if each in ("-o", "--report")]
    for name in (each for each in wanted if each.startswith("out.")):
        path = room.work / name
        if path.exists() != (status == 0):
            return f"{name} {'was written all the same' if status else 'was not written'}"
        if status == 0 and (wrong := wrong_file(path)):
            return f"{name}: {wrong}"
    state = room.work / "out.state"
    return f"out.state: {wrong}" if state.exists() and (wrong := wrong_file(state)) else ""


def wrong_file(path: Path) -> str:
    """Return what is wrong with a file that was written."""
    text = path.read_text(encoding="utf-8")
    try:
        if path.suffix == ".html":
            return "" if text.rstrip().endswith("</html>") else "cut"
        if path.suffix == ".svg":
            Xml.fromstring(text)
        elif path.suffix == ".json":
            return wrong_json(text)
        else:
            json.loads(text)
    except (ValueError, Xml.ParseError) as error:
        return str(error)[:80]
    return ""


def wrong_answer(arguments: list[str], out: str) -> str:
    """Return what is wrong with what was printed."""
    if not out:
        return ""
    if "json" in arguments and "-o" not in arguments:
        return wrong_json(out)
    if not is_plain(out):
        return f"answer: {wrong_words(out)}"
    if re.search(r"(?<![\w.])[+-]?(nan|inf)(?![\w.])", out) and not re.search(r"\bOC\d{3}\b", out):
        return "nan or inf and no finding"
    return ""


def _traced(err: str) -> str:
    """Return the last line of a traceback, and where in outclass it comes from."""
    lines = err.splitlines()
    places = re.findall(r'File "[^"]*outclass/([\w/]+\.py)", line \d+, in (\S+)', err)
    last = next(
        (line for line in reversed(lines) if re.match(r"[A-Za-z_][\w.]*(Error|Exception|Exit|Interrupt)\b", line)),
        lines[-1],
    )
    where = f" ({places[-1][0]}:{places[-1][1]})" if places else ""
    return f"traceback: {_shown(last)}{where}"


def _first(err: str) -> str:
    return _shown(next((line for line in err.splitlines() if line.strip()), "no word"))


def _shown(line: str) -> str:
    """Return a line that says the same on every machine: no folders, and no name of a hundred letters."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in line)
    without = re.sub(r"/[^\s']*/(site-packages|inputs|work)/", r"\1/", plain)
    return re.sub(r"([\w/]{1,12})[\w/]{60,}", r"\1...", without)[:160]
