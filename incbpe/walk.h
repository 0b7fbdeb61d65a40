/* Walks of the suffix automaton over bytes, one by itself or WALKS side by side.

   A state is a base. On the byte b it looks at the cell cells[base ^ b]: where the cell's label is b, the cell is the
   state's own and says where it leads; else the state of the next shorter suffix, fails[base], is asked for the same
   byte. The root, base 0, has a cell for every byte. A miss makes the suffix shorter, and only a byte that is read makes
   it longer by one: a walk over n bytes from the root looks at 2n cells at most. */
#ifndef INCBPE_WALK_H
#define INCBPE_WALK_H
#include <stddef.h>
#include <stdint.h>

/* A cell, from the lowest bit on: 9 bits of label, 256 where the cell is free; 27 of base; 28 of token. */
enum { INCBPE_FREE = 256, INCBPE_WALKS = 12 };
#define INCBPE_MOST_CELLS ((uint32_t)1 << 27)
#define INCBPE_MOST_TOKENS ((uint32_t)1 << 28)

static inline uint64_t incbpe_cell(uint32_t label, uint32_t base, uint32_t token) {
    return label | (uint64_t)base << 9 | (uint64_t)token << 36;
}
static inline uint32_t incbpe_cell_label(uint64_t cell) { return (uint32_t)cell & 511; }
static inline uint32_t incbpe_cell_base(uint64_t cell) { return (uint32_t)(cell >> 9) & (INCBPE_MOST_CELLS - 1); }
static inline uint32_t incbpe_cell_token(uint64_t cell) { return (uint32_t)(cell >> 36); }

/* The cell that `base` leads to on b. */
static inline uint64_t incbpe_step(const uint64_t *cells, const uint32_t *fails, uint32_t base, uint8_t b) {
    uint64_t cell = cells[base ^ b];
    while (incbpe_cell_label(cell) != b) {
        base = fails[base];
        cell = cells[base ^ b];
    }
    return cell;
}

/* One walk over text[begin:end] from `base`; returns where it ends. Where goes_on[i] is 0, a walk begins at the root, and
   elsewhere goes_on[i] is 0xFF; NULL: it is one walk. */
static inline uint32_t incbpe_walk(const uint64_t *cells, const uint32_t *fails, const uint8_t *text, const uint8_t *goes_on,
                                   size_t begin, size_t end, uint32_t base, uint32_t *tokens) {
    for (size_t i = begin; i < end; i++) {
        if (goes_on != NULL && !goes_on[i]) base = 0;
        const uint64_t cell = incbpe_step(cells, fails, base, text[i]);
        base = incbpe_cell_base(cell);
        tokens[i] = incbpe_cell_token(cell);
    }
    return base;
}

/* The same of WALKS stretches, text[at[w]:end[w]] from base[w], which changes to where the walk ends. In each round every
   walk looks at one cell, without a branch; those that have more to look at than others go on by themselves. */
static inline void incbpe_walk_side_by_side(const uint64_t *cells, const uint32_t *fails, const uint8_t *text,
                                            const uint8_t *goes_on, size_t *at, const size_t *end, uint32_t *base,
                                            uint32_t *tokens) {
    for (;;) {
        size_t rounds = SIZE_MAX;
        for (int w = 0; w < INCBPE_WALKS; w++) rounds = end[w] - at[w] < rounds ? end[w] - at[w] : rounds;
        if (rounds == 0) break;
        for (; rounds > 0; rounds--) {
#if defined(__GNUC__)
#pragma GCC unroll 12
#endif
            for (int w = 0; w < INCBPE_WALKS; w++) {
                const size_t i = at[w];
                const uint8_t b = text[i];
                const uint32_t here = goes_on == NULL ? base[w] : base[w] & (uint32_t)(int32_t)(int8_t)goes_on[i];
                const uint64_t cell = cells[here ^ b];
                const uint32_t fail = fails[here];
                const int own = incbpe_cell_label(cell) == b;
                base[w] = own ? incbpe_cell_base(cell) : fail;
                tokens[i] = incbpe_cell_token(cell);        /* after a miss it is written again */
                at[w] = i + (size_t)own;
            }
        }
    }
    for (int w = 0; w < INCBPE_WALKS; w++)
        base[w] = incbpe_walk(cells, fails, text, goes_on, at[w], end[w], base[w], tokens);
}
#endif
