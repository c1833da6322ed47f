// Sessions: threads, then lanes in the same session, add their amounts up before they touch shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// The sum over this thread and those before it in the block; `all` gets that over all threads.
__device__ int running_sum(int value, int* all) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int lower = __shfl_up_sync(0xffffffffu, value, reach);
        if (lane >= reach) value += lower;
    }
    if (lane == 31) part[warp] = value;
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w == warp) value += sum;
        sum += part[w];
    }
    *all = sum;
    return value;
}

// Four neighbouring clicks: which of them begin a session, and what they spent.
struct Four {
    bool begins[4];
    int amount[4];

    __device__ int begun() const { return begins[0] + begins[1] + begins[2] + begins[3]; }
};

template <bool kWide>
__device__ Four load(int i, int n, uint32_t limit, const uint32_t* time, const uint16_t* amount) {
    Four four = {};
    if (i >= n) return four;
    uint32_t t[5] = {time[i > 0 ? i - 1 : 0]};
    if constexpr (kWide) {
        const uint4 at = *(const uint4*)(time + i);
        const ushort4 sum = *(const ushort4*)(amount + i);
        t[1] = at.x, t[2] = at.y, t[3] = at.z, t[4] = at.w;
        four.amount[0] = sum.x, four.amount[1] = sum.y, four.amount[2] = sum.z, four.amount[3] = sum.w;
    } else {
        for (int k = 0; k < 4; ++k) t[k + 1] = i + k < n ? time[i + k] : t[k];
        for (int k = 0; k < 4; ++k) four.amount[k] = i + k < n ? amount[i + k] : 0;
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) four.begins[k] = t[k + 1] - t[k] > limit;
    return four;
}

// Writes four neighbouring numbers.
template <bool kWide>
__device__ void store(int i, int n, int4 value, int32_t* to) {
    if constexpr (kWide) {
        if (i < n) *(int4*)(to + i) = value;
    } else {
        if (i < n) to[i] = value.x;
        if (i + 1 < n) to[i + 1] = value.y;
        if (i + 2 < n) to[i + 2] = value.z;
        if (i + 3 < n) to[i + 3] = value.w;
    }
}

constexpr int kClicks = 4 * kThreads;

// A block a user, 1024 clicks at a time. What they spent is gathered in shared memory; the last session goes on with the next clicks.
template <bool kWide>
__global__ void cut(int n, uint32_t limit, const uint32_t* time, const uint16_t* amount, int32_t* session, int32_t* spent,
                    int32_t* sessions) {
    __shared__ int sum[kClicks + 1];  // of the session that was open before, and of those begun
    const long long row = (long long)blockIdx.x * n;
    time += row;
    amount += row;
    session += row;
    spent += row;
    for (int s = threadIdx.x; s <= kClicks; s += kThreads) sum[s] = 0;
    __syncthreads();
    int now = 0, begun;  // sessions before these clicks, but for the first; and begun by them
    for (int first = 0; first < n; first += kClicks, now += begun) {
        const int i = first + 4 * threadIdx.x;
        const Four four = load<kWide>(i, n, limit, time, amount);
        int number[4];
        int at = running_sum(four.begun(), &begun) - four.begun();
        int mine = 0;  // what this thread adds to the session that it is in
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (four.begins[k]) {
                if (mine > 0) atomicAdd(sum + at, mine);
                ++at;
                mine = 0;
            }
            mine += four.amount[k];
            number[k] = at;
        }
        const unsigned together = __match_any_sync(0xffffffffu, at);  // lanes that end in the same session
        mine = __reduce_add_sync(together, mine);
        if (__ffs((int)together) - 1 == (int)threadIdx.x % 32) atomicAdd(sum + at, mine);
        store<kWide>(i, n, {now + number[0], now + number[1], now + number[2], now + number[3]}, session);
        __syncthreads();
        const int open = sum[begun];
        __syncthreads();
        for (int s = threadIdx.x; s <= begun; s += kThreads) {
            if (s < begun) spent[now + s] = sum[s];
            sum[s] = s == 0 ? open : 0;
        }
        __syncthreads();
    }
    for (int s = now + threadIdx.x; s < n; s += kThreads) spent[s] = s == now ? sum[0] : 0;
    if (threadIdx.x == 0) sessions[blockIdx.x] = now + 1;
}

extern "C" void click_sessions(int users, int n, uint32_t limit, const uint32_t* time, const uint16_t* amount, int32_t* session,
                               int32_t* spent, int32_t* sessions) {
    const uintptr_t any = (uintptr_t)time | (uintptr_t)amount | (uintptr_t)session | (uintptr_t)spent;
    (n % 4 == 0 && any % 16 == 0 ? cut<true> : cut<false>)<<<users, kThreads>>>(n, limit, time, amount, session, spent, sessions);
}
