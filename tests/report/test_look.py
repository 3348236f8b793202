"""Pictures for papers: size in inches, font size in points, title, and dots per inch."""

import struct
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import outclass as oc
from outclass.cli.main import app
from outclass.errors import InputError

ROWS = [[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]]


@pytest.fixture(scope="module")
def answer() -> oc.Comparison:
    """Compare two systems."""
    return oc.compare(oc.Outcomes.of_rows(("A", "B"), ROWS, [40, 6, 3, 11, 5, 4, 2, 60]), positive=1)


def _png(path: Path) -> tuple[int, int, float]:
    """Return the width and height of a PNG file in dots, and its dots per inch."""
    data = path.read_bytes()
    at = data.index(b"pHYs")
    per_metre = struct.unpack(">I", data[at + 4 : at + 8])[0]
    return *struct.unpack(">II", data[16:24]), per_metre * 0.0254


@pytest.mark.parametrize(("dpi", "size"), [(None, (3.3, 2.5)), (150, (6.0, 4.0))])
def test_png_has_its_size_in_inches(answer: oc.Comparison, dpi: float | None, size: Any, tmp_path: Path) -> None:
    """Dots are inches times dots per inch, 300 unless said otherwise, and the file says so."""
    answer.save_plot(tmp_path / "x.png", size=size, dpi=dpi)
    width, height, found = _png(tmp_path / "x.png")

    assert found == pytest.approx(dpi or 300, abs=0.1)
    assert (width, height) == pytest.approx([each * (dpi or 300) for each in size], abs=2)


def test_pdf_has_its_size_in_points(answer: oc.Comparison, tmp_path: Path) -> None:
    """A PDF file is as large as was asked for."""
    answer.save_plot(tmp_path / "x.pdf", size=(4, 3))

    assert b"/MediaBox [0 0 288 216]" in (tmp_path / "x.pdf").read_bytes().replace(b".0", b"")


def test_letters_and_title(answer: oc.Comparison) -> None:
    """All letters have the size; a title replaces the chart's own and its subtitle, an empty one leaves both out."""
    usual = answer.plot().to_dict()
    mine = answer.plot(font_size=7, title="Mine").to_dict()
    config = mine["config"]

    assert usual["title"]["subtitle"]
    assert mine["title"] == {"text": ["Mine"], "anchor": "start"}
    assert {config[part][key] for part in ("axis", "legend") for key in ("labelFontSize", "titleFontSize")} == {7}
    assert config["text"]["fontSize"] == 7
    assert "title" not in answer.plot(title="").to_dict()
    assert answer.plot().to_dict() == usual


def test_lines_of_a_title_fit_its_width(answer: oc.Comparison) -> None:
    """In a narrow picture a title has more lines, and says the same."""
    wide, narrow = (answer.plot(size=size, font_size=9).to_dict()["title"] for size in ((8, 4), (3, 3)))

    assert len(narrow["text"]) > len(wide["text"])
    assert " ".join(narrow["text"]) == " ".join(wide["text"])
    assert " ".join(narrow["subtitle"]) == " ".join(wide["subtitle"])


@pytest.mark.parametrize("kind", ["confusion", "joint", "systems"])
def test_every_shape_of_chart_has_a_size(answer: oc.Comparison, kind: str, tmp_path: Path) -> None:
    """Charts of several parts share the width."""
    answer.save_plot(tmp_path / "small.png", kind, size=(4, 3), font_size=8)
    answer.save_plot(tmp_path / "large.png", kind, size=(8, 6), font_size=8)

    small, large = (_png(tmp_path / f"{name}.png")[0] for name in ("small", "large"))
    assert 1.5 < large / small < 2.5


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"size": "wide"}, "size must be a width and a height in inches, as in 6,4; got 'wide'"),
        ({"size": (4,)}, "size must be a width and a height"),
        ({"size": (4, 400)}, "size must lie between 0.5 and 40 inches, got 400"),
        ({"font_size": 0}, "font_size must lie between 3 and 72 points, got 0"),
        ({"dpi": 1e6}, "dpi must lie between 36 and 1200 dots per inch"),
    ],
)
def test_what_cannot_be_drawn(answer: oc.Comparison, asked: dict[str, Any], told: str, tmp_path: Path) -> None:
    """A wrong size is told, and no file is written."""
    with pytest.raises(InputError, match=told):
        answer.save_plot(tmp_path / "x.png", **asked)
    assert not (tmp_path / "x.png").exists()


def test_dots_are_of_png_files(answer: oc.Comparison, tmp_path: Path) -> None:
    """What is not used is an error."""
    with pytest.raises(InputError, match=r"dpi is for PNG files"):
        answer.save_plot(tmp_path / "x.svg", dpi=300)


def test_hostile_titles(answer: oc.Comparison, tmp_path: Path) -> None:
    """A title is text in every picture."""
    answer.save_plot(tmp_path / "x.svg", title="<script>run()</script>\x1b[31m")

    assert "<script" not in (tmp_path / "x.svg").read_text()
    assert "&lt;script" in (tmp_path / "x.svg").read_text()


def test_the_command_takes_the_same(tmp_path: Path) -> None:
    """`outclass plot` has an option for each, and checks it before any work."""
    (tmp_path / "p.csv").write_text("gold,a,b\n" + "yes,yes,no\nno,no,no\nyes,yes,yes\nno,yes,no\n" * 50)
    line = ["plot", str(tmp_path / "p.csv"), "--truth", "gold", "--positive", "yes"]
    look = ["--size", "3.3,2.5", "--font-size", "8", "--chart-title", "Mine"]
    drawn = CliRunner().invoke(app, [*line, *look, "--dpi", "200", "-o", str(tmp_path / "x.png")])
    as_svg = CliRunner().invoke(app, [*line, *look, "-o", str(tmp_path / "x.svg")])

    assert drawn.exit_code == as_svg.exit_code == 0
    assert _png(tmp_path / "x.png") == pytest.approx((660, 500, 200), abs=2)
    assert ">Mine<" in (tmp_path / "x.svg").read_text()
