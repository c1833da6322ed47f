// Particle densities: a block has two rows of 8 cells, which share two thirds of the cells around them.
#include <cuda_runtime.h>

struct Particle {
    float x, y, z, mass;
};

constexpr int kSlots = 16;
constexpr int kCells = 8;  // of a row
constexpr int kRows = 2;  // of a block
constexpr int kAcross = kCells + 2, kDown = kRows + 2, kShared = 3 * kDown * kAcross;
constexpr int kThreads = 128;

// The mass is the fourth component.
template <bool kAligned>
__device__ float4 load(const Particle* p) {
    if constexpr (kAligned) return __ldg((const float4*)p);
    return make_float4(p->x, p->y, p->z, p->mass);
}

// Turns counts at begin[1 ...] into ends; done by one warp.
__device__ void add_up_counts(int* begin) {
    const int lane = threadIdx.x;
    int sum = 0;
    for (int first = 0; first < kShared; first += 32) {
        int value = first + lane < kShared ? begin[first + lane + 1] : 0;
        for (int step = 1; step < 32; step *= 2) {
            const int before = __shfl_up_sync(~0u, value, step);
            if (lane >= step) value += before;
        }
        if (first + lane < kShared) begin[first + lane + 1] = sum + value;
        sum += __shfl_sync(~0u, value, 31);
    }
    if (lane == 0) begin[0] = 0;
}

// A block's cells are (blockIdx.z, kRows * blockIdx.y ..., kCells * blockIdx.x ...); shared cells begin one before them in each direction.
template <bool kAligned>
__global__ void add_up(int gz, int gy, int gx, const int* count, const Particle* particle, float* density) {
    __shared__ float4 near[kShared * kSlots];
    __shared__ int begin[kShared + 1], listed;
    __shared__ short list[kRows * kCells * kSlots];
    if (threadIdx.x == 0) listed = 0;
    const int left = blockIdx.x * kCells, y = blockIdx.y * kRows, z = blockIdx.z;
    for (int c = threadIdx.x; c < kShared; c += kThreads) {
        const int from_z = z + c / (kDown * kAcross) - 1, from_y = y + c / kAcross % kDown - 1, from_x = left + c % kAcross - 1;
        const bool inside = from_z >= 0 && from_z < gz && from_y >= 0 && from_y < gy && from_x >= 0 && from_x < gx;
        begin[c + 1] = inside ? count[(from_z * gy + from_y) * gx + from_x] : 0;
    }
    __syncthreads();
    if (threadIdx.x < 32) add_up_counts(begin);
    __syncthreads();
    for (int i = threadIdx.x; i < kShared * kSlots; i += kThreads) {
        const int c = i / kSlots, at = begin[c] + i % kSlots;
        const int dz = c / (kDown * kAcross) - 1, dy = c / kAcross % kDown - 1, dx = c % kAcross - 1;
        if (at >= begin[c + 1]) continue;
        const float4 p = load<kAligned>(particle + ((z + dz) * gy + y + dy) * gx * kSlots + (left + dx) * kSlots + i % kSlots);
        near[at] = make_float4(p.x + dx, p.y + dy, p.z + dz, p.w);
    }
    for (int i = threadIdx.x; i < kRows * kCells * kSlots; i += kThreads) {
        const int row = i / (kCells * kSlots), column = i / kSlots % kCells, c = (kDown + 1 + row) * kAcross + 1 + column;
        if (i % kSlots < begin[c + 1] - begin[c])
            list[atomicAdd(&listed, 1)] = i;
        else if (left + column < gx && y + row < gy)
            density[(((z * gy + y + row) * gx) + left) * kSlots + i % (kCells * kSlots)] = 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < listed; i += kThreads) {
        const int slot = list[i], down = slot / (kCells * kSlots), mine = slot / kSlots % kCells;
        const float4 own = near[begin[(kDown + 1 + down) * kAcross + 1 + mine] + slot % kSlots];
        float sum = 0.0f;
        for (int n = 0; n < 9; ++n) {
            const int* run = begin + (n / 3 * kDown + down + n % 3) * kAcross + mine;
            const int end = run[3];
            for (int k = run[0]; k < end; ++k) {
                const float4 p = near[k];
                const float rx = p.x - own.x, ry = p.y - own.y, rz = p.z - own.z, w = 1.0f - (rx * rx + ry * ry + rz * rz);
                if (w > 0.0f) sum += p.w * w * w * w;
            }
        }
        density[(((z * gy + y + down) * gx) + left) * kSlots + slot % (kCells * kSlots)] = sum;
    }
}

extern "C" void sph_density(int gz, int gy, int gx, const int* count, const Particle* particle, float* density) {
    const dim3 blocks((gx - 1) / kCells + 1, (gy - 1) / kRows + 1, gz);
    if ((size_t)particle % sizeof(float4) == 0)
        add_up<true><<<blocks, kThreads>>>(gz, gy, gx, count, particle, density);
    else
        add_up<false><<<blocks, kThreads>>>(gz, gy, gx, count, particle, density);
}
