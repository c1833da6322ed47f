// Registered host memory, the default memory pool, and hints about caches: what programs of the runtime API ask for besides allocations.
// A pool's settings and a cache's hints change no result, so they are taken and have no effect.
#pragma once

extern "C" {
int emulated_register_host(void* start, size_t bytes);
int emulated_unregister_host(void* start);
}
enum { cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2, cudaHostRegisterIoMemory = 4, cudaHostRegisterReadOnly = 8 };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
EMULATED_INLINE cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* told, const void* pointer) {
    const auto type = (cudaMemoryType)emulated_pointer_type(pointer);
    void* const p = const_cast<void*>(pointer);
    *told = {type, type == cudaMemoryTypeUnregistered ? -2 : 0, type == cudaMemoryTypeUnregistered ? nullptr : p, type == cudaMemoryTypeDevice ? nullptr : p};
    return cudaSuccess;
}
EMULATED_INLINE cudaError_t cudaHostRegister(void* start, size_t bytes, unsigned) { return (cudaError_t)emulated_register_host(start, bytes); }
EMULATED_INLINE cudaError_t cudaHostUnregister(void* start) { return (cudaError_t)emulated_unregister_host(start); }

typedef struct emulated_pool* cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4
};
EMULATED_INLINE cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return device == 0 ? (*pool = (cudaMemPool_t)1, cudaSuccess) : cudaErrorInvalidDevice;
}
EMULATED_INLINE cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) { return cudaDeviceGetDefaultMemPool(pool, device); }
EMULATED_INLINE cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
EMULATED_INLINE cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t, cudaStream_t stream) {
    return cudaMallocAsync(pointer, bytes, stream);
}

typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributePriority cudaLaunchAttributePriority
EMULATED_INLINE cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue*) { return cudaSuccess; }
EMULATED_INLINE cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
