// What host code of a candidate calls: memory, transfers, errors. A failed transfer or a fault in a kernel stays until the call ends.
#include <time.h>
#include "launches.h"

using namespace runtime;
#define CALLER __builtin_return_address(0)

static cudaError_t failed(int error) {
    last_error = error;
    return (cudaError_t)error;
}

static cudaError_t bad_transfer(void* pc, size_t bytes) {
    report_finding("transfer_out_of_bounds", pc, "of " + std::to_string(bytes) + " bytes");
    return failed(cudaErrorInvalidValue);
}

extern "C" {
int emulated_malloc(void** pointer, size_t bytes, int host_too) {
    if (sticky_error) return sticky_error;
    *pointer = allocate(bytes, host_too);
    return *pointer ? 0 : failed(cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void* pointer) {
    if (!pointer) return cudaSuccess;
    if (release(pointer)) return (cudaError_t)sticky_error;
    report_finding("invalid_free", CALLER, "");
    return failed(cudaErrorInvalidValue);
}

cudaError_t cudaFreeHost(void* pointer) {
    if (!pointer) return cudaSuccess;
    if (release(pointer)) return (cudaError_t)sticky_error;
    report_finding("invalid_free", CALLER, "");
    return failed(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    if (sticky_error) return (cudaError_t)sticky_error;
    if (!bytes) return cudaSuccess;
    auto is_variable = [](const void* p) { return p >= variables_begin && p < variables_end; };
    const bool to_device = on_device(to), from_device = on_device(from);
    const bool needs_device_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool needs_device_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if ((to_device && !inside_allocation(to, bytes)) || (from_device && !inside_allocation(from, bytes)) ||
        (needs_device_to && !to_device && !is_variable(to)) || (needs_device_from && !from_device && !is_variable(from)))
        return bad_transfer(CALLER, bytes);
    memmove(to, from, bytes);
    if (to_device && from_device)
        copy_initialised((char*)to, (const char*)from, bytes);
    else if (to_device)
        mark_written_by_host(to, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    if (sticky_error) return (cudaError_t)sticky_error;
    if (!bytes) return cudaSuccess;
    if (!on_device(to) && to >= variables_begin && to < variables_end) return memset(to, value, bytes), cudaSuccess;
    if (!on_device(to) || !inside_allocation(to, bytes)) return bad_transfer(CALLER, bytes);
    memset(to, value, bytes);
    mark_written_by_host(to, bytes);
    return cudaSuccess;
}

int emulated_symbol_copy(const void* symbol, size_t symbol_bytes, void* to, const void* from, size_t bytes, size_t offset) {
    if (sticky_error) return sticky_error;
    if (offset > symbol_bytes || bytes > symbol_bytes - offset) return bad_transfer(CALLER, bytes);
    if (from)
        memcpy((char*)symbol + offset, from, bytes);
    else
        memcpy(to, (const char*)symbol + offset, bytes);
    return 0;
}

cudaError_t cudaPeekAtLastError() { return (cudaError_t)(sticky_error ? sticky_error : last_error); }
cudaError_t cudaGetLastError() {
    const cudaError_t error = cudaPeekAtLastError();
    last_error = 0;
    return error;
}
cudaError_t cudaDeviceSynchronize() { return (cudaError_t)sticky_error; }

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "no error";
        case cudaErrorInvalidValue: return "invalid argument";
        case cudaErrorMemoryAllocation: return "out of memory";
        case cudaErrorInvalidConfiguration: return "invalid configuration argument";
        case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
        case cudaErrorLaunchTimeout: return "the launch timed out and was terminated";
        case cudaErrorAssert: return "device-side assert triggered";
        case cudaErrorMisalignedAddress: return "misaligned address";
        case cudaErrorLaunchFailure: return "unspecified launch failure";
        case cudaErrorCooperativeLaunchTooLarge: return "too many blocks in cooperative launch";
        default: return "unknown error";
    }
}
const char* cudaGetErrorName(cudaError_t error) { return cudaGetErrorString(error); }

void emulated_allow_dynamic_shared(int bytes) { allowed_dynamic_shared = std::max(allowed_dynamic_shared, bytes); }
int emulated_blocks_per_processor(int threads, size_t shared_bytes) { return blocks_per_processor((u32)std::max(threads, 0), shared_bytes); }

double emulated_now_ms() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}
}
