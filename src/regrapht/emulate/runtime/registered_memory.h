// Host memory that a program has registered (cudaHostRegister): kernels may use it at its own address. It has no race cells, so what
// threads do there to each other is not checked.
#pragma once
#include "state.h"

namespace runtime {
std::map<char*, size_t> registered_ranges;  // start -> bytes

inline bool is_registered(const char* p, size_t bytes) {
    auto next = registered_ranges.upper_bound((char*)p);
    if (next == registered_ranges.begin()) return false;
    const auto& [start, length] = *std::prev(next);
    return p + bytes <= start + length;
}

inline int register_range(char* start, size_t bytes) {
    if (!start || !bytes) return cudaErrorInvalidValue;
    if (is_registered(start, 1)) return cudaErrorHostMemoryAlreadyRegistered;
    registered_ranges[start] = bytes;
    return cudaSuccess;
}

inline int unregister_range(char* start) { return registered_ranges.erase(start) ? cudaSuccess : cudaErrorHostMemoryNotRegistered; }
}  // namespace runtime
