// What turns only add to: a part for each thread, added up in the order of threads, so that the same launch gives the same sum.
namespace verbatim {
constexpr long long kPartThreads = 2048;
template <class T> T element_of(const T* at);
template <class T, std::size_t N> T element_of(T (*at)[N]);
template <class T, std::size_t N> T element_of(array<T, N>* at);
template <class T> T* first_of(T* at) { return at; }
template <class T, std::size_t N> T* first_of(T (*at)[N]) { return *at; }
template <class T, std::size_t N> T* first_of(array<T, N>* at) { return at->at_; }
template <class T> long long elements(T*) { return 1; }
template <class T, std::size_t N> long long elements(T (*)[N]) { return (long long)N; }
template <class T, std::size_t N> long long elements(array<T, N>*) { return (long long)N; }
template <class T> __device__ inline T& part_of(T* parts) { return parts[thread()]; }
template <class T> __global__ void add_parts(T* to, const T* parts, long long length, long long threads_before) {
    for (long long i = thread(); i < length; i += threads()) {
        T sum = parts[i];
        for (long long t = 1; t < threads_before; ++t) sum += parts[t * length + i];
        to[i] += sum;
    }
}
template <class T> struct Parts {
    T* at = nullptr;
    long long length;
    explicit Parts(long long n) : length(n) {
        void* memory = nullptr;
        cudaMallocAsync(&memory, (std::size_t)(n * kPartThreads) * sizeof(T) + 1, 0);
        at = (T*)memory;
        cudaMemsetAsync(at, 0, (std::size_t)(n * kPartThreads) * sizeof(T), 0);
    }
    Parts(const Parts&) = delete;
    ~Parts() { cudaFreeAsync(at, 0); }
    template <class R> std::remove_reference_t<R>* as() { return (std::remove_reference_t<R>*)at; }
    void add_to(T* to, long long threads_before) { add_parts<<<blocks(length), kBlock>>>(to, at, length, threads_before); }
};
}  // namespace verbatim
