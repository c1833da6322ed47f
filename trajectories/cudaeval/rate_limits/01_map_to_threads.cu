// Rate limits: one client a thread, which looks through all requests.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void limit(int requests, int clients, int burst, int refill, const int32_t* gap, const int32_t* client, uint8_t* pass, int32_t* spared) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= clients) return;
    bool seen = false;
    long long now = 0, since = 0;
    int tokens = burst;
    for (int i = 0; i < requests; ++i) {
        now += gap[i];
        if (client[i] != c) continue;
        if (!seen) since = now;
        seen = true;
        const long long gained = (now - since) / refill;
        since += gained * refill;
        tokens = (int)min((long long)burst, tokens + gained);
        pass[i] = tokens > 0;
        if (tokens > 0) --tokens;
    }
    spared[c] = tokens;
}

extern "C" void rate_limits(int requests, int clients, int burst, int refill, const int32_t* gap, const int32_t* client, uint8_t* pass,
                            int32_t* spared) {
    limit<<<(clients + 127) / 128, 128>>>(requests, clients, burst, refill, gap, client, pass, spared);
}
