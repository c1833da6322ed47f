// Checkerboard Metropolis updates with a counter-based random number for each site and sweep.
#include <cstddef>
#include <cstdint>

static uint32_t random_bits(uint32_t seed, uint32_t site, uint32_t sweep) {
    uint32_t v = seed + 2654435769u * site + 2246822507u * sweep;
    v = (v ^ v >> 16) * 2146121005u;
    v = (v ^ v >> 15) * 2221713035u;
    return v ^ v >> 16;
}

void ising_checkerboard(int height, int width, int sweeps, uint32_t seed, const uint32_t* accept, int8_t* spins,
                        int* magnetisation) {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (int colour = 0; colour < 2; ++colour)
            for (int y = 0; y < height; ++y) {
                const int8_t* above = spins + (size_t)((y + height - 1) % height) * width;
                const int8_t* below = spins + (size_t)((y + 1) % height) * width;
                int8_t* row = spins + (size_t)y * width;
                for (int x = (y + colour) % 2; x < width; x += 2) {
                    int left = x == 0 ? width - 1 : x - 1, right = x == width - 1 ? 0 : x + 1;
                    int alignment = row[x] * (above[x] + below[x] + row[left] + row[right]);
                    if (random_bits(seed, (uint32_t)(y * width + x), (uint32_t)sweep) < accept[(alignment + 4) / 2])
                        row[x] = (int8_t)-row[x];
                }
            }
        int total = 0;
        for (size_t i = 0; i < (size_t)height * width; ++i) total += spins[i];
        magnetisation[sweep] = total;
    }
}
