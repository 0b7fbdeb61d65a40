"""The patterns of `patterns` as finite machines: each reads a piece from its beginning and sees where it ends.

A regular expression tries its alternatives in order, and steps back when one fails. All that the published ones can
step back to is one place, the *mark*: before the last white space, after the last line break, before an apostrophe, or
after the last letter that is both capital and small. So a machine is a few states, one mark, and for each class of
characters one of

    a state         the character belongs to the piece, as far as can be seen
    HERE            the piece ends before this character
    AT_MARK         the piece ended at the mark; what follows the mark is read again, as the next piece
    AFTER           the piece ends after this character, whatever follows

The piece's first character always belongs to it. A state may move the mark as it is entered, to BEFORE or to AFTER the
character that led there, and says where the piece ends if the text does: HERE or AT_MARK. All else follows from these
tables: `possible` says in which states a piece may still end at the mark, at the present place, or further on, and that
is what a stream must hold back.

Classes  the sets that the patterns name, and the letters that contractions need: s (with d, m, t), l, r (with v), e,
         capital S, L, R, E, and ſ, which a pattern that ignores case takes for an s. CR and LF are "newline", U+0020
         is "blank", other white space "space"; \\p{Lm} and \\p{Lo} are "letter", and "other" is what is left over.
Cost     a look-up a character.
"""
from collections.abc import Iterable
from dataclasses import dataclass, field

from incbpe.patterns import NAMES

CLASSES = ("other", "slash", "quote", "mark", "blank", "space", "newline", "number", "upper", "lower", "letter",
           "s", "l", "r", "e", "S", "L", "R", "E", "ſ")
UPPER, LOWER = {"upper", "S", "L", "R", "E"}, {"lower", "s", "l", "r", "e", "ſ"}
LETTERS = UPPER | LOWER | {"letter"}
SIGNS = {"other", "slash", "quote"}
WHITE = {"blank", "space"}

WIDTH = 32                                  # columns of the table: a power of two that holds all classes
HERE, AT_MARK, AFTER = 32, 33, 34           # what a step may say instead of a state
MAY_NOW, MAY_MARK, MAY_LATER = 1, 2, 4      # bits of `possible`
Steps = dict[str, "str | int"]              # from a class to the name of a state, or HERE, AT_MARK, AFTER
# A contraction: the class after the apostrophe, the state that it leads to, and the class that then completes it.
EXACT = (({"s"}, None, None), ({"l"}, "l", {"l"}), ({"r"}, "r", {"e"}))
ANY_CASE = (({"s", "S", "ſ"}, None, None), ({"l", "L"}, "l", {"l", "L"}), ({"r", "R"}, "r", {"e", "E"}))


@dataclass(frozen=True)
class State:
    """A row: `otherwise` for the classes of which `steps` says nothing."""
    name: str
    otherwise: int
    mark: int | None = None                 # HERE: entering it moves the mark before the character; AFTER: after it
    at_end: int = HERE                      # where the piece ends if the text ends: HERE or AT_MARK
    steps: Steps = field(default_factory=dict)

    def on(self, classes: Iterable[str], target: "str | int") -> "State":
        """Add one step for several classes. Later words overrule earlier ones."""
        self.steps.update(dict.fromkeys(classes, target))
        return self


@dataclass(frozen=True)
class Machine:
    """A compiled grammar. States are numbered: first "start", then "word", then those that leave the mark alone (below
    `plain`), those that move it before the character (below `before`), and those that move it after it."""
    name: str
    states: tuple[str, ...]
    plain: int
    before: int
    step: bytes                             # by state * WIDTH + class: a state, or HERE, AT_MARK, AFTER
    at_end: bytes                           # by state: HERE or AT_MARK
    possible: bytes                         # by state: a set of MAY_NOW, MAY_MARK, MAY_LATER
    capitals: bool                          # "word" keeps capital letters as well as small ones


