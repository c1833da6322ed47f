// Cascade of box features: the table of 32 x 16 windows waits in shared memory beside the features.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWindow = 24;
constexpr int kPerStage = 8;
constexpr int kVotes = 5;
constexpr int kThreads = 128;
constexpr int kStrip = 32;
constexpr int kAcross = 32, kDown = 16;  // windows of a block
constexpr int kPitch = kAcross + kWindow, kRows = kDown + kWindow;

__global__ void sum_rows(int height, int width, const uint8_t* pixel, uint32_t* table) {
    const int y = (blockIdx.x * kThreads + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (y >= height) return;
    uint32_t* row = table + (size_t)(y + 1) * (width + 1);
    uint32_t sum = 0;
    if (lane == 0) row[0] = 0;
    for (int first = 0; first < width; first += 32) {
        const int x = first + lane;
        uint32_t value = x < width ? pixel[(size_t)y * width + x] : 0;
        for (int step = 1; step < 32; step *= 2) {
            const uint32_t before = __shfl_up_sync(~0u, value, step);
            if (lane >= step) value += before;
        }
        value += sum;
        if (x < width) row[x + 1] = value;
        sum = __shfl_sync(~0u, value, 31);
    }
}

// total[s][x]: what the rows of strip s add to column x.
__global__ void sum_strips(int height, int width, const uint32_t* table, uint32_t* total) {
    const int x = blockIdx.x * kThreads + threadIdx.x, top = blockIdx.y * kStrip;
    if (x > width) return;
    uint32_t sum = 0;
    for (int y = top + 1; y <= min(top + kStrip, height); ++y) sum += table[(size_t)y * (width + 1) + x];
    total[(size_t)blockIdx.y * (width + 1) + x] = sum;
}

__global__ void sum_columns(int height, int width, const uint32_t* total, uint32_t* table) {
    const int x = blockIdx.x * kThreads + threadIdx.x, top = blockIdx.y * kStrip;
    if (x > width) return;
    uint32_t sum = 0;
    for (int s = 0; s < (int)blockIdx.y; ++s) sum += total[(size_t)s * (width + 1) + x];
    if (top == 0) table[x] = 0;
    for (int y = top + 1; y <= min(top + kStrip, height); ++y) {
        table[(size_t)y * (width + 1) + x] = sum += table[(size_t)y * (width + 1) + x];
    }
}

// Where the six corners of a feature lie, from the window's first entry: the corner, one box on, two boxes on, one box down.
struct Feature {
    int corner, across, down, threshold;
};

__device__ bool votes_for(const Feature& f, const uint32_t* window) {
    const uint32_t* above = window + f.corner;
    const uint32_t* below = above + f.down;
    const uint32_t left = below[f.across] - below[0] - above[f.across] + above[0];
    const uint32_t right = below[2 * f.across] - below[f.across] - above[2 * f.across] + above[f.across];
    return (int32_t)(left - right) > f.threshold;
}

__device__ void decode(int features, int pitch, const uint8_t* box, const int32_t* threshold, Feature* feature) {
    for (int f = threadIdx.x; f < features; f += kThreads) {
        const uint8_t* shape = box + 4 * f;
        feature[f] = {shape[1] * pitch + shape[0], 1 + shape[2] % 6, (1 + shape[3] % 12) * pitch, threshold[f]};
    }
    __syncthreads();
}

__global__ void classify(int height, int width, int stages, const uint32_t* table, const uint8_t* box, const int32_t* threshold,
                         uint8_t* stages_passed) {
    __shared__ uint32_t tile[kRows * kPitch];
    extern __shared__ Feature feature[];
    const int left = blockIdx.x * kAcross, top = blockIdx.y * kDown;
    for (int i = threadIdx.x; i < kRows * kPitch; i += kThreads) {
        const int y = min(top + i / kPitch, height), x = min(left + i % kPitch, width);
        tile[i] = table[(size_t)y * (width + 1) + x];
    }
    decode(kPerStage * stages, kPitch, box, threshold, feature);
    for (int i = threadIdx.x; i < kAcross * kDown; i += kThreads) {
        const int y = i / kAcross, x = i % kAcross;
        if (top + y + kWindow > height || left + x + kWindow > width) continue;
        const uint32_t* window = tile + y * kPitch + x;
        int passed = 0;
        while (passed < stages) {
            int votes = 0;
            for (int f = kPerStage * passed; f < kPerStage * (passed + 1); ++f) votes += votes_for(feature[f], window);
            if (votes < kVotes) break;
            ++passed;
        }
        stages_passed[(size_t)(top + y) * (width - kWindow + 1) + left + x] = passed;
    }
}

extern "C" void cascade_windows(int height, int width, int stages, const uint8_t* pixel, const uint8_t* box, const int32_t* threshold,
                                uint8_t* stages_passed) {
    uint32_t* table = nullptr;
    cudaMalloc(&table, (size_t)(height + 1) * (width + 1) * sizeof(uint32_t));
    sum_rows<<<(height - 1) / (kThreads / 32) + 1, kThreads>>>(height, width, pixel, table);
    const dim3 strips(width / kThreads + 1, (height - 1) / kStrip + 1);
    uint32_t* total = nullptr;
    cudaMalloc(&total, (size_t)strips.y * (width + 1) * sizeof(uint32_t));
    sum_strips<<<strips, kThreads>>>(height, width, table, total);
    sum_columns<<<strips, kThreads>>>(height, width, total, table);
    const dim3 blocks((width - kWindow) / kAcross + 1, (height - kWindow) / kDown + 1);
    const size_t shared = kPerStage * stages * sizeof(Feature);
    classify<<<blocks, kThreads, shared>>>(height, width, stages, table, box, threshold, stages_passed);
    cudaFree(total);
    cudaFree(table);
}
