// Ward schedule: who waits is a bit in a mask of each priority, so that the next one is a find-first-set.
#include <cuda_runtime.h>

#include <cstdint>



// Bits of the patients that wait, by priority; only priorities that occur have words that are not zero.
struct Room {
    unsigned word[5][4];
};

__global__ void run(int wards, int patients, const int32_t* gap, const int32_t* care, const uint8_t* priority, int32_t* seen, int32_t* left) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= wards) return;
    const size_t at = (size_t)w * patients;
    gap += at;
    care += at;
    priority += at;
    seen += at;
    Room room = {};
    int now = 0, next = 0, arrival = gap[0], waiting = 0;
    for (int done = 0; done < patients; ++done) {
        if (waiting == 0 && now < arrival) now = arrival;
        while (next < patients && arrival <= now) {
            ++waiting;
            room.word[priority[next]][next / 32] |= 1u << (next % 32);
            if (++next < patients) arrival += gap[next];
        }
        int who = -1;
        for (int level = 4; level >= 0 && who < 0; --level) {
            for (int k = 0; k < 4 && who < 0; ++k) {
                const unsigned bits = room.word[level][k];
                if (bits) {
                    who = 32 * k + __ffs(bits) - 1;
                    room.word[level][k] = bits & (bits - 1);
                }
            }
        }
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
