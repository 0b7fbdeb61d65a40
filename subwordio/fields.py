"""The fields of a JSON file, taken one by one, so that nothing a file asks for is ever ignored.

A `Fields` is one object of the file. Each field is taken once under the type that is expected; `finish()` refuses what
nobody took. Every complaint is a `FormatError` that names the file and the place of the field in it.
"""
from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from subwordio.errors import FormatError
from subwordio.files import member

__all__ = ["Fields"]

U32 = 2**32 - 1


def shown(value: object) -> str:
    """A value as messages show it: JSON, cut short."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 60 else text[:57] + "..."


class Fields:
    """One JSON object of a file.

    >>> fields = Fields({"lowercase": True, "dropout": 0.1}, "normalizer", "tokenizer.json")
    >>> fields.boolean("lowercase")
    True
    >>> fields.finish()
    Traceback (most recent call last):
    subwordio.errors.FormatError: tokenizer.json: normalizer.dropout: unknown field (value 0.1)
    """

    def __init__(self, value: object, place: str, file: str) -> None:
        self.place = place
        self.file = file
        if not isinstance(value, dict):
            raise FormatError(f"{file}: {place or 'the top level'}: expected an object, got {shown(value)}")
        self.value: dict[str, Any] = value
        self.taken: set[str] = set()

    def error(self, key: str | None, message: str) -> FormatError:
        """A `FormatError` that names the field `key` of this object, or the object itself."""
        place = self.place if key is None else member(self.place, key)
        return FormatError(f"{self.file}: {place or 'the top level'}: {message}")

    def has(self, key: str) -> bool:
        """Whether the field is there and is not null; a null field counts as taken."""
        if self.value.get(key) is None:
            self.taken.add(key)
            return False
        return True

    def take(self, key: str) -> Any:
        """The field, of any type."""
        if key not in self.value:
            raise self.error(key, "the field is missing")
        self.taken.add(key)
        return self.value[key]

    def of_type(self, key: str, kind: type, expected: str) -> Any:
        value = self.take(key)
        if type(value) is not kind:  # exactly: in Python a bool is an int
            raise self.error(key, f"expected {expected}, got {shown(value)}")
        return value

    def string(self, key: str) -> str:
        text: str = self.of_type(key, str, "a string")
        return text

    def boolean(self, key: str) -> bool:
        value: bool = self.of_type(key, bool, "true or false")
        return value

    def integer(self, key: str, highest: int = U32) -> int:
        value: int = self.of_type(key, int, "an integer")
        if not 0 <= value <= highest:
            raise self.error(key, f"expected an integer from 0 to {highest}, got {shown(value)}")
        return value

    def one_of(self, key: str, *allowed: str) -> str:
        """A string out of a few; any other is something that this package does not do, and says so."""
        value = self.string(key)
        if value not in allowed:
            raise self.error(key, f"{shown(value)} is not supported; expected {' or '.join(map(shown, allowed))}")
        return value

    def mapping(self, key: str) -> dict[str, Any]:
        """An object whose keys are data, such as a vocabulary."""
        value = self.take(key)
        if not isinstance(value, dict):
            raise self.error(key, f"expected an object, got {shown(value)}")
        return value

    def fields(self, key: str) -> Fields:
        """An object whose keys are fields."""
        return Fields(self.take(key), member(self.place, key), self.file)

    def array(self, key: str) -> list[Any]:
        array: list[Any] = self.of_type(key, list, "an array")
        return array

    def objects(self, key: str) -> Iterator[Fields]:
        """The objects of an array, one by one."""
        for i, value in enumerate(self.array(key)):
            yield Fields(value, f"{member(self.place, key)}[{i}]", self.file)

    def finish(self) -> None:
        """Refuse the fields that were not taken."""
        for key, value in self.value.items():
            if key not in self.taken:
                raise self.error(key, f"unknown field (value {shown(value)})")
