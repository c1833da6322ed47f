// What host code of a candidate calls: memory, transfers, errors. A failed transfer or a fault in a kernel stays until the call ends.
#include "late_work.h"
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

static bool is_variable(const void* p) { return p >= variables_begin && p < variables_end; }

// When a copy's call returns, by CUDA's "API synchronization behavior". A graph's launch waits for none of its steps.
enum class Returns { kAtOnce, kWhenDone };
static Returns return_of_copy(const void* to, const void* from, bool asynchronous) {
    enum { kDevice, kPinned, kPageable };
    auto kind = [](const void* p) {
        if (is_variable(p)) return kDevice;
        if (on_device(p)) return kChecked && host_may_touch(p) ? kPinned : kDevice;
        return is_registered((const char*)p, 1) ? kPinned : kPageable;
    };
    const auto target = kind(to), source = kind(from);
    if (streams.in_graph >= 0) return Returns::kAtOnce;
    if (target == kPageable) return Returns::kWhenDone;
    if (asynchronous || source == kPageable) return Returns::kAtOnce;  // a pageable source is kept aside first
    return target == kPinned || source == kPinned ? Returns::kWhenDone : Returns::kAtOnce;
}

static int copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, bool asynchronous, cudaStream_t stream, void* pc) {
    if (sticky_error) return sticky_error;
    if (!bytes) return cudaSuccess;
    const bool to_device = on_device(to), from_device = on_device(from);
    const bool needs_device_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool needs_device_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if ((to_device && !inside_allocation(to, bytes)) || (from_device && !inside_allocation(from, bytes)) ||
        (needs_device_to && !to_device && !is_variable(to)) || (needs_device_from && !from_device && !is_variable(from)))
        return bad_transfer(pc, bytes);
    // Not what the host may touch too: pinned, managed and registered memory are either.
    auto is_devices_alone = [](const void* p, bool on_it) { return kChecked && on_it && !host_may_touch(p); };
    if ((kind == cudaMemcpyHostToDevice && is_devices_alone(from, from_device)) || (kind == cudaMemcpyDeviceToHost && is_devices_alone(to, to_device)) ||
        (kind == cudaMemcpyHostToHost && (is_devices_alone(from, from_device) || is_devices_alone(to, to_device))))
        return bad_transfer(pc, bytes);
    if (kChecked && to != from && (const char*)to < (const char*)from + bytes && (const char*)from < (const char*)to + bytes)
        report_finding("transfer_overlaps", pc, "of " + std::to_string(bytes) + " bytes");
    const Returns returns = return_of_copy(to, from, asynchronous);
    const Transfer transfer(stream, pc);
    host_hands_over();
    transfer.reads(from, bytes, returns == Returns::kWhenDone);
    transfer.writes(to, bytes);
    memmove(to, from, bytes);
    auto is_host = [&](const void* p, cudaMemcpyKind said) {  // pinned memory lies with the device's: there the kind of the copy tells
        return on_device(p) ? kChecked && kind == said && host_may_touch(p) : !is_variable(p);
    };
    const bool host_reads = is_host(to, cudaMemcpyDeviceToHost), host_sends = is_host(from, cudaMemcpyHostToDevice);
    if (host_sends && !host_reads) host_has_sent(to, bytes, from);
    else if (host_reads && !host_sends) host_has_read(to, bytes);
    else host_traffic.from_host += kCommandBytes;
    transfers.count++;
    if (to_device && from_device) transfers.device_bytes += 2 * bytes;
    else if (to_device || from_device) transfers.host_bytes += bytes;
    const u64 writer = transfer.record();
    if (to_device && from_device)
        copy_marks((char*)to, (const char*)from, bytes, kChecked && host_may_touch(to) ? writer | kFromHost : writer);
    else if (to_device)
        mark_written(to, bytes, writer | kFromHost);
    else if (is_variable(to))
        mark_variable_written(to, bytes, writer);
    else if (returns == Returns::kAtOnce)
        unfinished_host_writes.push_back({(char*)to, bytes, epoch_of(writer), pc});
    if (returns == Returns::kWhenDone) host_waits_for_stream(stream);
    return cudaSuccess;
}

static int fill(void* to, int value, size_t bytes, bool asynchronous, cudaStream_t stream, void* pc) {
    if (sticky_error) return sticky_error;
    if (!bytes) return cudaSuccess;
    const bool variable = !on_device(to) && is_variable(to);
    if (!variable && (!on_device(to) || !inside_allocation(to, bytes))) return bad_transfer(pc, bytes);
    const Transfer transfer(stream, pc);
    transfer.writes(to, bytes);
    host_hands_over();
    host_traffic.from_host += kCommandBytes;
    memset(to, value, bytes);
    if (variable) return mark_variable_written(to, bytes, transfer.record()), cudaSuccess;
    transfers.count++;
    transfers.device_bytes += bytes;
    mark_written(to, bytes, transfer.record());
    if (!asynchronous && kChecked && host_may_touch(to)) host_waits_for_stream(stream);
    return cudaSuccess;
}

