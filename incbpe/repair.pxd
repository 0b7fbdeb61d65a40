"""The repair as `normalize` sees it from C."""
from incbpe.pairs cimport Pairs


cdef tuple repaired_order(Pairs ranked)     # what `repair` returns
