// The last of the headers: from here on a program finds the macros that nvcc 13 defines, as far as they tell compilers apart, and none of
// this compiler's flags. `evaluate/build/toolchain_names.py` names what is left.
#pragma once
#undef __SANITIZE_THREAD__
#undef __AVX__
#undef __AVX2__
#undef __CRC32__
#undef __F16C__
#undef __FMA__
#undef __FP_FAST_FMA
#undef __FP_FAST_FMAF
#undef __FP_FAST_FMAF32
#undef __FP_FAST_FMAF32x
#undef __FP_FAST_FMAF64
#undef FP_FAST_FMA
#undef FP_FAST_FMAF
#undef __POPCNT__
#undef __SSE3__
#undef __SSE4_1__
#undef __SSE4_2__
#undef __SSSE3__
#undef __XSAVE__
#undef EMULATED_CHECKED
#undef EMULATED_WEIGHTS
#undef EMULATED_KEEP
#ifndef __clang__
#undef __BIGGEST_ALIGNMENT__
#define __BIGGEST_ALIGNMENT__ 16
#undef __cpp_concepts
#endif
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#define __CUDART_API_VERSION 13000
#define __CUDA_ARCH_LIST__ 900
#define __CUDA_RUNTIME_API_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__
