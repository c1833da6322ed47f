// Where each turn's part begins, from what each turn adds: sums before each place, by blocks.
namespace verbatim {
constexpr int kScanned = 1024;
template <class T> __global__ void scan_blocks(T* at, long long count, T* sums) {
    __shared__ T part[kScanned];
    const long long t = blockIdx.x * (long long)kScanned + threadIdx.x;
    T own = t < count ? at[t] : T(0);
    part[threadIdx.x] = own;
    __syncthreads();
    for (int step = 1; step < kScanned; step *= 2) {
        const T before = threadIdx.x >= step ? part[threadIdx.x - step] : T(0);
        __syncthreads();
        part[threadIdx.x] += before;
        __syncthreads();
    }
    if (t < count) at[t] = part[threadIdx.x] - own;
    if (threadIdx.x == kScanned - 1) sums[blockIdx.x] = part[threadIdx.x];
}
template <class T> __global__ void scan_shift(T* at, long long count, const T* sums) {
    const long long t = blockIdx.x * (long long)kScanned + threadIdx.x;
    if (t < count) at[t] += sums[blockIdx.x];
}
template <class T> void scan(T* at, long long count) {
    if (count <= 0) return;
    const long long parts = (count + kScanned - 1) / kScanned;
    vector<T> sums((std::size_t)parts);
    scan_blocks<<<(unsigned)parts, kScanned>>>(at, count, sums.data());
    if (parts == 1) return;
    scan(sums.data(), parts);
    scan_shift<<<(unsigned)parts, kScanned>>>(at, count, sums.data());
}

// Where a function writes that only says how much it would have written.
struct Sink {
    struct Place {
        template <class T> __host__ __device__ void operator=(const T&) const {}
    };
    __host__ __device__ Place operator[](long long) const { return {}; }
    __host__ __device__ Place operator*() const { return {}; }
    __host__ __device__ Sink operator+(long long) const { return {}; }
    __host__ __device__ Sink& operator++() { return *this; }
    __host__ __device__ Sink operator++(int) { return *this; }
    __host__ __device__ Sink& operator+=(long long) { return *this; }
};
__host__ __device__ inline void put_nowhere(Sink, const void*, std::size_t) {}
}  // namespace verbatim
