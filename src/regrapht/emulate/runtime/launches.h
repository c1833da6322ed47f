// Kernel launches: the checks that the CUDA runtime makes, the counters of the kernel, the run.
#pragma once
#include "scheduler.h"

namespace runtime {
constexpr size_t kSharedPerProcessor = 228 << 10;

int blocks_per_processor(u32 threads, size_t shared_bytes) {
    if (threads == 0 || threads > 1024) return 0;
    u32 blocks = std::min<u32>(kEmulatedBlocksPerProcessor, kEmulatedThreadsPerProcessor / ((threads + 31) / 32 * 32));
    if (shared_bytes) blocks = std::min<u32>(blocks, kSharedPerProcessor / (shared_bytes + 1024));
    return (int)blocks;
}

int launch_error(const EmulatedLaunch& asked) {
    const u64 threads = (u64)asked.block.x * asked.block.y * asked.block.z;
    const u64 blocks = (u64)asked.grid.x * asked.grid.y * asked.grid.z;
    if (threads == 0 || threads > 1024 || asked.block.z > 64 || blocks == 0 || asked.grid.x > 0x7fffffff || asked.grid.y > 65535 ||
        asked.grid.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (asked.dynamic_shared_bytes > (size_t)allowed_dynamic_shared) return cudaErrorInvalidValue;
    if (!asked.cooperative) return 0;
    const u64 resident = (u64)kEmulatedProcessors * blocks_per_processor((u32)threads, asked.dynamic_shared_bytes);
    return blocks > resident ? cudaErrorCooperativeLaunchTooLarge : 0;
}

KernelCounts* counts_for(const EmulatedLaunch& asked, const std::string& name) {
    auto same = [](dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    for (KernelCounts& k : kernels)
        if (k.name == name && same(k.grid, asked.grid) && same(k.block, asked.block)) return &k;
    if (kernels.size() >= 4096) return &kernels.back();  // a candidate with ever new launch shapes
    kernels.push_back({name, asked.grid, asked.block});
    return &kernels.back();
}

void run_launch(const EmulatedLaunch& asked, void (*thread)(void*), void* parameters, size_t parameter_bytes) {
    if (sticky_error) return;
    if (int error = launch_error(asked)) {
        last_error = error;
        return;
    }
    const u64 total = (u64)asked.grid.x * asked.grid.y * asked.grid.z;
    if (total > 0xffffffffull) return report_unsupported("a grid of more than 2^32 blocks");
    launch = Launch{};
    launch.kernel = asked.kernel;
    launch.grid = asked.grid;
    launch.block = asked.block;
    launch.dynamic_shared_bytes = asked.dynamic_shared_bytes;
    launch.cooperative = asked.cooperative;
    launch.thread = thread;
    launch.parameters = (char*)parameters;
    launch.parameter_bytes = parameter_bytes;
    launch.first = new_epoch();
    begin_operation(stream_number(asked.stream), launch.first);
    launch.joined = joined_epoch(launch.first);
    forget_fences();
    kernel = counts_for(asked, asked.kernel);
    const u64 threads = (u64)asked.block.x * asked.block.y * asked.block.z;
    kernel->launches++;
    kernel->blocks += total;
    kernel->threads += total * threads;
    kernel->warps += total * ((threads + kWarpLanes - 1) / kWarpLanes);
    blockDim = {asked.block.x, asked.block.y, asked.block.z};
    gridDim = {asked.grid.x, asked.grid.y, asked.grid.z};
    in_kernel = true;
    ignore(kOnHost);
    if (asked.cooperative)
        run_cooperative((u32)total);
    else
        run_one_by_one((u32)total);
    in_kernel = false;
    attend(kOnHost);
}
}  // namespace runtime
