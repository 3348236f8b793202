"""Models that ignore that both systems saw the same items."""

from collections.abc import Iterator

from outclass.findings import Finding, finding
from outclass.models.table_fit import TableFit
from outclass.rows.checks import Case


def check(case: Case) -> Iterator[Finding]:
    """Look at the model."""
    if case.b is None:
        return
    fit = case.fit
    key = fit.model.rpartition(".")[2]
    shared = not isinstance(fit, TableFit) or fit.evidence.wins is not None
    if shared and key in ("unpaired", "goutte"):
        yield finding(
            "OC302",
            f"the {key} model was used although both systems saw the same items; it ignores the pairing, so the "
            "interval is wider than necessary. Use ⟨model=paired⟩.",
        )
