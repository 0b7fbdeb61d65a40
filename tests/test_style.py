"""Habits of the source that a build does not enforce. Each check is also shown a text that it must reject."""
import re
import unicodedata
from pathlib import Path

import pytest

import incbpe
import linmaxmatch
import subwordio
import subwordio.corpus

SOURCES = sorted(path for package in (incbpe, linmaxmatch, subwordio, subwordio.corpus) for folder in package.__path__
                 for path in Path(folder).iterdir() if path.suffix in {".pyx", ".pxd", ".py", ".pyi"})
DIRECTIVES = ("boundscheck", "wraparound", "initializedcheck", "cdivision", "overflowcheck", "nonecheck", "infer_types")
LONG_TEXT, TEXT, COMMENT = r'("""|\'\'\')(?:\\.|.)*?\1', r'("|\')(?:\\.|(?!\2)[^\\\n])*\2', r"#[^\n]*"
TEXTS = re.compile(rf"[rbfuRBFU]{{0,2}}(?:{LONG_TEXT}|{TEXT})|{COMMENT}", re.DOTALL)


def code_of(source: str) -> str:
    """The source with strings and comments blanked out, line by line."""
    return TEXTS.sub(lambda found: "\n" * found[0].count("\n") or '""', source)


def performance_directives(source: str) -> list[str]:
    """Directives that would overrule the build profile, wherever they stand."""
    header = re.findall(r"^\s*#\s*cython\s*:\s*(.*)$", source, re.MULTILINE)
    used = [name for name in DIRECTIVES if re.search(rf"\bcython\.{name}\b", code_of(source))]
    return used + [name for line in header for name in DIRECTIVES if name in line]


def functions(source: str) -> list[tuple[str, str]]:
    """(header, body) of each function: the body is what follows, indented deeper."""
    lines, found = code_of(source).split("\n"), []
    for start, line in enumerate(lines):
        if not re.match(r"\s*(cdef|cpdef|def|async def)\b.*\(", line) or re.match(r"\s*cdef (class|extern)", line):
            continue
        end, open_brackets = start, line.count("(") - line.count(")")
        while open_brackets > 0 and end + 1 < len(lines):
            end += 1
            open_brackets += lines[end].count("(") - lines[end].count(")")
        if not lines[end].rstrip().endswith(":"):
            continue                                            # a declaration
        indent = len(line) - len(line.lstrip())
        body = []
        for after in lines[end + 1:]:
            if after.strip() and len(after) - len(after.lstrip()) <= indent:
                break
            body.append(after)
        found.append((" ".join(part.strip() for part in lines[start:end + 1]), "\n".join(body)))
    return found


def unsafe_noexcept(source: str) -> list[str]:
    """Functions that promise no exception and yet assert, raise or allocate."""
    risky = re.compile(r"\b(assert|raise|\w*[mc]alloc|\w*Malloc|\w*Realloc|realloc|ints)\b(?!\s*:)")
    return [header for header, body in functions(source) if re.search(r"\bnoexcept\b", header) and risky.search(body)]


def invariants(source: str) -> tuple[set[str], set[str]]:
    """The numbered invariants of the module's docstrings, and those that its check() names."""
    stated = set(re.findall(r"\b(I\d+)  ", "\n".join(re.findall(r'"""(.*?)"""', source, re.DOTALL))))
    checks = re.finditer(r"^( *)def check\(.*?(?=^\1\S|\Z)", source, re.MULTILINE | re.DOTALL)
    bodies = [re.sub(r'"""(.*?)"""', "", found[0], flags=re.DOTALL) for found in checks]
    return stated, {number for body in bodies for number in re.findall(r"\bI\d+\b", body)}


def negative_indices(source: str) -> list[str]:
    """Indices from the end, which a release build reads before the beginning."""
    return re.findall(r"[\w)\]]\[-\w+\]", code_of(source))


def changed_by_nfkc(source: str) -> list[str]:
    """Identifiers that Python would fold into another spelling."""
    names = re.findall(r"[^\W\d]\w*", code_of(source))
    return sorted({name for name in names if unicodedata.normalize("NFKC", name) != name})


