"""Bytes that are not UTF-8, with U+FFFD in their places."""


# The data as UTF-8, each maximal ill-formed run as one U+FFFD, and (begin, end) in the data for each U+FFFD there then
# is; None where all is UTF-8.
cdef object replaced(bytes data)
