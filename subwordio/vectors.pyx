"""Which ways to look at 64 bytes at a time this processor has (vectors.h), for the modules that choose one."""


def ways() -> list[int]:
    """The ways, the quickest last. All give the same results.

    >>> ways()[0]
    0
    """
    return [way for way in range(WAYS) if has_way(way)]


cdef int checked(int way) except -1:
    if not has_way(way):
        raise ValueError(f"way {way}: this processor has {ways()}")
    return way
