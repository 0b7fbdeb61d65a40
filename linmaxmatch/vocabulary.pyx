"""The vocabulary V, the suffix indicator ♯, |w|, p_w and q_w.          (Definitions 2, 3 and 4)

Notation   V the tokens · ♯ the suffix indicator · m the longest token · |w| length · p_w longest-matching prefix ·
           q_w what is left when p_w is popped
I1  tokens[i] is the token of id i, and id(t) the last i with tokens[i] = t
I2  `unk_token` is a token and `unk_id` its id
I3  `longest` is the length of the longest token
I4  no token holds a surrogate, so that every token has a UTF-8 spelling
Cost  building: a bounded number of looks at each character of V, which is sorted (subwordio.strings); a look-up: a
      binary search; p and q: at most m look-ups of at most m characters.
"""
from collections.abc import Mapping, Set

from subwordio.strings cimport Strings

from subwordio.errors import TokenIdError
from subwordio.integers import integer

cdef extern from *:
    """
    /* Whether a str holds a surrogate: only strings of two or four bytes a character can. */
    static inline int holds_surrogate(PyObject *text) {
        const int kind = (int)PyUnicode_KIND(text);
        const void *data = PyUnicode_DATA(text);
        const Py_ssize_t n = PyUnicode_GET_LENGTH(text);
        if (kind == PyUnicode_1BYTE_KIND) return 0;
        for (Py_ssize_t i = 0; i < n; i++)
            if ((PyUnicode_READ(kind, data, i) & 0xFFFFF800u) == 0xD800u) return 1;
        return 0;
    }
    """
    bint holds_surrogate(object text) noexcept

cdef enum:
    NONE = -1                               # no id
cdef Py_ssize_t MOST_TOKENS = 2**31 - 2     # ids are int32 in every table


cdef int holds(str invariant, bint condition, object witness) except -1:
    if not condition:
        raise AssertionError(f"{invariant} does not hold: {witness!r}")
    return 0


class VocabularyError(ValueError):
    """The tokens given do not make a vocabulary, or a token is not in it."""


