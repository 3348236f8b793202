"""What goes wrong with a table that another program wrote ends in a sentence that says what to do."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from outclass.cli.main import app

LABELS = "gold,old,new\n" + "cat,cat,dog\ndog,dog,dog\ncow,cat,cow\n" * 10
FILES = {
    "labels.csv": LABELS,
    "numbered.csv": "\n".join(f"{place or 'item'},{line}" for place, line in enumerate(LABELS.splitlines())),
    "nested.jsonl": '{"gold": "A", "models": {"x": {"answer": "A"}}}\n' * 5,
    "commas.csv": "gold;a;b\n" + "ja;0,8;0,61\nnein;0,25;0,4\n" * 15,
    "long.csv": "item,system,label,gold\n" + "".join(f"{n},s{n % 2},cat,cat\n{n},t,dog,dog\n" for n in range(20)),
}
PAIR = ["--system", "old", "--system", "new"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            ["labels.csv", "--truth", "gold", *PAIR, "--positive", "cat", "--measure", "macro_f1"],
            "'macro_f1' is an average over all labels: leave out --positive and --by.",
        ),
        (
            ["numbered.csv", "--truth", "gold", "--system", "old", "--system", "item"],
            "occurs in the truth ('cat', 'cow', 'dog').",
        ),
        (["labels.csv", "--truth", "gold", "--lower-is-better"], "--lower-is-better is not used with labels"),
        (["labels.csv", "--truth", "gold", "--title", "x"], "--title is not used with labels"),
        (
            ["nested.jsonl", "--truth", "gold", "--system", "models.x.answer"],
            "Column 'models' may be nested; flatten the records first (pandas.json_normalize).",
        ),
        (["commas.csv", "--truth", "gold"], "numbers with a decimal comma"),
        (["long.csv", "--truth", "gold"], "name its columns: --item COL, --system-column COL, --label COL."),
        (
            ["labels.csv", "gold", "old", "new"],
            "'gold' is not a file. To name columns, use options: --truth gold --system old --system new.",
        ),
        (
            ["labels.csv", "--truth", "gold", "-o", "answer.json", "--format", "csv"],
            "'answer.json' is a name for json, but --format is csv.",
        ),
    ],
)
def test_errors_say_what_to_do(line: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error ends in a whole sentence with the way out."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_text(content)
    result = CliRunner().invoke(app, ["compare", *line])

    assert result.exit_code != 0
    assert said in str(result.exception)
    assert str(result.exception).endswith((".", "?"))


def test_a_plan_leads_with_the_model_that_was_named_first() -> None:
    """Of several models the headline is the first one's, at the largest number of items."""
    scenario = ["--prevalence", "0.3", "--recall-a", "0.75", "--recall-b", "0.7", "--fpr-a", "0.05", "--fpr-b", "0.05"]
    models = ["--n", "200,400", "--model", "paired", "--model", "unpaired", "--sets", "50"]
    result = CliRunner().invoke(app, ["plan", *scenario, *models])
    first = result.stdout.splitlines()[0]

    assert first.startswith("With 400 items, the probability of a decision is 0.")
    assert first.endswith("(paired model).")
