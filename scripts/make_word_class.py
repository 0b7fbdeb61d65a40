"""Write subwordio/charclass.h: the word characters that bound `single_word` tokens, probed from the tokenizers library.

    python scripts/make_word_class.py [--check]

The library asks its regex engine whether the character beside a candidate is a word character. Its Unicode version is
its own, so every code point is put beside a token and the outcome recorded. `--check` compares instead of writing.
"""
import sys
from pathlib import Path

import tokenizers
from tokenizers import AddedToken, Tokenizer, models

TARGET = Path(__file__).resolve().parent.parent / "subwordio" / "charclass.h"
CODE_POINTS = [i for i in range(0x110000) if not 0xD800 <= i < 0xE000]

TEMPLATE = """\
/* Classes of characters, and reading them out of UTF-8.

   WORD: made by scripts/make_word_class.py from tokenizers {version}: the characters that it counts as part of a word.
   White space: the 25 code points of the Unicode property White_Space. */
#ifndef SUBWORDIO_CHARCLASS_H
#define SUBWORDIO_CHARCLASS_H
#include <stddef.h>
#include <stdint.h>

static const uint32_t WORD[][2] = {{       /* first and last of each run of word characters, ascending */
{rows}
}};

static inline int is_word(uint32_t c) {{
    size_t low = 0, high = sizeof WORD / sizeof WORD[0];
    while (low < high) {{                   /* runs below low end before c, runs from high on begin after c */
        const size_t middle = low + (high - low) / 2;
        if (c < WORD[middle][0]) high = middle;
        else if (c > WORD[middle][1]) low = middle + 1;
        else return 1;
    }}
    return 0;
}}

static inline int is_white_space(uint32_t c) {{
    return (c >= 9 && c <= 13) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A)
        || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}}

/* Where the character that begins at i < n ends. Text is well-formed UTF-8; of other text nothing beyond n is read. */
static inline size_t character_end(const uint8_t *text, size_t i, size_t n) {{
    for (i++; i < n && (text[i] & 0xC0) == 0x80; i++) {{}}
    return i;
}}

/* Where the character that ends at i > 0 begins. */
static inline size_t character_begin(const uint8_t *text, size_t i) {{
    for (i--; i > 0 && (text[i] & 0xC0) == 0x80; i--) {{}}
    return i;
}}

/* The character text[i:end]. */
static inline uint32_t character(const uint8_t *text, size_t i, size_t end) {{
    uint32_t c = text[i];
    if (c >= 0xC0) c &= c < 0xE0 ? 0x1F : c < 0xF0 ? 0x0F : 0x07;
    for (i++; i < end; i++) c = (c << 6) | (text[i] & 0x3F);
    return c;
}}
#endif
"""


def word_runs() -> list[tuple[int, int]]:
    """The runs of code points beside which a single_word token is not found."""
    tokenizer = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    tokenizer.add_tokens([AddedToken("x", single_word=True, normalized=False)])
    runs: list[tuple[int, int]] = []
    for begin in range(0, len(CODE_POINTS), 50_000):
        chunk = CODE_POINTS[begin:begin + 50_000]
        after = tokenizer.encode_batch([f"x{chr(c)}" for c in chunk])
        before = tokenizer.encode_batch([f"{chr(c)}x" for c in chunk])
        for c, left, right in zip(chunk, after, before, strict=True):
            found = 1 not in left.ids
            if found != (1 not in right.ids) and c != ord("x"):
                raise SystemExit(f"U+{c:04X} is a word character on one side only")
            if c == ord("x") or found:
                if runs and runs[-1][1] == c - 1:
                    runs[-1] = (runs[-1][0], c)
                else:
                    runs.append((c, c))
    return runs


def main() -> None:
    cells = [f"{{0x{first:X},0x{last:X}}}" for first, last in word_runs()]
    rows = ",\n".join("    " + ", ".join(cells[i:i + 5]) for i in range(0, len(cells), 5))
    text = TEMPLATE.format(version=tokenizers.__version__, rows=rows)
    if "--check" in sys.argv[1:]:
        raise SystemExit(0 if TARGET.read_text() == text else f"{TARGET} is not what this script makes")
    TARGET.write_text(text)


if __name__ == "__main__":
    main()
