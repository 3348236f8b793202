"""The permutation test under its other name; a result is named by what was done."""

from dataclasses import replace

from outclass.testing.tests import permutation_exact

TEST = replace(permutation_exact.TEST, title="permutation", order=50, default_on=(), same_as="permutation_exact")
