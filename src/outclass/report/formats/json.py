"""JSON: everything but posteriors, which `from_json` reads back."""

import json
from typing import Any, Final

SUFFIX: Final = ".json"


def write(answer: Any) -> str:
    """Return JSON."""
    return json.dumps(answer.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
