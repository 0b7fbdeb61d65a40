"""A `WordPiece` in a file: its tokens, its automaton and its map of characters, as they stand in memory.

So loading computes nothing: what `from_file` builds is mapped, and shared by all processes that load the file. The
options, and added tokens and templates among them, are JSON; what belongs to them is built anew.

What the digest has found whole is not looked at again: only the sections' sizes are compared.

Cost  saving: O(size); loading: one pass for the digest
"""
import json

from linmaxmatch.charmap cimport CharMap
from linmaxmatch.layout cimport Layout
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.vocabulary cimport Vocabulary
from subwordio.container cimport Container
from subwordio.strings cimport Strings

from linmaxmatch.portable import dump, options_of, plain_of
from subwordio.container import write

KIND = "WordPiece"


cdef int write_saved(object path, Vocabulary vocabulary, Layout layout, Normalizer normalizer, dict options,
                     tuple notes) except -1:
    head = dump({"options": plain_of(options), "notes": list(notes), "sources": normalizer.sources})
    write(path, KIND, {"head": head} | vocabulary.strings.to_sections() | layout.to_sections()
          | normalizer.map.to_sections())
    return 0


cdef class Saved:
    """A file that `WordPiece.save` wrote. FormatError for another."""

    def __cinit__(self, path, bint verify):
        cdef Container file = Container(path, KIND, verify)
        try:
            head = json.loads(file.copy("head"))
            self.options, self.notes = options_of(head["options"]), tuple(head["notes"])
        except (ValueError, TypeError, LookupError) as error:
            file.fail(f"section 'head': {error}")
        self.strings = Strings.of_container(file)
        self.layout = Layout.of_container(file)
        self.map = CharMap.of_container(file)
