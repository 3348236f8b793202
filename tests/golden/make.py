"""Write the golden answers anew: `.venv/bin/python tests/golden/make.py [NAME...]`; without names, all of them."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from cells import CELLS
from extract import numbers_of, plain

FILE = Path(__file__).parent / "answers.json"


def main(names: list[str]) -> None:
    """Write the answers of the named cells, and keep those of the others."""
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for name in names or CELLS:
        known[name] = plain(numbers_of(CELLS[name]()))
    kept = {name: known[name] for name in CELLS if name in known}
    FILE.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
