// Launches and shared memory: what the rewriter turns `<<< >>>` and `__shared__` into.
#pragma once

namespace emulated {

EMULATED_INLINE EmulatedLaunch configure(const char* kernel, dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0) {
    return {kernel, grid, block, shared, 0, stream};
}

// Arguments live in the launch's own storage, as in CUDA's parameter space: evaluated once, readable by every thread.
template <class Kernel, class... Values>
struct Parameters {
    Kernel kernel;
    std::tuple<Values...> values;
    static void run(void* self) { call(*static_cast<Parameters*>(self), std::index_sequence_for<Values...>()); }
    template <size_t... I>
    static EMULATED_INLINE void call(Parameters& self, std::index_sequence<I...>) {
        self.kernel(std::get<I>(self.values)...);
    }
};

// Inlined up to the launch itself, whose line a report names.
template <class Kernel, class... Values>
EMULATED_INLINE void start(const EmulatedLaunch& launch, Kernel kernel, Values... values) {
    Parameters<Kernel, Values...> parameters{kernel, {values...}};
    emulated_launch(&launch, &Parameters<Kernel, Values...>::run, &parameters, sizeof parameters);
}

template <class... P>
struct FunctionLaunch {
    EmulatedLaunch launch;
    void (*kernel)(P...);
    EMULATED_INLINE void operator()(P... values) const { start<void (*)(P...), P...>(launch, kernel, values...); }
};
template <class... P>
FunctionLaunch<P...> launch_function(EmulatedLaunch launch, void (*kernel)(P...)) {
    return {launch, kernel};
}

template <class Call>
struct CallableLaunch {
    EmulatedLaunch launch;
    Call call;
    template <class... P>
    EMULATED_INLINE void operator()(P... values) const {
        start<Call, P...>(launch, call, values...);
    }
};
template <class Call>
CallableLaunch<Call> launch_callable(EmulatedLaunch launch, Call call) {
    return {launch, call};
}

// A kernel handed to cudaLaunchKernel and its relatives, with its name for reports.
template <class... P>
struct NamedKernel {
    const char* name;
    using Function = void (*)(P...);
    Function kernel;
    operator Function() const { return kernel; }
};
template <class... P>
NamedKernel<P...> named_kernel(const char* name, void (*kernel)(P...)) {
    return {name, kernel};
}
template <class... P, size_t... I>
void launch_from_pointers(const EmulatedLaunch& launch, void (*kernel)(P...), void** pointers, std::index_sequence<I...>) {
    start<void (*)(P...), P...>(launch, kernel, *(std::remove_reference_t<P>*)pointers[I]...);
}

// What the rewriter begins a kernel with __launch_bounds__(threads, ...) with. A call without conditions: it adds nothing to the evidence.
template <class... Others>
EMULATED_INLINE void launch_bounds(long long threads, Others...) {
    emulated_launch_bounds(threads);
}

// What the rewriter puts around the array of `(c ? a : b)[i]`; anything but an array stays what it is.
template <class T, size_t N>
EMULATED_INLINE T* as_pointer(T (&array)[N]) {
    return array;
}
template <class T>
EMULATED_INLINE T&& as_pointer(T&& other) {
    return static_cast<T&&>(other);
}

template <class T>
__attribute__((noinline, no_sanitize("thread"), no_sanitize_coverage)) int shared_slot() {
    static const int slot = emulated_shared_slot(sizeof(T), alignof(T), padding_of<T>());
    return slot;
}
template <class T>
EMULATED_INLINE T& shared_object() {
    static_assert(sizeof(T) <= 49152, "uses too much shared data: 48 KiB of static shared memory at most");
    return *static_cast<T*>(emulated_shared(shared_slot<T>()));
}
template <class T>
EMULATED_INLINE T* dynamic_shared() {
    return (T*)emulated_dynamic_shared(sizeof(T), padding_of<T>());
}

template <class To, class From>
EMULATED_INLINE auto bits_to(From from) {
    To to{};
    __builtin_memcpy(&to, &from, sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From));
    return to;
}
template <class T>
struct Same {
    using type = T;
};
template <class T>
using same_t = typename Same<T>::type;  // takes part in no deduction

}  // namespace emulated
