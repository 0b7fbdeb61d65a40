"""The nodes of a trie as other modules see them from C. Arrays are indexed by node unless something else is said."""
from libc.stdint cimport int32_t

from linmaxmatch.spellings cimport Branch, Spellings, symbol_at
from subwordio.room cimport Room

ctypedef int32_t node_t                     # a node: 0 … n - 1

cdef enum:
    NONE = -1                               # ∅: no node, no token

cdef int32_t[::1] ints(Py_ssize_t n)        # n zeros


cdef class Nodes:
    cdef Room room                          # for its arrays, and for those that are made of it
    cdef node_t n                           # number of nodes
    cdef int32_t depth                      # the most edges from a root to a node
    cdef int32_t[::1] parent                # the node above; NONE at a root. Smaller than the node itself
    cdef int32_t[::1] symbol                # the symbol that leads here; NONE at a root
    cdef int32_t[::1] token_id              # id of the token that χ_v is (under r♯: ♯ + body), or NONE; NONE at r, r♯
    cdef int32_t[::1] first                 # n + 1 entries: the edges of u are first[u] … first[u + 1] - 1
    cdef int32_t[::1] label                 # by edge: its symbol; the edges of a node are in the order of these
    cdef int32_t[::1] head                  # by edge: the child. None with two roots, where edge v leads to node v
    cdef bint level                         # whether nodes are numbered by depth, so that edge v leads to node v
    cdef node_t severed                     # the node whose edge was cut; NONE: none was

    cdef int grow(self, Branch literals, Branch bodies) except -1                       # on building: the nodes
    cdef int reserve(self, Branch literals, Branch bodies, int32_t[::1] at) except -1   # ... the arrays
    cdef int hang(self, Branch branch, node_t root, int32_t[::1] at) except -1          # ... the nodes under a root
    cdef int set_edges(self) except -1                                                  # ... edges
    cdef int renumber(self, node_t suffix_root, Py_ssize_t tokens) except -1            # ... with one root
    cdef node_t child(self, node_t u, int32_t c) noexcept nogil     # δ(u, c), or NONE
    cdef node_t add_dead(self) except -1                            # a new node with no edge to it
    cdef int cut(self, node_t v) except -1                          # no edge leads to v any more; χ_v still spells
