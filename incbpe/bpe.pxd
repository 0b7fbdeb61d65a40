"""Merging as the modules above it see it from C."""
from libc.stdint cimport int32_t

from incbpe.dictionary cimport Dictionary


# Merge token[0:n], atoms given by index, in place; returns how many tokens are left. An unknown symbol is NONE, and stays.
# once: T_D, where no rule comes back; else PQ. fired[0 : n - left] gets the rules in the order in which they fired, unless
# it is NULL. Short texts quadratic, on the stack; longer ones O(n log n), in memory of their own: MemoryError.
cdef Py_ssize_t merge(Dictionary D, int32_t *token, Py_ssize_t n, bint once, int32_t *fired) except -1 nogil
