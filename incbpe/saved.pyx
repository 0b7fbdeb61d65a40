"""A `BPE` in a file: its tokens, its automaton, ranges and trees, its rules, as they stand in memory.

So loading computes nothing: what `from_file` builds is mapped, and shared by all processes that load the file. The
config and what was found out about the dictionary are JSON; splitters, rewriters and added tokens are made anew from
that, and what the notation layer needs when it is asked for something.

What the digest has found whole is not looked at again: only the sections' sizes are compared.

Cost  saving: O(size); loading: one pass for the digest
"""
import json

from libc.stdint cimport int32_t

from incbpe.layout cimport Layout
from incbpe.pairtable cimport PairTable
from incbpe.piece cimport Pieces
from incbpe.tokens cimport TokenTable
from incbpe.trim cimport Trimmer
from subwordio.container cimport Container

from incbpe.model import Config
from incbpe.portable import back, plain
from subwordio.container import write

KIND = "BPE"
FORM = 1                # of the arrays: changes with what they mean


cdef int write_saved(object path, object config, dict facts, Pieces pieces, int32_t[::1] left, int32_t[::1] right,
                     Trimmer trimmer) except -1:
    head = {"form": FORM, "config": plain(config), "facts": facts, "longest": pieces.tokens.longest}
    sections = {"head": json.dumps(head, ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode()}
    sections |= pieces.tokens.to_sections() | pieces.layout.to_sections()
    if pieces.pairs is not None:
        sections |= pieces.pairs.to_sections()
    if left is not None:
        sections |= {"left": left[:facts["rules"]], "right": right[:facts["rules"]]}
    if trimmer is not None:
        sections |= trimmer.to_sections()
    write(path, KIND, sections)
    return 0


cdef class Saved:
    """A file that `BPE.save` wrote. FormatError for another."""

    def __cinit__(self, path, bint verify):
        cdef Container file = Container(path, KIND, verify)
        try:
            head = json.loads(file.copy("head"))
            form = head["form"]
            if form == FORM:
                self.config, self.facts, longest = back(head["config"]), head["facts"], int(head["longest"])
                if not isinstance(self.config, Config):
                    raise TypeError(f"config: expected a Config, got {type(self.config).__name__}")
                rules, trim = int(self.facts["rules"]), self.config.trim
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            file.fail(f"section 'head': {error}")
        if form != FORM:
            file.fail(f"has its arrays in form {form!r}; this release reads form {FORM}")
        self.tokens, self.layout = TokenTable.of_container(file, longest), Layout.of_container(file)
        if not self.layout.intervals:
            self.pairs = PairTable.of_container(file, self.layout)
        self.left = self.right = None
        if self.config.model.merges is not None:
            self.left, self.right = file.ints("left"), file.ints("right")
            if self.left.shape[0] != rules or self.right.shape[0] != rules:
                file.fail(f"its merges are not {rules}")
        if trim is not None:
            self.trimmer = Trimmer.of_container(file, trim.prefix_space, self.tokens.size)
