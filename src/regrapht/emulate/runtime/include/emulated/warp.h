// Barriers, fences and warp functions.
#pragma once

EMULATED_INLINE void __syncthreads(unsigned line = __builtin_LINE(), unsigned place = 0) {
    emulated_barrier(kBarrierPlain, 0, nullptr, line, place);
}
EMULATED_INLINE int __syncthreads_count(int predicate, unsigned line = __builtin_LINE()) {
    int result;
    emulated_barrier(kBarrierCount, predicate, &result, line, 0);
    return result;
}
EMULATED_INLINE int __syncthreads_and(int predicate, unsigned line = __builtin_LINE()) {
    int result;
    emulated_barrier(kBarrierAnd, predicate, &result, line, 0);
    return result;
}
EMULATED_INLINE int __syncthreads_or(int predicate, unsigned line = __builtin_LINE()) {
    int result;
    emulated_barrier(kBarrierOr, predicate, &result, line, 0);
    return result;
}
EMULATED_INLINE void __threadfence() { emulated_fence(1); }
EMULATED_INLINE void __threadfence_system() { emulated_fence(1); }
EMULATED_INLINE void __threadfence_block() { emulated_fence(0); }

EMULATED_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { emulated_warp(kWarpSync, mask, 0, 0, 32); }
EMULATED_INLINE unsigned __activemask() { return (unsigned)emulated_warp(kWarpActiveMask, 0, 0, 0, 32); }
EMULATED_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
    return (unsigned)emulated_warp(kWarpBallot, mask, predicate != 0, 0, 32);
}
EMULATED_INLINE int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
EMULATED_INLINE int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }

namespace emulated {
template <class T>
EMULATED_INLINE T shuffle(int operation, unsigned mask, T value, int argument, int width) {
    static_assert(sizeof(T) <= 8, "unsupported: shuffle of this type");
    const uint64_t moved = emulated_warp(operation, mask, bits_to<uint64_t>(value), argument, width);
    return bits_to<T>(sizeof(T) > 4 ? weighs<1>(moved) : moved);  // eight bytes take two instructions; the call stands for one
}
}  // namespace emulated
template <class T>
EMULATED_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    return emulated::shuffle(kWarpShuffle, mask, value, source, width);
}
template <class T>
EMULATED_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32) {
    return emulated::shuffle(kWarpShuffleUp, mask, value, (int)distance, width);
}
template <class T>
EMULATED_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32) {
    return emulated::shuffle(kWarpShuffleDown, mask, value, (int)distance, width);
}
template <class T>
EMULATED_INLINE T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
    return emulated::shuffle(kWarpShuffleXor, mask, value, bits, width);
}
template <class T>
EMULATED_INLINE unsigned __match_any_sync(unsigned mask, T value) {
    return (unsigned)emulated_warp(kWarpMatchAny, mask, emulated::bits_to<uint64_t>(value), 0, 32);
}
template <class T>
EMULATED_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all) {
    const unsigned found = (unsigned)emulated_warp(kWarpMatchAll, mask, emulated::bits_to<uint64_t>(value), 0, 32);
    *all = found != 0;
    return found;
}
EMULATED_INLINE unsigned __reduce_add_sync(unsigned mask, unsigned v) { return emulated_warp(kWarpAdd, mask, v, 0, 32); }
EMULATED_INLINE int __reduce_add_sync(unsigned mask, int v) { return (int)emulated_warp(kWarpAdd, mask, (unsigned)v, 0, 32); }
EMULATED_INLINE unsigned __reduce_min_sync(unsigned mask, unsigned v) { return emulated_warp(kWarpMinUnsigned, mask, v, 0, 32); }
EMULATED_INLINE int __reduce_min_sync(unsigned mask, int v) { return (int)emulated_warp(kWarpMinSigned, mask, (unsigned)v, 0, 32); }
EMULATED_INLINE unsigned __reduce_max_sync(unsigned mask, unsigned v) { return emulated_warp(kWarpMaxUnsigned, mask, v, 0, 32); }
EMULATED_INLINE int __reduce_max_sync(unsigned mask, int v) { return (int)emulated_warp(kWarpMaxSigned, mask, (unsigned)v, 0, 32); }
EMULATED_INLINE unsigned __reduce_and_sync(unsigned mask, unsigned v) { return emulated_warp(kWarpAnd, mask, v, 0, 32); }
EMULATED_INLINE unsigned __reduce_or_sync(unsigned mask, unsigned v) { return emulated_warp(kWarpOr, mask, v, 0, 32); }
EMULATED_INLINE unsigned __reduce_xor_sync(unsigned mask, unsigned v) { return emulated_warp(kWarpXor, mask, v, 0, 32); }
