"""The tokenizer that the package ships (data/PROVENANCE.md says where it comes from)."""
from pathlib import Path


def default_tokenizer_path() -> Path:
    """The file of the shipped BPE tokenizer: byte-level, 8,000 tokens, split by GPT-2's pattern; a tokenizer.json.

    >>> default_tokenizer_path().name
    'default-tokenizer.json'
    """
    return Path(__file__).parent / "data" / "default-tokenizer.json"
