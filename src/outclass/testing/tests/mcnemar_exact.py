"""McNemar's exact test: the sign test under its other name."""

from dataclasses import replace

from outclass.significance import sign
from outclass.testing.declaration import Results, SignificanceTest, TestOptions
from outclass.testing.views import RightWrong, Wins


def _run(view: RightWrong | Wins, options: TestOptions) -> Results:
    yield replace(sign.mcnemar_exact(view.table, options.side), interval=view.interval)


TEST = SignificanceTest(title="McNemar, exact", reference="McNemar 1947", order=20, needs=(RightWrong, Wins), run=_run)
