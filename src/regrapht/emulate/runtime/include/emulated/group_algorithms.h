// Reductions, scans and copies by cooperative groups.
#pragma once
#include "everything.h"

namespace emulated_groups_operators {
#define EMULATED_OPERATOR(NAME, EXPRESSION)                                      \
    template <class T = void>                                                    \
    struct NAME {                                                                \
        EMULATED_INLINE T operator()(T a, T b) const { return EXPRESSION; }      \
    };                                                                           \
    template <>                                                                  \
    struct NAME<void> {                                                          \
        template <class T>                                                       \
        EMULATED_INLINE T operator()(T a, T b) const { return EXPRESSION; }      \
    };
EMULATED_OPERATOR(plus, a + b)
EMULATED_OPERATOR(less, b < a ? b : a)
EMULATED_OPERATOR(greater, a < b ? b : a)
EMULATED_OPERATOR(bit_and, a& b)
EMULATED_OPERATOR(bit_or, a | b)
EMULATED_OPERATOR(bit_xor, a ^ b)
#undef EMULATED_OPERATOR
}  // namespace emulated_groups_operators

namespace emulated_groups_reduce {
template <unsigned N, class P, class T, class F>
EMULATED_INLINE T reduce(const emulated_groups::thread_block_tile<N, P>& tile, T value, F f) {
    for (unsigned d = N / 2; d; d /= 2) value = f(value, tile.shfl_xor(value, d));
    return value;
}
template <class T, class F>
EMULATED_INLINE T reduce(const emulated_groups::coalesced_group& group, T value, F f) {
    T result = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); rank++) result = f(result, group.shfl(value, (int)rank));
    return result;
}
}  // namespace emulated_groups_reduce

namespace emulated_groups_scan {
template <class Group, class T, class F = emulated_groups_operators::plus<T>>
EMULATED_INLINE T inclusive_scan(const Group& group, T value, F f = F()) {
    for (unsigned d = 1; d < group.size(); d *= 2) {
        const T before = group.shfl_up(value, d);
        if (group.thread_rank() >= d) value = f(before, value);
    }
    return value;
}
template <class Group, class T, class F = emulated_groups_operators::plus<T>>
EMULATED_INLINE T exclusive_scan(const Group& group, T value, F f = F()) {
    const T before = group.shfl_up(inclusive_scan(group, value, f), 1);
    return group.thread_rank() == 0 ? T{} : before;
}
}  // namespace emulated_groups_scan

namespace emulated_groups_copy {
// Elements, dealt out to the threads of a group. What the threads asked for is theirs to wait for.
template <class Group, class T>
EMULATED_INLINE void copy_elements(const Group& group, T* to, const T* from, size_t count) {
    for (size_t i = group.thread_rank(); i < count; i += group.size()) emulated::async_copy_object(to + i, from + i);
}
template <class Group, class T, class U>
EMULATED_INLINE void copy_bytes(const Group& group, T* to, const U* from, size_t bytes) {
    using Unit = std::conditional_t<std::is_void_v<T>, char, T>;
    static_assert(std::is_void_v<T> || sizeof(Unit) == sizeof(std::conditional_t<std::is_void_v<U>, char, U>), "copies keep the type");
    if (sizeof(Unit) < 4 && (((size_t)to | (size_t)from | bytes) & 3) == 0)  // both ends and the count allow words
        return copy_elements(group, (unsigned*)to, (const unsigned*)from, bytes / 4);
    copy_elements(group, (Unit*)to, (const Unit*)from, bytes / sizeof(Unit));
}
template <class Group, class T, class U, class Bytes>
EMULATED_INLINE void memcpy_async(const Group& group, T* to, const U* from, const Bytes& bytes) {
    copy_bytes(group, to, from, (size_t)bytes);
    emulated_async_commit();
}
template <class Group, class T, class ToShape, class FromShape>
EMULATED_INLINE void memcpy_async(const Group& group, T* to, const ToShape& room, const T* from, const FromShape& count) {
    copy_elements(group, to, from, (size_t)room < (size_t)count ? (size_t)room : (size_t)count);
    emulated_async_commit();
}
template <class Group>
EMULATED_INLINE void wait(const Group& group, unsigned line = __builtin_LINE()) {
    emulated_async_wait(0);
    group.sync(line);
}
template <unsigned Groups, class Group>
EMULATED_INLINE void wait_prior(const Group& group, unsigned line = __builtin_LINE()) {
    emulated_async_wait(Groups);
    group.sync(line);
}
}  // namespace emulated_groups_copy
