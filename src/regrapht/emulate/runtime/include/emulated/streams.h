// Streams, events and captured graphs. Work of all streams is done in the order of its calls; whether launches and transfers that could overlap
// are ordered is checked by the races they would have (overlap.h). Graphs come from stream capture; building them node by node is not emulated.
#pragma once

typedef struct emulated_event* cudaEvent_t;
typedef struct emulated_graph* cudaGraph_t;
typedef struct emulated_graph* cudaGraphExec_t;
typedef struct emulated_node* cudaGraphNode_t;
typedef void (*cudaHostFn_t)(void* data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
enum { cudaEventRecordDefault = 0, cudaEventWaitDefault = 0 };
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated };
enum { cudaGraphInstantiateFlagAutoFreeOnLaunch = 1 };
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

extern "C" {
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
int emulated_graph_copy(cudaGraphExec_t* copy, cudaGraph_t graph);
}

EMULATED_INLINE cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
EMULATED_INLINE cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}
EMULATED_INLINE cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
    struct Call {
        cudaStream_t stream;
        cudaStreamCallback_t callback;
        void* data;
    };
    return cudaLaunchHostFunc(
        stream,
        [](void* call) {
            const Call said = *(Call*)call;
            delete (Call*)call;
            said.callback(said.stream, cudaSuccess, said.data);
        },
        new Call{stream, callback, data});
}
EMULATED_INLINE cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
EMULATED_INLINE cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); }
EMULATED_INLINE cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) { return cudaEventRecord(event, stream); }
EMULATED_INLINE cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

EMULATED_INLINE cudaError_t cudaGraphInstantiate(cudaGraphExec_t* copy, cudaGraph_t graph, unsigned long long = 0) {
    return (cudaError_t)emulated_graph_copy(copy, graph);
}
EMULATED_INLINE cudaError_t cudaGraphInstantiate(cudaGraphExec_t* copy, cudaGraph_t graph, cudaGraphNode_t*, char*, size_t) {
    return (cudaError_t)emulated_graph_copy(copy, graph);
}
EMULATED_INLINE cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* copy, cudaGraph_t graph, unsigned long long = 0) {
    return (cudaError_t)emulated_graph_copy(copy, graph);
}
EMULATED_INLINE cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
EMULATED_INLINE cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return cudaGraphDestroy(graph); }
