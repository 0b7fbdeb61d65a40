"""The repair as `normalize` sees it from C."""
from incbpe.pairs cimport Pairs


cdef tuple repaired_order(Pairs ranked)     # D′, PQ's canonical rules in it, what was verified; or None, None, why not
