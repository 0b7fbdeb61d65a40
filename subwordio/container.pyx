"""Files of named sections, used in place: what a saved tokenizer is.

    64 bytes   magic · version · byte order · length of the file · digest of the body · kind · sections · digest of these
    body       for each section 32 bytes: name, where it begins, its bytes; then the sections, each at a multiple of 64

All numbers are little-endian. The file is mapped into memory, where its sections are arrays as they stand: nothing is
read before it is needed, nothing is copied, and processes that map one file share its pages. It is data and never code.
The digest of 64 bits finds damage, not malice: whoever can forge a file can forge the digest too.

Cost  opening: O(sections), and one pass over the bytes at the speed of memory for the digest
"""
import os
import stat
import sys
from collections.abc import Mapping

from libc.errno cimport errno
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from subwordio.room cimport ints_at

from subwordio.errors import FormatError

cdef extern from "subwordio/container.h":
    void *map_file "subwordio_map_file"(int handle, size_t size) noexcept
    void unmap_file "subwordio_unmap_file"(void *memory, size_t size) noexcept
    uint64_t digest_of "subwordio_digest"(const uint8_t *s, size_t n) noexcept nogil

cdef enum:
    ALIGNED = 64
    HEADER = 64
    ENTRY = 32
    NAME = 16
    ORDER = 0x01020304          # as the host has it

MAGIC = b"\x89sub\r\n\x1a\n"    # no text, and not what is left where line ends were changed on the way
VERSION = 1

cdef struct Header:
    uint8_t magic[8]
    uint32_t version, order
    uint64_t length, digest
    uint8_t kind[16]
    uint32_t sections, zero
    uint64_t own                # the digest of what stands before it

cdef struct Entry:
    uint8_t name[16]
    uint64_t begin, size


def kind_of(bytes data not None):
    """What the file that begins with these bytes holds, as `write` was told; None where they are no such file's.

    >>> kind_of(b"vocabulary"), kind_of(MAGIC)
    (None, None)
    """
    cdef Header header
    if len(data) < <Py_ssize_t> sizeof(Header) or not data.startswith(MAGIC):
        return None
    memcpy(&header, <const char *> data, sizeof(Header))
    return kind_in(&header)


cdef str kind_in(const Header *header):
    return (<bytes> header.kind[:16]).rstrip(b"\0").decode("ascii", "replace")


def write(path: str | os.PathLike[str], kind: str, sections: Mapping[str, object]) -> None:
    """Write sections, whose values have the buffer protocol, under a temporary name, then rename it to `path`.

    OSError where the file cannot be written; then what stood there before stands there still.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "x")
    ...     write(path, "Example", {"one": b"1", "more": b"some more"})
    ...     Container(path, "Example").sections
    {'one': (128, 1), 'more': (192, 9)}
    """
    from subwordio.output import output_file        # only here: what loads needs none of what this imports
    refuse_other_hosts()
    cdef bytearray body = bytearray(ENTRY * len(sections))
    cdef Header header
    cdef bytes name
    cdef int k
    for k, (section, buffer) in enumerate(sections.items()):
        data = memoryview(buffer).cast("B") if len(buffer) > 0 else b""
        body += bytes((ALIGNED - (HEADER + len(body)) % ALIGNED) % ALIGNED)
        name = section.encode("ascii")
        if not 0 < len(name) <= NAME:
            raise ValueError(f"section {section!r}: expected a name of 1 to {NAME} characters")
        body[ENTRY * k:ENTRY * k + ENTRY] = (name.ljust(NAME, b"\0") + (HEADER + len(body)).to_bytes(8, "little")
                                             + len(data).to_bytes(8, "little"))
        body += data
    name = MAGIC + kind.encode("ascii").ljust(NAME, b"\0")
    memset(&header, 0, sizeof(Header))
    memcpy(header.magic, <const char *> name, len(MAGIC))
    memcpy(header.kind, <const char *> name + len(MAGIC), NAME)
    header.version, header.order = VERSION, ORDER
    header.length, header.sections = HEADER + len(body), len(sections)
    header.digest = digest_of(body, len(body))
    header.own = digest_of(<const uint8_t *> &header, HEADER - 8)
    with output_file(os.fspath(path)) as file:
        file.write(<bytes> (<const char *> &header)[:HEADER])
        file.write(body)


