"""Takes the papers' corpora, gives their classifiers' predictions and their tables, ours beside theirs.

May import everything below the command line, and scikit-learn (the extra `studies`). Texts are read, never shipped.
"""

from typing import Final

STUDIES: Final = ("zhang2016", "goutte2005", "yang1999")
