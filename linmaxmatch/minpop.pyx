"""MinPop g(w), G(w): the fewest pops that leave a node.          (Section 3.1, Lemma 2)

Notation   w a string · T the trie · G(w) the fewest longest-matching prefixes, in order, that must be popped from w so
           that a node is left · g(w) that node, or ∅ where there is none (then G(w) = [])
With ␣ a symbol of no token, and the nodes ␣ and ♯␣ added, M(w) = G(w␣) if g(w␣) ≠ ∅, else [<unk>] (Lemma 2).
With one root a string that starts with ♯ is read as a later piece; with two roots a string is always read from r.
"""
from linmaxmatch.trie cimport NONE, Symbols, Trie, node_t


cdef tuple min_pop(Trie T, w):
    """(g(w), G(w)): pop while what is left is no node."""
    cdef object held = T.hold(w)            # s reads from it
    cdef Symbols s = T.take(held)
    cdef Py_ssize_t i = 0, end = 0
    cdef node_t root = T.start(s, &i), v = T.walk(root, s, i), popped
    cdef list pops = []
    while v == NONE:
        popped = T.longest(root, s, i, &end)
        if popped == NONE:
            return None, []
        pops.append(T.token(popped))
        root, i = T.suffix_root, end
        v = T.walk(root, s, i)
    return v, pops


def g(Trie T not None, w):
    """g(w): the node that is left after the fewest pops, or None for ∅ (Section 3.1, MinPop). O(|w|²).

    >>> from linmaxmatch import Trie, Vocabulary
    >>> T = Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"]))
    >>> T.chi(g(T, "abc")), T.chi(g(T, "abcz")), g(T, "abcx")
    ('abc', '##z', None)
    """
    return min_pop(T, w)[0]


def G(Trie T not None, w):
    """G(w): the tokens popped, in order; [] where g(w) = ∅ (Section 3.1, MinPop). O(|w|²).

    >>> from linmaxmatch import Trie, Vocabulary
    >>> T = Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"]))
    >>> G(T, "abc"), G(T, "abcz"), G(T, "abcx")
    ([], ['a', '##bc'], [])
    """
    return min_pop(T, w)[1]


min_pop_node = g
min_pop_tokens = G
