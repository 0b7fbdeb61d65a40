"""The errors that both packages raise for bad input; each is a ValueError that names what was wrong and where."""


class FormatError(ValueError):
    """A file does not have the form that its name or its use promises."""


class TokenIdError(ValueError):
    """An id names no token of the vocabulary."""


def no_token(where: str, id: int, size: int) -> TokenIdError:
    """The error for an id, found at `where`, that names no token of a tokenizer whose ids are below `size`.

    >>> no_token("ids[4]: ", 7, 8)
    TokenIdError('ids[4]: 7 names no token: it is one of the unused ids of 0 to 7')
    >>> no_token("", 8, 8)
    TokenIdError('8 names no token: ids are 0 to 7')
    """
    if 0 <= id < size:
        return TokenIdError(f"{where}{id} names no token: it is one of the unused ids of 0 to {size - 1}")
    return TokenIdError(f"{where}{id} names no token: " + (f"ids are 0 to {size - 1}" if size else "there are none"))
