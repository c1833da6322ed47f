// From an array of pointers to a function's own parameters. Works in C and C++.
#pragma once
#ifdef __cplusplus
// Becomes a pointer to whatever element type the function takes, if that has the size that the task declares.
template <unsigned long kBytes> struct RegraphtPointer {
    void* address;
    template <class T> operator T*() const {
        static_assert(sizeof(T) == kBytes, "the array's element has another size than the dtype that the task declares");
        return static_cast<T*>(address);
    }
};
#define REGRAPHT_ARRAY(bytes, address) RegraphtPointer<bytes>{address}
template <class T, decltype(sizeof(0)) kCount> T* regrapht_as_pointer(T (&array)[kCount]) { return array; }
template <class T> T&& regrapht_as_pointer(T&& other) { return static_cast<T&&>(other); }
#define REGRAPHT_LINKAGE extern "C"
#else
#define REGRAPHT_ARRAY(bytes, address) (address)
#define REGRAPHT_LINKAGE
#endif
typedef float regrapht_float32;
typedef double regrapht_float64;
