"""Merge rules from their spelling to pairs of tokens, all in one go.

A file has some hundred thousand of them, nearly all of the plain form; whatever is not plain is left to
`incbpe.merges`, which looks at rules one by one and says what is wrong.

Cost  two look-ups a rule for its parts and one for what they make.
"""
from cpython.dict cimport PyDict_Contains, PyDict_GetItemWithError
from cpython.object cimport PyObject
from cpython.unicode cimport (
    PyUnicode_Concat,
    PyUnicode_FindChar,
    PyUnicode_GET_LENGTH,
    PyUnicode_READ_CHAR,
    PyUnicode_Substring,
)

HEADER = "#version"             # a string that begins so is no rule, in the library, wherever it stands


def plain_pairs(list rules not None, dict tokens not None):
    """The pairs of tokens that the rules spell, or None where not every rule is plain.

    `tokens` gives for each name the token itself. A rule is plain if it is two names with one space between, or an
    array of two names as all the others then are; both have a token that is not empty, what they make has one; it is
    no repetition, and as a string it does not begin with `HEADER`.

    >>> plain_pairs(["Ġ a"], {"Ġ": b" ", "a": b"a", "Ġa": b" a"})
    [(b' ', b'a')]
    >>> plain_pairs(["a b c"], {"a": b"a", "b c": b"b c", "ab c": b"ab c"}) is None
    True
    """
    cdef list pairs = []
    cdef Py_ssize_t space, n
    cdef object rule, x, y
    cdef PyObject *left
    cdef PyObject *right
    cdef object kind = type(rules[0]) if rules else str
    for rule in rules:
        if type(rule) is not kind:
            return None
        if kind is str:
            n = PyUnicode_GET_LENGTH(rule)
            space = PyUnicode_FindChar(rule, 32, 0, n, 1)
            if space < 1 or PyUnicode_READ_CHAR(rule, 0) == 35 and rule.startswith(HEADER):
                return None
            x, y = PyUnicode_Substring(rule, 0, space), PyUnicode_Substring(rule, space + 1, n)
            if PyUnicode_FindChar(y, 32, 0, n - space - 1, 1) >= 0:
                return None
        elif kind is list and len(<list> rule) == 2:
            x, y = rule
            if type(x) is not str or type(y) is not str:
                return None
        else:
            return None
        left, right = PyDict_GetItemWithError(tokens, x), PyDict_GetItemWithError(tokens, y)
        if left == NULL or right == NULL or not PyDict_Contains(tokens, PyUnicode_Concat(x, y)):
            return None
        if not <object> left or not <object> right:
            return None
        pairs.append((<object> left, <object> right))
    return pairs if len(set(pairs)) == len(pairs) else None
