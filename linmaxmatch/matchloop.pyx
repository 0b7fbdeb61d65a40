"""MatchLoop and LinMaxMatch.          (Algorithm 1)

Notation   s the text · i a position in it · u the node · ␣ the symbol after the text, in no token and no text
MatchLoop   from r, for each symbol: while δ(u, s[i]) = ∅, stop if f(u) = ∅, else emit F(u) and go to f(u);
            then u ← δ(u, s[i]), i ← i + 1. ␣ has no edge, so the loop always stops.
LinMaxMatch the tokens if the loop stopped at ␣ and in r or r♯, else [<unk>]; the empty word gives []

Correction to the paper, one root only: a word that starts with a non-empty ♯ would be read as a later piece. Such a
word runs as the original WordPiece does: its first piece is the longest literal token, read from r before the loop,
and the loop goes on from r♯. (Algorithm 1 has this for the word ♯ alone; V = {#, ###b} and the word ##b need more.)
With two roots no word is special.
Cost  at most n edges and n moves, since each move pops a token of at least one character; the first piece of a repaired
word is read once more, at most n edges.
"""
from libc.stdint cimport int32_t

from linmaxmatch.trie cimport NONE, SPACE, Trie, continues_with, symbol_at


cdef class Steps:
    """How many edges and failure moves MatchLoop made (the bound of Algorithm 1).

    >>> steps = Steps()
    >>> steps.edges, steps.moves
    (0, 0)
    """

    def __repr__(self):
        return f"<Steps: {self.edges} edges, {self.moves} moves>"


cdef node_t run(Tables tables, Symbols s, Py_ssize_t *i, node_t u, list tokens, Steps steps) except -1:
    cdef Trie T = tables.trie
    cdef tuple names = T.vocabulary.tokens
    cdef int64_t edges = 0, moves = 0
    cdef Py_ssize_t at = i[0]
    cdef int32_t c, k
    cdef node_t v
    # Before each round: what was popped and χ_u spell s[i : at], and `at` ≤ n.
    while True:
        c = symbol_at(s, at) if at < s.n else SPACE
        v = T.child(u, c)
        while v == NONE and tables.f_node[u] != NONE:
            for k in range(tables.F_begin[u], tables.F_begin[u] + tables.F_length[u]):
                tokens.append(names[tables.pool[k]])
            u = tables.f_node[u]
            v = T.child(u, c)
            moves += 1
        if v == NONE:
            break
        u = v
        at += 1
        edges += 1
    i[0] = at
    if steps is not None:
        steps.edges += edges
        steps.moves += moves
    return u


cdef bint needs_repair(Tables tables, Symbols s, Py_ssize_t i) noexcept:
    cdef Trie T = tables.trie
    return T.roots == 1 and T.suffix_root != T.root and continues_with(s, i, T.indicator)


cdef node_t first_piece(Tables tables, Symbols s, Py_ssize_t *i, list tokens) except -2:
    cdef Trie T = tables.trie
    cdef Py_ssize_t end = 0
    cdef node_t v = T.longest(T.root, s, i[0], &end)
    # r♯ holds no token in this trie, so the entry ♯ itself is asked for apart: it is longer than what ends before it.
    if end - i[0] < T.indicator.n and T.vocabulary.matches(T.vocabulary.suffix_indicator):
        tokens.append(T.vocabulary.suffix_indicator)
        i[0] += T.indicator.n
        return T.suffix_root
    if v == NONE:
        return NONE
    tokens.append(T.token(v))
    i[0] = end
    return T.suffix_root


def match_loop(Tables tables not None, s, i=0, Steps steps=None):
    """MatchLoop(s, i) of Algorithm 1, over s followed by ␣: (tokens, u, i) where it stopped. O(n − i).

    Over a trie of bytes, i counts bytes of UTF-8. `steps`, if given, counts edges and moves.

    >>> from linmaxmatch import Trie, Vocabulary, precompute
    >>> tables = precompute(Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"])))
    >>> steps = Steps()
    >>> match_loop(tables, "abcz", steps=steps), tables.trie.suffix_root, steps
    ((['a', '##bc', '##z'], 2, 4), 2, <Steps: 4 edges, 3 moves>)
    >>> match_loop(tables, "abcxz")
    (['a', '##bc'], 2, 3)
    """
    cdef object held = tables.trie.hold(s)
    cdef Symbols symbols = tables.trie.take(held)
    cdef list tokens = []
    cdef Py_ssize_t at
    if not isinstance(i, int):
        raise TypeError(f"i: expected int, got {type(i).__name__}")
    if not 0 <= i <= symbols.n:
        raise IndexError(f"i: expected 0 to {symbols.n}, got {i}")
    at = i
    u = run(tables, symbols, &at, tables.trie.root, tokens, steps)
    return tokens, u, at


def lin_max_match(Tables tables not None, w, Steps steps=None):
    """LinMaxMatch(w): the tokens of a word, or [<unk>] (Algorithm 1, with the repair told above). O(n).

    >>> from linmaxmatch import Trie, Vocabulary, precompute
    >>> tables = precompute(Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"])))
    >>> lin_max_match(tables, "abcdz"), lin_max_match(tables, "abcz"), lin_max_match(tables, "abcx")
    (['abcd', '##z'], ['a', '##bc', '##z'], ['<unk>'])
    >>> tables = precompute(Trie(Vocabulary(["#", "###b", "<unk>"])))
    >>> lin_max_match(tables, "##b"), lin_max_match(tables, "")
    (['#', '###b'], [])
    """
    cdef Trie T = tables.trie
    cdef object held = T.hold(w)
    cdef Symbols s = T.take(held)
    cdef list tokens = []
    cdef Py_ssize_t i = 0
    cdef node_t u = first_piece(tables, s, &i, tokens) if needs_repair(tables, s, 0) else T.root
    if u != NONE:
        u = run(tables, s, &i, u, tokens, steps)
    if i < s.n or u != T.root and u != T.suffix_root:
        return [T.vocabulary.unk_token]
    return tokens
