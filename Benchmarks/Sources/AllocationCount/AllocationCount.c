// Counts allocations: an executable's malloc takes precedence over the C library's, for every library it loads.
#include "AllocationCount.h"
#include <stdbool.h>
#include <stdlib.h>

// A sanitizer brings an allocator of its own, which must stay first.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OTHER_ALLOCATOR 1
#endif
#endif

#if defined(__GLIBC__) && !defined(OTHER_ALLOCATOR)
#include <errno.h>
#include <malloc.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

// A thread's own, so that other threads neither disturb nor wait.
static __thread unsigned long count;

// Bytes are followed only while somebody asks: that costs a locked instruction an allocation.
static bool follows;
static long live, peak;

static inline void *added(void *block) {
    count++;
    if (__atomic_load_n(&follows, __ATOMIC_RELAXED) && block) {
        long now = __atomic_add_fetch(&live, (long)malloc_usable_size(block), __ATOMIC_RELAXED);
        long highest = __atomic_load_n(&peak, __ATOMIC_RELAXED);
        while (now > highest && !__atomic_compare_exchange_n(&peak, &highest, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    }
    return block;
}

static inline void removed(void *block) {
    if (__atomic_load_n(&follows, __ATOMIC_RELAXED) && block)
        __atomic_sub_fetch(&live, (long)malloc_usable_size(block), __ATOMIC_RELAXED);
}

void *malloc(size_t size) { return added(__libc_malloc(size)); }
void *calloc(size_t number, size_t size) { return added(__libc_calloc(number, size)); }
void *memalign(size_t alignment, size_t size) { return added(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return added(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *made = added(__libc_memalign(alignment, size));
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}

void *realloc(void *block, size_t size) {
    size_t before = block && __atomic_load_n(&follows, __ATOMIC_RELAXED) ? malloc_usable_size(block) : 0;
    void *made = __libc_realloc(block, size);
    if (made || size == 0) __atomic_sub_fetch(&live, (long)before, __ATOMIC_RELAXED);
    return added(made);
}

void free(void *block) {
    removed(block);
    __libc_free(block);
}

bool allocations_are_counted(void) { return true; }
unsigned long allocation_count(void) { return count; }

void memory_follow(void) {
    __atomic_store_n(&live, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&peak, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&follows, true, __ATOMIC_SEQ_CST);
}

long memory_unfollow(void) {
    __atomic_store_n(&follows, false, __ATOMIC_SEQ_CST);
    return __atomic_load_n(&peak, __ATOMIC_RELAXED);
}

long memory_live(void) { return __atomic_load_n(&live, __ATOMIC_RELAXED); }
#else
bool allocations_are_counted(void) { return false; }
unsigned long allocation_count(void) { return 0; }
void memory_follow(void) {}
long memory_unfollow(void) { return 0; }
long memory_live(void) { return 0; }
#endif
