"""Takes what a user gives, and gives the answer; READ FIRST: one file a question, its whole road on one screen.

data (arrays, frame, files) -> `Outcomes` -> a model's posterior -> verdict, Bayes factors, tests -> an answer.
Begin with `compare.py`; what users may write is read in `question.py`.
"""
