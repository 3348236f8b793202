"""Takes rows, gives what a user holds: `Comparison`, `Evaluation`, `Ranking`, `TestReport`, `Plan`.

May import `report` and below; must not know files or commands.
"""
