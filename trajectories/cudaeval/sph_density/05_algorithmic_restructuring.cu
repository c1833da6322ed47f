// Particle densities: shared particles stand without gaps, so that three cells in a row are one run: nine runs, not 27 cells.
#include <cuda_runtime.h>

struct Particle {
    float x, y, z, mass;
};

constexpr int kSlots = 16;
constexpr int kCells = 8;  // of a block, side by side
constexpr int kAcross = kCells + 2, kShared = 9 * kAcross;
constexpr int kThreads = kCells * kSlots;

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

// A block's cells are (blockIdx.z, blockIdx.y, kCells * blockIdx.x ...); shared cells begin one before them in each direction.
template <bool kAligned>
__global__ void add_up(int gz, int gy, int gx, const int* count, const Particle* particle, float* density) {
    __shared__ float4 near[kShared * kSlots];
    __shared__ int begin[kShared + 1], listed;
    __shared__ short list[kThreads];
    if (threadIdx.x == 0) listed = 0;
    const int left = blockIdx.x * kCells, y = blockIdx.y, z = blockIdx.z;
    for (int c = threadIdx.x; c < kShared; c += kThreads) {
        const int from_z = z + c / (3 * kAcross) - 1, from_y = y + c / kAcross % 3 - 1, from_x = left + c % kAcross - 1;
        const bool inside = from_z >= 0 && from_z < gz && from_y >= 0 && from_y < gy && from_x >= 0 && from_x < gx;
        begin[c + 1] = inside ? count[(from_z * gy + from_y) * gx + from_x] : 0;
    }
    __syncthreads();
    if (threadIdx.x < 32) add_up_counts(begin);
    __syncthreads();
    for (int i = threadIdx.x; i < kShared * kSlots; i += kThreads) {
        const int c = i / kSlots, dz = c / (3 * kAcross) - 1, dy = c / kAcross % 3 - 1, dx = c % kAcross - 1, at = begin[c] + i % kSlots;
        if (at >= begin[c + 1]) continue;
        const float4 p = load<kAligned>(particle + ((z + dz) * gy + y + dy) * gx * kSlots + (left + dx) * kSlots + i % kSlots);
        near[at] = make_float4(p.x + dx, p.y + dy, p.z + dz, p.w);
    }
    const int cell = threadIdx.x / kSlots, first = ((z * gy + y) * gx + left) * kSlots;
    if ((int)threadIdx.x % kSlots < begin[4 * kAcross + 2 + cell] - begin[4 * kAcross + 1 + cell])
        list[atomicAdd(&listed, 1)] = threadIdx.x;
    else if (left + cell < gx)
        density[first + threadIdx.x] = 0.0f;
    __syncthreads();
    if ((int)threadIdx.x < listed) {
        const int slot = list[threadIdx.x], mine = slot / kSlots;
        const float4 own = near[begin[4 * kAcross + 1 + mine] + slot % kSlots];
        float sum = 0.0f;
        for (int row = 0; row < 9; ++row) {
            const int end = begin[row * kAcross + mine + 3];
            for (int k = begin[row * kAcross + mine]; k < end; ++k) {
                const float4 p = near[k];
                const float rx = p.x - own.x, ry = p.y - own.y, rz = p.z - own.z, w = 1.0f - (rx * rx + ry * ry + rz * rz);
                if (w > 0.0f) sum += p.w * w * w * w;
            }
        }
        density[first + slot] = sum;
    }
}

extern "C" void sph_density(int gz, int gy, int gx, const int* count, const Particle* particle, float* density) {
    const dim3 blocks((gx - 1) / kCells + 1, gy, gz);
    if ((size_t)particle % sizeof(float4) == 0)
        add_up<true><<<blocks, kThreads>>>(gz, gy, gx, count, particle, density);
    else
        add_up<false><<<blocks, kThreads>>>(gz, gy, gx, count, particle, density);
}
