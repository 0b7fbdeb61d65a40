"""End-to-end WordPiece: splitting and matching in one pass.          (Algorithm 3, corrected)

The text is split at white space, which is dropped, and at punctuation, where each mark is a word; every word is then
tokenized. Algorithm 3 does it in one pass over the text.

Notation   mark a punctuation character · r_p a dead node, where the loop arrives after a mark · r, r♯, f, F as before
What stands in the trie   the body of a suffix token (after ♯) if it holds no mark and no white space; a literal token
    if it holds neither, or is exactly one mark. With one root a token stands if either spelling does.
Corrections to the paper
C1  a boundary is relative to the word's start: i ≥ |s|, or i > start and s[i − 1] is a mark, or s[i] is white space or
    a mark. (With i > 0 in place of i > start the text .z with z unknown is never left.)
C2  with one root, the edge by which the way of ♯ leaves a mark at its head is cut (# to ##); else the edge into the
    first mark or white space of ♯ is. A word can then never run into ♯, whose marks are words of their own.
C3  where ♯ is exactly one mark, no edge can be cut (r♯ is that mark's node): the trie has two roots (E.roots == 2)
C4  a mark that has no node is answered before the loop, which would stand still at it
C5  with one root and ♯ not empty and free of marks and white space, a word that starts with ♯ is cut out and runs as
    the original WordPiece (matchloop has the repair)
r_p, the marks' nodes and the cuts are made before Algorithm 2, which leaves the marks alone.
I1  the mark nodes are children of r, with f = r_p and F = [the mark, or <unk>], and nothing can be read from them
I2  r_p has no edges, and f(r_p) = ∅
I3  the edges that r and r♯ reach read neither marks nor white space, those from r to the mark nodes aside
Cost  O(n): each character is read once by the loop, and looked at a bounded number of times.
"""
import unicodedata

cimport cython

from linmaxmatch.failure cimport Tables
from linmaxmatch.matchloop cimport first_piece, needs_repair, run
from linmaxmatch.trie cimport NONE, Symbols, Trie, node_t, symbol_at
from linmaxmatch.vocabulary cimport Vocabulary, holds

cdef enum:
    LETTER = 0                              # neither of the following
    MARK = 1
    WHITE = 2                               # white space, also where the character counts as punctuation


def is_punctuation(c):
    """Whether c is punctuation for BERT: an ASCII character that is no letter, digit, blank or control, or category P*.

    >>> [c for c in "a$,°«" if is_punctuation(c)]
    ['$', ',', '«']
    """
    return "!" <= c <= "~" and not c.isalnum() or unicodedata.category(c)[0] == "P"


def is_whitespace(c):
    r"""Whether c is white space, by str.isspace. The engine's normalizer profiles have finer rules of their own.

    >>> [is_whitespace(c) for c in (" ", "\u3000", "a")]
    [True, True, False]
    """
    return c.isspace()


@cython.final
cdef class EndToEnd:
    """E: the trie and the failure tables of Algorithm 3. Made by `precompute_e2e`."""
    cdef readonly Vocabulary vocabulary     # V
    cdef readonly Tables tables             # f and F, on the trie of the module's docstring
    cdef readonly int roots                 # 1, or 2 where ♯ is exactly one mark
    cdef readonly node_t r_p                # where a mark leads by failure
    cdef readonly object punctuation        # the function of one character that says which are marks
    cdef readonly object whitespace         # ... and white space
    cdef bint repair                        # whether a word may start with ♯ and needs the repair

    def __cinit__(self, Vocabulary V not None, punctuation, whitespace):
        cdef Trie T
        for name, value in (("punctuation", punctuation), ("whitespace", whitespace)):
            if not callable(value):
                raise TypeError(f"{name}: expected a function of one character, got {type(value).__name__}")
        self.vocabulary, self.punctuation, self.whitespace = V, punctuation, whitespace
        cdef str indicator = V.suffix_indicator
        kinds = [self.kind_of(c) for c in indicator]
        self.roots = 2 if kinds == [MARK] else 1                                            # C3
        self.repair = self.roots == 1 and kinds != [] and set(kinds) == {LETTER}            # C5
        single = [c for c in [*map(chr, range(128)), *V.tokens, *indicator[:1]] if len(c) == 1]
        marks = {c for c in single if self.kind_of(c) == MARK}
        T = Trie(V, roots=self.roots, keep=self.stands, also=marks)
        self.r_p = T.add_dead()
        given = [(T.child(T.root, ord(mark)), self.r_p, V.id_of(mark) if V.matches(mark) else V.unk_id) for mark in marks]
        if self.roots == 1 and not set(kinds) <= {LETTER}:                                  # C2
            v = T.root
            for c in indicator[:2 if kinds[0] == MARK else [k == LETTER for k in kinds].index(False) + 1]:
                v = T.child(v, ord(c))
            T.cut(v)
        self.tables = Tables(T, given)

    cdef int kind_of(self, str c) except -1:
        """LETTER, MARK or WHITE."""
        if self.whitespace(c):
            return WHITE
        return MARK if self.punctuation(c) else LETTER

    def stands(self, spelling, is_body):
        """Whether a spelling stands in the trie of Algorithm 3: see the module's docstring. Cost |spelling|.

        >>> from linmaxmatch import Vocabulary, precompute_e2e
        >>> E = precompute_e2e(Vocabulary(["<unk>"]))
        >>> [E.stands(s, False) for s in ("a", ".", "a.", "..", "a b")], E.stands(".", True)
        ([True, True, False, False, False], False)
        """
        kinds = {self.kind_of(c) for c in spelling}
        return kinds <= {LETTER} or len(spelling) == 1 and kinds == {MARK} and not is_body

    def __repr__(self):
        return f"<EndToEnd over {self.tables.trie!r}>"

    def check(self):
        """Raise AssertionError unless I1–I3 hold, and those of the trie and of the tables. Cost: that of those.

        >>> from linmaxmatch import Vocabulary, precompute_e2e
        >>> precompute_e2e(Vocabulary(["a", "abc", "##b", "#", "<unk>"])).check()
        """
        cdef Trie T = self.tables.trie
        T.check()
        self.tables.check()
        children = {}
        for v in range(len(T)):
            if T.symbol[v] != NONE and v != T.severed:
                children.setdefault(T.parent[v], []).append(v)
        for v in self.tables.order:
            kind = LETTER if T.symbol[v] == NONE or v == T.severed else self.kind_of(chr(T.symbol[v]))
            if kind == MARK and T.parent[v] == T.root:
                holds("I1", self.tables.f(v) == self.r_p and len(self.tables.F(v)) == 1 and v not in children, v)
                holds("I1", self.tables.F(v) in ([T.chi(v)], [self.vocabulary.unk_token]), v)
            elif v != T.suffix_root:
                holds("I3", kind == LETTER, v)
        holds("I2", self.r_p not in children and self.tables.f(self.r_p) is None, self.r_p)


