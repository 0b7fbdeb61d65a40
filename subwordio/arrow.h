/* The structs of the Arrow C data and C stream interfaces, as their specification lays them out, and reads of buffers
   that nobody has promised to be aligned. */
#ifndef SUBWORDIO_ARROW_H
#define SUBWORDIO_ARROW_H
#include <stdint.h>
#include <string.h>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

#define SUBWORDIO_READ(name, type)                                                    \
    static inline int64_t subwordio_read_##name(const void *buffer, int64_t i) {      \
        type item;                                                                    \
        memcpy(&item, (const char *)buffer + i * (int64_t)sizeof item, sizeof item);  \
        return (int64_t)item;                                                         \
    }
SUBWORDIO_READ(int8, int8_t)
SUBWORDIO_READ(int16, int16_t)
SUBWORDIO_READ(int32, int32_t)
SUBWORDIO_READ(int64, int64_t)
SUBWORDIO_READ(uint8, uint8_t)
SUBWORDIO_READ(uint16, uint16_t)
SUBWORDIO_READ(uint32, uint32_t)
#undef SUBWORDIO_READ

/* Integer i of a buffer; `code` is its type as both Arrow and the struct module write it, except that Arrow's "l" is
   always 64 bits. An unsigned integer that int64 does not hold is negative. */
static inline int64_t subwordio_read(const void *buffer, char code, int64_t i) {
    switch (code) {
    case 'c': return subwordio_read_int8(buffer, i);
    case 'C': return subwordio_read_uint8(buffer, i);
    case 's': return subwordio_read_int16(buffer, i);
    case 'S': return subwordio_read_uint16(buffer, i);
    case 'i': return subwordio_read_int32(buffer, i);
    case 'I': return subwordio_read_uint32(buffer, i);
    default: return subwordio_read_int64(buffer, i);        /* l, L */
    }
}
#endif
