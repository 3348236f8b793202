"""Zhang et al. 2016: power (Table 3), and four classifiers on 20 Newsgroups (Tables 4 to 6) and on Reuters.

The paper's parameters, found by its authors with cross-validation. Counts are L2-normalised; they are not weighted by
TF-IDF, whatever the paper says: only so do its printed numbers come out.
"""

from outclass.studies.zhang2016.reproduce import run

__all__ = ["run"]
