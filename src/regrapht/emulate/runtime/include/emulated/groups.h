// Cooperative groups: block, grid, tiles up to a warp, coalesced threads. Visible to candidates that include cooperative_groups.h;
// reductions, scans and copies by groups are in group_algorithms.h.
#pragma once

namespace emulated_groups {
namespace detail {
EMULATED_INLINE unsigned rank_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
EMULATED_INLINE unsigned threads_in_block() { return blockDim.x * blockDim.y * blockDim.z; }
EMULATED_INLINE unsigned below(unsigned lane) { return (1u << lane) - 1; }

// A shuffle of a value of any size, in pieces that one shuffle can move.
template <class T, class Shuffle>
EMULATED_INLINE T in_pieces(const T& value, Shuffle shuffle) {
    if constexpr (sizeof(T) <= 8) {
        return shuffle(value);
    } else {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0, "unsupported: shuffle of this type");
        unsigned pieces[sizeof(T) / 4];
        __builtin_memcpy(pieces, &value, sizeof(T));
        for (unsigned& piece : pieces) piece = shuffle(piece);
        T result;
        __builtin_memcpy(&result, pieces, sizeof(T));
        return result;
    }
}
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

struct single_thread {
    static EMULATED_INLINE void sync(unsigned = 0) {}
    static EMULATED_INLINE unsigned thread_rank() { return 0; }
    static EMULATED_INLINE unsigned size() { return 1; }
    static EMULATED_INLINE unsigned num_threads() { return 1; }
};
EMULATED_INLINE single_thread this_thread() { return {}; }

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
    EMULATED_INLINE dim3 dim_blocks() const { return dim3(gridDim); }
    EMULATED_INLINE dim3 block_index() const { return dim3(blockIdx); }
};
EMULATED_INLINE grid_group this_grid() { return {}; }

// Some lanes of a warp, ranked by lane.
struct coalesced_group {
    unsigned lanes;
    EMULATED_INLINE unsigned mask() const { return lanes; }
    EMULATED_INLINE unsigned thread_rank() const { return __popc(lanes & detail::below(emulated_lane())); }
    EMULATED_INLINE unsigned size() const { return __popc(lanes); }
    EMULATED_INLINE unsigned num_threads() const { return size(); }
    EMULATED_INLINE unsigned meta_group_rank() const { return 0; }
    EMULATED_INLINE unsigned meta_group_size() const { return 1; }
    EMULATED_INLINE void sync(unsigned = 0) const { __syncwarp(lanes); }
    // The lane of the thread with that rank; the caller's own where there is none.
    EMULATED_INLINE int lane_of(int rank) const {
        const unsigned lane = rank < 0 ? ~0u : __fns(lanes, 0, rank + 1);
        return lane == ~0u ? (int)emulated_lane() : (int)lane;
    }
    template <class T>
    EMULATED_INLINE T from_lane(T v, int lane) const {
        return detail::in_pieces(v, [&](auto piece) { return __shfl_sync(lanes, piece, lane); });
    }
    template <class T>
    EMULATED_INLINE T shfl(T v, int source) const { return from_lane(v, lane_of(source)); }
    template <class T>
    EMULATED_INLINE T shfl_down(T v, unsigned d) const { return from_lane(v, lane_of((int)(thread_rank() + d))); }
    template <class T>
    EMULATED_INLINE T shfl_up(T v, unsigned d) const { return from_lane(v, lane_of((int)thread_rank() - (int)d)); }
    EMULATED_INLINE int any(int p) const { return __any_sync(lanes, p); }
    EMULATED_INLINE int all(int p) const { return __all_sync(lanes, p); }
    EMULATED_INLINE unsigned ballot(int p) const { return ranks(__ballot_sync(lanes, p)); }
    template <class T>
    EMULATED_INLINE unsigned match_any(T v) const { return ranks(__match_any_sync(lanes, v)); }
    template <class T>
    EMULATED_INLINE unsigned match_all(T v, int& all) const { return ranks(__match_all_sync(lanes, v, &all)); }

  private:
    EMULATED_INLINE unsigned ranks(unsigned some_lanes) const {
        unsigned result = 0, rank = 0;
        for (unsigned lane = 0; lane < 32; lane++)
            if (lanes >> lane & 1) result |= (some_lanes >> lane & 1) << rank++;
        return result;
    }
};
EMULATED_INLINE coalesced_group coalesced_threads() { return {__activemask()}; }

template <unsigned N, class Parent = void>
class thread_block_tile {
    static_assert(N <= 32 && (N & (N - 1)) == 0, "unsupported: tile larger than a warp");
    unsigned meta_rank, meta_size;

