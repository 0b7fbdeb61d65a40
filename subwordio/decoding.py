"""Many lists of ids back to text, by whatever decodes one."""
from collections.abc import Callable, Iterable
from typing import Any

from subwordio.errors import TokenIdError

__all__ = ["decode_each"]


def decode_each(decode: Callable[[Any], str], lists: Iterable[Any]) -> list[str]:
    """The text of each list, in order; errors name the list. Cost: that of decoding each by itself.

    >>> decode_each(lambda ids: "".join(map(chr, ids)), [[97, 98], []])
    ['ab', '']
    >>> decode_each(lambda ids: "".join(map(chr, ids)), [[97], None])
    Traceback (most recent call last):
    TypeError: lists[1]: expected ids, got None
    """
    if isinstance(lists, (str, bytes)) or not isinstance(lists, Iterable):
        raise TypeError(f"lists: expected an iterable of lists of ids, got {type(lists).__name__}")
    texts = []
    for i, ids in enumerate(lists):
        if ids is None or isinstance(ids, (str, bytes)) or not isinstance(ids, Iterable):
            found = "None" if ids is None else type(ids).__name__
            raise TypeError(f"lists[{i}]: expected ids, got {found}"
                            + (": decode takes a single list" if hasattr(ids, "__index__") else ""))
        try:
            texts.append(decode(ids))
        except UnicodeDecodeError as error:             # errors="strict"
            error.reason += f", in lists[{i}]"
            raise
        except (TokenIdError, TypeError) as error:
            raise type(error)(f"lists[{i}]: {error}") from None
    return texts
