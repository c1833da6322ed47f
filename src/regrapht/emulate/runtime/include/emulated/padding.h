// Padding: bytes of an object that have no value by its type, so that nobody needs to write them before the object is copied. The runtime
// learns them from the declared type of a __shared__ object or array, and of the pointer that an allocation is asked for by.
#pragma once

namespace emulated {
#if __has_builtin(__builtin_clear_padding)
template <class T>
constexpr bool padding_is_known = true;
#else  // clang: a byte of a constant object that is no constant has no value. Unions, bit-fields, pointers and constructors are beyond it.
template <class T>
struct Bytes {
    unsigned char at[sizeof(T)];
};
template <class T>
struct PaddingBytes {
    bool at[sizeof(T)] = {};
};
template <class T>
constexpr PaddingBytes<T> padding_bytes() {
    const Bytes<T> bytes = __builtin_bit_cast(Bytes<T>, T{});
    PaddingBytes<T> padding;
    for (size_t i = 0; i < sizeof(T); i++) padding.at[i] = !__builtin_constant_p(bytes.at[i]);
    return padding;
}
template <class T>
constexpr bool padding_is_known = requires {
    T{};
    typename std::bool_constant<(padding_bytes<T>(), true)>;
};
#endif

template <class T>
__attribute__((noinline, no_sanitize("thread"), no_sanitize_coverage)) void clear_padding(void* object) {
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding((T*)object);
#else
    constexpr PaddingBytes<T> padding = padding_bytes<T>();
    for (size_t i = 0; i < sizeof(T); i++)
        if (padding.at[i]) ((char*)object)[i] = 0;
#endif
}

// What sets the padding of a T to zero and leaves its other bytes alone; nullptr where nothing is known of T, or it has no padding.
template <class Declared>
constexpr EmulatedPadding padding_of() {
    using T = std::remove_cv_t<Declared>;
    if constexpr (std::is_void_v<T> || std::is_function_v<T>) {
        return nullptr;
    } else if constexpr (!requires { sizeof(T); }) {  // declared, not defined
        return nullptr;
    } else if constexpr (std::is_scalar_v<T> || !std::is_trivially_copyable_v<T>) {
        return nullptr;
    } else if constexpr (std::has_unique_object_representations_v<T>) {
        return nullptr;
    } else if constexpr (!padding_is_known<T>) {
        return nullptr;
    } else {
        return clear_padding<T>;
    }
}

// The device memory at `start` is an array of T.
template <class T>
EMULATED_INLINE void array_of(T* start) {
    if constexpr (padding_of<T>() != nullptr) emulated_padding((void*)start, sizeof(T), padding_of<T>());
}

// `(void**)&pointer`, the first argument of an allocation, keeps the pointer's type.
template <class T>
EMULATED_INLINE T** allocated(T** pointer) {
    return pointer;
}
template <class T>
EMULATED_INLINE void** allocated(T other) {
    return (void**)other;
}
}  // namespace emulated
