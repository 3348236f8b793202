"""`python -m outclass`."""

from outclass.cli.entry import run

run()
