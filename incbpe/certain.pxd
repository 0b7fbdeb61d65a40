"""What is certain of a text whose θ the engine has found."""
from libc.stdint cimport uint8_t

from incbpe.eager cimport EagerOutput
from incbpe.piece cimport Pieces, Work

# How much of text[0:n] the tokens cover that are certain by the criterion of `eager`, which has read none of it, but knows
# of which kind it is. It goes on, unless not `goes_on`; it may also end at `held`, if that is above 0. The θ and lengths of
# all prefixes are in `work`.
cdef size_t certain(Pieces pieces, EagerOutput eager, const uint8_t *text, size_t n, size_t held, bint goes_on,
                    Work *work) except? 0xFFFFFFFFFFFFFFFF
