"""The NFC step of the current slow Python tokenizer, which comes after cleaning.

This one step uses Python's own `unicodedata`, and so runs under the GIL, before the kernel. Composition is stable: what
Unicode 14.0.0 assigns composes alike in every later version. What 14.0.0 leaves unassigned is kept as it is, whatever
the running Python knows of it, so that the result does not depend on the Python.
"""
import re
import unicodedata
from collections.abc import Iterator

from linmaxmatch import profiles

PATTERNS: dict[str, re.Pattern[str]] = {}


def pattern(name: str) -> re.Pattern[str]:
    """One character of a set of profile `google`; compiled when first needed."""
    if name not in PATTERNS:
        spans = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in profiles.ranges(name))
        PATTERNS[name] = re.compile(f"([{spans}])")
    return PATTERNS[name]


def compose(text: str | bytes) -> str | bytes:
    """The text cleaned and composed; cleaning it once more changes nothing.

    That tokenizer puts Chinese characters between spaces first. They compose with nothing, and those that change become
    other Chinese characters, so it is as well to isolate them afterwards.

    >>> compose("cafe\\u0301")
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
    # Unassigned characters land at the odd places. One that is unassigned starts afresh: it has class 0 and composes
    # with nothing.
    parts = pattern("unassigned").split(text)
    parts[::2] = [unicodedata.normalize("NFC", LONG.sub(order_marks, part)) for part in parts[::2]]
    return "".join(parts)


LONG = re.compile(r"[^\x00-\u02ff]{256,}")        # all combining marks lie above


def order_marks(found: re.Match[str]) -> str:
    """The text in NFD. What follows would sort a run of k marks in O(k²); in order already, it costs O(k)."""
    ordered: list[str] = []
    marks: list[str] = []
    for c in decomposed(found[0]):
        if unicodedata.combining(c):
            marks.append(c)
        else:
            ordered += sorted(marks, key=unicodedata.combining)
            marks.clear()
            ordered.append(c)
    return "".join(ordered + sorted(marks, key=unicodedata.combining))


def decomposed(text: str) -> Iterator[str]:
    """Each character's own decomposition, one after the other."""
    for c in text:
        yield from unicodedata.normalize("NFD", c)