def gpt2() -> list[State]:
    """`'s|…| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+`: no contraction is looked for after a blank."""
    signs = SIGNS | {"mark"}
    white = WHITE | {"newline"}
    begins = {**dict.fromkeys(LETTERS, "word"), **dict.fromkeys(signs, "signs"), "number": "numbers"}
    quote = State("quote", HERE).on(signs, "signs")
    states = [
        State("start", HERE, steps=dict(begins)).on(["quote"], "quote").on(["blank"], "blank").on(
            ["space", "newline"], "space"),
        State("word", HERE).on(LETTERS, "word"),
        State("numbers", HERE).on(["number"], "numbers"),
        State("signs", HERE).on(signs, "signs"),
        quote,
        State("blank", HERE, steps=dict(begins)).on(white, "spaces"),
        State("space", HERE).on(white, "spaces"),
        State("spaces", AT_MARK, HERE).on(white, "spaces"),
    ]
    for first, between, second in EXACT:    # "'l" may be a quote and a word that has only begun
        quote.on(first, AFTER if between is None else f"quote {between}")
        if between is not None:
            states.append(State(f"quote {between}", AT_MARK, HERE, AT_MARK).on(second or (), AFTER))
    return states


def white_space(word: Steps, signs: Iterable[str], whole_at_end: bool) -> list[State]:
    """`\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`, and a blank or other white space that turns out to begin a word or signs."""
    return [
        State("blank", HERE, steps=dict(word)).on(signs, "signs").on(WHITE, "spaces").on(["newline"], "lines"),
        State("space", HERE, steps=dict(word)).on(WHITE, "spaces").on(["newline"], "lines"),
        State("spaces", AT_MARK, HERE).on(WHITE, "spaces").on(["newline"], "lines"),
        State("lines", HERE, AFTER).on(WHITE, "indent").on(["newline"], "lines"),
        # White space after a line break: its own piece unless another line break follows.
        State("indent", AT_MARK, None, HERE if whole_at_end else AT_MARK).on(WHITE, "indent").on(["newline"], "lines"),
    ]


def numbers(digits: int) -> list[State]:
    """`\\p{N}{1,digits}`: one state for each length that is not yet full."""
    return [State(f"{k} digits", HERE).on(["number"], f"{k + 1} digits" if k + 1 < digits else AFTER)
            for k in range(1, digits)]


def lines_after_signs(signs: Iterable[str], tail: Iterable[str]) -> list[State]:
    """`[^\\s\\p{L}\\p{N}]+[\\r\\n]*`."""
    return [State("signs", HERE).on(signs, "signs").on(["newline"], "tail"), State("tail", HERE).on(tail, "tail")]


def begin(word: Steps, signs: Iterable[str], digits: int) -> State:
    """The first character of a piece."""
    return State("start", HERE, steps=word | {"number": "1 digits" if digits > 1 else AFTER, "blank": "blank",
                                              "space": "space", "newline": "lines"}).on(signs, "sign")


def llama3(digits: int = 3, whole_at_end: bool = False, marks: bool = False) -> list[State]:
    """`(?i:'s|…)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|…`, and its kin."""
    letters = LETTERS | {"mark"} if marks else LETTERS
    signs = SIGNS if marks else SIGNS | {"mark"}
    word: Steps = dict.fromkeys(letters, "word")
    quote = State("quote", HERE, steps=dict(word)).on(signs, "signs").on(["newline"], "tail")
    states = [
        begin(word, signs, digits).on(["quote"], "quote"),
        State("word", HERE, steps=dict(word)),
        State("sign", HERE, steps=dict(word)).on(signs, "signs").on(["newline"], "tail"),
        quote,
        *numbers(digits), *lines_after_signs(signs, ["newline"]), *white_space(word, signs, whole_at_end),
    ]
    for first, between, second in ANY_CASE:     # "'l" may be a word that has only begun
        quote.on(first, AFTER if between is None else f"quote {between}")
        if between is not None:
            states.append(State(f"quote {between}", HERE, steps=dict(word)).on(second or (), AFTER))
    return states


