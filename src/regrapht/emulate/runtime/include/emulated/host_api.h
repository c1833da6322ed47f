// The part of the runtime API that host code of a candidate calls. Streams run in order, one after the other.
#pragma once

enum cudaError_t : int {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchTimeout = 702,
    cudaErrorAssert = 710,
    cudaErrorMisalignedAddress = 716,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720
};
typedef cudaError_t cudaError;
typedef struct emulated_event* cudaEvent_t;
typedef struct emulated_pool* cudaMemPool_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
enum { cudaMemAttachGlobal = 1, cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2 };
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

extern "C" {
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* to, int value, size_t bytes);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
cudaError_t cudaDeviceSynchronize();
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
}

template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
    return (cudaError_t)emulated_malloc((void**)pointer, bytes, 0);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t = 0) {
    return (cudaError_t)emulated_malloc((void**)pointer, bytes, 0);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned = cudaMemAttachGlobal) {
    return (cudaError_t)emulated_malloc((void**)pointer, bytes, 1);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned = 0) {
    return (cudaError_t)emulated_malloc((void**)pointer, bytes, 1);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned) {
    return (cudaError_t)emulated_malloc((void**)pointer, bytes, 1);
}
EMULATED_INLINE cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return cudaFree(pointer); }
EMULATED_INLINE cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t = 0) {
    return cudaMemcpy(to, from, bytes, kind);
}
EMULATED_INLINE cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = 0) { return cudaMemset(to, value, bytes); }
inline cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
    for (size_t row = 0; row < height; row++)
        if (cudaError_t error = cudaMemcpy((char*)to + row * to_pitch, (const char*)from + row * from_pitch, width, kind)) return error;
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes, size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) {
    return (cudaError_t)emulated_symbol_copy((const void*)&symbol, sizeof(T), nullptr, from, bytes, offset);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    return (cudaError_t)emulated_symbol_copy((const void*)&symbol, sizeof(T), to, nullptr, bytes, offset);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t = 0) {
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    *pointer = (void*)&symbol;
    return cudaSuccess;
}

EMULATED_INLINE cudaError_t cudaStreamCreate(cudaStream_t* s) { return *s = (cudaStream_t)3, cudaSuccess; }
EMULATED_INLINE cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return cudaStreamCreate(s); }
EMULATED_INLINE cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned, int) { return cudaStreamCreate(s); }
EMULATED_INLINE cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
EMULATED_INLINE cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaDeviceSynchronize(); }
EMULATED_INLINE cudaError_t cudaStreamQuery(cudaStream_t) { return cudaPeekAtLastError(); }
EMULATED_INLINE cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
EMULATED_INLINE cudaError_t cudaEventCreate(cudaEvent_t* e) { return *e = (cudaEvent_t) new double(0), cudaSuccess; }
EMULATED_INLINE cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return cudaEventCreate(e); }
EMULATED_INLINE cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t = 0) { return *(double*)e = emulated_now_ms(), cudaSuccess; }
EMULATED_INLINE cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaPeekAtLastError(); }
EMULATED_INLINE cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
EMULATED_INLINE cudaError_t cudaEventDestroy(cudaEvent_t e) { return delete (double*)e, cudaSuccess; }
EMULATED_INLINE cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
    return *ms = (float)(*(double*)to - *(double*)from), cudaSuccess;
}

struct cudaDeviceProp {
    char name[256] = "emulated device";
    int major = 9, minor = 0, multiProcessorCount = 132, warpSize = 32, maxThreadsPerBlock = 1024;
    int maxThreadsPerMultiProcessor = 2048, regsPerBlock = 65536, maxBlocksPerMultiProcessor = 32, l2CacheSize = 50 << 20;
    int maxThreadsDim[3] = {1024, 1024, 64}, maxGridSize[3] = {2147483647, 65535, 65535}, clockRate = 1700000;
    int concurrentKernels = 1, cooperativeLaunch = 1, memoryBusWidth = 5120;
    size_t sharedMemPerBlock = 49152, sharedMemPerBlockOptin = 232448, sharedMemPerMultiprocessor = 233472;
    size_t totalGlobalMem = (size_t)80 << 30, totalConstMem = 65536;
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
EMULATED_INLINE cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidValue; }
EMULATED_INLINE cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
EMULATED_INLINE cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
EMULATED_INLINE cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) { return *p = cudaDeviceProp(), cudaSuccess; }
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    const cudaDeviceProp p;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
        case cudaDevAttrWarpSize: *value = p.warpSize; break;
        case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
        case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
        case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = (int)p.sharedMemPerMultiprocessor; break;
        case cudaDevAttrCooperativeLaunch: *value = 1; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)p.sharedMemPerBlockOptin; break;
        default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}
EMULATED_INLINE cudaError_t cudaMemGetInfo(size_t* free, size_t* total) { return *free = *total = (size_t)80 << 30, cudaSuccess; }
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
template <class F>
cudaError_t cudaFuncSetAttribute(F, int attribute, int value) {
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || value > 232448) return cudaErrorInvalidValue;
        emulated_allow_dynamic_shared(value);
    }
    return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncSetCacheConfig(F, cudaFuncCache) {
    return cudaSuccess;
}
EMULATED_INLINE cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F, int threads, size_t shared_bytes) {
    return *blocks = emulated_blocks_per_processor(threads, shared_bytes), cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F, size_t = 0, int limit = 0) {
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    *grid = 132 * emulated_blocks_per_processor(*block, 0);
    return cudaSuccess;
}

namespace emulated {
template <class... P, size_t... I>
void launch_from_pointers(const EmulatedLaunch& launch, void (*kernel)(P...), void** pointers, std::index_sequence<I...>) {
    start<void (*)(P...), P...>(launch, kernel, *(std::remove_reference_t<P>*)pointers[I]...);
}
}  // namespace emulated
template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** pointers, size_t shared = 0, cudaStream_t = 0) {
    const EmulatedLaunch launch{"", grid, block, shared, 0};
    emulated::launch_from_pointers(launch, kernel, pointers, std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** pointers, size_t shared = 0,
                                        cudaStream_t = 0) {
    const EmulatedLaunch launch{"", grid, block, shared, 1};
    emulated::launch_from_pointers(launch, kernel, pointers, std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}
