"""A gate as JSON, which `Gate.from_json` reads back; what a terminal would obey is escaped."""

import json
from typing import Any


def write(gate: Any) -> str:
    """Return JSON."""
    return json.dumps(gate.to_dict(), indent=2, ensure_ascii=True, allow_nan=False) + "\n"