def o200k(digits: int = 3, contractions: bool = True) -> list[State]:
    """Capitals, then small letters, in two alternatives of which the first must end in a small one:

        [^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|…)?

    A letter without case and a mark are both, so a run of capitals that no small letter follows is cut after its last
    such character. A mark may also be the prefix; that changes nothing, since marks are a word without one.
    """
    both = {"letter", "mark"}
    word: Steps = {**dict.fromkeys(UPPER, "capitals"), **dict.fromkeys(LOWER, "word"), **dict.fromkeys(both, "both")}
    after_word: Steps = {"quote": "apostrophe"} if contractions else {}
    signs = SIGNS | {"mark"}
    states = [
        begin(word, SIGNS, digits),
        State("word", HERE, steps=dict(after_word)).on(LOWER | both, "word"),
        State("capitals", HERE, steps=word | after_word),
        State("both", HERE, AFTER, steps=word | after_word).on(UPPER, "capitals after both"),
        State("capitals after both", AT_MARK, None, AT_MARK, steps=dict(word)).on(UPPER, "capitals after both"),
        State("sign", HERE, steps=dict(word)).on(SIGNS, "signs").on(["newline"], "tail"),
        *numbers(digits), *lines_after_signs(signs, ["newline", "slash"]), *white_space(word, SIGNS, False),
    ]
    if contractions:
        apostrophe = State("apostrophe", AT_MARK, HERE, AT_MARK)
        states.append(apostrophe)
        for first, between, second in ANY_CASE:
            apostrophe.on(first, AFTER if between is None else f"apostrophe {between}")
            if between is not None:
                states.append(State(f"apostrophe {between}", AT_MARK, None, AT_MARK).on(second or (), AFTER))
    return states


def whole() -> list[State]:
    """No pattern: the text is the piece."""
    return [State("start", HERE).on(CLASSES, "word"), State("word", HERE).on(CLASSES, "word")]


def machine(name: str) -> Machine:
    """The grammar of this name, compiled. ValueError names the known ones.

    >>> m = machine("gpt2")
    >>> m.states[m.step[m.states.index("blank") * WIDTH + CLASSES.index("number")]]
    'numbers'
    """
    if name not in NAMES:
        raise ValueError(f"pattern: expected one of {', '.join(NAMES)}, got {name!r}")
    states = {
        "gpt2": gpt2, "cl100k": lambda: llama3(whole_at_end=True), "llama3": llama3, "qwen": lambda: llama3(digits=1),
        "qwen35": lambda: llama3(digits=1, marks=True), "o200k": o200k,
        "tekken": lambda: o200k(digits=1, contractions=False), "none": whole,
    }[name]()
    return compiled(name, states)


def compiled(name: str, states: list[State]) -> Machine:
    """Number the states and write the table. "start" and "word" come first in every list and move no mark."""
    kinds = [[s for s in states if s.mark == kind] for kind in (None, HERE, AFTER)]
    order = [s for kind in kinds for s in kind]
    number = {s.name: k for k, s in enumerate(order)}
    assert order[0].name == "start" and order[1].name == "word" and len(order) == len(number) < HERE
    step = bytearray(WIDTH * len(order))
    for k, s in enumerate(order):
        for c, cls in enumerate(CLASSES):
            target = s.steps.get(cls, s.otherwise)
            step[k * WIDTH + c] = number[target] if isinstance(target, str) else target
    plain, before = len(kinds[0]), len(kinds[0]) + len(kinds[1])
    at_end = bytes(s.at_end for s in order)
    capitals = step[WIDTH + CLASSES.index("upper")] == 1
    return Machine(name, tuple(number), plain, before, bytes(step), at_end,
                   possible(bytes(step), at_end, plain, before), capitals)


def possible(step: bytes, at_end: bytes, plain: int, before: int) -> bytes:
    """By state: where a piece in this state may end, over all continuations of the text. A least fixed point."""
    may = [MAY_NOW if end == HERE else MAY_MARK for end in at_end]
    while True:
        old = list(may)
        for q in range(len(may)):
            for target in step[q * WIDTH:q * WIDTH + len(CLASSES)]:
                if target == HERE:
                    may[q] |= MAY_NOW
                elif target == AT_MARK:
                    may[q] |= MAY_MARK
                elif target == AFTER:
                    may[q] |= MAY_LATER
                else:
                    if may[target] & (MAY_NOW | MAY_LATER):
                        may[q] |= MAY_LATER
                    if may[target] & MAY_MARK:          # the target's mark: ours, the present place, or a later one
                        may[q] |= MAY_MARK if target < plain else MAY_NOW if target < before else MAY_LATER
        if may == old:
            return bytes(may)
