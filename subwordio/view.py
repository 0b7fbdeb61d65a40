"""A text with its tokens in colours: what the command view shows in a terminal, or as a page.

Two tokens side by side have different colours, and borders where there are no colours. What no token stands for (white
space of WordPiece, say) has none. Of tokens that share a character, each is shown as the bytes that it is, ‹c3›, or by
its name. Unknown tokens are marked.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape

from subwordio.encoding import Encoding

COLOURS = ("\033[48;5;25;97m", "\033[48;5;130;97m")         # blue and orange, told apart by all
UNKNOWN = "\033[48;5;231;30;4m"
RESET = "\033[0m"
STYLE = """
body{margin:0 auto;max-width:70rem;padding:1rem;background:#fff;color:#1b1b1b;font:16px/1.9 ui-monospace,Menlo,Consolas,
"DejaVu Sans Mono",monospace}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}
.a{background:#cfe6f5}.b{background:#fbe0bd}.a,.b,.unknown{border-radius:3px}
.unknown{outline:2px solid #b35900;background:#fff}
.bytes{font-size:.75em;vertical-align:middle}.count{color:#5a5a5a}
@media(prefers-color-scheme:dark){body{background:#161616;color:#ececec}.a{background:#10415c}.b{background:#5a3c00}
.unknown{background:#161616;outline-color:#e69f00}.count{color:#b4b4b4}}
""".strip().replace("\n", "")


PART_OF_A_CHARACTER = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the text, and its token; `id` is None where none stands for it. `whole` is whether it is characters."""

    shown: str
    id: int | None = None
    start: int = 0
    stop: int = 0
    whole: bool = True


def parts(text: bytes, encoding: Encoding, name: Callable[[int], str],
          spelt: Callable[[int], bytes] | None = None) -> Iterator[Part]:
    """All of the text in order, each token where it stands.

    Tokens that share a character are shown as `spelt` gives their bytes; without it the first has the character, and
    the others their names.

    >>> from subwordio.ids import TokenIds
    >>> e = Encoding(*map(TokenIds, ([5, 6, 7], [0, 2, 2], [1, 3, 3], [0, 2, 2], [1, 4, 4], [0, 1, 1])))
    >>> [part.shown for part in parts("a é".encode(), e, str, lambda id: bytes([0xC3 if id == 6 else 0xA9]))]
    ['a', ' ', '‹c3›', '‹a9›']
    >>> [part.shown for part in parts("a é".encode(), e, str)]
    ['a', ' ', 'é', '‹7›']
    """
    at = 0
    ids, starts, stops = list(encoding.ids), list(encoding.byte_starts), list(encoding.byte_ends)
    for k, (id, start, stop) in enumerate(zip(ids, starts, stops, strict=True)):
        if start > at:
            yield Part(text[at:start].decode(), None, at, start)
        shared = start < at or (k + 1 < len(ids) and starts[k + 1] < stop)
        if shared and spelt is not None:
            yield Part(readable(spelt(id)), id, start, stop, False)
        elif stop > at:
            yield Part(text[max(start, at):stop].decode(), id, start, stop)
        else:
            yield Part(f"‹{name(id)}›", id, start, stop, False)
        at = max(at, stop)
    if at < len(text):
        yield Part(text[at:].decode(), None, at, len(text))


def readable(token: bytes) -> str:
    """The characters of a token, and its other bytes as such.

    >>> readable(bytes.fromhex("20e69d"))
    ' ‹e6 9d›'
    """
    text = token.decode("utf-8", "surrogateescape")
    return PART_OF_A_CHARACTER.sub(lambda found: f"‹{found[0].encode('utf-8', 'surrogateescape').hex(' ')}›", text)


def coloured(found: Iterable[Part], unknown: int | None) -> str:
    """For a terminal with colours.

    >>> coloured([Part("a", 1), Part(" "), Part("b", 0)], 0).replace("\\033", "E")
    'E[48;5;25;97maE[0m E[48;5;231;30;4mbE[0m'
    """
    written, k = [], 0
    for part in found:
        if part.id is None:
            written.append(part.shown)
            continue
        colour = UNKNOWN if part.id == unknown else COLOURS[k % 2]
        # a line end keeps its own colour from running on to the border of the window
        lines = [f"{colour}{line}{RESET}" if line else "" for line in part.shown.split("\n")]
        written.append(f"{colour}↵{RESET}\n".join(lines))
        k += 1
    return "".join(written)


def bordered(found: Iterable[Part], unknown: int | None) -> str:
    """Without colours: a bar behind each token, and ? before an unknown one.

    >>> bordered([Part("un", 1), Part("able", 2), Part(" "), Part("x", 0)], 0)
    'un|able| ?x|'
    """
    return "".join(part.shown if part.id is None else f"{'?' if part.id == unknown else ''}{part.shown}|"
                   for part in found)


def page(found: Iterable[Part], unknown: int | None, name: Callable[[int], str], title: str) -> str:
    """A page of its own; each token says its id, its name and its bytes where a pointer rests on it."""
    written, k = [], 0
    for part in found:
        shown = escape(part.shown)
        if part.id is None:
            written.append(shown)
            continue
        kind = "unknown" if part.id == unknown else "ab"[k % 2]
        k += 1
        said = escape(f"{part.id} {name(part.id)}, bytes {part.start} to {part.stop}", True)
        written.append(f'<span class="{kind}{"" if part.whole else " bytes"}" title="{said}">{shown}</span>')
    return (f'<!DOCTYPE html><html lang=""><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width">'
            f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
            f'<p class="count">{escape(title)}: {k:,} tokens</p><pre>{"".join(written)}</pre></body></html>\n')
