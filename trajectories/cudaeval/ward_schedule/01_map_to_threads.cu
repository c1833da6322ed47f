// Ward schedule: one ward a thread; who waits is searched for among all who came.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void run(int wards, int patients, const int32_t* gap, const int32_t* care, const uint8_t* priority, int32_t* seen, int32_t* left) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= wards) return;
    const size_t at = (size_t)w * patients;
    gap += at;
    care += at;
    priority += at;
    seen += at;
    for (int p = 0; p < patients; ++p) seen[p] = -1;
    int now = 0, next = 0, arrival = gap[0], waiting = 0;
    for (int done = 0; done < patients; ++done) {
        if (waiting == 0 && now < arrival) now = arrival;
        while (next < patients && arrival <= now) {
            ++waiting;
            if (++next < patients) arrival += gap[next];
        }
        int who = -1;
        for (int p = 0; p < next; ++p)
            if (seen[p] < 0 && (who < 0 || priority[p] > priority[who])) who = p;
        seen[who] = now;
        now += care[who];
        --waiting;
    }
    left[w] = now;
}

extern "C" void ward_schedule(int wards, int patients, const int32_t* gap, const int32_t* care, const uint8_t* priority, int32_t* seen,
                              int32_t* left) {
    run<<<(wards + 127) / 128, 128>>>(wards, patients, gap, care, priority, seen, left);
}
