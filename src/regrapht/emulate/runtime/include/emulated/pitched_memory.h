// Memory of three dimensions by pitch, and copies between such memories. There are no CUDA arrays: what copies from or to one is refused
// by its name.
#pragma once

struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void* ptr;
    size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
EMULATED_INLINE cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
EMULATED_INLINE cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
EMULATED_INLINE cudaPitchedPtr make_cudaPitchedPtr(void* p, size_t pitch, size_t x, size_t y) { return {p, pitch, x, y}; }

inline cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    const size_t pitch = (extent.width + 511) / 512 * 512;
    *pointer = {nullptr, pitch, extent.width, extent.height};
    return (cudaError_t)emulated_malloc(&pointer->ptr, pitch * extent.height * extent.depth, kDeviceMemory);
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream = 0) {
    for (size_t z = 0; z < extent.depth; z++) {
        void* const plane = (char*)to.ptr + z * to.ysize * to.pitch;
        if (cudaError_t error = cudaMemset2DAsync(plane, to.pitch, value, extent.width, extent.height, stream)) return error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) { return cudaMemset3DAsync(to, value, extent); }
namespace emulated {
inline char* plane_of(const cudaPitchedPtr& p, const cudaPos& at, size_t z) {
    return (char*)p.ptr + ((at.z + z) * p.ysize + at.y) * p.pitch + at.x;
}
}  // namespace emulated
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream = 0) {
    const cudaExtent& e = p->extent;
    for (size_t z = 0; z < e.depth; z++)
        if (cudaError_t error = cudaMemcpy2DAsync(emulated::plane_of(p->dstPtr, p->dstPos, z), p->dstPtr.pitch, emulated::plane_of(p->srcPtr, p->srcPos, z),
                                                  p->srcPtr.pitch, e.width, e.height, p->kind, stream))
            return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
    const cudaExtent& e = p->extent;
    for (size_t z = 0; z < e.depth; z++)
        if (cudaError_t error = cudaMemcpy2D(emulated::plane_of(p->dstPtr, p->dstPos, z), p->dstPtr.pitch, emulated::plane_of(p->srcPtr, p->srcPos, z),
                                             p->srcPtr.pitch, e.width, e.height, p->kind))
            return error;
    return cudaSuccess;
}
