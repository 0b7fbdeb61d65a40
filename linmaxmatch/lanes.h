/* Algorithm 1 on several stretches of words, a step of each in turn: see lanes.pyx.

   A step waits for a cell whose place the step before says. It is asked for at once, and by the time that the lane has its
   next turn it is there. No branch depends on whether there is an edge, or whether a word ends: arithmetic says what is
   written and where the lane goes on. The rest is for `stumble`. */
#ifndef LMM_LANES_H
#define LMM_LANES_H
#include <stddef.h>
#include <stdint.h>
#include "subwordio/chunkkeys.h"
#include "subwordio/vectors.h"

enum { LMM_LANES = 16 };            /* at once */

typedef struct {
    uint64_t u;                     /* the state, as its cell */
    const uint64_t *at;             /* the cell of its edge for the next byte, if it has that */
    const uint8_t *next;            /* that byte */
    const uint8_t *end;             /* of the part */
    uint32_t *ids;                  /* where the next id goes */
    const uint8_t *begin[2];        /* [1]: of the present word; [0] is written where nothing changes */
    uint32_t *first[2];             /* [1]: its first id */
    size_t part;
} lmm_lane;

typedef struct {
    const uint64_t *cells;
    uint64_t start, suffix_root;    /* cells: where words begin, and r♯ */
    uint64_t token;                 /* the bit of a cell that says: a token ends here; the 27 below are its id */
    size_t cap;                     /* a word of so many bytes is surely not too long */
    const uint8_t *s;
    const size_t *ends;             /* of the parts in s */
    size_t parts, taken;
    uint32_t *ids;
    size_t *counts;                 /* of each part's ids, which begin where its bytes do */
} lmm_work;

typedef void (*lmm_stumble)(const void *context, lmm_lane *lane);

static inline size_t lmm_part_begin(const lmm_work *work, size_t part) { return part ? work->ends[part - 1] : 0; }

static inline void lmm_look_ahead(const lmm_work *work, lmm_lane *lane) {
    lane->at = work->cells + (uint32_t)((lane->u >> 36) + *lane->next);
    subwordio_prefetch(lane->at);
}

/* The next part that has words; 0 if there is none. */
static inline int lmm_take(lmm_work *work, lmm_lane *lane) {
    while (work->taken < work->parts) {
        const size_t part = work->taken++, begin = lmm_part_begin(work, part);
        work->counts[part] = 0;
        if (begin == work->ends[part]) continue;
        lane->u = work->start;
        lane->next = lane->begin[1] = work->s + begin;
        lane->end = work->s + work->ends[part];
        lane->ids = lane->first[1] = work->ids + begin;
        lane->part = part;
        lmm_look_ahead(work, lane);
        return 1;
    }
    return 0;
}

/* All parts; returns the number of steps. */
static inline size_t lmm_walk_plain(lmm_work *work, lmm_stumble stumble, const void *context) {
    lmm_lane lanes[LMM_LANES], *stop = lanes;
    const uint64_t start = work->start, suffix_root = work->suffix_root, token = work->token;
    const size_t cap = work->cap;
    size_t steps = 0;
    while (stop < lanes + LMM_LANES && lmm_take(work, stop)) stop++;
    while (stop > lanes) {
        steps += (size_t)(stop - lanes);
        for (lmm_lane *lane = lanes; lane < stop; lane++) {
            const uint64_t u = lane->u, v = *lane->at;
            const uint8_t *next = lane->next;
            const uint8_t c = *next;
            /* No state has an edge for a blank. The end of a long word is met again, in r♯. */
            const size_t edge = (uint8_t)v == c, ends = (c == 0x20) & ((size_t)(next - lane->begin[1]) <= cap);
            if (edge | ((u & token) != 0)) {
                *lane->ids = (uint32_t)(u >> 8) & 0x7FFFFFF;            /* written over where no token ends */
                lane->ids += 1 - edge;
                next += edge | ends;
                lane->next = next;
                lane->u = edge ? v : ends ? start : suffix_root;
                lane->begin[ends] = next;
                lane->first[ends] = lane->ids;
            }
            else stumble(context, lane);
            if (lane->next == lane->end) {
                work->counts[lane->part] = (size_t)(lane->ids - work->ids) - lmm_part_begin(work, lane->part);
                if (!lmm_take(work, lane)) *lane-- = *--stop;
            }
            else lmm_look_ahead(work, lane);
        }
    }
    return steps;
}

#if SUBWORDIO_X86
#define LMM_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vbmi2,bmi,popcnt")))

enum { LMM_GROUPS = 4 };            /* of eight lanes each */

/* Eight lanes, by index into the bytes and ids of the work. */
typedef struct {
    uint64_t u[8], next[8], end[8], ids[8], begin[8], first[8], part[8];
    uint64_t bytes[8];              /* from `next` on, the first the lowest: eight, less the steps since they were read */
    uint8_t alive;                  /* bit k: lane k has a part */
} lmm_group;

static inline int lmm_take_lane(lmm_work *work, lmm_group *group, int k) {
    lmm_lane lane;
    if (!lmm_take(work, &lane)) {
        group->alive &= (uint8_t)~(1 << k);
        return 0;
    }
    group->u[k] = lane.u;
    group->next[k] = group->begin[k] = (uint64_t)(lane.next - work->s);
    group->end[k] = (uint64_t)(lane.end - work->s);
    group->ids[k] = group->first[k] = (uint64_t)(lane.ids - work->ids);
    group->part[k] = lane.part;
    group->bytes[k] = subwordio_load(lane.next);
    return 1;
}

