// Launches of loops as they are written: a grid stride, and what a body names handed over by value.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

namespace verbatim {
constexpr int kBlock = 128;
constexpr long long kMost = 4194304;  // threads of a launch
constexpr long long kPoints = 1;  // turns that a thread takes at least, a whole grid apart

__device__ inline long long thread() { return blockIdx.x * (long long)blockDim.x + threadIdx.x; }
__device__ inline long long threads() { return gridDim.x * (long long)blockDim.x; }
inline unsigned blocks(long long turns, long long most = kMost) {
    const long long each = kBlock * kPoints, wanted = (turns + each - 1) / each, limit = most / kBlock;
    return (unsigned)(wanted < limit ? wanted : limit > 0 ? limit : 1);
}

// How many turns a loop has.
template <class A, class B> __host__ __device__ inline long long between(A* from, B* to) { return to - from; }
template <class A, class B, std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value, int> = 0>
__host__ __device__ inline long long between(A from, B to) { return (long long)to - (long long)from; }
template <class T> inline long long between(std::reverse_iterator<T*> from, std::reverse_iterator<T*> to) { return to - from; }
__host__ __device__ inline long long trips(long long span, long long step) { return (span + step - 1) / step; }
__host__ __device__ inline long long turns(long long count) { return count > 0 ? count : 0; }
template <class T, std::size_t N> __host__ __device__ constexpr long long size_of(T (&)[N]) { return (long long)N; }
template <class C> __host__ __device__ inline long long size_of(const C& all) { return (long long)all.size(); }
template <class T, std::size_t N> __host__ __device__ inline T* begin_of(T (&all)[N]) { return all; }
template <class C> __host__ __device__ inline auto begin_of(C& all) { return all.begin(); }

// What shapes of arrays are written with.
template <class A> long long shape_max(A a) { return (long long)a; }
template <class A, class... B> long long shape_max(A a, B... b) { return (long long)a < shape_max(b...) ? shape_max(b...) : (long long)a; }
template <class A> long long shape_min(A a) { return (long long)a; }
template <class A, class... B> long long shape_min(A a, B... b) { return (long long)a < shape_min(b...) ? (long long)a : shape_min(b...); }
inline double shape_log2(double a) { return std::log2(a); }
inline double shape_ceil(double a) { return std::ceil(a); }

template <class T> __host__ __device__ inline T moved(const T& from, long long by) { return (T)(from + by); }

// An object as its bytes: what it points to stays where it is, and no constructor or destructor runs on its way to a kernel.
template <class T> struct Bytes {
    alignas(T) unsigned char at[sizeof(T)];
};
template <class T> struct Passes {
    static constexpr bool value = std::is_trivially_copyable<T>::value && !std::is_array<T>::value;
};
template <class T, std::enable_if_t<Passes<T>::value, int> = 0> T hold(const T& value) { return value; }
template <class T, std::enable_if_t<(!Passes<T>::value), int> = 0> Bytes<T> hold(const T& value) {
    Bytes<T> bytes;
    std::memcpy(bytes.at, (const void*)&value, sizeof(T));
    return bytes;
}
template <class T> __host__ __device__ inline const T& open(const T& value) { return value; }
template <class T> __host__ __device__ inline const T& open(const Bytes<T>& bytes) { return *reinterpret_cast<const T*>(bytes.at); }

// A turn's own copy of what the launcher handed over.
template <class T> struct Copied {
    T own;
    __host__ __device__ explicit Copied(const T& from) : own(from) {}
};
template <class E, std::size_t N> struct Copied<E[N]> {
    E own[N];
    __host__ __device__ explicit Copied(const E (&from)[N]) {
        using One = typename std::remove_all_extents<E>::type;
        for (std::size_t i = 0; i < sizeof(own) / sizeof(One); ++i) reinterpret_cast<One*>(own)[i] = reinterpret_cast<const One*>(from)[i];
    }
};

// One value from device memory, for the launcher.
template <class T> T load(const T* at) {
    typename std::remove_cv<T>::type value{};
    cudaMemcpy(&value, at, sizeof(T), cudaMemcpyDeviceToHost);
    return value;
}

template <class T> __global__ void fill_kernel(T* at, long long count, T value) {
    for (long long t = thread(); t < count; t += threads()) at[t] = value;
}
template <class T, class S> __global__ void copy_kernel(T* to, const S* from, long long count) {
    for (long long t = thread(); t < count; t += threads()) to[t] = (T)from[t];
}
template <class T> void filled(T* at, long long count, T value) {
    if (count > 0) fill_kernel<<<blocks(count), kBlock>>>(at, count, value);
}
template <class T, class S> void copied(T* to, const S* from, long long count) {
    if (count > 0) copy_kernel<<<blocks(count), kBlock>>>(to, from, count);
}

// What std::vector offers to those who only look: a handle.
template <class T> struct sequence {
    T* at_ = nullptr;
    std::size_t size_ = 0;
    __host__ __device__ T& operator[](std::size_t i) const { return at_[i]; }
    __host__ __device__ T* begin() const { return at_; }
    __host__ __device__ T* end() const { return at_ + size_; }
    __host__ __device__ const T* cbegin() const { return at_; }
    __host__ __device__ const T* cend() const { return at_ + size_; }
    __host__ __device__ std::reverse_iterator<T*> rbegin() const { return std::reverse_iterator<T*>(at_ + size_); }
    __host__ __device__ std::reverse_iterator<T*> rend() const { return std::reverse_iterator<T*>(at_); }
    __host__ __device__ T* data() const { return at_; }
    __host__ __device__ std::size_t size() const { return size_; }
    __host__ __device__ bool empty() const { return size_ == 0; }
    __host__ __device__ T& front() const { return at_[0]; }
    __host__ __device__ T& back() const { return at_[size_ - 1]; }
};

// std::vector of the launcher, in device memory, freed in stream order.
template <class T> struct vector : sequence<T> {
    std::size_t room_ = 0;
    vector() = default;
    explicit vector(std::size_t n, T value = T()) { take(n), filled(this->at_, (long long)n, value); }
    template <class S> vector(const S* first, const S* last) { take(last - first), copied(this->at_, first, last - first); }
    vector(const vector& other) { take(other.size_), copied(this->at_, other.at_, (long long)other.size_); }
    vector(vector&& other) noexcept { swap(other); }
    vector& operator=(vector other) { swap(other); return *this; }
    ~vector() { if (this->at_) cudaFreeAsync(this->at_, 0); }
    void swap(vector& other) {
        std::swap(this->at_, other.at_), std::swap(this->size_, other.size_), std::swap(room_, other.room_);
    }
    void resize(std::size_t n, T value = T()) {
        const std::size_t before = this->size_;
        if (n > room_) {
            vector larger;
            larger.take(n);
            copied(larger.at_, this->at_, (long long)before);
            swap(larger);
        }
        this->size_ = n;
        if (n > before) filled(this->at_ + before, (long long)(n - before), value);
    }
    void clear() { this->size_ = 0; }
    void reserve(std::size_t) {}
    void assign(std::size_t n, T value) { clear(), resize(n, value); }

private:
    void take(std::size_t n) {
        void* memory = nullptr;
        cudaMallocAsync(&memory, n > 0 ? n * sizeof(T) : 1, 0);
        this->at_ = (T*)memory, this->size_ = room_ = n;
    }
};
template <class T> using vector_of = std::conditional_t<std::is_trivially_copyable<T>::value, vector<T>, std::vector<T>>;
template <class T> void swap(vector<T>& a, vector<T>& b) { a.swap(b); }

template <class T> struct Same {
    using type = T;
};
template <class T> __device__ inline void set(T& at, const typename Same<T>::type& value) { at = value; }
template <class T, class... A> __device__ inline void put(T& at, const A&... values) { at = T{values...}; }

// A local of the launcher that kernels write.
template <class T> struct Box {
    T* at = nullptr;
    explicit Box(const T& value) {
        void* memory = nullptr;
        cudaMallocAsync(&memory, sizeof(T), 0);
        at = (T*)memory;
        cudaMemcpyAsync(at, (const void*)&value, sizeof(T), cudaMemcpyHostToDevice, 0);
    }
    Box(const Box&) = delete;
    ~Box() { cudaFreeAsync(at, 0); }
};

// An object of the launcher that a kernel changes: its bytes go to device memory, and come back behind the launch.
template <class T> struct Lent {
    using Own = std::remove_const_t<T>;
    T& own;
    Own* at = nullptr;
    explicit Lent(T& value) : own(value) {
        void* memory = nullptr;
        cudaMallocAsync(&memory, sizeof(T), 0);
        at = (Own*)memory;
        cudaMemcpyAsync(at, (const void*)&own, sizeof(T), cudaMemcpyHostToDevice, 0);
    }
    Lent(const Lent&) = delete;
    ~Lent() {
        if constexpr (!std::is_const_v<T>) cudaMemcpy((void*)&own, at, sizeof(T), cudaMemcpyDeviceToHost);
        cudaFreeAsync(at, 0);
    }
};

// Algorithms that the launcher calls on device memory.
namespace host {
template <class T, class V> void fill(T* at, T* end, const V& value) { filled(at, end - at, (T)value); }
template <class T, class V> T* fill_n(T* at, long long count, const V& value) { filled(at, count, (T)value); return at + count; }
template <class T, class S> T* copy(const S* at, const S* end, T* to) { copied(to, at, end - at); return to + (end - at); }
template <class T> void* memset(T* at, int value, std::size_t bytes) { cudaMemsetAsync(at, value, bytes, 0); return at; }
template <class T> void* memcpy(T* to, const void* from, std::size_t bytes) {
    cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0);
    return to;
}
}  // namespace host
}  // namespace verbatim
