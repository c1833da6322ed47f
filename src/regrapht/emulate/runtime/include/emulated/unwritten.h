// What local variables hold that nobody gave a value, in the build for a program's own arrays: words that are others in each call.
#pragma once
#include "qualifiers.h"

constexpr size_t kUnwrittenBytes = 4096;
extern "C" char emulated_unwritten[kUnwrittenBytes];

namespace emulated {
template <class T>
EMULATED_INLINE void unwritten(T& object) {
    if constexpr (std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T> && !std::is_const_v<T>) {
        if constexpr (std::is_same_v<std::remove_cv_t<std::remove_all_extents_t<T>>, bool>) return;  // it has two values alone
        char* const p = (char*)&object;
        for (size_t at = 0; at < sizeof(T); at += kUnwrittenBytes)
            __builtin_memcpy(p + at, emulated_unwritten, sizeof(T) - at < kUnwrittenBytes ? sizeof(T) - at : kUnwrittenBytes);
    }
}
}  // namespace emulated
