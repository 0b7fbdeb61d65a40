from typing import Any

HEADER: str

def plain_pairs(rules: list[Any], tokens: dict[str, Any]) -> list[tuple[Any, Any]] | None: ...
