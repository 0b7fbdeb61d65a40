"""A column of strings that comes through the Arrow C interfaces."""
from subwordio.texts cimport Texts


# Whether an object offers an Arrow array or stream.
cdef bint speaks_arrow(object column) except -1
# Its texts, which keep the memory. TypeError for a column of another type; ValueError for an array that cannot be right.
cdef Texts texts_of_column(object column)
