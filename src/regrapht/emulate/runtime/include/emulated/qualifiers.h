// CUDA's keywords as attributes of plain C++, and what a device compiler predefines.
#pragma once
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDA_ARCH__ 900
#define CUDART_VERSION 13000
#define __CUDA_RUNTIME_H__  // other headers look at these guards to see whether the runtime API is there
#define __DRIVER_TYPES_H__
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ inline
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __align__(n) __attribute__((aligned(n)))
#define CUDART_CB
#define EMULATED_INLINE inline __attribute__((always_inline))
#ifndef __clang__  // which has it itself
EMULATED_INLINE void __builtin_assume(bool) {}
#endif
EMULATED_INLINE void __assume(bool) {}
// What the rewriter puts before a loop: unroll it where it has so few iterations. clang unrolls by itself, and as `#pragma unroll` says.
#ifdef __clang__
#define EMULATED_UNROLL(MOST)
#else
#define EMULATED_PRAGMA(TEXT) _Pragma(#TEXT)
#define EMULATED_UNROLL(MOST) EMULATED_PRAGMA(GCC unroll MOST)
#endif
