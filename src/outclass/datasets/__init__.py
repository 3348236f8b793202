"""Data sets included in outclass: labels and predictions of the papers' experiments, without texts."""

from pathlib import Path
from typing import Final

from outclass.data.files import from_files
from outclass.data.multilabel import MultiLabel, read_multilabel
from outclass.data.outcomes import Outcomes
from outclass.errors import unknown

# What each holds, and whether its items have many labels.
DATASETS: Final = {
    "20news": "the four classifiers of Zhang et al. 2016 on the 7,532 test items of 20 Newsgroups",
    "reuters_goutte": "the four support vector machines of Goutte & Gaussier 2005 on the 3,299 test documents of "
    "Reuters ModApte, thirteen categories, any number a document",
    "reuters_yang": "the five classifiers of Yang & Liu 1999 on the 3,019 test documents of Reuters ApteMod, ninety "
    "categories, one or more a document",
    "reuters_zhang": "the four classifiers of Zhang et al. 2016 on Reuters ApteMod, its ten largest categories",
}
NAMES: Final = tuple(DATASETS)


def path(name: str) -> Path:
    """Return the path of a data set."""
    if name not in NAMES:
        raise unknown("data set", name, NAMES)
    return Path(__file__).with_name(f"{name}.parquet")


def load(name: str) -> Outcomes | MultiLabel:
    """Load a data set: true labels and the predictions of several systems. `DATASETS` describes each.

    '20news' has one label per item; 'reuters_yang', 'reuters_goutte' and 'reuters_zhang' have several.
    """
    file = path(name)
    if name == "20news":
        return from_files([file], truth="truth")
    # The columns hold lists; nothing has to be separated.
    return read_multilabel(file, truth="truth", systems=None, item=None, label=None, separator=None)
