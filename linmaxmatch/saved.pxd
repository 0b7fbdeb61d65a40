"""What a saved `WordPiece` is made of, as `wordpiece` sees it from C."""
cimport cython

from linmaxmatch.charmap cimport CharMap
from linmaxmatch.layout cimport Layout
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.vocabulary cimport Vocabulary
from subwordio.strings cimport Strings

cdef int write_saved(object path, Vocabulary vocabulary, Layout layout, Normalizer normalizer, dict options,
                     tuple notes) except -1


@cython.final
cdef class Saved:
    cdef Strings strings                    # the tokens
    cdef Layout layout
    cdef CharMap map                        # the normalizer's
    cdef readonly dict options              # the arguments of `WordPiece` but the tokens
    cdef readonly tuple notes