static inline void lmm_stumble_lane(lmm_work *work, lmm_group *group, int k, lmm_stumble stumble, const void *context) {
    lmm_lane lane = {group->u[k], NULL, work->s + group->next[k], work->s + group->end[k], work->ids + group->ids[k],
                     {NULL, work->s + group->begin[k]}, {NULL, work->ids + group->first[k]}, 0};
    stumble(context, &lane);
    group->u[k] = lane.u;
    group->next[k] = (uint64_t)(lane.next - work->s);
    group->ids[k] = (uint64_t)(lane.ids - work->ids);
    group->begin[k] = (uint64_t)(lane.begin[1] - work->s);
    group->first[k] = (uint64_t)(lane.first[1] - work->ids);
    group->bytes[k] = subwordio_load(lane.next);
}

LMM_AVX512 static inline void lmm_step_group(lmm_work *work, lmm_group *group, int fresh, lmm_stumble stumble,
                                             const void *context) {
    const __m512i all = _mm512_set1_epi64(0xFF), one = _mm512_set1_epi64(1);
    const __mmask8 alive = group->alive;
    const __m512i next = _mm512_loadu_si512((const void *)group->next), u = _mm512_loadu_si512((const void *)group->u);
    const __m512i none = _mm512_setzero_si512();
    const __m512i bytes = fresh ? _mm512_mask_i64gather_epi64(none, alive, next, (const void *)work->s, 1)
                                : _mm512_loadu_si512((const void *)group->bytes);
    const __m512i c = _mm512_and_si512(bytes, all);
    const __m512i at = _mm512_add_epi64(_mm512_srli_epi64(u, 36), c);
    const __m512i v = _mm512_mask_i64gather_epi64(none, alive, at, (const void *)work->cells, 8);
    const __m512i begin = _mm512_loadu_si512((const void *)group->begin);
    const __m512i ids = _mm512_loadu_si512((const void *)group->ids);
    const __mmask8 edge = _mm512_mask_cmpeq_epi64_mask(alive, _mm512_and_si512(v, all), c);
    const __mmask8 pop = _mm512_mask_test_epi64_mask(alive & ~edge, u, _mm512_set1_epi64((int64_t)work->token));
    const __mmask8 blank = _mm512_mask_cmpeq_epi64_mask(pop, c, _mm512_set1_epi64(0x20));
    const __mmask8 ends = _mm512_mask_cmple_epu64_mask(blank, _mm512_sub_epi64(next, begin),
                                                       _mm512_set1_epi64((int64_t)work->cap)), moves = edge | ends;
    const __m512i id = _mm512_and_si512(_mm512_srli_epi64(u, 8), _mm512_set1_epi64(0x7FFFFFF));
    _mm512_mask_i64scatter_epi32((void *)work->ids, pop, ids, _mm512_cvtepi64_epi32(id), 4);
    const __m512i next_id = _mm512_mask_add_epi64(ids, pop, ids, one);
    const __m512i following = _mm512_mask_add_epi64(next, moves, next, one);
    __m512i to = _mm512_mask_mov_epi64(u, edge, v);
    to = _mm512_mask_mov_epi64(to, pop, _mm512_set1_epi64((int64_t)work->suffix_root));
    to = _mm512_mask_mov_epi64(to, ends, _mm512_set1_epi64((int64_t)work->start));
    _mm512_storeu_si512((void *)group->u, to);
    _mm512_storeu_si512((void *)group->next, following);
    _mm512_storeu_si512((void *)group->bytes, _mm512_mask_srli_epi64(bytes, moves, bytes, 8));
    _mm512_storeu_si512((void *)group->ids, next_id);
    _mm512_storeu_si512((void *)group->begin, _mm512_mask_mov_epi64(begin, ends, following));
    _mm512_mask_storeu_epi64((void *)group->first, ends, next_id);
    for (unsigned rest = alive & ~(unsigned)(edge | pop); rest; rest &= rest - 1)
        lmm_stumble_lane(work, group, subwordio_lowest(rest), stumble, context);
    const __mmask8 others = alive & ~edge;
    if (!others) return;
    unsigned done = _mm512_mask_cmpeq_epi64_mask(others, _mm512_loadu_si512((const void *)group->next),
                                                 _mm512_loadu_si512((const void *)group->end));
    for (; done; done &= done - 1) {
        const int k = subwordio_lowest(done);
        work->counts[group->part[k]] = group->ids[k] - lmm_part_begin(work, group->part[k]);
        lmm_take_lane(work, group, k);
    }
}

/* As lmm_walk_plain. */
LMM_AVX512 static size_t lmm_walk_avx512(lmm_work *work, lmm_stumble stumble, const void *context) {
    lmm_group groups[LMM_GROUPS];
    size_t steps = 0, alive = 0;
    for (int g = 0; g < LMM_GROUPS; g++) {
        groups[g].alive = 0xFF;
        for (int k = 0; k < 8; k++) alive += (size_t)lmm_take_lane(work, groups + g, k);
    }
    for (unsigned turn = 0; alive > 0; turn++) {
        alive = 0;
        for (int g = 0; g < LMM_GROUPS; g++) {
            if (groups[g].alive == 0) continue;
            steps += (size_t)_mm_popcnt_u32(groups[g].alive);
            lmm_step_group(work, groups + g, turn % 8 == 0, stumble, context);
            alive |= groups[g].alive;
        }
    }
    return steps;
}
#endif

static inline size_t lmm_walk(int way, lmm_work *work, lmm_stumble stumble, const void *context) {
#if SUBWORDIO_X86
    if (way == SUBWORDIO_AVX512) return lmm_walk_avx512(work, stumble, context);
#endif
    (void)way;
    return lmm_walk_plain(work, stumble, context);
}
#endif