  public:
    EMULATED_INLINE thread_block_tile(unsigned rank, unsigned size) : meta_rank(rank), meta_size(size) {}
    template <class Other>
    EMULATED_INLINE thread_block_tile(const thread_block_tile<N, Other>& other)
        : meta_rank(other.meta_group_rank()), meta_size(other.meta_group_size()) {}
    EMULATED_INLINE unsigned first_lane() const { return emulated_lane() / N * N; }
    EMULATED_INLINE unsigned mask() const { return N == 32 ? 0xffffffffu : ((1u << (N & 31)) - 1) << first_lane(); }
    EMULATED_INLINE unsigned thread_rank() const { return emulated_lane() % N; }
    static constexpr unsigned size() { return N; }
    static constexpr unsigned num_threads() { return N; }
    EMULATED_INLINE unsigned meta_group_rank() const { return meta_rank; }
    EMULATED_INLINE unsigned meta_group_size() const { return meta_size; }
    EMULATED_INLINE void sync(unsigned = 0) const { __syncwarp(mask()); }
    template <class T>
    EMULATED_INLINE T shfl(T v, int source) const {
        return detail::in_pieces(v, [&](auto piece) { return __shfl_sync(mask(), piece, source, N); });
    }
    template <class T>
    EMULATED_INLINE T shfl_down(T v, unsigned d) const {
        return detail::in_pieces(v, [&](auto piece) { return __shfl_down_sync(mask(), piece, d, N); });
    }
    template <class T>
    EMULATED_INLINE T shfl_up(T v, unsigned d) const {
        return detail::in_pieces(v, [&](auto piece) { return __shfl_up_sync(mask(), piece, d, N); });
    }
    template <class T>
    EMULATED_INLINE T shfl_xor(T v, unsigned bits) const {
        return detail::in_pieces(v, [&](auto piece) { return __shfl_xor_sync(mask(), piece, (int)bits, N); });
    }
    EMULATED_INLINE unsigned ballot(int p) const { return (__ballot_sync(mask(), p) & mask()) >> first_lane(); }
    EMULATED_INLINE int any(int p) const { return __any_sync(mask(), p); }
    EMULATED_INLINE int all(int p) const { return __all_sync(mask(), p); }
    template <class T>
    EMULATED_INLINE unsigned match_any(T v) const { return (__match_any_sync(mask(), v) & mask()) >> first_lane(); }
    template <class T>
    EMULATED_INLINE unsigned match_all(T v, int& all) const { return (__match_all_sync(mask(), v, &all) & mask()) >> first_lane(); }
};
template <unsigned N>
EMULATED_INLINE thread_block_tile<N, thread_block> tiled_partition(const thread_block& block) {
    return {block.thread_rank() / N, (block.size() + N - 1) / N};
}
template <unsigned N, unsigned M, class P>
EMULATED_INLINE thread_block_tile<N, thread_block_tile<M, P>> tiled_partition(const thread_block_tile<M, P>& tile) {
    static_assert(N <= M, "a tile cannot be larger than the tile it is part of");
    return {tile.thread_rank() / N, M / N};
}

// Any of the above, told apart at run time.
class thread_group {
    bool whole_block;
    unsigned lanes;

  public:
    EMULATED_INLINE thread_group(thread_block) : whole_block(true), lanes(0) {}
    EMULATED_INLINE thread_group(coalesced_group group) : whole_block(false), lanes(group.lanes) {}
    template <unsigned N, class P>
    EMULATED_INLINE thread_group(thread_block_tile<N, P> tile) : whole_block(false), lanes(tile.mask()) {}
    EMULATED_INLINE void sync(unsigned line = __builtin_LINE()) const {
        if (whole_block)
            __syncthreads(line);
        else
            __syncwarp(lanes);
    }
    EMULATED_INLINE unsigned thread_rank() const {
        return whole_block ? detail::rank_in_block() : (unsigned)__popc(lanes & detail::below(emulated_lane()));
    }
    EMULATED_INLINE unsigned size() const { return whole_block ? detail::threads_in_block() : (unsigned)__popc(lanes); }
    EMULATED_INLINE unsigned num_threads() const { return size(); }
};
// The part of `group` with the caller, when its lanes are dealt out in order, `size` at a time.
EMULATED_INLINE coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
    const unsigned first = group.thread_rank() / size * size;
    unsigned part = 0, rank = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        if (group.lanes >> lane & 1) {
            if (rank >= first && rank < first + size) part |= 1u << lane;
            rank++;
        }
    return {part};
}
EMULATED_INLINE thread_group tiled_partition(const thread_block& block, unsigned size) {
    const unsigned present = block.size() - block.thread_rank() / 32 * 32;
    return thread_group(tiled_partition(coalesced_group{present >= 32 ? ~0u : detail::below(present)}, size));
}
template <unsigned N>
EMULATED_INLINE coalesced_group tiled_partition(const coalesced_group& group) { return tiled_partition(group, N); }
template <class Group, class Label>
EMULATED_INLINE coalesced_group labeled_partition(const Group& group, Label label) { return {__match_any_sync(group.mask(), label)}; }
template <class Group>
EMULATED_INLINE coalesced_group binary_partition(const Group& group, bool predicate) {
    const unsigned agreeing = __ballot_sync(group.mask(), predicate);
    return {(predicate ? agreeing : ~agreeing) & group.mask()};
}

EMULATED_INLINE void sync(const grid_group& grid) { grid.sync(); }
template <class Group>
EMULATED_INLINE void sync(const Group& group, unsigned line = __builtin_LINE()) { group.sync(line); }
template <class Group>
EMULATED_INLINE unsigned thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group>
EMULATED_INLINE unsigned group_size(const Group& group) { return group.size(); }
template <class Group, class F, class... Arguments>
EMULATED_INLINE void invoke_one(const Group& group, F&& f, Arguments&&... arguments) {
    if (group.thread_rank() == 0) f(std::forward<Arguments>(arguments)...);
}
template <class Group, class F, class... Arguments>
EMULATED_INLINE auto invoke_one_broadcast(const Group& group, F&& f, Arguments&&... arguments) {
    decltype(f(std::forward<Arguments>(arguments)...)) result{};
    if (group.thread_rank() == 0) result = f(std::forward<Arguments>(arguments)...);
    return group.shfl(result, 0);
}
}  // namespace emulated_groups