cdef class Vocabulary:
    """V: the tokens in the order of their ids, with ♯ and <unk>.

    ``Vocabulary(tokens, suffix_indicator="##", unk_token="<unk>", duplicates="error")``

    tokens            an iterable of str, or Strings; the position of a token is its id
    suffix_indicator  ♯, any string, also ""
    unk_token         must be one of the tokens
    duplicates        "error", or "last": the last id of a repeated token counts. Empty strings may always repeat:
                      they keep their ids and match nothing.

    >>> V = Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"])
    >>> len(V), V.id("##bc"), V.token(1), "abc" in V, V.unk_id
    (6, 3, 'abcd', False, 5)
    """

    def __cinit__(self, tokens, suffix_indicator="##", unk_token="<unk>", duplicates="error"):
        if not isinstance(tokens, Strings) and isinstance(tokens, (str, bytes, Mapping, Set)):
            raise TypeError(f"tokens: expected an ordered iterable of str, got {type(tokens).__name__}")
        if not isinstance(suffix_indicator, str):
            raise TypeError(f"suffix_indicator: expected str, got {type(suffix_indicator).__name__}")
        if not isinstance(unk_token, str):
            raise TypeError(f"unk_token: expected str, got {type(unk_token).__name__}")
        if duplicates not in ("error", "last"):
            raise ValueError(f"duplicates: expected 'error' or 'last', got {duplicates!r}")
        self.suffix_indicator = str(suffix_indicator)
        self.unk_token = str(unk_token)
        if isinstance(tokens, Strings):
            self.strings = tokens
        else:
            self.take_tokens(tuple(tokens))
        if self.strings.n > MOST_TOKENS:
            raise VocabularyError(f"{self.strings.n} tokens: at most {MOST_TOKENS} are possible")
        self.longest = self.strings.characters
        if duplicates == "error" and not self.strings.distinct:
            self.refuse_duplicates()
        if holds_surrogate(self.suffix_indicator):
            raise VocabularyError(f"suffix_indicator: {suffix_indicator!r} holds a surrogate, which is no character")
        self.unk_id = self.id_of(self.unk_token) if self.unk_token else NONE
        if self.unk_id == NONE:
            raise VocabularyError(f"unk_token: {unk_token!r} is not among the {self.strings.n} tokens")

    cdef int take_tokens(self, tuple tokens) except -1:
        """Check each entry."""
        cdef Py_ssize_t i
        cdef object entry
        cdef bint plain = True
        for i, entry in enumerate(tokens):
            if not isinstance(entry, str):
                raise TypeError(f"tokens[{i}]: expected str, got {type(entry).__name__}")
            if holds_surrogate(entry):
                raise VocabularyError(f"tokens[{i}]: {entry!r} holds a surrogate, which is no character")
            plain = plain and type(entry) is str
        # A subclass may compare or hash in its own way.
        self.held = tokens if plain else tuple([str.__str__(entry) for entry in tokens])
        try:
            self.strings = Strings(self.held)
        except OverflowError as error:
            raise VocabularyError(f"tokens: {error}") from None
        return 0

    cdef int refuse_duplicates(self) except -1:
        """Raise for the first token that repeats an earlier one, the empty string aside."""
        cdef dict first = {}
        cdef Py_ssize_t i
        for i, entry in enumerate(self.tokens):
            if entry and first.setdefault(entry, i) != i:
                raise VocabularyError(f"tokens[{i}]: {entry!r} repeats tokens[{first[entry]}] "
                                      "(duplicates='last' lets the last id count)")
        return 0

    @property
    def tokens(self):
        """The tokens by id, a tuple of str. O(number of tokens) when it is first asked for."""
        if self.held is None:
            self.held = tuple(self.strings)
        return self.held

    @property
    def nbytes(self):
        """The memory of the tokens and their order, in bytes; without that of `tokens`, if it was asked for."""
        return self.strings.nbytes

    cdef int32_t id_of(self, object w) except -2:
        return self.strings.find(w.encode("utf-8", "surrogatepass"))

    cdef bint matches(self, str w):
        return len(w) > 0 and self.id_of(w) != NONE

    cdef bint is_suffix(self, str w):
        return len(self.suffix_indicator) > 0 and w.startswith(self.suffix_indicator)

    cdef str text_of(self, object w):
        if not isinstance(w, str):
            raise TypeError(f"expected str, got {type(w).__name__}")
        return w if type(w) is str else str.__str__(w)

    def id(self, token):
        """The id of a token (V of the paper's notation, as a map). A binary search.

        >>> Vocabulary(["<unk>", "a"]).id("a")
        1
        """
        cdef int32_t found = self.id_of(self.text_of(token))
        if found == NONE:
            raise VocabularyError(f"{token!r} is not in the vocabulary")
        return found

    def token(self, id):
        """The token of an id. One look-up.

        >>> Vocabulary(["<unk>", "a"]).token(1)
        'a'
        """
        id = integer("id", id)
        if not 0 <= id < self.strings.n:
            raise TokenIdError(f"{id} is no token id: expected 0 to {self.strings.n - 1}")
        return self.strings.string(id)

    def __len__(self):
        return self.strings.n

    def __contains__(self, token):
        return isinstance(token, str) and self.id_of(self.text_of(token)) != NONE

    def __repr__(self):
        return (f"<Vocabulary of {self.strings.n} tokens, suffix_indicator={self.suffix_indicator!r}, "
                f"unk_token={self.unk_token!r}>")

    def __reduce__(self):
        return Vocabulary, (self.tokens, self.suffix_indicator, self.unk_token, "last")

    def check(self):
        """Raise AssertionError unless I1–I4 hold. Cost: one look at each character of V.

        >>> Vocabulary(["<unk>", "a"]).check()
        """
        self.strings.check()
        holds("I1", tuple(self.strings) == self.tokens, self.tokens)
        for token, last in {token: i for i, token in enumerate(self.tokens)}.items():
            holds("I1", self.id_of(token) == last, token)
        holds("I2", self.tokens[self.unk_id] == self.unk_token, self.unk_token)
        holds("I3", self.longest == max(map(len, self.tokens)), self.longest)
        holds("I4", not any("\ud800" <= c <= "\udfff" for token in self.tokens for c in token), self.tokens)


def length(Vocabulary V not None, w):
    """|w|: characters of w, a leading ♯ not counted. (Definition 2.) One look at ♯.

    >>> V = Vocabulary(["a", "<unk>"])
    >>> [length(V, w) for w in ("abc", "##d", "", "##")]
    [3, 1, 0, 0]
    """
    cdef str text = V.text_of(w)
    return len(text) - (len(V.suffix_indicator) if V.is_suffix(text) else 0)


def p(Vocabulary V not None, w):
    """p_w: the longest non-empty prefix of w in V, or "". (Definition 3.) At most m look-ups.

    Where w starts with ♯ the prefix must start with ♯ too and be longer than ♯.

    >>> V = Vocabulary(["a", "ab", "##c", "#", "<unk>"])
    >>> p(V, "abcd"), p(V, "##cd"), p(V, "##d"), p(V, "xyz")
    ('ab', '##c', '', '')
    """
    cdef str text = V.text_of(w)
    cdef Py_ssize_t shortest = len(V.suffix_indicator) if V.is_suffix(text) else 0
    cdef Py_ssize_t k
    for k in range(min(len(text), V.longest), shortest, -1):
        if V.matches(text[:k]):
            return text[:k]
    return ""


def q(Vocabulary V not None, w):
    """q_w: w with p_w replaced by ♯; w itself where p_w is empty. (Definition 4.) The cost of p, and a copy of w.

    >>> V = Vocabulary(["a", "ab", "##c", "<unk>"])
    >>> q(V, "abcd"), q(V, "##cd"), q(V, "xyz")
    ('##cd', '##d', 'xyz')
    """
    cdef str text = V.text_of(w)
    cdef str prefix = p(V, text)
    return V.suffix_indicator + text[len(prefix):] if prefix else text


longest_matching_prefix = p
rest_after_prefix = q
