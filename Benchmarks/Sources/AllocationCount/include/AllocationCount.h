#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

/// How often this process has called malloc, calloc and realloc so far, on any thread.
unsigned long allocation_count(void);

#endif
