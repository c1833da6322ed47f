// What host code of a candidate calls: memory, transfers, errors. A failed transfer or a fault in a kernel stays until the call ends.
#include "streams.h"

using namespace runtime;
#define CALLER __builtin_return_address(0)

struct ErrorText {
    cudaError_t error;
    const char *name, *text;
};
#define NAMED(ERROR) ERROR, #ERROR
const ErrorText kErrorTexts[] = {
    {NAMED(cudaSuccess), "no error"},
    {NAMED(cudaErrorInvalidValue), "invalid argument"},
    {NAMED(cudaErrorMemoryAllocation), "out of memory"},
    {NAMED(cudaErrorInvalidConfiguration), "invalid configuration argument"},
    {NAMED(cudaErrorInvalidPitchValue), "invalid pitch argument"},
    {NAMED(cudaErrorInvalidDevice), "invalid device ordinal"},
    {NAMED(cudaErrorInvalidResourceHandle), "invalid resource handle"},
    {NAMED(cudaErrorNotReady), "device not ready"},
    {NAMED(cudaErrorIllegalAddress), "an illegal memory access was encountered"},
    {NAMED(cudaErrorLaunchOutOfResources), "too many resources requested for launch"},
    {NAMED(cudaErrorLaunchTimeout), "the launch timed out and was terminated"},
    {NAMED(cudaErrorAssert), "device-side assert triggered"},
    {NAMED(cudaErrorHostMemoryAlreadyRegistered), "part or all of the requested memory range is already mapped"},
    {NAMED(cudaErrorHostMemoryNotRegistered), "pointer does not correspond to a registered memory region"},
    {NAMED(cudaErrorMisalignedAddress), "misaligned address"},
    {NAMED(cudaErrorLaunchFailure), "unspecified launch failure"},
    {NAMED(cudaErrorCooperativeLaunchTooLarge), "too many blocks in cooperative launch"},
    {NAMED(cudaErrorNotSupported), "operation not supported"},
    {NAMED(cudaErrorStreamCaptureUnsupported), "operation not permitted when stream is capturing"},
    {NAMED(cudaErrorStreamCaptureInvalidated), "operation failed due to a previous error during capture"},
    {NAMED(cudaErrorStreamCaptureUnmatched), "capture was not ended in the same stream as it began"},
    {NAMED(cudaErrorStreamCaptureUnjoined), "capturing stream has unjoined work"},
    {NAMED(cudaErrorStreamCaptureImplicit), "operation would make the legacy stream depend on a capturing blocking stream"},
    {NAMED(cudaErrorCapturedEvent), "operation not permitted on an event last recorded in a capturing stream"},
    {NAMED(cudaErrorUnknown), "unknown error"},
};
#undef NAMED

static const ErrorText& said_of(cudaError_t error) {
    for (const ErrorText& known : kErrorTexts)
        if (known.error == error) return known;
    return std::end(kErrorTexts)[-1];
}

static cudaError_t failed(int error) {
    last_error = error;
    return (cudaError_t)error;
}

static cudaError_t bad_transfer(void* pc, size_t bytes) {
    report_finding("transfer_out_of_bounds", pc, "of " + std::to_string(bytes) + " bytes");
    return failed(cudaErrorInvalidValue);
}

static int copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, void* pc) {
    if (sticky_error) return sticky_error;
    if (!bytes) return cudaSuccess;
    auto is_variable = [](const void* p) { return p >= variables_begin && p < variables_end; };
    const bool to_device = on_device(to), from_device = on_device(from);
    const bool needs_device_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool needs_device_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if ((to_device && !inside_allocation(to, bytes)) || (from_device && !inside_allocation(from, bytes)) ||
        (needs_device_to && !to_device && !is_variable(to)) || (needs_device_from && !from_device && !is_variable(from)))
        return bad_transfer(pc, bytes);
    memmove(to, from, bytes);
    auto is_host = [&](const void* p, cudaMemcpyKind said) {  // pinned memory lies with the device's: there the kind of the copy tells
        return on_device(p) ? kChecked && kind == said && host_may_touch(p) : !is_variable(p);
    };
    const bool host_reads = is_host(to, cudaMemcpyDeviceToHost), host_sends = is_host(from, cudaMemcpyHostToDevice);
    if (host_sends && !host_reads) host_has_sent(to, bytes);
    if (host_reads && !host_sends) host_has_read(to, bytes);
    transfers.count++;
    if (to_device && from_device) transfers.device_bytes += 2 * bytes;
    else if (to_device || from_device) transfers.host_bytes += bytes;
    if (to_device && from_device)
        copy_marks((char*)to, (const char*)from, bytes, from_host(pc));
    else if (to_device)
        mark_written_by_host(to, bytes, from_host(pc));
    return cudaSuccess;
}

