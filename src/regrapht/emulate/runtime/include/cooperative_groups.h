// Cooperative groups: block, grid, tiles up to a warp, coalesced threads, and cg::reduce on tiles.
#pragma once
#include "emulated/everything.h"

namespace cooperative_groups {
namespace detail {
EMULATED_INLINE unsigned rank_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
EMULATED_INLINE unsigned threads_in_block() { return blockDim.x * blockDim.y * blockDim.z; }
}  // namespace detail

struct thread_block {
    static EMULATED_INLINE void sync(unsigned line = __builtin_LINE()) { __syncthreads(line); }
    static EMULATED_INLINE unsigned thread_rank() { return detail::rank_in_block(); }
    static EMULATED_INLINE unsigned size() { return detail::threads_in_block(); }
    static EMULATED_INLINE unsigned num_threads() { return detail::threads_in_block(); }
    static EMULATED_INLINE dim3 group_index() { return dim3(blockIdx); }
    static EMULATED_INLINE dim3 thread_index() { return dim3(threadIdx); }
    static EMULATED_INLINE dim3 group_dim() { return dim3(blockDim); }
    static EMULATED_INLINE dim3 dim_threads() { return dim3(blockDim); }
};
EMULATED_INLINE thread_block this_thread_block() { return {}; }

struct grid_group {
    EMULATED_INLINE void sync() const { emulated_grid_sync(); }
    EMULATED_INLINE bool is_valid() const { return true; }
    EMULATED_INLINE unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    EMULATED_INLINE unsigned long long block_rank() const {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    EMULATED_INLINE unsigned long long thread_rank() const { return block_rank() * detail::threads_in_block() + detail::rank_in_block(); }
    EMULATED_INLINE unsigned long long size() const { return num_blocks() * detail::threads_in_block(); }
    EMULATED_INLINE unsigned long long num_threads() const { return size(); }
    EMULATED_INLINE dim3 group_dim() const { return dim3(gridDim); }
};
EMULATED_INLINE grid_group this_grid() { return {}; }

template <unsigned N, class Parent = void>
struct thread_block_tile {
    static_assert(N <= 32 && (N & (N - 1)) == 0, "unsupported: tile larger than a warp");
    thread_block_tile() = default;
    template <class Other>
    EMULATED_INLINE thread_block_tile(const thread_block_tile<N, Other>&) {}
    EMULATED_INLINE unsigned first_lane() const { return emulated_lane() / N * N; }
    EMULATED_INLINE unsigned mask() const { return N == 32 ? 0xffffffffu : ((1u << (N & 31)) - 1) << first_lane(); }
    EMULATED_INLINE unsigned thread_rank() const { return emulated_lane() % N; }
    static constexpr unsigned size() { return N; }
    static constexpr unsigned num_threads() { return N; }
    EMULATED_INLINE unsigned meta_group_rank() const { return detail::rank_in_block() / N; }
    EMULATED_INLINE unsigned meta_group_size() const { return (detail::threads_in_block() + N - 1) / N; }
    EMULATED_INLINE void sync() const { __syncwarp(mask()); }
    template <class T>
    EMULATED_INLINE T shfl(T v, int source) const { return __shfl_sync(mask(), v, source, N); }
    template <class T>
    EMULATED_INLINE T shfl_down(T v, unsigned d) const { return __shfl_down_sync(mask(), v, d, N); }
    template <class T>
    EMULATED_INLINE T shfl_up(T v, unsigned d) const { return __shfl_up_sync(mask(), v, d, N); }
    template <class T>
    EMULATED_INLINE T shfl_xor(T v, unsigned bits) const { return __shfl_xor_sync(mask(), v, (int)bits, N); }
    EMULATED_INLINE unsigned ballot(int p) const { return (__ballot_sync(mask(), p) & mask()) >> first_lane(); }
    EMULATED_INLINE int any(int p) const { return ballot(p) != 0; }
    EMULATED_INLINE int all(int p) const { return __all_sync(mask(), p); }
    template <class T>
    EMULATED_INLINE unsigned match_any(T v) const { return (__match_any_sync(mask(), v) & mask()) >> first_lane(); }
};
template <unsigned N, class Group>
EMULATED_INLINE thread_block_tile<N> tiled_partition(const Group&) { return {}; }

struct coalesced_group {
    unsigned lanes;
    EMULATED_INLINE unsigned thread_rank() const { return __popc(lanes & ((1u << emulated_lane()) - 1)); }
    EMULATED_INLINE unsigned size() const { return __popc(lanes); }
    EMULATED_INLINE unsigned num_threads() const { return size(); }
    EMULATED_INLINE void sync() const { __syncwarp(lanes); }
    EMULATED_INLINE int lane_of(int rank) const {
        for (int lane = 0; lane < 32; lane++)
            if (lanes >> lane & 1 && rank-- == 0) return lane;
        return (int)emulated_lane();
    }
    template <class T>
    EMULATED_INLINE T shfl(T v, int source) const { return __shfl_sync(lanes, v, lane_of(source)); }
    template <class T>
    EMULATED_INLINE T shfl_down(T v, unsigned d) const { return __shfl_sync(lanes, v, lane_of((int)(thread_rank() + d))); }
    template <class T>
    EMULATED_INLINE T shfl_up(T v, unsigned d) const { return __shfl_sync(lanes, v, lane_of((int)thread_rank() - (int)d)); }
    EMULATED_INLINE int any(int p) const { return __any_sync(lanes, p); }
    EMULATED_INLINE int all(int p) const { return __all_sync(lanes, p); }
};
EMULATED_INLINE coalesced_group coalesced_threads() { return {__activemask()}; }

EMULATED_INLINE void sync(const thread_block&, unsigned line = __builtin_LINE()) { __syncthreads(line); }
template <class Group>
EMULATED_INLINE void sync(const Group& group) { group.sync(); }

template <class T = void>
struct plus {
    EMULATED_INLINE T operator()(T a, T b) const { return a + b; }
};
template <class T = void>
struct less {
    EMULATED_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void>
struct greater {
    EMULATED_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};
template <unsigned N, class P, class T, class F>
EMULATED_INLINE T reduce(const thread_block_tile<N, P>& tile, T value, F f) {
    for (unsigned d = N / 2; d; d /= 2) value = f(value, tile.shfl_xor(value, d));
    return value;
}
}  // namespace cooperative_groups
