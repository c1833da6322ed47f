// Sessions: one user a block, whose threads find gaps and add amounts up.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// A block a user; its first thread numbers the sessions.
__global__ void cut(int n, uint32_t limit, const uint32_t* time, const uint16_t* amount, int32_t* session, int32_t* spent,
                    int32_t* sessions) {
    const long long row = (long long)blockIdx.x * n;
    time += row;
    amount += row;
    session += row;
    spent += row;
    for (int i = threadIdx.x; i < n; i += kThreads) {
        session[i] = i > 0 && time[i] - time[i - 1] > limit;
        spent[i] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int now = 0;
        for (int i = 0; i < n; ++i) session[i] = now += session[i];
        sessions[blockIdx.x] = now + 1;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) atomicAdd(spent + session[i], amount[i]);
}

extern "C" void click_sessions(int users, int n, uint32_t limit, const uint32_t* time, const uint16_t* amount, int32_t* session,
                               int32_t* spent, int32_t* sessions) {
    cut<<<users, kThreads>>>(n, limit, time, amount, session, spent, sessions);
}
