#pragma once
#include "emulated/everything.h"
EMULATED_INLINE cudaError_t cudaProfilerStart() { return cudaSuccess; }
EMULATED_INLINE cudaError_t cudaProfilerStop() { return cudaSuccess; }
