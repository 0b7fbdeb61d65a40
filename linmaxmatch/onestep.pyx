"""One step h(u, c), H(u, c): from the node of w to the node of wc.          (Lemmas 3 and 4)

Notation   u a node · c a symbol · h(u, c) the node after c was read at u, or ∅ · H(u, c) the tokens popped on the way:
           the node and the pops of MinPop on the string χ_u c
Lemma 3    g(wc) = h(g(w), c) and G(wc) = G(w) + H(g(w), c), with g(ε) = r, g(♯) = r♯
Lemma 4    h(u, c) = δ(u, c) where that exists, ∅ where f(u) = ∅, else h(f(u), c);
           H(u, c) = [] in the first two cases, else F(u) + H(f(u), c), and it counts only where h(u, c) ≠ ∅
"""
from linmaxmatch.trie cimport Trie

from linmaxmatch.failure import F, f


cdef tuple one_step(Trie T, u, c):
    """(h(u, c), H(u, c)): Lemma 4 with its recursion as a loop."""
    cdef list pops = []
    v = T.delta(u, c)
    while v is None:
        link = f(T, u)
        if link is None:
            return None, []
        pops += F(T, u)
        u = link
        v = T.delta(u, c)
    return v, pops


def h(Trie T not None, u, c):
    """h(u, c): the node reached when c is read at u, or None for ∅ (Lemma 4). f and F by Definition 1 at each move.

    >>> from linmaxmatch import Trie, Vocabulary, g
    >>> T = Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"]))
    >>> T.chi(h(T, g(T, "abc"), "d")), T.chi(h(T, g(T, "abc"), "z")), h(T, g(T, "abc"), "x")
    ('abcd', '##z', None)
    """
    return one_step(T, u, c)[0]


def H(Trie T not None, u, c):
    """H(u, c): the tokens popped when c is read at u (Lemma 4); [] where h(u, c) = ∅.

    >>> from linmaxmatch import Trie, Vocabulary, g
    >>> T = Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"]))
    >>> H(T, g(T, "abc"), "d"), H(T, g(T, "abc"), "z"), H(T, g(T, "abc"), "x")
    ([], ['a', '##bc'], [])
    """
    return one_step(T, u, c)[1]


one_step_node = h
one_step_tokens = H
