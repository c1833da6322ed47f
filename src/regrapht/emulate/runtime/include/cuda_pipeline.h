// __pipeline_memcpy_async and relatives: a copy of 4, 8 or 16 bytes from global to shared memory, there after the wait.
#pragma once
#include "emulated/everything.h"

EMULATED_INLINE void __pipeline_memcpy_async(void* __restrict__ shared, const void* __restrict__ global, size_t bytes, size_t zeroed = 0) {
    assert((bytes == 4 || bytes == 8 || bytes == 16) && zeroed <= bytes);
    if (!zeroed) return emulated::async_copy(shared, global, bytes);
    unsigned char value[16] = {};
    for (size_t i = 0; i < bytes - zeroed; ++i) value[i] = ((const unsigned char*)global)[i];
    emulated_async_copy(shared, value, (unsigned)bytes);
}
EMULATED_INLINE void __pipeline_commit() { emulated_async_commit(); }
EMULATED_INLINE void __pipeline_wait_prior(size_t groups) { emulated_async_wait((unsigned)groups); }
