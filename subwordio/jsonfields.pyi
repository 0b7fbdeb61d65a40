from collections.abc import Sequence

from subwordio.texts import Texts

def json_fields(data: bytes, size: int, name: str) -> tuple[Texts, Sequence[int], int] | None: ...
