"""Takes rows, gives answers: `Comparison`, `Evaluation`, `Ranking`, `TestReport`, `Plan`.

May import `report` and below; must not know files or commands.
"""
