"""The special tokens of published models, by name: contents and ids as their publishers give them.

A rank table does not say them.
"""
from __future__ import annotations

from collections.abc import Mapping

from subwordio.added import AddedToken

__all__ = ["RANKS", "SPECIAL_TOKENS", "special_tokens_of"]

END, FIM_PREFIX, FIM_MIDDLE, FIM_SUFFIX = "<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"
END_OF_PROMPT = "<|endofprompt|>"

GPT2 = {END: 50256}
P50K_EDIT = {END: 50256, FIM_PREFIX: 50281, FIM_MIDDLE: 50282, FIM_SUFFIX: 50283}
CL100K = {END: 100257, FIM_PREFIX: 100258, FIM_MIDDLE: 100259, FIM_SUFFIX: 100260, END_OF_PROMPT: 100276}
O200K = {END: 199999, END_OF_PROMPT: 200018}

HARMONY_NAMED = {
    "<|startoftext|>": 199998, END: 199999, "<|return|>": 200002, "<|constrain|>": 200003, "<|channel|>": 200005,
    "<|start|>": 200006, "<|end|>": 200007, "<|message|>": 200008, "<|call|>": 200012}
HARMONY_NAMELESS = (200000, 200001, 200004, 200009, 200010, 200011, *range(200013, 201088))
# 200018 has two names there; the one that says something is decoded.
HARMONY = HARMONY_NAMED | {f"<|reserved_{i}|>": i for i in HARMONY_NAMELESS if i != 200018} | {END_OF_PROMPT: 200018}

LLAMA3_FIRST = (
    "<|begin_of_text|>", "<|end_of_text|>", "<|reserved_special_token_0|>", "<|reserved_special_token_1|>",
    "<|reserved_special_token_2|>", "<|reserved_special_token_3|>", "<|start_header_id|>", "<|end_header_id|>",
    "<|reserved_special_token_4|>", "<|eot_id|>")
LLAMA3 = {content: 128000 + i for i, content in enumerate(
    (*LLAMA3_FIRST, *(f"<|reserved_special_token_{i}|>" for i in range(5, 251))))}

QWEN_FIRST = (END, "<|im_start|>", "<|im_end|>")
QWEN = {content: 151643 + i for i, content in enumerate((*QWEN_FIRST, *(f"<|extra_{i}|>" for i in range(205))))}

SPECIAL_TOKENS: Mapping[str, Mapping[str, int]] = {
    "none": {}, "gpt2": GPT2, "r50k": GPT2, "p50k": GPT2, "p50k_edit": P50K_EDIT, "cl100k": CL100K, "o200k": O200K,
    "o200k_harmony": HARMONY, "llama3": LLAMA3, "qwen": QWEN}

# How many tokens the rank table has that the special tokens of a name go with.
RANKS: Mapping[str, int] = {
    "gpt2": 50256, "r50k": 50256, "p50k": 50280, "p50k_edit": 50280, "cl100k": 100256, "o200k": 199998,
    "o200k_harmony": 199998, "llama3": 128000, "qwen": 151643}


def special_tokens_of(given: str | Mapping[str, int] | None) -> tuple[AddedToken, ...]:
    """The special tokens that a caller names, or gives as a mapping from contents to ids; None: there are none.

    >>> special_tokens_of("gpt2")[0].id, special_tokens_of({"<x>": 7})[0].content
    (50256, '<x>')
    """
    if given is None:
        return ()
    if isinstance(given, str):
        if given not in SPECIAL_TOKENS:
            raise ValueError(f"special_tokens={given!r}: expected {', '.join(SPECIAL_TOKENS)}, or a mapping")
        given = SPECIAL_TOKENS[given]
    if not isinstance(given, Mapping):
        raise TypeError(f"special_tokens: expected a name or a mapping, got {type(given).__name__}")
    tokens = tuple(special_token(content, i) for content, i in given.items())
    content_of: dict[int, str] = {}
    for token in tokens:
        if not token.content:
            raise ValueError(f"special_tokens: the token with id {token.id} is empty")
        if content_of.setdefault(token.id, token.content) != token.content:
            raise ValueError(f"special_tokens: {token.content!r} and {content_of[token.id]!r} have one id, {token.id}")
    return tokens


def special_token(content: str, id: int) -> AddedToken:
    """A special token; an error names it."""
    try:
        return AddedToken(content, id, special=True)
    except (TypeError, ValueError) as error:
        raise type(error)(f"special_tokens: {content!r}: {error}") from None
