"""The dictionary: atoms Σ, tokens V, and the list D of merge rules.          (Section 3.1, Equation 1)

Notation   Σ atoms, the tokens of one symbol · V tokens · D = [r_1 … r_k] rules, r = (x, y) makes xy · symbols are bytes
           where tokens are bytes, and characters where they are str · rules and tokens count from 0 here
I1  `index` maps each token to its place in `tokens`: to one of its places where it repeats; empty tokens are left out
I2  text[begin[i] : begin[i + 1]] is token i, in UTF-8 where tokens are str, and `length` its symbols
I3  the product of each rule is x followed by y, and no part is empty
I4  rule(x, y) finds each rule, so that no pair stands twice
Cost  building: one look at each symbol of V and one hash probe a rule; from_ranks: in `splits`.
"""
from array import array
from collections.abc import Mapping, Set
from operator import itemgetter

from incbpe.hashing cimport pair_hash
from incbpe.spelt cimport SPARE, spelt_of
from incbpe.splits cimport Splits
from incbpe.tokentrie cimport TokenTrie

from subwordio.errors import TokenIdError
from subwordio.integers import integer

cdef Py_ssize_t MOST = 2**28                # tokens, rules and bytes of V: places and slots stay within int32
cdef enum:
    TAG = 29                                # a slot's bits from here on are the hash's
    TAGS = 0xE0000000
    LOW = 0x1FFFFFFF


cdef int holds(str invariant, bint condition, object witness) except -1:
    if not condition:
        raise AssertionError(f"{invariant} does not hold: {witness!r}")
    return 0


cdef Py_ssize_t slots_for(Py_ssize_t entries):
    """A power of two, at least twice as many."""
    return 1 << (2 * max(entries, 1) - 1).bit_length()


Token = str | bytes                         # what a token is, for the type of a parameter


class DictionaryError(ValueError):
    """Tokens and rules that make no dictionary, a token that is not in it, or a form that cannot serve."""


