"""The vocabulary that the package ships (data/PROVENANCE.md says where it comes from)."""
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def default_vocabulary_path() -> Path:
    """The file of the shipped WordPiece vocabulary: 8,000 entries, uncased, one token a line.

    >>> default_vocabulary_path().name
    'default-vocab.txt'
    """
    # Only here: importing it takes longer than loading a tokenizer that was saved.
    from pathlib import Path

    return Path(__file__).parent / "data" / "default-vocab.txt"
