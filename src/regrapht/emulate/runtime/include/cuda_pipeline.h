// __pipeline_memcpy_async and relatives: a copy of 4, 8 or 16 bytes from global to shared memory, done at once.
#pragma once
#include "emulated/everything.h"

EMULATED_INLINE void __pipeline_memcpy_async(void* __restrict__ shared, const void* __restrict__ global, size_t bytes, size_t zeroed = 0) {
    assert(bytes == 4 || bytes == 8 || bytes == 16);
    if (zeroed) {  // byte by byte: the checks see plain accesses, and memcpy's they do not
        for (size_t i = 0; i < bytes - zeroed; ++i) ((unsigned char*)shared)[i] = ((const unsigned char*)global)[i];
        for (size_t i = bytes - zeroed; i < bytes; ++i) ((unsigned char*)shared)[i] = 0;
    } else if (bytes == 4) {
        *(unsigned*)shared = *(const unsigned*)global;
    } else if (bytes == 8) {
        *(uint2*)shared = *(const uint2*)global;
    } else {
        *(uint4*)shared = *(const uint4*)global;
    }
}
EMULATED_INLINE void __pipeline_commit() {}
EMULATED_INLINE void __pipeline_wait_prior(size_t) {}
