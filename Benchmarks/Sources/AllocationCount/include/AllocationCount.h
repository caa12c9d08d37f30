#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdbool.h>

/// Whether this process's allocations are counted: with glibc, and without a sanitizer.
bool allocations_are_counted(void);

/// How often the calling thread has called malloc, calloc, realloc and their kin so far.
unsigned long allocation_count(void);

/// From now on, bytes are followed: on every thread, from 0.
void memory_follow(void);

/// Ends that; the most bytes that were held at once, above what was held at the start.
long memory_unfollow(void);

/// Bytes held now above what was held when following began.
long memory_live(void);

#endif
