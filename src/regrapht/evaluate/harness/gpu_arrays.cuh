// Arrays of one call on the device (or, for host residency, on the host), each between two bands of known bytes.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

namespace regrapht {

constexpr size_t kBandBytes = 4096;
constexpr int kBandByte = 0xC5;

[[noreturn]] inline void fail(const char* what) {
    std::fprintf(stderr, "harness: %s\n", what);
    std::_Exit(70);
}

// For the harness's own calls. What a candidate broke is reported by the caller, before it comes to this.
inline void require(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "harness: %s: %s\n", what, cudaGetErrorName(error));
    std::_Exit(71);
}

// A sum over 8-byte words that any changed byte changes. Order of addition does not matter, so atomics may do it.
__device__ inline unsigned long long mixed(unsigned long long word, unsigned long long index) {
    unsigned long long x = word ^ (index * 0x9E3779B97F4A7C15ull);
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9ull;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

// `data` is aligned to 8 bytes. The words of a last, incomplete one are its bytes followed by zeros.
__global__ void fingerprint_kernel(const unsigned char* data, size_t bytes, unsigned long long* sum) {
    const size_t whole = bytes / 8, words = (bytes + 7) / 8, stride = size_t(gridDim.x) * blockDim.x;
    unsigned long long own = 0;
    for (size_t w = size_t(blockIdx.x) * blockDim.x + threadIdx.x; w < words; w += stride) {
        unsigned long long word = 0;
        if (w < whole) word = reinterpret_cast<const unsigned long long*>(data)[w];
        else for (size_t b = whole * 8; b < bytes; ++b) word |= (unsigned long long)data[b] << (8 * (b - whole * 8));
        own += mixed(word, w);
    }
    for (int lane = 16; lane; lane /= 2) own += __shfl_down_sync(0xFFFFFFFFu, own, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}

__host__ __device__ inline unsigned long long scattered(unsigned long long x) {
    x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9ull;
    return x ^ (x >> 32);
}

// What is changed in an array so that nobody has seen it before: in each of `parts` segments two elements change places, or, where elements
// ascend, one becomes that before it. The first and the last element of an ascending array stay.
struct Disturbance {
    size_t element_bytes, elements, parts;
    unsigned long long seed;
    bool ascending;

    __host__ __device__ void apply(unsigned char* data, size_t part) const {
        const size_t length = elements / parts, start = part * length;
        if (length < 2) return;
        const unsigned long long one = scattered(seed + 2 * part), other = scattered(seed + 2 * part + 1);
        const size_t to = ascending ? 1 + one % (length - 1) : one % length, from = ascending ? to - 1 : other % length;
        if (ascending && start + to + 1 == elements) return;
        unsigned char *a = data + (start + to) * element_bytes, *b = data + (start + from) * element_bytes;
        for (size_t i = 0; i < element_bytes; ++i) {
            const unsigned char kept = a[i];
            a[i] = b[i];
            if (!ascending) b[i] = kept;
        }
    }
};

__global__ void disturb_kernel(unsigned char* data, Disturbance what) {
    for (size_t part = size_t(blockIdx.x) * blockDim.x + threadIdx.x; part < what.parts; part += size_t(gridDim.x) * blockDim.x)
        what.apply(data, part);
}

class GuardedArray {
public:
    GuardedArray(size_t bytes, bool on_host) : bytes_(bytes), on_host_(on_host) {
        const size_t total = bytes + 2 * kBandBytes;
        if (on_host_) {
            base_ = static_cast<unsigned char*>(std::aligned_alloc(kBandBytes, (total + kBandBytes - 1) / kBandBytes * kBandBytes));
            if (!base_) fail("no host memory for an array");
            std::memset(base_, kBandByte, total);
        } else {
            require(cudaMalloc(&base_, total), "no device memory for an array");
            require(cudaMemset(base_, kBandByte, total), "filling an array's bands");
        }
    }
    GuardedArray(const GuardedArray&) = delete;
    GuardedArray(GuardedArray&& other) noexcept : base_(other.base_), bytes_(other.bytes_), on_host_(other.on_host_) { other.base_ = nullptr; }
    ~GuardedArray() {
        if (!base_) return;
        if (on_host_) std::free(base_);
        else cudaFree(base_);
    }

    unsigned char* data() const { return base_ + kBandBytes; }
    size_t bytes() const { return bytes_; }

    void fill(int byte) const {
        if (on_host_) std::memset(data(), byte, bytes_);
        else require(cudaMemsetAsync(data(), byte, bytes_, cudaStreamLegacy), "poisoning an output");
    }
    void load(const void* host) const {
        if (on_host_) std::memcpy(data(), host, bytes_);
        else require(cudaMemcpy(data(), host, bytes_, cudaMemcpyHostToDevice), "copying an input");
    }
    cudaError_t store(void* host) const {
        if (on_host_) return std::memcpy(host, data(), bytes_), cudaSuccess;
        return cudaMemcpy(host, data(), bytes_, cudaMemcpyDeviceToHost);
    }
    // The other's contents from byte `first` on, then those before it.
    void copy_from(const GuardedArray& other, size_t first) const {
        copy(data(), other.data() + first, bytes_ - first);
        if (first) copy(data() + bytes_ - first, other.data(), first);
    }
    // A few elements, or up to one of 64, other than they were.
    void disturb(size_t element_bytes, unsigned long long seed, bool ascending) const {
        const size_t elements = element_bytes ? bytes_ / element_bytes : 0;
        if (elements < 2) return;
        const size_t most = elements / 64 < 65536 ? elements / 64 : 65536;
        const Disturbance what{element_bytes, elements, 1 + (most ? scattered(seed) % most : 0), seed, ascending};
        if (on_host_) {
            for (size_t part = 0; part < what.parts; ++part) what.apply(data(), part);
            return;
        }
        disturb_kernel<<<unsigned((what.parts + 255) / 256), 256, 0, cudaStreamLegacy>>>(data(), what);
        require(cudaGetLastError(), "changing an input");
    }
    bool bands_intact() const {
        std::vector<unsigned char> band(2 * kBandBytes);
        if (on_host_) {
            std::memcpy(band.data(), base_, kBandBytes);
            std::memcpy(band.data() + kBandBytes, data() + bytes_, kBandBytes);
        } else {
            require(cudaMemcpy(band.data(), base_, kBandBytes, cudaMemcpyDeviceToHost), "reading a band");
            require(cudaMemcpy(band.data() + kBandBytes, data() + bytes_, kBandBytes, cudaMemcpyDeviceToHost), "reading a band");
        }
        for (unsigned char byte : band)
            if (byte != kBandByte) return false;
        return true;
    }
    // A fingerprint of the contents; on the device it is enqueued on the legacy stream and read after it.
    unsigned long long fingerprint(unsigned long long* device_sum) const {
        unsigned long long sum = 0;
        if (on_host_) {
            for (size_t i = 0; i < bytes_; i += 8) {
                unsigned long long word = 0;
                std::memcpy(&word, data() + i, bytes_ - i < 8 ? bytes_ - i : 8);
                sum += scattered(word + i * 0x9E3779B97F4A7C15ull);
            }
            return sum;
        }
        require(cudaMemsetAsync(device_sum, 0, sizeof sum, cudaStreamLegacy), "fingerprint");
        const unsigned blocks = unsigned(bytes_ / 8 / 256 + 1 < 1024 ? bytes_ / 8 / 256 + 1 : 1024);
        fingerprint_kernel<<<blocks, 256, 0, cudaStreamLegacy>>>(data(), bytes_, device_sum);
        require(cudaMemcpy(&sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost), "fingerprint");
        return sum;
    }

    bool same_as(const GuardedArray& other, unsigned long long* device_sum) const {
        if (on_host_) return std::memcmp(data(), other.data(), bytes_) == 0;
        return fingerprint(device_sum) == other.fingerprint(device_sum);
    }

private:
    void copy(void* to, const void* from, size_t bytes) const {
        if (on_host_) std::memcpy(to, from, bytes);
        else require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cudaStreamLegacy), "copying an array");
    }

    unsigned char* base_ = nullptr;
    size_t bytes_;
    bool on_host_;
};

}  // namespace regrapht
