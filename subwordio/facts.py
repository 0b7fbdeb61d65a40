"""What the command inspect writes: facts of a tokenizer in sections, for people and as JSON.

A section is a mapping from names to values: numbers, strings, truth values, None, lists of these, or mappings again.
"""
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from subwordio.added import AddedToken
from subwordio.template import Piece, Special, Template

__all__ = ["added_facts", "record", "shown", "template_facts"]

MOST_SHOWN = 8          # of a mapping on one line


def shown(facts: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The sections as lines: all values in one column, and what says nothing left out.

    >>> sizes = {"nodes": 1234, "depth": 8, "cut": True, "nothing": None, "none": []}
    >>> print(*shown({"trie": sizes, "options": {"cap": {"words": 100, "kind": "hf"}}}), sep="\\n")
    trie
      nodes  1,234
      depth      8
      cut    yes
    <BLANKLINE>
    options
      cap    words 100, kind hf
    """
    sections = {title: {name: text for name, value in section.items() if (text := in_words(value))}
                for title, section in facts.items()}
    width = max((len(name) for section in sections.values() for name in section), default=0)
    before = ""
    for title, section in sections.items():
        numbers = {name for name in section if type(facts[title][name]) in (int, float)}
        digits = max(map(len, map(section.__getitem__, numbers))) if 2 * len(numbers) > len(section) else 0
        yield f"{before}{title}"
        before = "\n"
        for name, text in section.items():
            yield f"  {name:{width}}  {text:>{digits if name in numbers else 0}}"


def in_words(value: Any) -> str:
    """A value on one line; "" where it says nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return f"{value:,}"
    if isinstance(value, Mapping):
        parts = [f"{name} {part if type(part) is int else in_words(part)}" for name, part in value.items()
                 if part is not None]
        more = len(parts) - MOST_SHOWN
        return ", ".join(parts) if more <= 1 else f"{', '.join(parts[:MOST_SHOWN])} and {more:,} more"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(in_words, value))
    return str(value)


def added_facts(tokens: Iterable[AddedToken]) -> dict[str, dict[str, int]]:
    """The contents and ids of added tokens, of those apart that count only where a call allows them.

    >>> added_facts([AddedToken("[CLS]", 1, special=True), AddedToken("<x>", 7)])
    {'added_tokens': {'<x>': 7}, 'special_tokens': {'[CLS]': 1}}
    """
    found: dict[str, dict[str, int]] = {"added_tokens": {}, "special_tokens": {}}
    for token in tokens:
        found["special_tokens" if token.special else "added_tokens"][token.content] = token.id
    return found


def template_facts(template: Template | None, name_of: Any) -> dict[str, str] | None:
    """What a template puts around texts A and B, as files spell it: type ids other than 0 behind a colon.

    >>> template_facts(Template.bert(101, 102), {101: "[CLS]", 102: "[SEP]"}.get)
    {'single': '[CLS] $A [SEP]', 'pair': '[CLS] $A [SEP] $B:1 [SEP]:1'}
    """
    def spelt(piece: Piece) -> str:
        names = [str(name_of(id)) for id in piece.ids] if isinstance(piece, Special) else ["$" + "AB"[piece.sequence]]
        return " ".join(name + (f":{piece.type_id}" if piece.type_id else "") for name in names)

    if template is None:
        return None
    return {"single": " ".join(map(spelt, template.single)), "pair": " ".join(map(spelt, template.pair))}


def record(value: Any) -> dict[str, Any] | None:
    """A dataclass as a mapping; None is None."""
    return None if value is None else asdict(value)
