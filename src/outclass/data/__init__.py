"""Takes files, frames, databases and arrays; gives data of one kind.

Kinds are `Outcomes` (one label per item, counted), `MultiLabel`, `Grouped`, `UnitCounts` and `GroupedCounts` (TP, FP
and FN per item), `Scores`, `TwoSets`, `PublishedCounts` and `WinCounts`; each has `kind`, `systems`, `items` and
`findings`. May import NumPy, Narwhals and DuckDB; must not know measures, models or reports. One file per kind and per
source.
"""
