"""The NFC step of the current slow Python tokenizer: clean, isolate Chinese characters, compose.

This one step uses Python's own `unicodedata`, and so runs under the GIL, before the kernel. Composition is stable: what
Unicode 14.0.0 assigns composes alike in every later version. What 14.0.0 leaves unassigned is kept as it is, whatever
the running Python knows of it, so that the result does not depend on the Python.
"""
import re
import unicodedata

from linmaxmatch import profiles

PATTERNS: dict[str, re.Pattern[str]] = {}


def pattern(name: str) -> re.Pattern[str]:
    """One character of a set of profile `google`; compiled when first needed."""
    if name not in PATTERNS:
        spans = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in profiles.ranges(name))
        PATTERNS[name] = re.compile(f"([{spans}])")
    return PATTERNS[name]


def compose(text: str | bytes, handle_chinese_chars: bool) -> str | bytes:
    """The text as its NFC form reaches the tokenizer; cleaning and isolating it once more changes nothing.

    >>> compose("cafe\\u0301", True)
    'café'
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            return text         # whoever reads it next says where it is ill-formed
    if not isinstance(text, str) or text.isascii():
        return text
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = pattern("control").sub("", pattern("space").sub(" ", text))
    if handle_chinese_chars:
        text = pattern("chinese").sub(r" \1 ", text)
    # Unassigned characters land at the odd places. One that is unassigned starts afresh: it has class 0 and composes
    # with nothing.
    parts = pattern("unassigned").split(text)
    parts[::2] = [unicodedata.normalize("NFC", part) for part in parts[::2]]
    return "".join(parts)