// Of a variable, or to one.
static int copy_of_symbol(void* to, const void* from, size_t bytes, bool to_symbol, bool asynchronous, cudaStream_t stream, void* pc) {
    if (sticky_error) return sticky_error;
    if (!bytes) return cudaSuccess;
    const void* const other = to_symbol ? from : to;
    if (on_device(other) && !inside_allocation(other, bytes)) return bad_transfer(pc, bytes);
    host_hands_over();
    const Returns returns = return_of_copy(to, from, asynchronous);
    const Transfer transfer(stream, pc);
    transfer.reads(from, bytes, returns == Returns::kWhenDone);
    transfer.writes(to, bytes);
    memcpy(to, from, bytes);
    auto is_host = [](const void* p) { return !on_device(p) || (kChecked && host_may_touch(p)); };
    if (to_symbol) {
        mark_variable_written(to, bytes, transfer.record());
        if (is_host(from)) host_has_sent(to, bytes, from);
    } else {
        if (on_device(to)) mark_written(to, bytes, transfer.record());
        if (is_host(to)) host_has_read(to, bytes);
    }
    if (returns == Returns::kWhenDone) host_waits_for_stream(stream);
    return cudaSuccess;
}

static int free_now(void* pointer, void* pc) {
    if (release(pointer)) return sticky_error;
    report_finding(was_freed(pointer) ? "double_free" : "invalid_free", pc, "");
    return failed(cudaErrorInvalidValue);
}

extern "C" {
void emulated_unsupported(const char* what) { report_unsupported(what); }

int emulated_malloc(void** pointer, size_t bytes, EmulatedMemory memory) {
    if (sticky_error) return sticky_error;
    if (int error = not_while_capturing()) return error;
    *pointer = allocate(bytes, memory, CALLER);
    if (*pointer) return 0;
    // As emulator.py expects it.
    fprintf(stderr, "the emulated device has no %zu bytes left: %zu of its %zu are in use\n", bytes, heap_used, heap_bytes);
    return failed(cudaErrorMemoryAllocation);
}

void emulated_padding(void* start, size_t element_bytes, EmulatedPadding padding) {
    auto known = allocations.find((char*)start);
    if (known == allocations.end()) return;
    mark_padding(heap_region, known->first, known->second.bytes, element_bytes, padding_offsets(element_bytes, padding));
}

// It waits for the device, but not for the use of what cudaMallocAsync() gave.
cudaError_t cudaFree(void* pointer) {
    if (!pointer) return cudaSuccess;
    const auto known = allocations.find((char*)pointer);
    if (known == allocations.end() || known->second.memory != kPooled) host_waits_for_device();
    return (cudaError_t)free_now(pointer, CALLER);
}

cudaError_t cudaFreeHost(void* pointer) {
    if (!pointer) return cudaSuccess;
    host_waits_for_device();
    return (cudaError_t)free_now(pointer, CALLER);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    if (!pointer) return cudaSuccess;
    return (cudaError_t)enqueue(stream, [=, pc = CALLER] {
        const auto known = allocations.find((char*)pointer);
        const Transfer freeing(stream, pc, "freed by cudaFreeAsync()");
        if (known != allocations.end()) freeing.writes(pointer, known->second.bytes);
        return free_now(pointer, pc);
    });
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    if (int error = not_while_capturing()) return (cudaError_t)error;
    return (cudaError_t)copy(to, from, bytes, kind, false, 0, CALLER);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return (cudaError_t)enqueue(stream, [=, pc = CALLER] { return copy(to, from, bytes, kind, true, stream, pc); });
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    if (int error = not_while_capturing()) return (cudaError_t)error;
    return (cudaError_t)fill(to, value, bytes, false, 0, CALLER);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    return (cudaError_t)enqueue(stream, [=, pc = CALLER] { return fill(to, value, bytes, true, stream, pc); });
}

int emulated_pointer_type(const void* pointer) {
    if (on_device(pointer)) {
        if (kChecked && host_may_touch(pointer)) report_unsupported("the type of a pointer that host and device share");
        return cudaMemoryTypeDevice;
    }
    return is_variable(pointer) ? cudaMemoryTypeDevice : is_registered((const char*)pointer, 1) ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
}
size_t* emulated_limit(int limit) {
    static size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
    return limit >= 0 && limit < (int)std::size(limits) ? &limits[limit] : nullptr;
}
int emulated_register_host(void* start, size_t bytes) {
    const int error = register_range((char*)start, bytes);
    return error ? failed(error) : error;
}
int emulated_unregister_host(void* start) {
    const int error = unregister_range((char*)start);
    return error ? failed(error) : error;
}

int emulated_symbol_copy(void* symbol, size_t symbol_bytes, void* other, size_t bytes, size_t offset, int to_symbol, int asynchronous,
                         cudaStream_t stream) {
    void* const pc = CALLER;
    if (offset > symbol_bytes || bytes > symbol_bytes - offset) return bad_transfer(pc, bytes);
    char* const place = (char*)symbol + offset;
    void* const to = to_symbol ? place : other;
    const void* const from = to_symbol ? other : place;
    auto work = [=] { return copy_of_symbol(to, from, bytes, to_symbol, asynchronous, stream, pc); };
    return asynchronous ? enqueue(stream, work) : work();
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
