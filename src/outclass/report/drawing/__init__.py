"""Takes rows and laws, gives the pieces that charts are drawn with: their theme, axes, densities, tables and files.

May import what `report` may; knows no kind of chart. Altair is loaded when something is drawn, and no sooner.
"""
