// Memory that a turn has to itself: a part of one pool for each thread, taken from the front and given back from its end.
#include <cstdio>
namespace verbatim {
struct Pool {
    unsigned char* at;
    unsigned long long bytes;  // of each thread
};
__device__ Pool pool;
__global__ void set_pool(unsigned char* at, unsigned long long bytes) { pool = Pool{at, bytes}; }

// The pool of one launch. Its threads are so few that all parts together stay within `kPoolBytes` where that is possible at all.
struct Scratch {
    static constexpr long long kPoolBytes = 1ll << 28, kPoolThreads = 16384;
    void* memory = nullptr;
    long long most = kBlock;
    Scratch(long long turns, long long bytes) {
        const long long part = (bytes + 271) / 256 * 256, fitting = kPoolBytes / part / kBlock * kBlock;
        most = (turns + kBlock - 1) / kBlock * kBlock;
        if (most > kPoolThreads) most = kPoolThreads;
        if (most > fitting) most = fitting > kBlock ? fitting : kBlock;
        cudaMallocAsync(&memory, (std::size_t)(most * part), 0);
        set_pool<<<1, 1>>>((unsigned char*)memory, (unsigned long long)part);
    }
    Scratch(const Scratch&) = delete;
    ~Scratch() { cudaFreeAsync(memory, 0); }
};

__device__ inline unsigned char* part() { return pool.at + thread() * pool.bytes; }
__device__ inline void begin_turn() { *(unsigned long long*)part() = 16; }
__device__ inline void* take(std::size_t bytes) {
    unsigned char* own = part();
    unsigned long long& used = *(unsigned long long*)own;
    const unsigned long long from = used, next = from + (bytes + 15) / 16 * 16;
    if (next > pool.bytes) {
        printf("verbatim: a container outgrew the %llu bytes of scratch memory that a turn has here\n", pool.bytes);
        __trap();
    }
    used = next;
    return own + from;
}
__device__ inline bool is_last(const void* at, std::size_t bytes) {
    unsigned char* own = part();
    return (const unsigned char*)at + (bytes + 15) / 16 * 16 == own + *(unsigned long long*)own;
}
__device__ inline void give(void* at, std::size_t bytes) {
    if (at != nullptr && is_last(at, bytes)) *(unsigned long long*)part() = (unsigned char*)at - part();
}

// std::vector of a turn.
template <class T> struct local_vector : sequence<T> {
    std::size_t room_ = 0;
    __device__ local_vector() {}
    __device__ explicit local_vector(std::size_t n) { resize(n); }
    __device__ local_vector(std::size_t n, const T& value) { resize(n, value); }
    template <class I, std::enable_if_t<!std::is_integral<I>::value, int> = 0> __device__ local_vector(I at, I end) { assign(at, end); }
    __device__ local_vector(const local_vector& other) { assign(other.begin(), other.end()); }
    __device__ local_vector& operator=(const local_vector& other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    __device__ ~local_vector() { give(this->at_, room_ * sizeof(T)); }
    __device__ void reserve(std::size_t n) {
        if (n <= room_) return;
        T* const before = this->at_;
        if (before != nullptr && is_last(before, room_ * sizeof(T))) {
            give(before, room_ * sizeof(T));
            take(n * sizeof(T));
        } else {
            this->at_ = (T*)take(n * sizeof(T));
            for (std::size_t i = 0; i < this->size_; ++i) this->at_[i] = before[i];
        }
        room_ = n;
    }
    __device__ void resize(std::size_t n, const T& value = T()) {
        reserve(n);
        for (std::size_t i = this->size_; i < n; ++i) this->at_[i] = value;
        this->size_ = n;
    }
    __device__ void push_back(const T& value) {
        const T kept = value;
        if (this->size_ == room_) reserve(room_ < 4 ? 4 : room_ + room_ / 2);
        this->at_[this->size_++] = kept;
    }
    template <class... A> __device__ void emplace_back(const A&... values) { push_back(T{values...}); }
    __device__ void pop_back() { --this->size_; }
    __device__ void clear() { this->size_ = 0; }
    __device__ void assign(std::size_t n, const T& value) { clear(), resize(n, value); }
    template <class I, std::enable_if_t<!std::is_integral<I>::value, int> = 0> __device__ void assign(I at, I end) {
        clear(), reserve((std::size_t)(end - at));
        for (; at != end; ++at) this->at_[this->size_++] = *at;
    }
    __device__ T* erase(T* from, T* to) {
        for (T* at = to; at != this->end(); ++at) from[at - to] = *at;
        this->size_ -= (std::size_t)(to - from);
        return from;
    }
    __device__ void swap(local_vector& other) {
        T* const at = this->at_;
        const std::size_t size = this->size_, room = room_;
        this->at_ = other.at_, this->size_ = other.size_, room_ = other.room_;
        other.at_ = at, other.size_ = size, other.room_ = room;
    }
};
}  // namespace verbatim
