//// forks and joins by events | affine | PASSED
__global__ void k(int from, int to, float a, const float* x, const float* y, float* z) {
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaEvent_t begun, done[3];
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventRecord(begun, 0);
    int part = (n + 2) / 3;
    for (int s = 0; s < 3; ++s) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming);
        cudaStreamWaitEvent(stream, begun, 0);
        int from = s * part, to = from + part < n ? from + part : n;
        if (from < to) k<<<(to - from + 127) / 128, 128, 0, stream>>>(from, to, a, x, y, z);
        cudaEventRecord(done[s], stream);
        cudaStreamWaitEvent(0, done[s], 0);
        cudaStreamDestroy(stream);
        cudaEventDestroy(done[s]);
    }
    cudaEventDestroy(begun);
}

//// a scan with its storage in a union | prefix | PASSED
template <int Threads>
struct Scan {
    union Storage {
        int warps[Threads / 32];
        int exchanged[Threads];
    };
    Storage& storage;
    __device__ int inclusive(int value, int& total) {
        int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        for (int by = 1; by < 32; by *= 2) {
            int before = __shfl_up_sync(~0u, value, by);
            if (lane >= by) value += before;
        }
        if (lane == 31) storage.warps[warp] = value;
        __syncthreads();
        int earlier = 0;
        total = 0;
        for (int w = 0; w < Threads / 32; ++w) {
            if (w == warp) earlier = total;
            total += storage.warps[w];
        }
        __syncthreads();
        return value + earlier;
    }
};
__global__ void k(int n, const int* x, int* y) {
    __shared__ Scan<128>::Storage storage;
    Scan<128> scan{storage};
    int carried = 0;
    for (int from = 0; from < n; from += 128) {
        int i = from + threadIdx.x, total, sum = scan.inclusive(i < n ? x[i] : 0, total);
        if (i < n) y[i] = carried + sum;
        carried += total;
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 128>>>(n, x, y); }

//// tickets and looking back | prefix | PASSED
struct alignas(8) State {
    int value, flag;
};
union Word {
    State state;
    unsigned long long bits;
};
__device__ unsigned ticket;
__global__ void clear(int tiles, unsigned long long* states) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < tiles) states[i] = 0;
    if (i == 0) ticket = 0;
}
__global__ void k(int n, const int* x, int* y, unsigned long long* states) {
    __shared__ int s[128], tile, before;
    int t = threadIdx.x;
    if (t == 0) tile = atomicAdd(&ticket, 1);
    __syncthreads();
    int i = tile * 128 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int by = 1; by < 128; by *= 2) {
        int left = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (t == 0) {
        Word mine;
        mine.state = {s[127], tile ? 1 : 2};
        atomicExch(states + tile, mine.bits);
        int sum = 0;
        for (int j = tile - 1; j >= 0;) {
            Word seen;
            seen.bits = atomicAdd(states + j, 0ull);
            if (seen.state.flag == 0) continue;
            sum += seen.state.value;
            if (seen.state.flag == 2) break;
            --j;
        }
        mine.state = {sum + s[127], 2};
        atomicExch(states + tile, mine.bits);
        before = sum;
    }
    __syncthreads();
    if (i < n) y[i] = s[t] + before;
}
extern "C" void prefix(int n, const int* x, int* y) {
    int tiles = (n + 127) / 128;
    unsigned long long* states;
    cudaMalloc(&states, sizeof(*states) * tiles);
    clear<<<(tiles + 127) / 128, 128>>>(tiles, states);
    k<<<tiles, 128>>>(n, x, y, states);
    cudaFree(states);
}

