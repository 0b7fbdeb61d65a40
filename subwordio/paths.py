"""A tokenizer that travels as the path of its file, where every host has that file."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any


class ByPath:
    """Stands for a tokenizer read from a file: has its attributes, and pickles as path and fingerprint.

    Unpickling reads the file on the host where it happens, and refuses one that makes another tokenizer.
    """

    def __init__(self, tokenizer: Any, path: str, options: dict[str, Any] | None) -> None:
        self.tokenizer, self.path, self.options = tokenizer, path, options

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "tokenizer":
            raise AttributeError(name)
        return getattr(self.tokenizer, name)

    def __reduce__(self) -> tuple[Callable[..., ByPath], tuple[Any, ...]]:
        return load, (type(self.tokenizer), self.path, self.options, self.tokenizer.fingerprint)

    def __repr__(self) -> str:
        return f"ByPath({self.path!r}, {self.tokenizer!r})"


def load(kind: Any, path: str, options: dict[str, Any] | None, fingerprint: str) -> ByPath:
    """The tokenizer of the file here. FileNotFoundError where there is none, ValueError where it is another.

    Without options it is a file that was saved, with them one that is built from.
    """
    tokenizer = kind.load(path) if options is None else kind.from_file(path, **options)
    if tokenizer.fingerprint != fingerprint:
        raise ValueError(f"{path}: makes another tokenizer than the one that was pickled "
                         f"(fingerprint {tokenizer.fingerprint[:12]}…, not {fingerprint[:12]}…)")
    return ByPath(tokenizer, path, options)
