"""Make linmaxmatch/tables_hf.h, tables_google.h and tables_tf.h.

    python scripts/make_unicode_tables.py hf                     needs tokenizers 0.23.3
    python scripts/make_unicode_tables.py google                 needs CPython 3.11 (Unicode 14.0.0)
    python scripts/make_unicode_tables.py tf observations.json   what scripts/probe_tensorflow.py recorded

Each table comes from the model that its profile follows, asked about every code point. A set is a list of ranges
first, last. A mapping is a list of groups first, last, step, n, c1 … cn: the code point first + k, a multiple of step
further, becomes c1 + k, c2, …, cn. Hangul syllables are left out of the decompositions: their arithmetic is in the
Unicode standard.
"""
import json
import platform
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
HANGUL = range(0xAC00, 0xD7A4)
CJK_OF_GOOGLE = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
                 (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0x2F800, 0x2FA1F))
FOLDER = Path(__file__).parent.parent / "linmaxmatch"


def ranges(points: Iterable[int]) -> list[list[int]]:
    """The sorted points as maximal [first, last] ranges."""
    out: list[list[int]] = []
    for c in sorted(points):
        if out and c == out[-1][1] + 1:
            out[-1][1] = c
        else:
            out.append([c, c])
    return out


def groups(mapping: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """The mapping as [first, last, step, n, c1 … cn], with runs of equal shift put together."""
    out: list[list[int]] = []
    for c in sorted(mapping):
        image = list(mapping[c])
        if out and len(image) == 1 == out[-1][3]:
            first, last, step, _, image1 = out[-1]
            gap = c - last
            if image[0] - c == image1 - first and (gap == step or (first == last and gap <= 2)):
                out[-1][1:3] = [c, gap]
                continue
        out.append([c, c, 1, len(image), *image])
    return out


class Header:
    """One C header: a title, then named arrays."""

    def __init__(self, profile: str, sources: Sequence[tuple[str, str]]) -> None:
        self.name = profile.upper()
        self.path = FOLDER / f"tables_{profile}.h"
        self.lines = ["/* Made by scripts/make_unicode_tables.py; do not edit.", " *"]
        self.lines += [f" * {what}: {where}" for what, where in sources]
        self.lines += [" */", "#include <stdint.h>", "", f'static const char *const {self.name}_SOURCE ='
                       ' "' + "; ".join(f"{what}: {where}" for what, where in sources) + '";']

    def rows(self, name: str, about: str, rows: Iterable[Sequence[int]], width: int = 1) -> None:
        """A flat array of rows of `width` numbers each (1: of any length), and its number of rows (of numbers)."""
        array = f"{self.name}_{name}"
        self.lines += ["", f"/* {about} */", f"static const uint32_t {array}[] = {{"]
        line = "   "
        for row in rows:
            cell = " " + ", ".join(str(v) if v < 10 or (i, width) == (2, 3) else f"0x{v:04X}"
                                   for i, v in enumerate(row)) + ", "
            if len(line) + len(cell) > 118:
                self.lines.append(line.rstrip())
                line = "   "
            line += cell
        self.lines += [line.rstrip(), "};", f"enum {{ {array}_N = sizeof {array} / sizeof *{array} / {width} }};"]

    def set(self, name: str, about: str, points: Iterable[int]) -> None:
        self.rows(name, f"{about}: first, last", ranges(points), 2)

    def mapping(self, name: str, about: str, mapping: Mapping[int, Sequence[int]]) -> None:
        self.rows(name, f"{about}: first, last, step, n, c1 ... cn", groups(mapping))

    def classes(self, classes: Mapping[int, int]) -> None:
        rows = sorted([*r, value] for value in set(classes.values())
                      for r in ranges(c for c, v in classes.items() if v == value))
        self.rows("COMBINING", "canonical combining classes other than 0: first, last, class", rows, 3)

    def write(self) -> None:
        self.path.write_text("\n".join(self.lines) + "\n", encoding="ascii")
        print(f"{self.path}: {self.path.stat().st_size:,} bytes")


def combining_of_tokenizers() -> dict[int, int]:
    """The combining classes that its NFD orders by, seen from what it reorders beside marks of known class."""
    from tokenizers.normalizers import NFD
    nfd = NFD().normalize_str
    known = {1: 0x334}
    for c in SCALARS:
        cls = unicodedata.combining(chr(c))
        if cls > 1 and cls not in known and nfd(chr(c)) == chr(c) and nfd(f"{chr(c)}\u0334") == f"\u0334{chr(c)}":
            known[cls] = c

    def swaps(a: int, b: int) -> bool:
        return nfd(chr(a) + chr(b)) == chr(b) + chr(a) != chr(a) + chr(b)

    classes = {}
    for c in SCALARS:
        if nfd(chr(c)) != chr(c):
            continue
        if c == 0x334 or swaps(c, 0x334) or swaps(0x301, c):
            # its class is the one level whose mark neither passes it nor is passed by it
            level = [cls for cls, mark in known.items() if mark == c or not (swaps(c, mark) or swaps(mark, c))]
            assert len(level) == 1, (hex(c), level)
            classes[c] = level[0]
    return classes


def make_hf() -> None:
    """tokenizers 0.23.3, each step of BertNormalizer and BertPreTokenizer asked alone."""
    from tokenizers.normalizers import NFD, BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    assert version("tokenizers") == "0.23.3", version("tokenizers")

    def step(**on: bool) -> dict[int, str]:
        off = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
        normalize = BertNormalizer(**off | on).normalize_str
        return {c: normalize(chr(c)) for c in SCALARS}

    clean, chinese, strip, lower = (step(**{option: True}) for option in (
        "clean_text", "handle_chinese_chars", "strip_accents", "lowercase"))
    nfd = {c: NFD().normalize_str(chr(c)) for c in SCALARS}
    split = BertPreTokenizer().pre_tokenize_str
    pieces = {c: len(split(f"x{chr(c)}y")) for c in SCALARS}
    assert all(clean[c] in (chr(c), "", " ") and chinese[c] in (chr(c), f" {chr(c)} ") for c in SCALARS)
    assert all(strip[c] in (chr(c), "") for c in SCALARS if nfd[c] == chr(c))
    check_hangul(nfd)
    header = Header("hf", [("tokenizers 0.23.3",
                            "BertNormalizer, NFD and BertPreTokenizer, asked about every code point")])
    header.set("CONTROL", "removed by clean_text", (c for c in SCALARS if clean[c] == ""))
    header.set("BLANK", "made a space by clean_text", (c for c in SCALARS if clean[c] == " "))
    header.set("CHINESE", "put between spaces by handle_chinese_chars", (c for c in SCALARS if chinese[c] != chr(c)))
    header.mapping("DECOMPOSITION", "canonical decomposition, full",
                   {c: [*map(ord, nfd[c])] for c in SCALARS if nfd[c] != chr(c) and c not in HANGUL})
    header.classes(combining_of_tokenizers())
    header.set("NONSPACING", "dropped by strip_accents, after decomposition",
               (c for c in SCALARS if nfd[c] == chr(c) and strip[c] == ""))
    header.mapping("LOWER", "lower case", {c: [*map(ord, lower[c])] for c in SCALARS if lower[c] != chr(c)})
    header.set("SPACE", "where the pre-tokenizer splits", (c for c in SCALARS if pieces[c] == 2))
    header.set("PUNCTUATION", "what the pre-tokenizer isolates", (c for c in SCALARS if pieces[c] == 3))
    header.write()


def check_hangul(nfd: Mapping[int, str]) -> None:
    for c in HANGUL:
        s = c - 0xAC00
        jamo = [0x1100 + s // 588, 0x1161 + s % 588 // 28, *([0x11A7 + s % 28] if s % 28 else [])]
        assert [*map(ord, nfd[c])] == jamo, hex(c)


def make_google() -> None:
    """The original Python code's predicates, under CPython 3.11's Unicode data."""
    assert (platform.python_version_tuple()[:2], unicodedata.unidata_version) == (("3", "11"), "14.0.0")
    category = {c: unicodedata.category(chr(c)) for c in SCALARS}
    nfd = {c: unicodedata.normalize("NFD", chr(c)) for c in SCALARS}
    check_hangul(nfd)
    control = {c for c in SCALARS if c in (0, 0xFFFD) or (category[c] in ("Cc", "Cf") and chr(c) not in "\t\n\r")}
    ascii_marks = {*range(33, 48), *range(58, 65), *range(91, 97), *range(123, 127)}
    # Python's lower() writes a final sigma after a cased character, and looks past those that are case-ignorable.
    after = {c: f"{chr(c)}Σ".lower()[-1] == "ς" for c in SCALARS}
    between = {c: f"Α{chr(c)}Σ".lower()[-1] == "ς" for c in SCALARS}
    header = Header("google", [("Unicode 14.0.0", "by CPython 3.11's unicodedata and str methods"),
                               ("Chinese ranges", "those of the original BERT code")])
    header.set("CONTROL", "removed by cleaning: U+0000, U+FFFD, Cc and Cf but tab, newline, return", control)
    header.set("SPACE", "made a space by cleaning, or split at by str.split()",
               (c for c in SCALARS if c not in control and (category[c] == "Zs" or chr(c).isspace())))
    header.set("CHINESE", "put between spaces", (c for a, b in CJK_OF_GOOGLE for c in range(a, b + 1)))
    header.mapping("LOWER", "lower case in full; capital sigma outside its final form",
                   {c: [*map(ord, chr(c).lower())] for c in SCALARS if chr(c).lower() != chr(c)})
    header.set("CASED", "cased and not case-ignorable: before a capital sigma they make it final, after it not",
               (c for c in SCALARS if after[c]))
    header.set("CASE_IGNORABLE", "what the search for a cased neighbour of a sigma looks past",
               (c for c in SCALARS if between[c] and not after[c]))
    header.mapping("DECOMPOSITION", "canonical decomposition, full",
                   {c: [*map(ord, nfd[c])] for c in SCALARS if nfd[c] != chr(c) and c not in HANGUL})
    header.classes({c: unicodedata.combining(chr(c)) for c in SCALARS if unicodedata.combining(chr(c))})
    header.set("NONSPACING", "category Mn, dropped by accent stripping", (c for c in SCALARS if category[c] == "Mn"))
    header.set("PUNCTUATION", "ASCII marks and category P",
               (c for c in SCALARS if c in ascii_marks or category[c][0] == "P"))
    header.set("UNASSIGNED", "category Cn: what a later Unicode may have given a composition since",
               (c for c in SCALARS if category[c] == "Cn"))
    header.write()


def make_tf(observations: Path) -> None:
    """The results of tensorflow-text, as scripts/probe_tensorflow.py recorded them."""
    seen = json.loads(observations.read_text(encoding="utf-8"))
    fold = {int(c): [*map(ord, image)] for c, image in seen["lower"].items()}
    check_hangul({c: seen["lower"][str(c)] for c in HANGUL})
    header = Header("tf", [(seen["source"], "FastBertNormalizer and FastBertTokenizer, asked about every code point")])
    header.mapping("FOLD", "lower_case_nfd_strip_accents=True: what each becomes",
                   {c: image for c, image in fold.items() if c not in HANGUL and image not in ([], [0x20])})
    header.set("FOLDED_BLANK", "the same: what becomes one space", (c for c, image in fold.items() if image == [0x20]))
    header.set("FOLDED_DROP", "the same: what becomes nothing", (c for c, image in fold.items() if not image))
    header.set("SPACE", "where the tokenizer splits without it; controls are among them", seen["space"])
    header.set("PUNCTUATION", "what the tokenizer isolates, Chinese characters included", seen["isolated"])
    header.write()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["hf"]:
            make_hf()
        case ["google"]:
            make_google()
        case ["tf", path]:
            make_tf(Path(path))
        case _:
            sys.exit(__doc__)
