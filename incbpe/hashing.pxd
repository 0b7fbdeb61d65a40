"""Hashes in wrapping arithmetic, in C because the verify profile refuses an overflow.

That of a text is a polynomial in its bytes, so that a suffix's follows from the whole's and the prefix's. Texts can be
made that share one: whoever looks something up compares it as well.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

cdef extern from *:
    """
    #define incbpe_BASE 0x9E3779B97F4A7C15u
    static inline uint64_t incbpe_longer(uint64_t h, uint8_t byte) { return h * incbpe_BASE + byte + 1; }
    static inline uint64_t incbpe_power(uint64_t p) { return p * incbpe_BASE; }
    static inline uint64_t incbpe_rest(uint64_t whole, uint64_t prefix, uint64_t power) {
        return whole - prefix * power;
    }
    static inline uint64_t incbpe_mixed(uint64_t h) {
        h ^= h >> 32; h *= 0xD6E8FEB86659FD93u; h ^= h >> 32; return h;
    }
    static inline uint32_t incbpe_pair(int32_t u, int32_t v) {
        return (uint32_t)incbpe_mixed(((uint64_t)(uint32_t)u << 32 | (uint32_t)v) * incbpe_BASE);
    }
    """
    uint64_t longer "incbpe_longer"(uint64_t h, uint8_t byte) noexcept nogil        # of a text and one more byte; ε: 0
    uint64_t next_power "incbpe_power"(uint64_t p) noexcept nogil                   # of the base; the first is 1
    # Of a text's rest, from those of the whole and of the prefix and the power as high as the rest is long.
    uint64_t rest "incbpe_rest"(uint64_t whole, uint64_t prefix, uint64_t power) noexcept nogil
    uint64_t mixed "incbpe_mixed"(uint64_t h) noexcept nogil                        # every bit depends on every bit
    uint32_t pair_hash "incbpe_pair"(int32_t u, int32_t v) noexcept nogil           # of two tokens, mixed
