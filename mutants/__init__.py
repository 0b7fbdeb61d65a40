"""Do the proofs notice a fault? Small faults, *mutants*, in the Cython sources of the notation layer itself.

`operators.py` says what a mutant is: one comparison, constant, operand, statement, loop or result changed.
`schemata.py` builds them all at once: the compiled module asks a C variable which of its mutants it is to be, so that
one build serves thousands. `trial.py` lets a process be one mutant and run the statements of proofs/ until one fails;
nothing else is run. `equivalent.txt` argues for each mutant that no statement can tell from the original why that is
so; every other one must be killed. `python -m mutants` builds, runs, and reports.
"""

LINMAXMATCH = ("vocabulary", "trie", "nodes", "spellings", "maxmatch", "minpop", "onestep", "failure", "matchloop",
               "endtoend", "transducer")
INCBPE = ("dictionary", "splits", "bpe", "boundary", "pairs", "repair", "normalize", "tokentrie", "automaton",
          "successor", "sufsuc", "decomposition", "centroid", "search", "theta", "prefixes", "unstable", "backlog",
          "eager", "pieceoutput")
MODULES = tuple([f"linmaxmatch.{name}" for name in LINMAXMATCH] + [f"incbpe.{name}" for name in INCBPE])
"""The notation layer, in the order in which the papers introduce things."""
