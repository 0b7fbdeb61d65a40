"""The vocabulary that the package ships (data/PROVENANCE.md says where it comes from)."""
from pathlib import Path


def default_vocabulary_path() -> Path:
    """The file of the shipped WordPiece vocabulary: 8,000 entries, uncased, one token a line.

    >>> default_vocabulary_path().name
    'default-vocab.txt'
    """
    return Path(__file__).parent / "data" / "default-vocab.txt"
