// Tails of portfolio losses: one thread a loss, then one thread a portfolio.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void revalue(int portfolios, int scenarios, int instruments, const int16_t* holding, const int16_t* move, int32_t* loss) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y;
    if (s >= scenarios) return;
    const int16_t *held = holding + (long long)p * instruments, *moved = move + (long long)s * instruments;
    int value = 0;
    for (int i = 0; i < instruments; ++i) value += held[i] * moved[i];
    loss[(long long)p * scenarios + s] = -value;
}

// The largest number that at least `worst` losses reach, found bit by bit from above; 2^31 is added to make numbers unsigned.
__global__ void tail(int portfolios, int scenarios, int worst, const int32_t* loss, int32_t* at_risk, int64_t* shortfall) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= portfolios) return;
    const int32_t* mine = loss + (long long)p * scenarios;
    unsigned found = 0;
    for (int bit = 31; bit >= 0; --bit) {
        const unsigned tried = found | 1u << bit;
        int reach = 0;
        for (int s = 0; s < scenarios; ++s) reach += ((unsigned)mine[s] ^ 0x80000000u) >= tried;
        if (reach >= worst) found = tried;
    }
    const int32_t value = (int32_t)(found ^ 0x80000000u);
    int64_t sum = 0;
    int above = 0;
    for (int s = 0; s < scenarios; ++s) {
        if (mine[s] <= value) continue;
        sum += mine[s];
        ++above;
    }
    at_risk[p] = value;
    shortfall[p] = sum + (int64_t)(worst - above) * value;
}

extern "C" void portfolio_tail(int portfolios, int scenarios, int instruments, int worst, const int16_t* holding, const int16_t* move,
                               int32_t* at_risk, int64_t* shortfall) {
    int32_t* loss = nullptr;
    cudaMalloc(&loss, sizeof(int32_t) * portfolios * scenarios);
    revalue<<<dim3((scenarios - 1) / 128 + 1, portfolios), 128>>>(portfolios, scenarios, instruments, holding, move, loss);
    tail<<<(portfolios - 1) / 64 + 1, 64>>>(portfolios, scenarios, worst, loss, at_risk, shortfall);
    cudaFree(loss);
}
