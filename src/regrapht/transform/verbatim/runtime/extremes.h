// Extremes between turns: each thread keeps its own with the turn that set it, and one block picks the best of all.
namespace verbatim {
constexpr long long kBestThreads = 65536;
namespace order {
struct Never {
    template <class V, class A> __device__ static bool wins(V, A, V, A) { return false; }
};
struct Less {
    template <class V, class A> __device__ static bool wins(V e, A, V best, A) { return e < best; }
};
struct Greater {
    template <class V, class A> __device__ static bool wins(V e, A, V best, A) { return e > best; }
};
struct LessThenLess {
    template <class V, class A> __device__ static bool wins(V e, A f, V best, A at) { return e < best || (e == best && f < at); }
};
struct LessThenGreater {
    template <class V, class A> __device__ static bool wins(V e, A f, V best, A at) { return e < best || (e == best && f > at); }
};
struct GreaterThenLess {
    template <class V, class A> __device__ static bool wins(V e, A f, V best, A at) { return e > best || (e == best && f < at); }
};
struct GreaterThenGreater {
    template <class V, class A> __device__ static bool wins(V e, A f, V best, A at) { return e > best || (e == best && f > at); }
};
}  // namespace order

template <class T> struct Kept {
    T* at = nullptr;
    Kept() {
        void* memory = nullptr;
        cudaMallocAsync(&memory, (std::size_t)kBestThreads * sizeof(T), 0);
        at = (T*)memory;
    }
    Kept(const Kept&) = delete;
    ~Kept() { cudaFreeAsync(at, 0); }
};
template <class T> __device__ inline T& kept_of(T* kept, const T* before) { return kept[thread()] = *before; }
__device__ inline long long& turn_of(long long* turns) { return turns[thread()] = -1; }

// Of threads i and j, -1 for none: the one whose values the loop would have kept.
template <class Wins, bool kLast, class V, class A>
__device__ long long better(const V* value, const A* other, const long long* turn, long long i, long long j) {
    if (j < 0 || turn[j] < 0) return i;
    if (i < 0 || turn[i] < 0) return j;
    if (Wins::wins(value[i], other[i], value[j], other[j])) return i;
    if (Wins::wins(value[j], other[j], value[i], other[i])) return j;
    return (turn[i] < turn[j]) != kLast ? i : j;
}
template <class Wins, bool kLast, class V, class A>
__global__ void pick(const V* value, const A* other, const long long* turn, long long count, long long* picked) {
    __shared__ long long best[256];
    long long own = -1;
    for (long long t = threadIdx.x; t < count; t += 256) own = better<Wins, kLast>(value, other, turn, own, t);
    best[threadIdx.x] = own;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half)
            best[threadIdx.x] = better<Wins, kLast>(value, other, turn, best[threadIdx.x], best[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *picked = best[0] >= 0 && turn[best[0]] >= 0 ? best[0] : -1;
}
template <class T> __global__ void take_picked(T* to, const T* kept, const long long* picked) {
    if (*picked >= 0) *to = kept[*picked];
}
}  // namespace verbatim
