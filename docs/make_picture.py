"""Draw the README's picture: what a terminal shows of a comparison on the demo data."""

import io
import re
from pathlib import Path

from rich.console import Console

import outclass as oc
from outclass.report import brief

HERE = Path(__file__).parent


def main() -> None:
    """Write docs/demo.svg."""
    answer = oc.compare(
        oc.datasets.path("20news"), truth="truth", systems=["nb_mult", "svm_l2"], positive="rec.sport.hockey"
    )
    console = Console(record=True, width=88, force_terminal=True, file=io.StringIO())
    console.print("$ outclass compare 20news.parquet --truth truth --system nb_mult --system svm_l2 \\")
    console.print("    --positive rec.sport.hockey\n")
    console.print(brief.contrasts(answer.rows, 88))
    picture = console.export_svg(title="outclass")
    # Fonts would be fetched from a network; whatever monospace font the reader has will do.
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    (HERE / "demo.svg").write_text(picture)


if __name__ == "__main__":
    main()
