"""Takes a scenario or a pilot, gives the probability of reaching a goal at each number of items.

Walks the same road as a comparison, on simulated outcomes. May import `models`, `verdict` and `significance`.
"""
