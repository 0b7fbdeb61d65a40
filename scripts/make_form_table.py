"""Make incbpe/formtable.py: of which code points the tokenizers library's Unicode normalization knows.

    python scripts/make_form_table.py            needs tokenizers 0.23.3
    python scripts/make_form_table.py --check    compares, and writes nothing

Its four normalizers are asked about all 1,112,064 code points. Three sets say all that tells two versions of Unicode
apart here: what the canonical forms and what the compatibility forms change, and what is a mark. For what a later
version adds to them, and only that, may differ: Unicode never changes a decomposition, and the library and the Python
that runs this agree, which is checked, on every code point that both know. Syllables of Hangul are arithmetic and
left out.
"""
import argparse
import textwrap
import unicodedata
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from make_unicode_tables import HANGUL, SCALARS, combining_of_tokenizers, ranges

TABLE = Path(__file__).parent.parent / "incbpe" / "formtable.py"
VERSION = "0.23.3"
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
HEAD = '''"""Of which code points the Unicode normalization of tokenizers {version} knows.

Made by scripts/make_form_table.py; do not edit.

CANONICAL: what NFD and NFKD change · COMPATIBLE: what NFKD changes, and NFD does not · MARKS: what NFD keeps, and
orders by a combining class. Ranges in hexadecimal, `first-last`, or one code point; without the syllables of Hangul.
"""
__all__ = ["CANONICAL", "COMPATIBLE", "LIBRARY", "MARKS"]

LIBRARY = "{version}"
'''


def probed() -> dict[str, set[int]]:
    """The sets, of which Python knows at least as much and nothing else."""
    from tokenizers import normalizers
    assert version("tokenizers") == VERSION, version("tokenizers")
    library = {form: getattr(normalizers, form)().normalize_str for form in FORMS}
    changed = {form: {c for c in SCALARS if library[form](chr(c)) != chr(c)} for form in ("NFD", "NFKD")}
    classes = combining_of_tokenizers()
    for c in SCALARS:
        for form in FORMS:
            known = c in changed["NFKD" if "K" in form else "NFD"]
            wanted = unicodedata.normalize(form, chr(c)) if known else chr(c)
            assert library[form](chr(c)) == wanted, (form, hex(c))
        if c in changed["NFD"]:     # whether the parts are put together again
            parts = unicodedata.normalize("NFD", chr(c))
            assert library["NFC"](parts) == unicodedata.normalize("NFC", parts), hex(c)
    assert all(unicodedata.combining(chr(c)) == mark for c, mark in classes.items())
    assert changed["NFD"] >= set(HANGUL) and changed["NFKD"] >= changed["NFD"]
    return {"CANONICAL": changed["NFD"] - set(HANGUL), "COMPATIBLE": changed["NFKD"] - changed["NFD"],
            "MARKS": set(classes)}


def spelt(points: Iterable[int]) -> str:
    return " ".join(f"{first:X}" if first == last else f"{first:X}-{last:X}" for first, last in ranges(points))


def text() -> str:
    parts = [HEAD.format(version=VERSION)]
    for name, points in probed().items():
        lines = textwrap.wrap(spelt(points), 112)
        parts.append(f"{name} = (      # {len(points):,} code points\n"
                     + "\n".join(f'    "{line} "' for line in lines) + "\n)\n")
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with what is there")
    check, made = parser.parse_args().check, text()
    if check:
        assert TABLE.read_text(encoding="utf-8") == made, f"{TABLE} is not what the script makes"
    else:
        TABLE.write_text(made, encoding="utf-8")
    print(f"{TABLE}: {len(made):,} bytes")


if __name__ == "__main__":
    main()
