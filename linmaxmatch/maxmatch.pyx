"""MaxMatch M(w), the definition, and the original WordPiece.          (Definition 5)

Notation   p_w, q_w as in vocabulary · M(w) the tokens of w · <unk> the answer where some step finds no prefix

The definition of record is the *original WordPiece*: the first piece is looked up as it stands, a later one as
♯ + piece, and one failure makes the whole word <unk>. Definition 5 equals it on every word that does not start with a
non-empty ♯. There it takes ♯ for the sign of a later piece: with V = {a} and ♯ = a the word a gives [] by Definition 5,
[a] by the original.
"""
from linmaxmatch.vocabulary cimport Vocabulary

from linmaxmatch.vocabulary import p, q


def M(Vocabulary V not None, w):
    """M(w) by Definition 5: pop the longest-matching prefix until ε or ♯ is left. At most |w| m look-ups.

    It differs from `original_wordpiece` only for words that start with a non-empty ♯ (see the module).

    >>> from linmaxmatch import Vocabulary
    >>> V = Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"])
    >>> M(V, "abcz"), M(V, "abcdz"), M(V, "abcx"), M(V, ""), M(V, "##")
    (['a', '##bc', '##z'], ['abcd', '##z'], ['<unk>'], [], [])
    """
    cdef str rest = V.text_of(w)
    cdef list tokens = []
    while rest and rest != V.suffix_indicator:
        prefix = p(V, rest)
        if not prefix:
            return [V.unk_token]
        tokens.append(prefix)
        rest = q(V, rest)
    return tokens


def original_wordpiece(Vocabulary V not None, w):
    """The original WordPiece, the definition of record (Definition 5, repaired): every other algorithm here equals it.

    At most |w| m look-ups of at most m characters.

    >>> from linmaxmatch import Vocabulary
    >>> V = Vocabulary(["#", "###", "##a", "##b", "<unk>"])
    >>> original_wordpiece(V, "##"), original_wordpiece(V, "##ab"), original_wordpiece(V, "")
    (['#', '###'], ['##a', '##b'], [])
    """
    cdef str text = V.text_of(w)
    cdef list pieces = []
    cdef Py_ssize_t i = 0, end
    while i < len(text):
        for end in range(min(len(text), i + V.longest), i, -1):
            piece = V.suffix_indicator + text[i:end] if i else text[:end]
            if V.matches(piece):
                break
        else:
            return [V.unk_token]
        pieces.append(piece)
        i = end
    return pieces


max_match = M
