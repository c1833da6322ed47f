// Streams, events and stream capture. A stream does its work at once, unless it is being captured: then the work becomes a step of a graph.
// The steps of a graph are run in the order in which they were captured, which is one of the orders that their dependencies allow.
#pragma once
#include <time.h>
#include <functional>
#include <memory>
#include "launches.h"

struct emulated_graph {
    std::vector<std::function<void()>> steps;
};
struct emulated_stream;
using SeenWork = std::map<const emulated_stream*, runtime::u64>;  // how much of each captured stream's work comes before
struct Capture {
    emulated_stream* origin;
    cudaStreamCaptureMode mode;
    emulated_graph* graph;
    std::vector<emulated_stream*> streams;
    bool valid = true;
};
struct emulated_stream {
    bool blocking = true;  // towards the default stream
    std::shared_ptr<Capture> capture;
    SeenWork seen;
};
struct emulated_event {
    double at_ms = 0;
    std::shared_ptr<Capture> capture;
    SeenWork seen;
};

namespace runtime {
std::vector<std::shared_ptr<Capture>> captures;  // those that have begun and not ended

// nullptr for the default streams, which have no object.
inline emulated_stream* real(cudaStream_t stream) { return (u64)stream <= 2 ? nullptr : stream; }
inline bool is_legacy(cudaStream_t stream) { return (u64)stream <= 1; }

inline int fail(int error) { return last_error = error; }

// What is not allowed while anything is captured, unless the capture is relaxed: it would not be part of the graph.
inline int not_while_capturing() {
    for (auto& capture : captures)
        if (capture->mode != cudaStreamCaptureModeRelaxed) {
            capture->valid = false;
            return fail(cudaErrorStreamCaptureUnsupported);
        }
    return 0;
}

inline void capture_step(emulated_stream* stream, std::function<void()> step) {
    stream->capture->graph->steps.push_back(std::move(step));
    stream->seen[stream]++;
}

// Whether work for `stream` may be done at once (0), was not allowed (an error), or has to be captured (-1).
inline int way_of(cudaStream_t stream) {
    if (emulated_stream* object = real(stream); object && object->capture) return object->capture->valid ? -1 : fail(cudaErrorStreamCaptureInvalidated);
    if (!is_legacy(stream)) return 0;
    for (auto& capture : captures)
        for (emulated_stream* captured : capture->streams)
            if (captured->blocking) {
                capture->valid = false;
                return fail(cudaErrorStreamCaptureImplicit);
            }
    return 0;
}

template <class Work>
int enqueue(cudaStream_t stream, Work work) {
    const int way = way_of(stream);
    if (way > 0) return way;
    if (way < 0) return capture_step(stream, [work] { work(); }), 0;
    return work();
}

inline void join_seen(SeenWork& into, const SeenWork& from) {
    for (auto& [stream, steps] : from) into[stream] = std::max(into[stream], steps);
}

void launch_or_capture(const EmulatedLaunch& asked, void (*thread)(void*), void* parameters, size_t bytes, void* pc) {
    const int way = way_of(asked.stream);
    if (way > 0) return;
    if (way == 0) return run_launch(asked, thread, parameters, bytes, pc);
    if (int error = launch_error(asked, pc)) return void(fail(error));
    std::vector<std::max_align_t> kept(bytes / sizeof(std::max_align_t) + 1);
    memcpy(kept.data(), parameters, bytes);
    capture_step(asked.stream, [=]() mutable { run_launch(asked, thread, kept.data(), bytes, pc); });
}
}  // namespace runtime

extern "C" {
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    *stream = new emulated_stream;
    (*stream)->blocking = !(flags & cudaStreamNonBlocking);
    runtime::number_stream(*stream, (*stream)->blocking);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return runtime::real(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (runtime::way_of(stream)) return (cudaError_t)runtime::fail(cudaErrorStreamCaptureUnsupported);
    runtime::host_waits_for_stream(stream);
    return (cudaError_t)runtime::sticky_error;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    emulated_stream* object = runtime::real(stream);
    if (!event->capture) runtime::stream_waits_for_event(stream, event);
    if (!event->capture || !object) return cudaSuccess;
    if (!object->capture) {
        object->capture = event->capture;
        object->capture->streams.push_back(object);
    }
    runtime::join_seen(object->seen, event->seen);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return (cudaError_t)runtime::enqueue(stream, [=] {
        const runtime::Past before = runtime::streams.host;  // what comes before in the stream is done, for this function alone
        runtime::host_waits_for_stream(stream);
        function(data);
        runtime::streams.host = before;
        return 0;
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return *event = new emulated_event, cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    runtime::forget_event(event);
    return delete event, cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    emulated_stream* object = runtime::real(stream);
    event->capture = object ? object->capture : nullptr;
    if (event->capture) {
        event->seen = object->seen;
        return cudaSuccess;
    }
    runtime::record_event(event, stream);
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    event->at_ms = now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (!event->capture) runtime::host_waits_for_event(event);
    return (cudaError_t)(event->capture ? runtime::fail(cudaErrorCapturedEvent) : runtime::sticky_error);
}
// Time of this CPU: it says nothing of a GPU.
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) { return *ms = (float)(to->at_ms - from->at_ms), cudaSuccess; }

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    emulated_stream* object = runtime::real(stream);
    if (!object) return (cudaError_t)runtime::fail(cudaErrorStreamCaptureUnsupported);
    if (object->capture) return (cudaError_t)runtime::fail(cudaErrorInvalidValue);
    object->capture = std::make_shared<Capture>(Capture{object, mode, new emulated_graph, {object}});
    runtime::captures.push_back(object->capture);
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    emulated_stream* object = runtime::real(stream);
    *graph = nullptr;
    if (!object || !object->capture) return (cudaError_t)runtime::fail(cudaErrorInvalidValue);
    const std::shared_ptr<Capture> capture = object->capture;
    if (capture->origin != object) return (cudaError_t)runtime::fail(cudaErrorStreamCaptureUnmatched);
    std::erase(runtime::captures, capture);
    bool joined = true;
    for (emulated_stream* each : capture->streams) joined &= object->seen[each] >= each->seen[each];
    for (emulated_stream* each : capture->streams) each->capture = nullptr, each->seen.clear();
    if (!capture->valid) return (cudaError_t)runtime::fail(cudaErrorStreamCaptureInvalidated);
    if (!joined) return (cudaError_t)runtime::fail(cudaErrorStreamCaptureUnjoined);
    *graph = capture->graph;
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    emulated_stream* object = runtime::real(stream);
    *status = !object || !object->capture ? cudaStreamCaptureStatusNone
              : object->capture->valid    ? cudaStreamCaptureStatusActive
                                          : cudaStreamCaptureStatusInvalidated;
    return cudaSuccess;
}
int emulated_graph_copy(cudaGraphExec_t* copy, cudaGraph_t graph) {
    if (!graph) return runtime::fail(cudaErrorInvalidValue);
    return *copy = new emulated_graph(*graph), 0;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    return (cudaError_t)runtime::enqueue(stream, [stream, steps = graph->steps] {
        const runtime::GraphStream order(stream);
        for (auto& step : steps) step();
        return runtime::sticky_error;
    });
}
}
