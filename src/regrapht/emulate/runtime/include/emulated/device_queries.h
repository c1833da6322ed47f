// What programs ask about the device. The answers describe one made-up device: the shape of a large data-centre GPU of compute
// capability 9.0 with 132 multiprocessors and 80 GiB. Nothing here was measured.
#pragma once

struct cudaUUID_t {
    char bytes[16];
};
struct cudaDeviceProp {
    char name[256] = "NVIDIA H100 80GB HBM3";
    cudaUUID_t uuid = {};
    size_t totalGlobalMem = (size_t)80 << 30, sharedMemPerBlock = 49152;
    int regsPerBlock = 65536, warpSize = 32;
    size_t memPitch = 2147483647;
    int maxThreadsPerBlock = 1024, maxThreadsDim[3] = {1024, 1024, 64}, maxGridSize[3] = {2147483647, 65535, 65535};
    int clockRate = 1700000;
    size_t totalConstMem = 65536;
    int major = 9, minor = 0;
    size_t textureAlignment = 512, texturePitchAlignment = 32;
    int deviceOverlap = 1, multiProcessorCount = kEmulatedProcessors, kernelExecTimeoutEnabled = 0, integrated = 0;
    int canMapHostMemory = 1, computeMode = 0;
    int concurrentKernels = 1, ECCEnabled = 1, pciBusID = 0, pciDeviceID = 0, pciDomainID = 0, tccDriver = 0, asyncEngineCount = 3;
    int unifiedAddressing = 1, memoryClockRate = 2600000, memoryBusWidth = 5120, l2CacheSize = 50 << 20, persistingL2CacheMaxSize = 32 << 20;
    int maxThreadsPerMultiProcessor = kEmulatedThreadsPerProcessor, streamPrioritiesSupported = 1, globalL1CacheSupported = 1, localL1CacheSupported = 1;
    size_t sharedMemPerMultiprocessor = 233472;
    int regsPerMultiprocessor = 65536, managedMemory = 1, isMultiGpuBoard = 0, pageableMemoryAccess = 0, concurrentManagedAccess = 1;
    int computePreemptionSupported = 1, canUseHostPointerForRegisteredMem = 0, cooperativeLaunch = 1;
    size_t sharedMemPerBlockOptin = 232448;
    int directManagedMemAccessFromHost = 0, maxBlocksPerMultiProcessor = kEmulatedBlocksPerProcessor;
    size_t reservedSharedMemPerBlock = 1024;
    int accessPolicyMaxWindowSize = 128 << 20, memoryPoolsSupported = 1, clusterLaunch = 0;
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrMemoryPoolsSupported = 115
};
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited, cudaComputeModeExclusiveProcess };
enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize
};
enum { cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1, cudaDeviceScheduleYield = 2, cudaDeviceScheduleBlockingSync = 4, cudaDeviceBlockingSync = 4, cudaDeviceMapHost = 8 };
enum { cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1 };
EMULATED_INLINE cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }
EMULATED_INLINE cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
EMULATED_INLINE cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
EMULATED_INLINE cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
EMULATED_INLINE cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    return device == 0 ? (*p = cudaDeviceProp(), cudaSuccess) : cudaErrorInvalidDevice;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (device != 0) return cudaErrorInvalidDevice;
    const cudaDeviceProp p;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
        case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
        case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
        case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
        case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
        case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
        case cudaDevAttrTotalConstantMemory: *value = (int)p.totalConstMem; break;
        case cudaDevAttrWarpSize: *value = p.warpSize; break;
        case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
        case cudaDevAttrClockRate: *value = p.clockRate; break;
        case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
        case cudaDevAttrGpuOverlap: *value = p.deviceOverlap; break;
        case cudaDevAttrKernelExecTimeout: *value = p.kernelExecTimeoutEnabled; break;
        case cudaDevAttrCanMapHostMemory: *value = p.canMapHostMemory; break;
        case cudaDevAttrComputeMode: *value = p.computeMode; break;
        case cudaDevAttrPageableMemoryAccess: *value = p.pageableMemoryAccess; break;
        case cudaDevAttrIntegrated: *value = p.integrated; break;
        case cudaDevAttrConcurrentKernels: *value = p.concurrentKernels; break;
        case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
        case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
        case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
        case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
        case cudaDevAttrUnifiedAddressing: *value = p.unifiedAddressing; break;
        case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
        case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = (int)p.sharedMemPerMultiprocessor; break;
        case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
        case cudaDevAttrManagedMemory: *value = p.managedMemory; break;
        case cudaDevAttrConcurrentManagedAccess: *value = p.concurrentManagedAccess; break;
        case cudaDevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)p.sharedMemPerBlockOptin; break;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
        case cudaDevAttrMemoryPoolsSupported: *value = p.memoryPoolsSupported; break;
        default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}
EMULATED_INLINE cudaError_t cudaMemGetInfo(size_t* free, size_t* total) { return *free = *total = (size_t)80 << 30, cudaSuccess; }
EMULATED_INLINE cudaError_t cudaDriverGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
EMULATED_INLINE cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
EMULATED_INLINE cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) { return *least = 0, *greatest = -5, cudaSuccess; }
// Limits are remembered, and none of them limits anything here.
EMULATED_INLINE cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    size_t* known = emulated_limit(limit);
    return known ? (*known = value, cudaSuccess) : cudaErrorInvalidValue;
}
EMULATED_INLINE cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    const size_t* known = emulated_limit(limit);
    return known ? (*value = *known, cudaSuccess) : cudaErrorInvalidValue;
}

enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxShared = 100, cudaSharedmemCarveoutMaxL1 = 0 };
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
// Occupancy as threads and shared memory limit it; registers are not known.
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F, int threads, size_t shared_bytes) {
    return *blocks = emulated_blocks_per_processor(threads, shared_bytes), cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F, int threads, size_t shared_bytes, unsigned) {
    return *blocks = emulated_blocks_per_processor(threads, shared_bytes), cudaSuccess;
}
template <class F, class SharedBytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F, SharedBytes shared_bytes, int limit = 0) {
    int most = 0;
    for (int threads = limit > 0 && limit < 1024 ? limit / 32 * 32 : 1024; threads > 0; threads -= 32) {
        const int blocks = emulated_blocks_per_processor(threads, shared_bytes(threads));
        if (blocks * threads <= most) continue;
        most = blocks * threads;
        *block = threads, *grid = kEmulatedProcessors * blocks;
    }
    if (!most) return cudaErrorInvalidValue;
    emulated_proposed_block(*block);  // without a look at the kernel's __launch_bounds__
    return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F kernel, size_t shared_bytes = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, [=](int) { return shared_bytes; }, limit);
}
