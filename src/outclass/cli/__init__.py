"""Takes a command line, gives text and an exit status; knows the questions of `ask` and the writing of answers.

One file per command, and one table of options (`options.py`) of which commands are built (`command.py`). Loading a
command loads neither NumPy nor what answers it, so that its help is shown at once.
"""
