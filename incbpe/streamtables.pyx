"""What the notation layer has to say of a tokenizer, for its streams and for the ends of its texts.       (Section 6)

The engine keeps what encoding needs. Eager output, and what may follow an unstable end, ask the notation layer: its
normalized dictionary with the automaton and the search. These are made when they are first asked for, once for a
tokenizer, and then kept; `BPE.inspect` counts them.

Notation   N the normalized dictionary
I1  `whole` has all prefixes of the tokens that a piece is as a whole although merging does not make them
Cost  about half a second and 120 MB for 200,000 tokens
"""
from sys import getsizeof

from libc.stdint cimport int32_t

from incbpe.addedstage cimport added_patterns
from incbpe.dictionary cimport Dictionary, holds
from incbpe.theta cimport keep, machine

cdef Py_ssize_t MOST_CHOICES = 64       # of special tokens whose patterns are kept


cdef class StreamTables:
    """What the streams of one tokenizer share: ``StreamTables(N, ids, tokens, whole_piece)``; made by `BPE.stream`."""

    def __cinit__(self, Normalized N not None, int32_t[::1] ids not None, TokenTable tokens not None, bint whole_piece):
        cdef int32_t z
        cdef Py_ssize_t end
        cdef bytes spelt
        self.N, self.machine, self.ids, self.patterns, self.whole = N, machine(N), ids, {}, {}
        if whole_piece:
            for z in range(N.dictionary.n):
                if ids[z] >= 0 and not N.canonical[z]:
                    spelt = tokens.bytes(ids[z])
                    for end in range(1, len(spelt) + 1):
                        self.whole.setdefault(spelt[:end], []).append(spelt)

    cdef AddedPatterns patterns_of(self, Matcher matcher, object chosen, bint normalized):
        key = chosen, normalized
        found = self.patterns.get(key)
        if found is None:
            if len(self.patterns) >= MOST_CHOICES:
                self.patterns.clear()
            found = self.patterns[key] = added_patterns(matcher, chosen)
        return found

    cdef int prepare(self) except -1:
        keep(self.machine)
        return 0

    @property
    def nbytes(self):
        """The memory of the tables, in bytes; that of the patterns of added tokens is left out."""
        cdef Dictionary D = self.N.dictionary
        cdef list arrays = [D.text, D.begin, D.length, D.x, D.y, D.z, D.slots, self.ids, self.N.canonical,
                            self.N.pre_token, self.N.suc_token, self.N.prio_rule]
        whole = [getsizeof(prefix) + getsizeof(tokens) for prefix, tokens in self.whole.items()]
        return (sum([array.nbytes for array in arrays]) + sum(map(getsizeof, D.known_tokens or ()))
                + getsizeof(D.known_tokens) + getsizeof(D.known_index) + self.machine.nbytes + getsizeof(self.whole) + sum(whole))

    def check(self):
        """Raise AssertionError unless I1 holds. O(bytes of those tokens)."""
        found = {token for tokens in self.whole.values() for token in tokens}
        for token in found:
            for end in range(1, len(token) + 1):
                holds("I1", token in self.whole[token[:end]], token)
        holds("I1", sum(map(len, self.whole.values())) == sum(map(len, found)), None)

    def __repr__(self):
        return f"<StreamTables of {self.N!r}>"
