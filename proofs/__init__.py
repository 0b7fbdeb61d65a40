"""Every definition, lemma and algorithm of the papers as an executable check.

`definitions/` is each paper read aloud in plain Python; `worlds.py` owns the small worlds; each other file named after
a statement holds that statement, why it is true, and what was checked. `python -m proofs` runs them all.
"""


def summary() -> str:
    """What a quick run of all checks says, in a few lines (some seconds)."""
    from proofs.report import summary as quick

    return quick()
