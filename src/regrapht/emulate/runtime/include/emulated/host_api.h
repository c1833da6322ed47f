// The part of the runtime API that host code of a candidate calls: errors, memory, transfers, symbols.
#pragma once

enum cudaError_t : int {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorAssert = 710,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713,
    cudaErrorMisalignedAddress = 716,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotSupported = 801,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorStreamCaptureUnmatched = 903,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorStreamCaptureImplicit = 906,
    cudaErrorCapturedEvent = 907,
    cudaErrorUnknown = 999
};
typedef cudaError_t cudaError;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2 };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4 };

extern "C" {
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemset(void* to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = 0);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
cudaError_t cudaDeviceSynchronize();
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
}

namespace emulated {
template <class T>
EMULATED_INLINE cudaError_t allocate(T** pointer, size_t bytes, EmulatedMemory memory) {
    const auto error = (cudaError_t)emulated_malloc((void**)pointer, bytes, memory);
    if (error == cudaSuccess) array_of(*pointer);
    return error;
}
}  // namespace emulated
template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
    return emulated::allocate(pointer, bytes, kDeviceMemory);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t = 0) {
    return emulated::allocate(pointer, bytes, kPooled);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned = cudaMemAttachGlobal) {
    return emulated::allocate(pointer, bytes, kSharedWithHost);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned = 0) {
    return emulated::allocate(pointer, bytes, kSharedWithHost);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned) {
    return emulated::allocate(pointer, bytes, kSharedWithHost);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned) {
    return *device = (T*)host, cudaSuccess;
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return (cudaError_t)emulated_malloc((void**)pointer, *pitch * height, kDeviceMemory);
}

inline cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream = 0) {
    if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
    for (size_t row = 0; row < height; row++)
        if (cudaError_t error = cudaMemcpyAsync((char*)to + row * to_pitch, (const char*)from + row * from_pitch, width, kind, stream))
            return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
    if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
    for (size_t row = 0; row < height; row++)
        if (cudaError_t error = cudaMemcpy((char*)to + row * to_pitch, (const char*)from + row * from_pitch, width, kind)) return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream = 0) {
    if (width > pitch) return cudaErrorInvalidValue;
    for (size_t row = 0; row < height; row++)
        if (cudaError_t error = cudaMemsetAsync((char*)to + row * pitch, value, width, stream)) return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    if (width > pitch) return cudaErrorInvalidValue;
    for (size_t row = 0; row < height; row++)
        if (cudaError_t error = cudaMemset((char*)to + row * pitch, value, width)) return error;
    return cudaSuccess;
}
template <class... Hints>
cudaError_t cudaMemPrefetchAsync(const void*, size_t, Hints...) {  // a hint: nothing to do where there is one memory
    return cudaSuccess;
}
template <class... Hints>
cudaError_t cudaMemAdvise(const void*, size_t, Hints...) {
    return cudaSuccess;
}
enum { cudaMemAdviseSetReadMostly = 1, cudaMemAdviseSetPreferredLocation = 3, cudaMemAdviseSetAccessedBy = 5, cudaCpuDeviceId = -1 };

template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes, size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) {
    return (cudaError_t)emulated_symbol_copy((void*)&symbol, sizeof(T), (void*)from, bytes, offset, 1, 0, 0);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    return (cudaError_t)emulated_symbol_copy((void*)&symbol, sizeof(T), to, bytes, offset, 0, 0, 0);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind, cudaStream_t stream = 0) {
    return (cudaError_t)emulated_symbol_copy((void*)&symbol, sizeof(T), (void*)from, bytes, offset, 1, 1, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset, cudaMemcpyKind, cudaStream_t stream = 0) {
    return (cudaError_t)emulated_symbol_copy((void*)&symbol, sizeof(T), to, bytes, offset, 0, 1, stream);
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
    return *pointer = (P*)&symbol, cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T&) {
    return *bytes = sizeof(T), cudaSuccess;
}
