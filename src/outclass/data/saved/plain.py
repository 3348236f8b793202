"""What all saved states have in common: one JSON object, its kind and version first, and a list of rows last."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from outclass.data.labels import normal
from outclass.errors import InputError, quoted, shown

VERSION: Final = 1


def written(kind: str, head: Mapping[str, Any], name: str, rows: Iterable[Any]) -> str:
    """Write a state, one line per row; its bytes depend on the order of the rows, so sort them first."""
    whole = {"kind": kind, "version": VERSION, **head}
    fields = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in whole.items()]
    listed = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return "{" + ",\n ".join(fields) + f',\n "{name}": [\n  ' + listed + "\n]}\n"


def parsed(text: str | bytes, kind: str, fields: Sequence[str]) -> Mapping[str, Any]:
    """Read back what `written` wrote: an object of this kind and version with these fields and no others."""
    try:
        plain = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON: {error}.") from None
    if not isinstance(plain, Mapping) or plain.get("kind") != kind:
        raise InputError("this JSON is not a state written by outclass.")
    if type(plain.get("version")) is not int or plain["version"] != VERSION:
        raise InputError(f"this state has version {shown(plain.get('version'))}; this outclass reads {VERSION}.")
    strange = [key for key in plain if key not in ("kind", "version", *fields)]
    if strange:
        raise InputError(f"this state is damaged, or was written by another version: unexpected {quoted(strange)}.")
    return plain


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Raise an error for an object that says something twice: which of the two is meant, nobody knows."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice in it")
    return found


def damaged(what: str) -> InputError:
    """Build the error for a state that holds something else than was written."""
    return InputError(f"this state is damaged: its {what}.")


def is_list(value: Any, kinds: Any) -> bool:
    """Return whether a value is a list of such values; True and False are no numbers."""
    return isinstance(value, list) and all(
        isinstance(each, kinds) and (kinds is bool or not isinstance(each, bool)) for each in value
    )


def can_be_written(name: str) -> bool:
    """Return whether a name is text of UTF-8, which has no half of a surrogate pair."""
    return not any("\ud800" <= sign <= "\udfff" for sign in name)


def are_names(value: Any) -> bool:
    """Return whether a value is a list of different names."""
    return (
        is_list(value, str) and len(set(value)) == len(value) and all(name and can_be_written(name) for name in value)
    )


def are_labels(value: Any) -> bool:
    """Return whether a value is a list of different labels of one type."""
    if not isinstance(value, list) or len({type(each) for each in value}) > 1 or not _are_hashable(value):
        return False
    sound = is_list(value, int) or is_list(value, bool) or (are_names(value) and all(x.strip() == x for x in value))
    return sound and len(set(value)) == len(value)


def _are_hashable(value: list[Any]) -> bool:
    return all(isinstance(each, bool | int | str) for each in value)


def check_new(known: Sequence[Any], said: Sequence[Any], *, new_labels: bool) -> None:
    """Refuse labels that a state does not know, unless the user says that they are right."""
    there = {normal(label) for label in known}
    new = [label for label in said if normal(label) not in there]
    if new and not new_labels:
        raise InputError(
            f"the new data have labels that are not in the state: {quoted(new)}; it has {quoted(known)}. If they are "
            "correct, use ⟨new_labels=True⟩."
        )