def precompute_e2e(V, punctuation=is_punctuation, whitespace=is_whitespace):
    """E for `e2e_wordpiece`: Algorithm 2 on the trie of Algorithm 3. O(Mm), as precompute.

    punctuation, whitespace   functions of one character; white space wins where both hold
    E.roots is 2 where ♯ is exactly one mark, since one root cannot serve there.

    >>> from linmaxmatch import Vocabulary
    >>> precompute_e2e(Vocabulary(["a", "##b", "<unk>"])).roots
    1
    >>> precompute_e2e(Vocabulary(["a", "#b", "<unk>"], suffix_indicator="#")).roots
    2
    """
    return EndToEnd(V, punctuation, whitespace)


def e2e_wordpiece(EndToEnd E not None, text):
    """The tokens of a text: E2E WordPiece (Algorithm 3 with C1–C5). O(n).

    Equal to splitting at white space and marks, then `original_wordpiece` for each word.

    >>> from linmaxmatch import Vocabulary
    >>> V = Vocabulary(["a", "abcd", "##b", "##bc", "##z", ".", "#", "<unk>"])
    >>> E = precompute_e2e(V)
    >>> e2e_wordpiece(E, "abcz. abcd,a x")
    ['a', '##bc', '##z', '.', 'abcd', '<unk>', 'a', '<unk>']
    >>> e2e_wordpiece(E, "##bc"), e2e_wordpiece(E, ".z"), e2e_wordpiece(E, "  ")
    (['#', '#', '<unk>'], ['.', '<unk>'], [])
    """
    cdef Trie T = E.tables.trie
    cdef str held = E.vocabulary.text_of(text)
    cdef Symbols s = T.take(held), word
    cdef dict kinds = {c: E.kind_of(c) for c in set(held)}
    cdef list answer = [], tokens
    cdef Py_ssize_t i = 0, start
    cdef node_t u
    while i < s.n:
        if kinds[held[i]] == WHITE:
            i += 1
            continue
        if kinds[held[i]] == MARK and T.child(T.root, symbol_at(s, i)) == NONE:             # C4
            answer.append(E.vocabulary.unk_token)
            i += 1
            continue
        start, tokens, word, u = i, [], s, T.root
        if E.repair and needs_repair(E.tables, s, i):                                       # C5
            word.n = boundary(held, kinds, start, i)
            u = first_piece(E.tables, word, &i, tokens)
        if u != NONE:
            u = run(E.tables, word, &i, u, tokens, None)
        if u in (T.root, T.suffix_root, E.r_p) and i == boundary(held, kinds, start, i):
            answer += tokens
        else:
            answer.append(E.vocabulary.unk_token)
        i = boundary(held, kinds, start, i)
    return answer


cdef Py_ssize_t boundary(str text, dict kinds, Py_ssize_t start, Py_ssize_t i) except -1:
    """The first boundary from i on of the word that begins at start. (C1)"""
    while i < len(text) and kinds[text[i]] == LETTER and not (i > start and kinds[text[i - 1]] == MARK):
        i += 1
    return i
