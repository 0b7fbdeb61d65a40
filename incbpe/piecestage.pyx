"""The last stage of a stream: a rewritten text that is still coming, to ids.          (Section 6, and beyond it)

    WholeStage   without a splitter a part is one piece (`wholestage`)
    SplitStage   a splitter cuts it into pieces (`splitstage`)
    CutStage     patterns of the caller's say nothing of what may follow: a part is held until it ends

Cost  of the last: the cutter's, and the part in memory
"""
from libc.stdint cimport int32_t, uint8_t

from incbpe.laststage cimport BLOCK
from incbpe.normalize cimport Normalized
from incbpe.piece cimport Pieces
from incbpe.pipeline cimport Pipeline
from incbpe.splitstage cimport split_stage
from incbpe.wholestage cimport whole_stage


cdef class CutStage(LastStage):
    """A cutter needs the whole part."""

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        cdef size_t i = 0
        while i < n:
            i = self.hold(text, i, n, BLOCK)
        return 0

    cdef int end(self) except -1:
        if self.text.length:
            for begin, end in self.pipeline.spans(self.text.data, self.text.length):
                self.pieces.encode_one(self.text.data + <size_t> begin, end - begin, &self.out, NULL, &self.work)
        return self.reset()

    cdef int reset(self) except -1:
        self.trim()
        return 0


cdef LastStage last_stage(Pipeline pipeline, Normalized N, int32_t[::1] ids, dict whole, str criterion):
    cdef Pieces pieces = pipeline.pieces
    cdef CutStage cut
    cdef LastStage last
    if pipeline.cutter is not None:
        last = cut = CutStage()
        cut.pipeline = pipeline
    elif pipeline.splitter is None:
        last = whole_stage(pipeline, N, ids, whole, criterion)
    else:
        last = split_stage(pipeline, N, whole, criterion)
    last.pieces = pieces
    return last
