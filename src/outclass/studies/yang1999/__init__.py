"""Yang & Liu 1999: five classifiers on Reuters, 90 categories; Table 1, the pairwise tests, and figures 4 and 5."""

from outclass.studies.yang1999.reproduce import run

__all__ = ["run"]
