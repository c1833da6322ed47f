// Updates that several turns make of one place.
namespace verbatim {
template <class T, class V> __device__ void add(T& at, V by) {
    if constexpr (std::is_floating_point<T>::value) atomicAdd(&at, (T)by);
    else if constexpr (sizeof(T) == 8) atomicAdd(reinterpret_cast<unsigned long long*>(&at), (unsigned long long)(T)by);
    else {
        static_assert(sizeof(T) == 4, "sums between turns are of 32 or 64 bits");
        atomicAdd(reinterpret_cast<unsigned*>(&at), (unsigned)(T)by);
    }
}
}  // namespace verbatim
