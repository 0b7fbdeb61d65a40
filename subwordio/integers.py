"""Integers from Python: an int, or what stands for one, such as NumPy's integers; no truth value and no float."""
from operator import index
from typing import Any


def integer(name: str, value: Any) -> int:
    """The value as an int; TypeError, which names it, where it is none.

    >>> integer("k", 3)
    3
    >>> integer("k", True)
    Traceback (most recent call last):
    TypeError: k: expected an int, got bool
    """
    if type(value) is int:
        return value
    try:
        if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
            raise TypeError
        return index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an int, got {type(value).__name__}") from None