//// an object with a virtual function | wave | PASSED
struct Map {
    __device__ virtual float at(float) const = 0;
};
struct Wave : Map {
    __device__ float at(float v) const override { return sinf(v) * expf(-0.5f * fabsf(v)) + v; }
};
__global__ void k(int n, const float* x, float* y) {
    Wave wave;
    const Map* map = &wave;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = map->at(x[i]);
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// counted in managed memory | above | PASSED
__managed__ int total;
__global__ void k(int n, int t, const int* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, found = __syncthreads_count(i < n && x[i] >= t);
    if (threadIdx.x == 0 && found) atomicAdd(&total, found);
}
__global__ void put(int value, int* y) { *y = value; }
extern "C" void above(int n, int t, const int* x, int* y) {
    total = 0;
    k<<<(n + 127) / 128, 128>>>(n, t, x);
    cudaDeviceSynchronize();
    put<<<1, 1>>>(total, y);
}

//// a list whose length the host reads | kept | PASSED
__global__ void list(int n, float t, const float* x, int* places, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] >= t) places[atomicAdd(count, 1)] = i;
}
__global__ void copy(int m, const int* places, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) y[places[i]] = x[places[i]];
}
extern "C" void kept(int n, float t, const float* x, float* y) {
    int *places, m;
    cudaMalloc(&places, sizeof(int) * (n + 1));
    cudaMemset(places + n, 0, sizeof(int));
    cudaMemset(y, 0, sizeof(float) * n);
    list<<<(n + 127) / 128, 128>>>(n, t, x, places, places + n);
    cudaMemcpy(&m, places + n, sizeof(int), cudaMemcpyDeviceToHost);
    if (m > 0) copy<<<(m + 127) / 128, 128>>>(m, places, x, y);
    cudaFree(places);
}

//// jumps into the rest of a loop | above | PASSED
__global__ void k(int n, int t, const int* x, int* y) {
    int from = 16 * (blockIdx.x * blockDim.x + threadIdx.x), left = n - from < 16 ? n - from : 16, c = 0;
    if (left <= 0) goto out;
    switch (left & 3) {
        case 3: c += x[from++] >= t; [[fallthrough]];
        case 2: c += x[from++] >= t; [[fallthrough]];
        case 1: c += x[from++] >= t;
    }
    for (left &= ~3; left > 0; left -= 4, from += 4)
        c += (x[from] >= t) + (x[from + 1] >= t) + (x[from + 2] >= t) + (x[from + 3] >= t);
out:
    for (int by = 16; by; by /= 2) c += __shfl_down_sync(~0u, c, by);
    if (threadIdx.x % 32 == 0) atomicAdd(y, c);
}
extern "C" void above(int n, int t, const int* x, int* y) {
    cudaMemsetAsync(y, 0, sizeof(int), 0);
    k<<<(n + 1023) / 1024, 64>>>(n, t, x, y);
}

//// rows with a pitch | blur | PASSED
__global__ void k(int h, int w, cudaPitchedPtr x, float* y) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= h || j >= w) return;
    auto row = [x](int r) { return (const float*)((const char*)x.ptr + r * x.pitch); };
    float left = j > 0 ? row(i)[j - 1] : 0, right = j + 1 < w ? row(i)[j + 1] : 0;
    float up = i > 0 ? row(i - 1)[j] : 0, down = i + 1 < h ? row(i + 1)[j] : 0;
    y[i * w + j] = 0.5f * row(i)[j] + 0.125f * (left + right + up + down);
}
extern "C" void blur(int h, int w, const float* x, float* y) {
    void* rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, sizeof(float) * w, h);
    cudaMemcpy2D(rows, pitch, x, sizeof(float) * w, sizeof(float) * w, h, cudaMemcpyDeviceToDevice);
    k<<<dim3((w + 15) / 16, (h + 7) / 8), dim3(16, 8)>>>(h, w, make_cudaPitchedPtr(rows, pitch, w, h), y);
    cudaFree(rows);
}

//// doubles by digits | firstd | PASSED
// The largest by its ordered bits, eight at a time from the top.
__device__ unsigned long long ordered(double v) {
    unsigned long long bits = __double_as_longlong(v + 0.0);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}
__global__ void k(int n, const double* x, int* y) {
    __shared__ unsigned long long best[64];
    __shared__ int at[64];
    int t = threadIdx.x, mine = 0;
    unsigned long long most = 0;
    for (int i = t; i < n; i += 64)
        if (ordered(x[i]) > most) most = ordered(x[i]), mine = i;
    best[t] = most, at[t] = mine;
    __syncthreads();
    for (int h = 32; h; h /= 2) {
        if (t < h && (best[t + h] > best[t] || (best[t + h] == best[t] && at[t + h] < at[t]))) best[t] = best[t + h], at[t] = at[t + h];
        __syncthreads();
    }
    if (t == 0) *y = at[0];
}
extern "C" void firstd(int n, const double* x, int* y) { k<<<1, 64>>>(n, x, y); }
