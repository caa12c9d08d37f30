// Counts allocations: an executable's malloc takes precedence over the C library's, for every library it loads.
#include "AllocationCount.h"
#include <stdlib.h>

#if defined(__GLIBC__)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

// A load and a store, no locked instruction: two threads that allocate at once may lose a count, and none waits.
static unsigned long count;

static inline void note(void) {
    __atomic_store_n(&count, __atomic_load_n(&count, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    note();
    return __libc_realloc(block, size);
}

unsigned long allocation_count(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }
#else
unsigned long allocation_count(void) { return 0; }
#endif
