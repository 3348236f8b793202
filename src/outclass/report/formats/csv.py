"""CSV, for a spreadsheet or a program: full numbers, plain signs."""

import csv
import io
import math
from typing import Any, Final

SUFFIX: Final = ".csv"


def write(answer: Any) -> str:
    """Return one line a record."""
    heads, lines = answer.records
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(heads)
    # An unknown number is an empty cell: spreadsheets read "nan" as text.
    writer.writerows(
        [["" if isinstance(value, float) and math.isnan(value) else value for value in line] for line in lines]
    )
    return stream.getvalue()
