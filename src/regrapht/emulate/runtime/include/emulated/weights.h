// What a function of CUDA's costs on a GPU, where the host executes something else in its place. The weight travels with the value, as an
// instruction without effect that the disassembly knows (instruction_weights.py). A plain build has none.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define EMULATED_WEIGHTS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EMULATED_WEIGHTS 1
#endif
#endif

// The compiler must neither merge these into a fused operation nor compute them at build time in another mode.
#if defined(__aarch64__)
#define EMULATED_KEEP(X) asm("" : "+w"(X))
#else
#define EMULATED_KEEP(X) asm("" : "+x"(X))
#endif

namespace emulated {
constexpr unsigned kWeightMark = 0x4d0000;

// `value`, which costs so many instructions and floating-point operations to make.
template <unsigned instructions, unsigned flops = 0, class T>
EMULATED_INLINE constexpr auto weighs(T value) {
#ifdef EMULATED_WEIGHTS
    static_assert(instructions < 256 && flops < 256);
    if (__builtin_is_constant_evaluated() || __builtin_constant_p(value)) return value;
    constexpr unsigned mark = kWeightMark | flops << 8 | instructions;
    if constexpr (std::is_floating_point_v<T>)
        asm("nopl %c1(%%rax)" : "+x"(value) : "i"(mark));
    else
        asm("nopl %c1(%%rax)" : "+r"(value) : "i"(mark));
#endif
    return value;
}
}  // namespace emulated
