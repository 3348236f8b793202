"""Evaluation logs of language models: typed runs out of the files of harnesses, and tables out of runs.

`formats/` has a file per harness; `gathering` finds and reads logs, `choosing` picks runs and metrics, `comparable`
says whether they are of the same items, `matching` puts them side by side.
"""