cdef class Dictionary:
    """Σ, V and D: tokens, and merge rules in their order. (Section 3.1.)

    ``Dictionary(tokens, merges, *, duplicates="error")``

    tokens      an iterable of str, or of bytes; those of one symbol are the atoms. An empty one keeps its place.
    merges      an iterable of pairs (x, y) of tokens whose concatenation is a token too, the earliest first
    duplicates  what a repeated pair or token means: "error", or that its "first" or "last" place counts; the tokenizers
                library lets the last one count. Rules count from 0 after repetitions are gone.

    A symbol that is no atom is a token by itself wherever a text is tokenized. Raises DictionaryError, which names the
    rule or token, and TypeError. O(symbols of V + rules).

    >>> D = Dictionary(["a", "b", "c", "ab", "abc"], [("a", "b"), ("ab", "c")])
    >>> len(D), D.id("abc"), D.token(3), "ac" in D, D.merges
    (5, 4, 'ab', False, (('a', 'b'), ('ab', 'c')))
    """

    def __cinit__(self, tokens, merges, *, duplicates="error"):
        for name, given in (("tokens", tokens), ("merges", merges)):
            if isinstance(given, (str, bytes, bytearray, Mapping, Set)):
                raise TypeError(f"{name}: expected an ordered iterable, got {type(given).__name__}")
        if duplicates not in ("error", "first", "last"):
            raise ValueError(f"duplicates: expected 'error', 'first' or 'last', got {duplicates!r}")
        self.duplicates = duplicates
        self.take_tokens(tuple(tokens))
        self.take_merges(list(merges))

    cdef int take_tokens(self, tuple tokens) except -1:
        cdef Py_ssize_t i, place = 0
        cdef object entry, kind
        cdef list spelt
        cdef int32_t[::1] begin
        kind = bytes if tokens and isinstance(tokens[0], bytes) else str
        self.binary, self.known_tokens = kind is bytes, tokens
        if len(tokens) > MOST:
            raise DictionaryError(f"{len(tokens)} tokens: at most {MOST} are possible")
        for i, entry in enumerate(tokens):
            if type(entry) is not kind:     # a subclass may compare or hash in its own way
                raise TypeError(f"tokens[{i}]: expected {kind.__name__}, got {type(entry).__name__}"
                                + (" (tokens are all str, or all bytes)" if isinstance(entry, (str, bytes)) else ""))
        self.n = <int32_t>len(tokens)
        self.by_token()
        if self.duplicates == "error":
            self.refuse_duplicates()
        spelt = list(tokens) if self.binary else [t.encode("utf-8", "surrogatepass") for t in tokens]
        begin, self.length = ints(self.n + 1), ints(self.n)
        for i in range(self.n):
            self.length[i] = <int32_t>min(len(tokens[i]), MOST)
            place += len(spelt[i])
            if place > MOST:
                raise DictionaryError(f"the tokens have more than {MOST} bytes")
            begin[i + 1] = <int32_t>place
        return self.take_spelt(spelt_of(bytearray(b"".join(spelt) + bytes(SPARE)), begin, self.n))

    cdef int take_spelt(self, Spelt spelt) except -1:
        self.spelt, self.n, self.text, self.begin = spelt, spelt.n, spelt.text, spelt.begin
        return 0

    cdef tuple all_tokens(self):
        if self.known_tokens is None:
            self.known_tokens = tuple(self.spelt)
        return self.known_tokens

    cdef dict by_token(self):
        if self.known_index is None:
            tokens = self.all_tokens()
            if self.duplicates == "first":
                index = dict(zip(reversed(tokens), range(self.n - 1, -1, -1), strict=True))
            else:
                index = dict(zip(tokens, range(self.n), strict=True))
            index.pop(b"" if self.binary else "", None)
            self.known_index = index
        return self.known_index

    @property
    def tokens(self):
        """V in the order of ids: all str, or all bytes."""
        return self.all_tokens()

    def refuse_duplicates(self):
        """Raise for the first token that repeats an earlier one, the empty token aside."""
        cdef dict first = {}
        if len(self.known_index) == len(self.tokens) - self.tokens.count(b"" if self.binary else ""):
            return
        for i, entry in enumerate(self.tokens):
            if entry and first.setdefault(entry, i) != i:
                raise DictionaryError(f"tokens[{i}]: {entry!r} repeats tokens[{first[entry]}] "
                                      "(duplicates='last' lets the last place count)")

    cdef int take_merges(self, list merges) except -1:
        cdef Py_ssize_t i
        cdef object pair, x, y, left, right, product
        cdef object kind = bytes if self.binary else str
        cdef int32_t[::1] lefts, rights, products
        cdef dict index = self.known_index
        if len(merges) > MOST:
            raise DictionaryError(f"{len(merges)} merges: at most {MOST} are possible")
        lefts, rights, products = ints(len(merges)), ints(len(merges)), ints(len(merges))
        for i, pair in enumerate(merges):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise TypeError(f"merges[{i}]: expected a pair of {kind.__name__}, got {pair!r}")
            x, y = pair
            if type(x) is not kind or type(y) is not kind:
                raise TypeError(f"merges[{i}]: expected a pair of {kind.__name__}, as the tokens are, got {pair!r}")
            left, right, product = index.get(x), index.get(y), index.get(x + y)
            if left is None or right is None:
                part = x if left is None else y
                raise DictionaryError(f"merges[{i}]: in {pair!r} "
                                      + (f"{part!r} is not among the tokens" if part else "a part is empty"))
            if product is None:
                raise DictionaryError(f"merges[{i}]: {x + y!r}, which {pair!r} makes, is not among the tokens")
            lefts[i], rights[i], products[i] = left, right, product
        return self.set_rules(lefts, rights, products, len(merges))

    cdef int set_rules(self, int32_t[::1] x, int32_t[::1] y, int32_t[::1] z, Py_ssize_t rules) except -1:
        cdef Py_ssize_t i, kept = 0
        self.x, self.y, self.z, self.rules = x, y, z, <int32_t>rules
        self.slots = array("I", [0]) * slots_for(rules)
        self.mask = <uint32_t>(self.slots.shape[0] - 1)
        if self.enter_rules() == 0:
            return 0
        for i in range(rules):              # once more, without those that do not count
            if z[i] != NONE:
                x[kept], y[kept], z[kept] = x[i], y[i], z[i]
                kept += 1
        return self.set_rules(x, y, z, kept)

    cdef Py_ssize_t enter_rules(self) except -1:
        cdef Py_ssize_t i, before, repeated = 0
        cdef uint32_t hashed, slot, there
        cdef bint first = self.duplicates == "first"
        for i in range(self.rules):
            hashed = pair_hash(self.x[i], self.y[i])
            slot = hashed & self.mask
            there = self.slots[slot]
            while there:
                before = <Py_ssize_t>(there & LOW) - 1
                if there >> TAG == hashed >> TAG and self.x[before] == self.x[i] and self.y[before] == self.y[i]:
                    if self.duplicates == "error":
                        raise DictionaryError(f"merges[{i}]: {self.pair(i)!r} repeats merges[{before}] "
                                              "(duplicates='last' lets the last place count)")
                    repeated += 1
                    self.z[i if first else before] = NONE
                    break
                slot = (slot + 1) & self.mask
                there = self.slots[slot]
            if not there or not first:
                self.slots[slot] = <uint32_t>(i + 1) | hashed & TAGS
        return repeated

    cdef tuple pair(self, int32_t i):
        cdef tuple tokens = self.all_tokens()
        return tokens[self.x[i]], tokens[self.y[i]]

    cdef int32_t rule(self, int32_t u, int32_t v) noexcept nogil:
        cdef uint32_t hashed, slot, there
        cdef int32_t i
        if u < 0 or v < 0:
            return NONE
        hashed = pair_hash(u, v)
        slot = hashed & self.mask
        while True:
            there = self.slots[slot]
            if there == 0:
                return NONE
            if there >> TAG == hashed >> TAG:
                i = <int32_t>(there & LOW) - 1
                if self.x[i] == u and self.y[i] == v:
                    return i
            slot = (slot + 1) & self.mask

    @staticmethod
    def from_ranks(ranks):
        """The dictionary of a rank table, as .tiktoken files hold: all splits of each token, by rank.

        `ranks` maps bytes to int. V is the tokens by rank, then the single bytes that the table lacks: they are atoms
        all the same. Rank BPE on this list merges as the table does; in which order the splits of one token stand
        makes no difference. O(splits). Raises DictionaryError and TypeError.

        >>> D = Dictionary.from_ranks({b"ab": 7, b"abc": 9, b"bc": 8})
        >>> D.tokens[:4], len(D), D.merges
        ((b'ab', b'bc', b'abc', b'\\x00'), 259, ((b'a', b'b'), (b'b', b'c'), (b'a', b'bc'), (b'ab', b'c')))
        """
        cdef object token, rank, before = None
        if not isinstance(ranks, Mapping):
            raise TypeError(f"ranks: expected a mapping of bytes to int, got {type(ranks).__name__}")
        entries = list(ranks.items())
        for token, rank in entries:
            if type(token) is not bytes or type(rank) is not int:
                raise TypeError(f"ranks: expected bytes and int, got {token!r}: {rank!r}")
            if not token:
                raise DictionaryError(f"ranks: rank {rank} belongs to an empty token")
        entries.sort(key=itemgetter(1))
        for token, rank in entries:
            if rank == before:
                raise DictionaryError(f"ranks: {token!r} has rank {rank}, as an earlier token has")
            before = rank
        return ranked(Spelt([token for token, _ in entries]))[0]

    cdef bint is_atom(self, int32_t i) except -1:
        return self.length[i] == 1 and (self.duplicates == "error" or self.by_token()[self.all_tokens()[i]] == i)

    cdef Dictionary with_rules(self, int32_t[::1] order, Py_ssize_t rules):
        cdef Dictionary D = Dictionary((), (), duplicates=self.duplicates)
        cdef int32_t[::1] x = ints(rules), y = ints(rules), z = ints(rules)
        cdef Py_ssize_t k
        for k in range(rules):
            x[k], y[k], z[k] = self.x[order[k]], self.y[order[k]], self.z[order[k]]
        D.known_tokens, D.known_index, D.binary, D.length = self.known_tokens, self.known_index, self.binary, self.length
        D.take_spelt(self.spelt)
        D.set_rules(x, y, z, rules)
        return D

    cdef object text_of(self, object s):
        cdef object kind = bytes if self.binary else str
        if not isinstance(s, kind):
            raise TypeError(f"expected {kind.__name__}, as the tokens are, got {type(s).__name__}")
        return s

    cdef int32_t[::1] symbols(self, object s):
        cdef dict atoms = {}
        cdef int32_t[::1] found
        cdef Py_ssize_t i
        cdef object symbol
        s = self.text_of(s)
        if len(s) > MOST:
            raise ValueError(f"a text of {len(s)} symbols: at most {MOST} are possible")
        found = ints(len(s))
        for i, symbol in enumerate(s):
            if symbol not in atoms:
                atoms[symbol] = self.by_token().get(bytes((symbol,)) if self.binary else symbol, NONE)
            found[i] = atoms[symbol]
        return found

    cdef int32_t[::1] spelling(self):
        cdef int32_t[::1] found
        cdef int32_t[256] atoms
        cdef Py_ssize_t i
        if not self.binary:
            return self.symbols("".join(self.tokens))
        for i in range(256):
            atoms[i] = self.by_token().get(bytes((i,)), NONE)
        found = ints(self.begin[self.n])
        for i in range(self.begin[self.n]):
            found[i] = atoms[self.text[i]]
        return found

    cdef int32_t index_of(self, object token) except -1:
        cdef object found = self.by_token().get(self.text_of(token))
        if found is None:
            raise DictionaryError(f"{token!r} is not among the tokens")
        return found

    @property
    def merges(self):
        """D: the rules as pairs of tokens, in their order. O(rules)."""
        cdef int32_t i
        return tuple([self.pair(i) for i in range(self.rules)])

    def id(self, token):
        """The index of a token; DictionaryError if it is none. One look-up."""
        return self.index_of(token)

    def token(self, id):
        """The token of an index; TokenIdError if it is out of range. One look-up."""
        id = integer("id", id)
        if not 0 <= id < self.n:
            raise TokenIdError(f"{id} is no token id: expected 0 to {self.n - 1}")
        return self.tokens[id]

    def __len__(self):
        return self.n

    def __contains__(self, token):
        return token in self.by_token()

    def __repr__(self):
        return f"<Dictionary of {self.n} tokens of {'bytes' if self.binary else 'str'}, {self.rules} rules>"

    def __reduce__(self):
        return restored, (self.tokens, self.merges, self.duplicates)

    def check(self):
        """Raise AssertionError unless I1–I4 hold. O(symbols of V + rules).

        >>> Dictionary(["a", "aa"], [("a", "a")]).check()
        """
        cdef int32_t i
        for i, token in enumerate(self.tokens):
            holds("I1", (token in self.by_token()) == bool(token) and self.tokens[self.by_token().get(token, i)] == token, token)
            spelt = bytes(self.text[self.begin[i]:self.begin[i + 1]])
            holds("I2", (spelt if self.binary else spelt.decode("utf-8", "surrogatepass")) == token, token)
            holds("I2", self.length[i] == len(token), token)
        holds("I1", set(self.by_token()) <= set(self.tokens), None)
        for i in range(self.rules):
            x, y = self.tokens[self.x[i]], self.tokens[self.y[i]]
            holds("I3", x and y and x + y == self.tokens[self.z[i]], i)
            holds("I4", self.rule(self.x[i], self.y[i]) == i, i)


