"""Every definition, lemma and algorithm of the papers as an executable check.

`definitions/` is each paper read aloud in plain Python; `worlds.py` owns the small worlds; each other file named after
a statement holds that statement, why it is true, and what was checked. `python -m proofs` runs them all.
"""
