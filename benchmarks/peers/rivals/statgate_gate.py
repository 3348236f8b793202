"""statgate: its gate at its defaults, whose p-value is that of random sign flips."""

from statgate import EvalRecord, GateSettings, evaluate_gate

REQUIRES = ["statgate"]
QUESTION = "accuracy_test"
CALL = "evaluate_gate(baseline, candidate, GateSettings()): BCa interval and sign flips"
PAIRED = True
AGAINST = "outclass_mcnemar"


def answer(data, seed):
    records = [
        [EvalRecord(case_id=str(place), passed=bool(right)) for place, right in enumerate(data[name] == data["truth"])]
        for name in "ba"
    ]
    found = evaluate_gate(*records, GateSettings(seed=seed))
    return {"p": found.p_value, "low": found.interval.low, "high": found.interval.high, "alarm": found.p_value <= 0.05}
