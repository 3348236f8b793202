"""What an answer says, in whatever form, and which words of it belong to another caller."""

import re
from functools import partial
from typing import Any

from outclass.ask.columns import Columns
from outclass.cli.options import FLAGS
from outclass.cli.wording import in_options
from outclass.dialects import speaking

OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*|`?outclass [a-z]+`")
# Arguments as Python writes them, and methods; n=400 is also how people write a size.
NAMES = sorted(name for name in {*FLAGS, *Columns.__annotations__} if len(name) > 1)
ARGUMENT = re.compile(rf"(?<![\w-])(?:{'|'.join(NAMES)})=|\boc\.\w+|\bto_\w+\(")


def texts(answer: Any) -> dict[str, str]:
    """Return all that an answer can be printed or written as, by name; a notebook has the text of Markdown."""
    return {
        "str": str(answer),
        "verbose": answer.to_text(verbose=True),
        "repr": repr(answer),
        "findings": repr(answer.findings),
        "markdown": answer.to_markdown(),
        "latex": answer.to_latex(),
        "methods": answer.methods(),
        "json": answer.to_json(),
    }


def foreign(answer: Any) -> list[tuple[str, str]]:
    """Return the options that Python shows, the arguments that the command line shows, and marks that are left."""
    python = texts(answer)
    with speaking(partial(in_options, given={})):
        command = texts(answer)
    found = []
    for said, wrong in ((python, OPTION), (command, ARGUMENT)):
        found += [(name, each[0]) for name, told in said.items() for each in wrong.finditer(told)]
        found += [(name, told[max(0, told.index("⟨") - 40) :][:80]) for name, told in said.items() if "⟨" in told]
    return found
