// Sessions: one user a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void cut(int users, int n, uint32_t limit, const uint32_t* time, const uint16_t* amount, int32_t* session, int32_t* spent,
                    int32_t* sessions) {
    const int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= users) return;
    const long long row = (long long)u * n;
    int now = 0, sum = amount[row];
    session[row] = 0;
    for (int i = 1; i < n; ++i) {
        if (time[row + i] - time[row + i - 1] > limit) {
            spent[row + now++] = sum;
            sum = 0;
        }
        sum += amount[row + i];
        session[row + i] = now;
    }
    spent[row + now] = sum;
    sessions[u] = now + 1;
    for (int s = now + 1; s < n; ++s) spent[row + s] = 0;
}

extern "C" void click_sessions(int users, int n, uint32_t limit, const uint32_t* time, const uint16_t* amount, int32_t* session,
                               int32_t* spent, int32_t* sessions) {
    cut<<<(users - 1) / 32 + 1, 32>>>(users, n, limit, time, amount, session, spent, sessions);
}
