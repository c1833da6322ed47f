// Atomic functions. One thread of the CPU runs everything, so the scope matters to the checks alone.
#pragma once

namespace emulated {
template <class T>
EMULATED_INLINE T atomic(T* address, int operation, T value, T compare = T()) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "unsupported: atomic operation on this type");
    if constexpr (sizeof(T) == 2)
        return bits_to<T>(emulated_atomic16((void*)address, operation, bits_to<uint16_t>(value), bits_to<uint16_t>(compare)));
    else if constexpr (sizeof(T) == 4)
        return bits_to<T>(emulated_atomic32((void*)address, operation, bits_to<uint32_t>(value), bits_to<uint32_t>(compare)));
    else if constexpr (sizeof(T) == 8)
        return bits_to<T>(emulated_atomic64((void*)address, operation, bits_to<uint64_t>(value), bits_to<uint64_t>(compare)));
    else {
        using Bits = unsigned __int128;
        const Bits wanted = bits_to<Bits>(value), expected = bits_to<Bits>(compare);
        Bits old;
        emulated_atomic128((void*)address, operation, &wanted, &expected, &old);
        return bits_to<T>(old);
    }
}
// Any other update of up to 8 bytes: `next(old bits, bits of value)` gives the new bits.
template <uint64_t (*next)(uint64_t, uint64_t), class T>
EMULATED_INLINE T updated_with(T* address, T value, bool of_block = false) {
    static_assert(sizeof(T) <= 8, "unsupported: atomic operation on this type");
    return bits_to<T>(emulated_atomic_update((void*)address, sizeof(T), bits_to<uint64_t>(value), next, of_block));
}

// `scope`: 0, or kAtomicOfBlock.
template <class T>
EMULATED_INLINE T atomic_sum(T* address, T value, int scope) {
    if constexpr (std::is_same_v<T, float>)
        return atomic<T>(address, kAtomicAddFloat | scope, value);
    else if constexpr (std::is_same_v<T, double>)
        return atomic<T>(address, kAtomicAddDouble | scope, value);
    else if constexpr (std::is_same_v<T, float2> || std::is_same_v<T, float4>) {  // element by element: not atomic as a whole
        T old;
        for (size_t i = 0; i < sizeof(T) / sizeof(float); i++)
            (&old.x)[i] = atomic<float>(&address->x + i, kAtomicAddFloat | scope, (&value.x)[i]);
        return old;
    } else {
        static_assert(std::is_integral_v<T> && sizeof(T) >= 4, "unsupported: atomic operation on this type");
        return atomic<T>(address, kAtomicAdd | scope, value);
    }
}
template <class T>
EMULATED_INLINE T atomic_integer(T* address, T value, int operation) {
    static_assert(std::is_integral_v<T> && sizeof(T) >= 4, "unsupported: atomic operation on this type");
    return atomic<T>(address, operation, value);
}
}  // namespace emulated

#define EMULATED_ATOMIC(NAME, EXPRESSION)                                 \
    template <class T>                                                     \
    EMULATED_INLINE T NAME(T* address, emulated::same_t<T> value) {        \
        constexpr int scope = 0;                                           \
        return EXPRESSION;                                                 \
    }                                                                      \
    template <class T>                                                     \
    EMULATED_INLINE T NAME##_system(T* address, emulated::same_t<T> value) { \
        constexpr int scope = 0;                                           \
        return EXPRESSION;                                                 \
    }                                                                      \
    template <class T>                                                     \
    EMULATED_INLINE T NAME##_block(T* address, emulated::same_t<T> value) { \
        constexpr int scope = kAtomicOfBlock;                              \
        return EXPRESSION;                                                 \
    }
#define EMULATED_INTEGER(NAME, OPERATION) EMULATED_ATOMIC(NAME, (emulated::atomic_integer<T>(address, value, (OPERATION) | scope)))
EMULATED_ATOMIC(atomicAdd, (emulated::atomic_sum<T>(address, value, scope)))
EMULATED_ATOMIC(atomicExch, (emulated::atomic<T>(address, kAtomicExchange | scope, value)))
EMULATED_INTEGER(atomicSub, kAtomicSub)
EMULATED_INTEGER(atomicAnd, kAtomicAnd)
EMULATED_INTEGER(atomicOr, kAtomicOr)
EMULATED_INTEGER(atomicXor, kAtomicXor)
EMULATED_INTEGER(atomicInc, kAtomicIncrement)
EMULATED_INTEGER(atomicDec, kAtomicDecrement)
EMULATED_INTEGER(atomicMin, std::is_signed_v<T> ? kAtomicMinSigned : kAtomicMinUnsigned)
EMULATED_INTEGER(atomicMax, std::is_signed_v<T> ? kAtomicMaxSigned : kAtomicMaxUnsigned)
#undef EMULATED_INTEGER
#undef EMULATED_ATOMIC
#define EMULATED_SWAP(NAME, SCOPE)                                                                       \
    template <class T>                                                                                   \
    EMULATED_INLINE T NAME(T* address, emulated::same_t<T> compare, emulated::same_t<T> value) {         \
        return emulated::atomic<T>(address, kAtomicCompareSwap | SCOPE, value, compare);                 \
    }
EMULATED_SWAP(atomicCAS, 0)
EMULATED_SWAP(atomicCAS_system, 0)
EMULATED_SWAP(atomicCAS_block, kAtomicOfBlock)
#undef EMULATED_SWAP
