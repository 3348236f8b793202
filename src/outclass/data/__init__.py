"""Takes files, frames and arrays of labels; gives `Outcomes`: distinct rows with counts.

May import NumPy, Narwhals and DuckDB; must not know measures, models or reports. One file a source.
"""
