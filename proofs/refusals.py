"""What a call must answer to bad arguments: the error, by its class and its whole message.

A row is a call, as source text over a package's names, and what it raises, as `Class: message`.
"""
from collections.abc import Iterable
from typing import Any

from proofs.check import RefutedError

Row = tuple[str, str]


def answer(call: str, names: dict[str, Any]) -> str:
    """What a call raises, as `Class: message`; or what it gives.

    >>> answer("int('x')", {}), answer("1 + 1", {})
    ("ValueError: invalid literal for int() with base 10: 'x'", 'gives 2')
    """
    try:
        return f"gives {eval(call, {}, names)!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def refused(rows: Iterable[Row], names: dict[str, Any]) -> None:
    """Raise unless each call is refused as its row says."""
    witness = first_wrong(rows, names)
    if witness is not None:
        raise RefutedError(witness)


def first_wrong(rows: Iterable[Row], names: dict[str, Any]) -> Any:
    """None if each call is refused as its row says, else the first that is not, with both answers."""
    return next(((call, found, expected) for call, expected in rows if (found := answer(call, names)) != expected), None)