def restored(tokens, merges, duplicates):
    """A dictionary from what its pickle holds."""
    return Dictionary(tokens, merges, duplicates=duplicates)


cdef tuple ranked(Spelt tokens):
    cdef Dictionary D = Dictionary((), ())
    cdef Splits splits
    cdef Cells cells
    cdef Spelt spelt = tokens
    cdef int32_t i
    cdef uint8_t[256] there
    for i in range(256):
        there[i] = 0
    for i in range(tokens.n):
        if tokens.begin[i + 1] - tokens.begin[i] == 1:
            there[tokens.text[tokens.begin[i]]] = 1
    lacking = [bytes((i,)) for i in range(256) if not there[i]]
    if lacking:
        spelt = Spelt([*tokens, *lacking])
    D.binary, D.known_tokens, D.known_index, D.length = True, None, None, ints(spelt.n)
    D.take_spelt(spelt)
    for i in range(D.n):
        D.length[i] = D.begin[i + 1] - D.begin[i]
    cells = Cells(TokenTrie(spelt))
    splits = Splits(cells.prefix, cells.shorter, D.length, tokens.n)
    D.set_rules(splits.x, splits.y, splits.z, splits.rules)
    return D, cells


cdef Dictionary merged(Spelt tokens, tuple known, int32_t[::1] x, int32_t[::1] y, int32_t[::1] z, Py_ssize_t rules):
    cdef Dictionary D = Dictionary((), ())
    cdef int32_t i, k
    D.binary, D.known_tokens, D.known_index, D.length = known is None, known, None, ints(tokens.n)
    D.take_spelt(tokens)
    for i in range(D.n):
        for k in range(D.begin[i], D.begin[i + 1]):
            D.length[i] += D.binary or D.text[k] & 0xC0 != 0x80     # characters begin with another byte
    D.set_rules(x, y, z, rules)
    return D