cdef class Container:
    """A file that `write` wrote, mapped into memory.

    ``Container(path, kind, verify=True)``: FormatError for a file that is none, is cut short or damaged, is of another
    kind, or of a version or byte order that is not read here; `verify=False` leaves out the digest of the body only.
    """

    def __cinit__(self, path, str kind not None, bint verify=True):
        self.name = os.fspath(path)
        self.sections = {}
        refuse_other_hosts()
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                self.fail("is no ordinary file, which a saved tokenizer is")
            if status.st_size < HEADER:
                self.fail("is not a saved tokenizer: it is too short" if status.st_size > 0 else "is empty")
            self.size = status.st_size
            self.data = <uint8_t *> map_file(handle, self.size)
            if self.data == NULL:
                raise OSError(errno, os.strerror(errno), self.name)
        finally:
            os.close(handle)
        self.read_header(kind, verify)

    def __dealloc__(self):
        unmap_file(self.data, self.size)

    cdef int read_header(self, str kind, bint verify) except -1:
        cdef Header *header = <Header *> self.data
        if <bytes> header.magic[:8] != MAGIC:
            self.fail("is not a saved tokenizer (a vocabulary or a tokenizer.json is read by from_file)")
        if header.order != ORDER:
            self.fail(f"was written in another byte order: its mark is 0x{header.order:08x}, expected 0x{ORDER:08x}")
        if header.version != VERSION:
            self.fail(f"is of version {header.version} of the format; this release reads version {VERSION}")
        if header.own != digest_of(self.data, HEADER - 8):
            self.fail("is damaged: its first 64 bytes are not those that were written")
        if header.length != self.size:
            self.fail(f"has {self.size} bytes, but {header.length} were written"
                      + (": it was cut short" if self.size < header.length else ""))
        found = kind_in(header)
        if found != kind:
            self.fail(f"holds a {found}, not a {kind}")
        if verify and header.digest != digest_of(self.data + HEADER, self.size - HEADER):
            self.fail("is damaged: its content is not what was written")
        self.read_directory(header.sections)
        return 0

    cdef int read_directory(self, uint64_t n) except -1:
        cdef Entry *entry
        cdef uint64_t k
        if n * ENTRY > self.size - HEADER:
            self.fail(f"names {n} sections, more than it has bytes for")
        for k in range(n):
            entry = <Entry *> (self.data + HEADER + k * ENTRY)
            name = (<bytes> entry.name[:NAME]).rstrip(b"\0").decode("ascii", "replace")
            if entry.begin % ALIGNED or entry.begin > self.size or entry.size > self.size - entry.begin:
                self.fail(f"section {name!r}: byte {entry.begin} and {entry.size} more are not in the file")
            self.sections[name] = entry.begin, entry.size
        return 0

    cdef int fail(self, str why) except -1:
        raise FormatError(f"{self.name}: {why}")

    cdef void *take(self, str section, size_t itemsize, size_t *n) except NULL:
        if section not in self.sections:
            self.fail(f"has no section {section!r}")
        cdef size_t begin = self.sections[section][0], size = self.sections[section][1]
        if size % itemsize:
            self.fail(f"section {section!r}: {size} bytes are no whole number of items of {itemsize}")
        n[0] = size // itemsize
        return self.data + begin

    cdef int32_t[::1] ints(self, str section):
        cdef size_t n
        cdef void *data = self.take(section, sizeof(int32_t), &n)
        return ints_at(self, <int32_t *> data, <Py_ssize_t> n)

    cdef bytes copy(self, str section):
        cdef size_t n
        cdef char *data = <char *> self.take(section, 1, &n)
        return data[:n]

    def __repr__(self):
        return f"<Container {self.name!r}: {', '.join(self.sections)}>"


cdef int refuse_other_hosts() except -1:
    if sys.byteorder != "little":
        raise NotImplementedError("saved tokenizers are used as they stand, which needs a little-endian host")
    return 0
