"""The regular expressions that published tokenizers split text by, and the names that we know them under.

Several spellings may be one grammar: tiktoken and the tokenizers library write the same pattern with and without
possessive quantifiers. Two spellings that differ anywhere, if only at a text's end, have different names:

    gpt2     GPT-2, r50k_base, p50k_base; what ByteLevel does by itself in a tokenizer.json (`use_regex`)
    cl100k   cl100k_base as tiktoken 0.14 has it: white space at the text's end is one piece (`\\s++$`)
    llama3   Llama 3; cl100k_base as tiktoken had it before: such white space is cut after its last line break
    qwen     Qwen, Qwen2, Qwen3: as llama3, but each digit alone
    qwen35   Qwen3.5: as qwen, and a mark counts as a letter
    o200k    o200k_base, o200k_harmony, gpt-oss, Llama 4: words are cut where a capital follows a small letter
    tekken   Mistral's tekken.json: as o200k without contractions, and each digit alone
    none     no splitting: the whole text is one piece

The two engines read one spelling differently: in tokenizers' Oniguruma `{1,3}+` repeats `{1,3}`, in tiktoken's engine
it is possessive. Such a string is not recognised for tokenizers.
"""

CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
WORD = r"[^\r\n\p{L}\p{N}]?\p{L}+"
MARKED_WORD = r"[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+"
SMALL_WORD = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
CAPITAL_WORD = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
MARKED_REST = r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SLASH_REST = r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"

# The spellings of each grammar. The first is the one that the tests run in both engines, or in tiktoken's alone.
PUBLISHED: dict[str, tuple[str, ...]] = {
    "gpt2": (
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}]+| ?[\p{N}]+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
    ),
    "cl100k": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|"
        r"\s+(?!\S)|\s",
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|"
        r"\s+(?!\S)|\s",
    ),
    "llama3": (
        rf"{CONTRACTION}|{WORD}|\p{{N}}{{1,3}}|{REST}",
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|"
        r"\s+(?!\S)|\s+",
    ),
    "qwen": (rf"{CONTRACTION}|{WORD}|\p{{N}}|{REST}",),
    "qwen35": (rf"{CONTRACTION}|{MARKED_WORD}|\p{{N}}|{MARKED_REST}",),
    "o200k": (rf"{SMALL_WORD}{CONTRACTION}?|{CAPITAL_WORD}{CONTRACTION}?|\p{{N}}{{1,3}}|{SLASH_REST}",),
    "tekken": (rf"{SMALL_WORD}|{CAPITAL_WORD}|\p{{N}}|{SLASH_REST}",),
    "none": (),
}
NAMES = tuple(PUBLISHED)
ENGINES = ("tiktoken", "tokenizers")


def named(regex: str, unicode: str | None = None) -> str | None:
    """The name of the grammar that a published regular expression is, or None: then it must be run as it is.

    `unicode` is the library whose engine the expression was written for, where that is known. One look-up.

    >>> named(r"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+")
    'gpt2'
    >>> print(named(r"\\w+"))
    None
    """
    if unicode is not None and unicode not in ENGINES:
        raise ValueError(f"unicode: expected one of {', '.join(ENGINES)}, got {unicode!r}")
    if unicode == "tokenizers" and "{1,3}+" in regex:
        return None
    return BY_REGEX.get(regex)


BY_REGEX = {regex: name for name, spellings in PUBLISHED.items() for regex in spellings}