static int fill(void* to, int value, size_t bytes, void* pc) {
    if (sticky_error) return sticky_error;
    if (!bytes) return cudaSuccess;
    if (!on_device(to) && to >= variables_begin && to < variables_end) return memset(to, value, bytes), cudaSuccess;
    if (!on_device(to) || !inside_allocation(to, bytes)) return bad_transfer(pc, bytes);
    memset(to, value, bytes);
    transfers.count++;
    transfers.device_bytes += bytes;
    mark_written_by_host(to, bytes);
    return cudaSuccess;
}

extern "C" {
void emulated_unsupported(const char* what) { report_unsupported(what); }

int emulated_malloc(void** pointer, size_t bytes, int host_too) {
    if (sticky_error) return sticky_error;
    if (int error = not_while_capturing()) return error;
    *pointer = allocate(bytes, host_too, CALLER);
    return *pointer ? 0 : failed(cudaErrorMemoryAllocation);
}

void emulated_padding(void* start, size_t element_bytes, EmulatedPadding padding) {
    auto known = allocations.find((char*)start);
    if (known == allocations.end()) return;
    mark_padding(heap_region, known->first, known->second.bytes, element_bytes, padding_offsets(element_bytes, padding));
}

cudaError_t cudaFree(void* pointer) {
    if (!pointer) return cudaSuccess;
    host_waits_for_device();
    if (release(pointer)) return (cudaError_t)sticky_error;
    report_finding(was_freed(pointer) ? "double_free" : "invalid_free", CALLER, "");
    return failed(cudaErrorInvalidValue);
}

cudaError_t cudaFreeHost(void* pointer) {
    if (!pointer) return cudaSuccess;
    host_waits_for_device();
    if (release(pointer)) return (cudaError_t)sticky_error;
    report_finding(was_freed(pointer) ? "double_free" : "invalid_free", CALLER, "");
    return failed(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    if (int error = not_while_capturing()) return (cudaError_t)error;
    begin_operation(0, new_epoch());
    host_waits_for_stream(nullptr);
    return (cudaError_t)copy(to, from, bytes, kind, CALLER);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return (cudaError_t)enqueue(stream, [=, pc = CALLER] { return copy(to, from, bytes, kind, pc); });
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    if (int error = not_while_capturing()) return (cudaError_t)error;
    return (cudaError_t)fill(to, value, bytes, CALLER);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    return (cudaError_t)enqueue(stream, [=, pc = CALLER] { return fill(to, value, bytes, pc); });
}

int emulated_register_host(void* start, size_t bytes) {
    const int error = register_range((char*)start, bytes);
    return error ? failed(error) : error;
}
int emulated_unregister_host(void* start) {
    const int error = unregister_range((char*)start);
    return error ? failed(error) : error;
}

int emulated_symbol_copy(const void* symbol, size_t symbol_bytes, void* to, const void* from, size_t bytes, size_t offset) {
    if (sticky_error) return sticky_error;
    if (offset > symbol_bytes || bytes > symbol_bytes - offset) return bad_transfer(CALLER, bytes);
    char* const place = (char*)symbol + offset;
    auto is_host = [](const void* p) { return !on_device(p) || (kChecked && host_may_touch(p)); };
    if (from) {
        memcpy(place, from, bytes);
        if (is_host(from)) host_has_sent(place, bytes);
    } else {
        memcpy(to, place, bytes);
        if (is_host(to)) host_has_read(to, bytes);
    }
    return 0;
}

cudaError_t cudaPeekAtLastError() { return (cudaError_t)(sticky_error ? sticky_error : last_error); }
cudaError_t cudaGetLastError() {
    const cudaError_t error = cudaPeekAtLastError();
    last_error = 0;
    return error;
}
cudaError_t cudaDeviceSynchronize() {
    if (int error = not_while_capturing()) return (cudaError_t)error;
    host_waits_for_device();
    return (cudaError_t)sticky_error;
}

const char* cudaGetErrorString(cudaError_t error) { return said_of(error).text; }
const char* cudaGetErrorName(cudaError_t error) { return said_of(error).name; }

void emulated_allow_dynamic_shared(int bytes) { allowed_dynamic_shared = std::max(allowed_dynamic_shared, bytes); }
int emulated_blocks_per_processor(int threads, size_t shared_bytes) { return blocks_per_processor((u32)std::max(threads, 0), shared_bytes); }
}
