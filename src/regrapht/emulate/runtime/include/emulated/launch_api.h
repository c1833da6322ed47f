// Launches by function call.
#pragma once

namespace emulated {
template <class... P>
cudaError_t launch_now(const EmulatedLaunch& launch, void (*kernel)(P...), void** pointers) {
    launch_from_pointers(launch, kernel, pointers, std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}
// Launches a kernel whose type is known here alone.
template <class... P>
void launch_as(const EmulatedLaunch* launch, const void* kernel, void** pointers) {
    launch_from_pointers(*launch, (void (*)(P...))kernel, pointers, std::index_sequence_for<P...>());
}
// A kernel that is turned into an untyped pointer. What only shares a kernel's name stays as it is.
template <class... P>
void* kernel_without_type(const char* name, void (*kernel)(P...)) {
    emulated_know_kernel((const void*)kernel, name, launch_as<P...>);
    return (void*)kernel;
}
template <class T>
EMULATED_INLINE T kernel_without_type(const char*, T other) {
    return other;
}
// What is cast to an untyped pointer where it is launched: a kernel keeps its type.
template <class... P>
auto given_kernel(void (*kernel)(P...)) {
    return kernel;
}
template <class T>
EMULATED_INLINE void* given_kernel(T other) {
    return (void*)other;
}
template <class T>
constexpr bool untyped = std::is_void_v<std::remove_cv_t<T>>;
}  // namespace emulated

#define EMULATED_LAUNCH_CALL(NAME, COOPERATIVE)                                                                                        \
    template <class... P>                                                                                                              \
    cudaError_t NAME(emulated::NamedKernel<P...> kernel, dim3 grid, dim3 block, void** pointers, size_t shared = 0,                    \
                     cudaStream_t stream = 0) {                                                                                        \
        return emulated::launch_now({kernel.name, grid, block, shared, COOPERATIVE, stream}, kernel.kernel, pointers);                 \
    }                                                                                                                                  \
    template <class... P>                                                                                                              \
    cudaError_t NAME(void (*kernel)(P...), dim3 grid, dim3 block, void** pointers, size_t shared = 0, cudaStream_t stream = 0) {       \
        return emulated::launch_now({"", grid, block, shared, COOPERATIVE, stream}, kernel, pointers);                                 \
    }                                                                                                                                  \
    template <class T, class = std::enable_if_t<emulated::untyped<T>>>                                                                 \
    cudaError_t NAME(T* kernel, dim3 grid, dim3 block, void** pointers, size_t shared = 0, cudaStream_t stream = 0) {                  \
        const EmulatedLaunch launch{"", grid, block, shared, COOPERATIVE, stream};                                                     \
        return (cudaError_t)emulated_launch_without_type(&launch, (const void*)kernel, pointers);                                      \
    }
EMULATED_LAUNCH_CALL(cudaLaunchKernel, 0)
EMULATED_LAUNCH_CALL(cudaLaunchCooperativeKernel, 1)
#undef EMULATED_LAUNCH_CALL

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributePriority = 8
};
enum cudaAccessProperty { cudaAccessPropertyNormal, cudaAccessPropertyStreaming, cudaAccessPropertyPersisting };
struct cudaAccessPolicyWindow {  // a hint about caches: it changes no result
    void* base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
union cudaLaunchAttributeValue {
    int cooperative;
    int priority;
    struct {
        unsigned x, y, z;
    } clusterDim;
    cudaAccessPolicyWindow accessPolicyWindow;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};
namespace emulated {
// What a launch's attributes ask for; clusters are not emulated.
inline bool configured_from(const cudaLaunchConfig_t& config, EmulatedLaunch& launch) {
    launch.grid = config.gridDim, launch.block = config.blockDim;
    launch.dynamic_shared_bytes = config.dynamicSmemBytes, launch.stream = config.stream;
    for (unsigned i = 0; i < config.numAttrs; i++) {
        const cudaLaunchAttribute& attribute = config.attrs[i];
        if (attribute.id == cudaLaunchAttributeCooperative) launch.cooperative = attribute.val.cooperative;
        const auto& cluster = attribute.val.clusterDim;
        if (attribute.id == cudaLaunchAttributeClusterDimension && cluster.x * cluster.y * cluster.z > 1) {
            emulated_unsupported("thread-block clusters");
            return false;
        }
    }
    return true;
}
}  // namespace emulated
template <class... P, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...), Arguments&&... arguments) {
    EmulatedLaunch launch{"", {}, {}, 0, 0, 0};
    if (!emulated::configured_from(*config, launch)) return cudaErrorNotSupported;
    emulated::start<void (*)(P...), P...>(launch, kernel, std::forward<Arguments>(arguments)...);
    return cudaPeekAtLastError();
}
template <class... P, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, emulated::NamedKernel<P...> kernel, Arguments&&... arguments) {
    EmulatedLaunch launch{kernel.name, {}, {}, 0, 0, 0};
    if (!emulated::configured_from(*config, launch)) return cudaErrorNotSupported;
    emulated::start<void (*)(P...), P...>(launch, kernel.kernel, std::forward<Arguments>(arguments)...);
    return cudaPeekAtLastError();
}
