"""The errors that both packages raise for bad input; each is a ValueError that names what was wrong and where."""


class FormatError(ValueError):
    """A file does not have the form that its name or its use promises."""


class TokenIdError(ValueError):
    """An id names no token of the vocabulary."""
