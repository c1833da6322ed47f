// Atomic functions. All scopes are alike, because one thread of the CPU runs everything.
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
EMULATED_INLINE T updated_with(T* address, T value) {
    static_assert(sizeof(T) <= 8, "unsupported: atomic operation on this type");
    return bits_to<T>(emulated_atomic_update((void*)address, sizeof(T), bits_to<uint64_t>(value), next));
}
}  // namespace emulated

template <class T>
EMULATED_INLINE T atomicAdd(T* address, emulated::same_t<T> value) {
    if constexpr (std::is_same_v<T, float>)
        return emulated::atomic<T>(address, kAtomicAddFloat, value);
    else if constexpr (std::is_same_v<T, double>)
        return emulated::atomic<T>(address, kAtomicAddDouble, value);
    else if constexpr (std::is_same_v<T, float2> || std::is_same_v<T, float4>) {  // element by element: not atomic as a whole
        T old;
        for (size_t i = 0; i < sizeof(T) / sizeof(float); i++)
            (&old.x)[i] = emulated::atomic<float>(&address->x + i, kAtomicAddFloat, (&value.x)[i]);
        return old;
    } else {
        static_assert(std::is_integral_v<T> && sizeof(T) >= 4, "unsupported: atomic operation on this type");
        return emulated::atomic<T>(address, kAtomicAdd, value);
    }
}
#define EMULATED_ATOMIC(NAME, SIGNED, UNSIGNED)                                                     \
    template <class T>                                                                              \
    EMULATED_INLINE T NAME(T* address, emulated::same_t<T> value) {                                 \
        static_assert(std::is_integral_v<T> && sizeof(T) >= 4, "unsupported: atomic operation on this type"); \
        return emulated::atomic<T>(address, std::is_signed_v<T> ? SIGNED : UNSIGNED, value);        \
    }
EMULATED_ATOMIC(atomicSub, kAtomicSub, kAtomicSub)
EMULATED_ATOMIC(atomicAnd, kAtomicAnd, kAtomicAnd)
EMULATED_ATOMIC(atomicOr, kAtomicOr, kAtomicOr)
EMULATED_ATOMIC(atomicXor, kAtomicXor, kAtomicXor)
EMULATED_ATOMIC(atomicInc, kAtomicIncrement, kAtomicIncrement)
EMULATED_ATOMIC(atomicDec, kAtomicDecrement, kAtomicDecrement)
EMULATED_ATOMIC(atomicMin, kAtomicMinSigned, kAtomicMinUnsigned)
EMULATED_ATOMIC(atomicMax, kAtomicMaxSigned, kAtomicMaxUnsigned)
#undef EMULATED_ATOMIC
template <class T>
EMULATED_INLINE T atomicExch(T* address, emulated::same_t<T> value) {
    return emulated::atomic<T>(address, kAtomicExchange, value);
}
template <class T>
EMULATED_INLINE T atomicCAS(T* address, emulated::same_t<T> compare, emulated::same_t<T> value) {
    return emulated::atomic<T>(address, kAtomicCompareSwap, value, compare);
}
#define EMULATED_SCOPES(NAME)                                                       \
    template <class T>                                                              \
    EMULATED_INLINE T NAME##_block(T* address, emulated::same_t<T> value) {         \
        return NAME(address, value);                                                \
    }                                                                               \
    template <class T>                                                              \
    EMULATED_INLINE T NAME##_system(T* address, emulated::same_t<T> value) {        \
        return NAME(address, value);                                                \
    }
EMULATED_SCOPES(atomicAdd)
EMULATED_SCOPES(atomicSub)
EMULATED_SCOPES(atomicExch)
EMULATED_SCOPES(atomicMin)
EMULATED_SCOPES(atomicMax)
EMULATED_SCOPES(atomicAnd)
EMULATED_SCOPES(atomicOr)
EMULATED_SCOPES(atomicXor)
EMULATED_SCOPES(atomicInc)
EMULATED_SCOPES(atomicDec)
#undef EMULATED_SCOPES
template <class T>
EMULATED_INLINE T atomicCAS_block(T* address, emulated::same_t<T> compare, emulated::same_t<T> value) {
    return atomicCAS(address, compare, value);
}
template <class T>
EMULATED_INLINE T atomicCAS_system(T* address, emulated::same_t<T> compare, emulated::same_t<T> value) {
    return atomicCAS(address, compare, value);
}
