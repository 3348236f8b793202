"""Run the notebooks again and keep what they print; or, with --check, hold what they print to what was kept.

Only what shows anywhere is kept: text, and pictures as PNG. What a run leaves besides (times, ids) would make every run
another file.
"""

import argparse
import base64
import io
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import nbformat
from nbclient import NotebookClient
from PIL import Image
from traitlets.config import Config

FOLDER: Final = Path(__file__).parent / "notebooks"
SHOWN: Final = ("text/plain", "text/markdown", "image/png")
_NUMBER: Final = re.compile(r"(?<![\w.])[-+]?(?:\d[\d,]*)?\.?\d+(?:e[-+]?\d+)?")


def executed(path: Path) -> Any:
    """Return a notebook as it is after a run, with what is worth keeping."""
    book = nbformat.read(path, as_version=4)
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    with tempfile.TemporaryDirectory() as own:
        # Sockets and history in a place of their own: no port is opened, and the user's files stay as they are.
        os.environ |= {"IPYTHONDIR": own, "JUPYTER_RUNTIME_DIR": own}
        NotebookClient(
            book,
            timeout=300,
            kernel_name="python3",
            resources={"metadata": {"path": str(FOLDER)}},
            config=Config({"ConnectionFileMixin": {"transport": "ipc", "ip": f"{own}/kernel"}}),
        ).execute()
    for place, cell in enumerate(book.cells):
        cell.id, cell.metadata = f"cell-{place + 1}", {}
        if cell.cell_type == "code":
            cell.outputs = _kept(cell.outputs)
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return book


def _kept(outputs: list[Any]) -> list[Any]:
    found: list[Any] = []
    for output in outputs:
        if output.output_type == "stream":
            if output.name != "stdout":
                raise SystemExit(f"a cell wrote to {output.name}: {output.text}")
            # How text comes in pieces depends on the moment.
            if found and found[-1].output_type == "stream":
                found[-1].text += output.text
            else:
                found.append(output)
            continue
        data = {kind: output.data[kind] for kind in SHOWN if kind in output.data}
        if "image/png" in data:
            data["image/png"] = _smaller(data["image/png"])
            data["text/plain"] = "a chart"  # Altair's own words hold an address in memory
        found.append(nbformat.v4.new_output("display_data", data=data))
    return found


def _smaller(picture: str) -> str:
    """Return a chart with as many colours as it needs: a tenth of the bytes."""
    image = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    stream = io.BytesIO()
    image.save(stream, "PNG", optimize=True)
    return base64.b64encode(stream.getvalue()).decode()


def told(book: Any) -> list[str]:
    """Return what every cell of code printed."""
    found = []
    for cell in book.cells:
        if cell.cell_type == "code":
            texts = [output.get("text") or output["data"]["text/plain"] for output in cell.outputs]
            found.append("\n".join(texts))
    return found


def differences(kept: str, new: str) -> list[str]:
    """Return where two texts differ: in words, or in numbers by more than one in the last digit that is shown."""
    if _NUMBER.sub("#", kept).split() != _NUMBER.sub("#", new).split():
        return [f"kept:\n{kept}\nnow:\n{new}"]
    pairs = zip(_NUMBER.findall(kept), _NUMBER.findall(new), strict=True)
    return [f"{old} is now {now}" for old, now in pairs if not _alike(old, now)]


def _alike(old: str, now: str) -> bool:
    a, b = (float(number.replace(",", "")) for number in (old, now))
    mantissa, _, exponent = old.partition("e")
    if exponent:  # an error of computing, of which the size is enough
        return a == b or 0.1 < a / b < 10
    return abs(a - b) <= 1.01 * 10.0 ** -len(mantissa.partition(".")[2])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail where something else is printed")
    parser.add_argument("names", nargs="*", help="notebooks; all, if none is named")
    asked = parser.parse_args()
    wrong = []
    for file in sorted(FOLDER.glob("*.ipynb")):
        if asked.names and file.stem not in asked.names:
            continue
        before, after = nbformat.read(file, as_version=4), executed(file)
        if asked.check:
            for cell, (kept, new) in enumerate(zip(told(before), told(after), strict=True), start=1):
                wrong += [f"{file.name}, cell {cell}: {each}" for each in differences(kept, new)]
        else:
            nbformat.write(after, file)
    sys.exit("\n".join(wrong) or None)
