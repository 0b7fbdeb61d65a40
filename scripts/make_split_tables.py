"""Make incbpe/tables_split.h: the classes of characters that the pre-tokenizers' patterns tell apart.

    python scripts/make_split_tables.py            needs tiktoken 0.14.0 and tokenizers 0.23.3
    python scripts/make_split_tables.py --check    compares, and writes nothing

Both libraries' regular expression engines are asked about all 1,112,064 code points: tiktoken by what it finds of a
pattern in a text of them all, since it drops what the pattern leaves out, and tokenizers by what its Replace removes.
The questions are the very sets that stand in the published patterns. The two engines must agree; would they not, each
would need a table of its own.
"""
import argparse
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path

HEADER = Path(__file__).parent.parent / "incbpe" / "tables_split.h"
SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
EVERYTHING = "".join(map(chr, SCALARS))
VERSIONS = {"tiktoken": "0.14.0", "tokenizers": "0.23.3"}
SETS = {
    "letter": r"\p{L}", "number": r"\p{N}", "mark": r"\p{M}", "space": r"\s", "not space": r"\S",
    "other": r"[^\s\p{L}\p{N}]", "prefix": r"[^\r\n\p{L}\p{N}]", "newline": r"[\r\n]",
    "capital": r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", "small": r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]",
    "s, d, m, t": "(?i:[sdmt])", "l": "(?i:l)", "v, r": "(?i:v|r)", "e": "(?i:e)",
}
Points = set[int]


def of_tiktoken() -> Callable[[str], Points]:
    import tiktoken
    ranks = {bytes([byte]): byte for byte in range(256)}

    def matched(pattern: str) -> Points:
        encoding = tiktoken.Encoding("probe", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        return set(map(ord, bytes(encoding.encode_ordinary(EVERYTHING)).decode()))
    return matched


def of_tokenizers() -> Callable[[str], Points]:
    from tokenizers import Regex, normalizers

    def matched(pattern: str) -> Points:
        return set(SCALARS) - set(map(ord, normalizers.Replace(Regex(pattern), "").normalize_str(EVERYTHING)))
    return matched


def probed() -> dict[str, Points]:
    """The sets, on which both engines agree and which hang together as `grammars` takes for granted."""
    for name, wanted in VERSIONS.items():
        assert version(name) == wanted, (name, version(name))
    ask, ask_too = of_tiktoken(), of_tokenizers()
    sets = {name: ask(pattern) for name, pattern in SETS.items()}
    for name, pattern in SETS.items():
        assert sets[name] == ask_too(pattern), f"tiktoken and tokenizers differ in {pattern}"
    letter, number, mark, space = (sets[name] for name in ("letter", "number", "mark", "space"))
    capital, small = sets["capital"], sets["small"]
    parts = (letter, number, mark, space)
    assert sum(map(len, parts)) == len(set().union(*parts)), "the categories overlap"
    assert sets["not space"] == set(SCALARS) - space
    assert sets["other"] == set(SCALARS) - space - letter - number
    assert sets["prefix"] == set(SCALARS) - {10, 13} - letter - number
    assert sets["newline"] == {10, 13} and sets["newline"] | {32} < space
    assert capital | small == letter | mark and mark < capital & small
    folds = {"s, d, m, t": "sSdDmMtT\u017f", "l": "lL", "v, r": "vVrR", "e": "eE"}
    assert all(sets[name] == set(map(ord, letters)) for name, letters in folds.items())
    return sets


def ranges(points: Iterable[int]) -> list[tuple[int, int, int]]:
    """The points as (first, last, step) with step 1 or 2: capital and small letters often take turns."""
    found: list[tuple[int, int, int]] = []
    for c in sorted(points):
        if found:
            first, last, step = found[-1]
            if c - last == step or (first == last and c - last == 2):
                found[-1] = (first, c, c - last)
                continue
        found.append((c, c, 1))
    return found


def text() -> str:
    sets = probed()
    letter, capital, small = sets["letter"], sets["capital"], sets["small"]
    both = letter & capital & small
    arrays = (("NUMBERS", r"\p{N}", sets["number"]), ("MARKS", r"\p{M}", sets["mark"]),
              ("SPACES", r"\s", sets["space"]), ("UPPER", r"\p{Lu} and \p{Lt}", letter & capital - small),
              ("LOWER", r"\p{Ll}", letter & small - capital), ("LETTERS", r"\p{Lm} and \p{Lo}", both))
    source = " and ".join(f"{name} {wanted}" for name, wanted in VERSIONS.items())
    lines = ["/* Made by scripts/make_split_tables.py; do not edit.", " *",
             f" * What the regular expression engines of {source} take each code point for; they agree.",
             " * Each row: first, last, step. What is in none of the sets is no letter, mark, number or white space.",
             " */", "#include <stdint.h>"]
    for name, pattern, points in arrays:
        lines += ["", f"/* {pattern}: {len(points):,} code points */", f"static const uint32_t INCBPE_{name}[][3] = {{"]
        line = "   "
        for first, last, step in ranges(points):
            cell = f" {{0x{first:X},0x{last:X},{step}}},"
            if len(line) + len(cell) > 118:
                lines.append(line)
                line = "   "
            line += cell
        lines += [line, "};", f"enum {{ INCBPE_{name}_N = sizeof INCBPE_{name} / sizeof *INCBPE_{name} }};"]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with what is there")
    made = text()
    if parser.parse_args().check:
        assert HEADER.read_text(encoding="ascii") == made, f"{HEADER} is not what the script makes"
    else:
        HEADER.write_text(made, encoding="ascii")
    print(f"{HEADER}: {len(made):,} bytes")


if __name__ == "__main__":
    main()
