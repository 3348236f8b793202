"""JSON: everything but posteriors, which `from_json` reads back."""

import json
from typing import Any, Final

SUFFIX: Final = ".json"


def write(answer: Any) -> str:
    """Return JSON; what a terminal would obey or hide is escaped, which JSON reads back as it was."""
    told = json.dumps(answer.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
    lines = (line if line.isprintable() else "".join(map(_escaped, line)) for line in told.split("\n"))
    return "\n".join(lines) + "\n"


def _escaped(sign: str) -> str:
    return sign if sign.isprintable() else json.dumps(sign)[1:-1]
