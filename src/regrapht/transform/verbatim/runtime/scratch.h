// Memory that a turn has to itself: a part of one pool for each thread, taken from the front and given back from its end. A thread that
// needs more takes a larger chunk of what is common to all, and keeps it for its next turns.
#include <cstdio>
#include <initializer_list>
#include <new>
namespace verbatim {
struct Pool {
    unsigned char* at;
    unsigned long long bytes;  // of each thread
    unsigned char* more;
    unsigned long long more_bytes, taken;
};
__device__ Pool pool;
__global__ void set_pool(unsigned char* at, unsigned long long bytes, unsigned char* more, unsigned long long more_bytes) {
    pool = Pool{at, bytes, more, more_bytes, 0};
}
inline long long given_bytes = 0;  // of all arrays of a call

// The pool of one launch. Its threads are so few that all parts together stay within `kPoolBytes` where that is possible at all.
struct Scratch {
    static constexpr long long kPoolBytes = 1ll << 28, kPoolThreads = 16384, kMoreBytes = 1ll << 27;
    void* memory = nullptr;
    long long most = kBlock;
    Scratch(long long turns, long long bytes, long long threads = kPoolThreads) {
        const long long part = (bytes + 255) / 256 * 256 + 256, fitting = kPoolBytes / part / kBlock * kBlock;
        most = (turns + kBlock - 1) / kBlock * kBlock;
        if (most > kPoolThreads) most = kPoolThreads;
        if (most > fitting) most = fitting > kBlock ? fitting : kBlock;
        if (most > threads) most = threads;
        const long long wanted = (1 << 20) + 16 * given_bytes, more = (wanted < kMoreBytes ? wanted : kMoreBytes) / 256 * 256;
        cudaMallocAsync(&memory, (std::size_t)(most * part + more), 0);
        unsigned char* const at = (unsigned char*)memory;
        set_pool<<<1, 1>>>(at, (unsigned long long)part, at + most * part, (unsigned long long)more);
    }
    Scratch(const Scratch&) = delete;
    ~Scratch() { cudaFreeAsync(memory, 0); }
};

struct Part {  // stands at the front of a thread's part
    unsigned char* at;
    unsigned long long bytes, used;
};
__device__ inline Part& part() { return *(Part*)(pool.at + thread() * pool.bytes); }
__device__ inline void begin_turns() {
    part().at = pool.at + thread() * pool.bytes + 64;
    part().bytes = pool.bytes - 64;
}
__device__ inline void begin_turn() { part().used = 0; }
__device__ inline void* take(std::size_t bytes) {
    Part& own = part();
    const unsigned long long needed = (bytes + 15) / 16 * 16;
    if (own.used + needed > own.bytes) {
        unsigned long long chunk = 2 * own.bytes;
        while (chunk < needed) chunk *= 2;
        const unsigned long long from = atomicAdd(&pool.taken, chunk);
        if (from + chunk > pool.more_bytes) {
            printf("verbatim: containers outgrew the %llu bytes of scratch memory that a turn has here, and the %llu of all\n", pool.bytes, pool.more_bytes);
            __trap();
        }
        own.at = pool.more + from, own.bytes = chunk, own.used = 0;
    }
    void* const found = own.at + own.used;
    own.used += needed;
    return found;
}
__device__ inline bool is_last(const void* at, std::size_t bytes) {
    const Part& own = part();
    return own.used != 0 && (const unsigned char*)at + (bytes + 15) / 16 * 16 == own.at + own.used;
}
__device__ inline void give(void* at, std::size_t bytes) {
    if (at != nullptr && is_last(at, bytes)) part().used = (unsigned long long)((unsigned char*)at - part().at);
}

// Elements come to memory that holds none, leave it, and move as their bytes.
template <class T> struct IsPlain {
    static constexpr bool value = std::is_trivially_copyable<T>::value;
};
template <class T> __device__ inline void make(T* at, const T& value) {
    if constexpr (IsPlain<T>::value) *at = value;
    else new ((void*)at) T(value);
}
template <class T> __device__ inline void unmake(T* from, T* to) {
    if constexpr (!IsPlain<T>::value)
        while (to != from) (--to)->~T();
}
template <class T> __device__ inline void move_to(T* to, T* from) {
    if constexpr (IsPlain<T>::value) *to = *from;
    else for (std::size_t i = 0; i < sizeof(T); ++i) ((unsigned char*)to)[i] = ((unsigned char*)from)[i];
}

// std::vector of a turn.
template <class T> struct local_vector : sequence<T> {
    std::size_t room_ = 0;
    __device__ local_vector() {}
    __device__ explicit local_vector(std::size_t n) { resize(n); }
    __device__ local_vector(std::size_t n, const T& value) { resize(n, value); }
    template <class I, std::enable_if_t<(!std::is_integral<I>::value), int> = 0> __device__ local_vector(I at, I end) { assign(at, end); }
    __device__ local_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
    __device__ local_vector(const local_vector& other) { assign(other.begin(), other.end()); }
    __device__ local_vector& operator=(const local_vector& other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    __device__ ~local_vector() {
        clear();
        give(this->at_, room_ * sizeof(T));
    }
    __device__ void reserve(std::size_t n) {
        if (n <= room_) return;
        T* const before = this->at_;
        const bool last = before != nullptr && is_last(before, room_ * sizeof(T));
        if (last) give(before, room_ * sizeof(T));
        this->at_ = (T*)take(n * sizeof(T));
        if (this->at_ != before)
            for (std::size_t i = 0; i < this->size_; ++i) move_to(this->at_ + i, before + i);
        room_ = n;
    }
    __device__ void resize(std::size_t n, const T& value = T()) {
        reserve(n);
        for (std::size_t i = this->size_; i < n; ++i) make(this->at_ + i, value);
        if (n < this->size_) unmake(this->at_ + n, this->at_ + this->size_);
        this->size_ = n;
    }
    __device__ void push_back(const T& value) {
        const T kept = value;
        if (this->size_ == room_) reserve(room_ < 4 ? 4 : room_ + room_ / 2);
        make(this->at_ + this->size_++, kept);
    }
    template <class... A> __device__ void emplace_back(const A&... values) { push_back(T{values...}); }
    __device__ void pop_back() { resize_down(this->size_ - 1); }
    __device__ void clear() { resize_down(0); }
    __device__ void assign(std::size_t n, const T& value) {
        const T kept = value;
        clear(), resize(n, kept);
    }
    template <class I, std::enable_if_t<(!std::is_integral<I>::value), int> = 0> __device__ void assign(I at, I end) {
        clear(), reserve((std::size_t)(end - at));
        for (; at != end; ++at) make(this->at_ + this->size_++, T(*at));
    }
    __device__ T* erase(T* at) { return erase(at, at + 1); }
    __device__ T* erase(T* from, T* to) {
        if (from == to) return from;
        for (T* at = to; at != this->end(); ++at) from[at - to] = *at;
        resize_down(this->size_ - (std::size_t)(to - from));
        return from;
    }
    __device__ T* insert(T* place, const T& value) {
        const std::size_t at = (std::size_t)(place - this->at_);
        push_back(value);
        const T kept = this->back();
        for (std::size_t i = this->size_ - 1; i > at; --i) this->at_[i] = this->at_[i - 1];
        this->at_[at] = kept;
        return this->at_ + at;
    }
    __device__ void swap(local_vector& other) {
        T* const at = this->at_;
        const std::size_t size = this->size_, room = room_;
        this->at_ = other.at_, this->size_ = other.size_, room_ = other.room_;
        other.at_ = at, other.size_ = size, other.room_ = room;
    }

private:
    __device__ void resize_down(std::size_t n) {
        unmake(this->at_ + n, this->at_ + this->size_);
        this->size_ = n;
    }
};
template <class T> __device__ inline void swap(local_vector<T>& a, local_vector<T>& b) { a.swap(b); }
template <class T> __device__ inline bool operator==(const local_vector<T>& a, const local_vector<T>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i])) return false;
    return true;
}
}  // namespace verbatim
