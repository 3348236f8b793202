"""CSV, for a spreadsheet or a program: full numbers, plain signs."""

import csv
import io
import math
from typing import Any, Final

from outclass.report import text

SUFFIX: Final = ".csv"


def write(answer: Any) -> str:
    """Return one line a record."""
    heads, lines = answer.records
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([list(map(_cell, line)) for line in lines])
    return stream.getvalue()


def _cell(value: object) -> object:
    """Write what a spreadsheet neither runs nor misreads: a name as text, and an unknown number as an empty cell."""
    if isinstance(value, float) and math.isnan(value):
        return ""  # spreadsheets read "nan" as text
    return text.cell(value) if isinstance(value, str) else value