def public_names_beyond_ascii(source: str) -> list[str]:
    """Names that Python sees, and C struct fields without an ASCII alias, that are not ASCII."""
    code = code_of(source)
    defined = r"^\s*(?:async def|def|cpdef [^(\n]*?|class|cdef class)\s*\b([^\W\d]\w*)\s*[(:]"
    names = re.findall(defined, code, re.MULTILINE)
    names += re.findall(r"^\s*cdef (?:readonly|public) .*?([^\W\d]\w*)\s*$", code, re.MULTILINE)
    for struct in re.findall(r"cdef (?:packed )?struct\b.*?:\n((?:[ \t]+.*\n|\s*\n)+)", code):
        names += re.findall(r"([^\W\d]\w*)\s*$", struct, re.MULTILINE)
    return sorted({name for name in names if not name.isascii() and not name.startswith("_")})


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_source(path):
    source = path.read_text(encoding="utf-8")
    assert path.name.isascii()
    assert performance_directives(source) == []
    assert changed_by_nfkc(source) == []
    assert public_names_beyond_ascii(source) == []
    if path.suffix == ".pyx":
        assert unsafe_noexcept(source) == []
        assert negative_indices(source) == []
    if path.suffix in {".pyx", ".py"}:
        stated, named = invariants(source)
        assert stated == named


def test_the_sources_are_there():
    names = {path.name for path in SOURCES}
    assert {"trie.pyx", "trie.pxd", "trie.pyi", "errors.py"} <= names


@pytest.mark.parametrize("source", [
    "# cython: boundscheck=False\n", "#cython:language_level=3, wraparound=False\n",
    "cimport cython\n@cython.boundscheck(False)\ndef f(): pass\n", "with cython.cdivision(True):\n    pass\n",
])
def test_a_directive_is_seen(source):
    assert performance_directives(source)


def test_directives_are_not_seen_in_prose():
    assert performance_directives('"""No cython.boundscheck here."""\n@cython.final\ncdef class A: pass\n') == []


@pytest.mark.parametrize("source", [
    "cdef int f(int x) noexcept nogil:\n    assert x\n    return x\n",
    "cdef int f(int x,\n           int y) noexcept:\n    if x:\n        raise ValueError(x)\n",
    "cdef class A:\n    cdef void *g(self) noexcept nogil:\n\n        return malloc(4)\n    def h(self): pass\n",
])
def test_an_unsafe_noexcept_is_seen(source):
    assert len(unsafe_noexcept(source)) == 1


@pytest.mark.parametrize("source", [
    "cdef int f(int x) except -1 nogil:\n    assert x\n    return x\n",
    "cdef int f(int x) noexcept nogil:\n    return x        # no assert\ncdef int g(int x) except -1:\n    assert x\n",
    "cdef int f(int x) noexcept nogil\ncdef int g(int x) except -1:\n    raise ValueError(x)\n",
])
def test_a_safe_function_is_left_alone(source):
    assert unsafe_noexcept(source) == []


@pytest.mark.parametrize(("source", "equal"), [
    ('"""A.\n\nI1  one   I2  two\n"""\nclass A:\n    def check(self):\n        """I2"""\n        holds("I1")\n', False),
    ('"""A.\n\nI1  one\n"""\nclass A:\n    def check(self):\n        holds("I1", 1)\n        holds("I2", 1)\n', False),
    ('"""A.\n\nI1  one\n"""\nclass A:\n    pass\n', False),
    ('"""A.\n\nI1  one\nI2  two\n"""\nclass A:\n    def check(self):\n        assert x, "I1"\n        # I2\n', True),
])
def test_missing_invariants_are_seen(source, equal):
    stated, named = invariants(source)
    assert (stated == named) == equal


def test_a_negative_index_is_seen():
    assert negative_indices("last = found[-1]\n") == ["d[-1]"]
    assert negative_indices("rest = found[-3:]\nx = [-1]\n") == []


def test_unstable_and_foreign_names_are_seen():
    assert changed_by_nfkc("cdef int ϵ = 1\n") == ["ϵ"]
    assert changed_by_nfkc("δ = 1  # ϵ\ns = 'ϵ'\n") == []
    assert public_names_beyond_ascii("def δ(u):\n    pass\n") == ["δ"]
    assert public_names_beyond_ascii("cdef class A:\n    cdef readonly int θ\n    cdef int δ\n") == ["θ"]
    assert public_names_beyond_ascii("cdef struct S:\n    int θ\n    int a\n") == ["θ"]
    assert public_names_beyond_ascii("cdef int δ(int u):\n    return u\n") == []
