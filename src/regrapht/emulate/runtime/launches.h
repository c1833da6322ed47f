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

// Why CUDA refuses a launch; no error: it does not.
struct Refusal {
    int error = 0;
    std::string why;
};
Refusal refusal_of(const EmulatedLaunch& asked) {
    auto number = [](u64 n) { return std::to_string(n); };
    const u64 threads = (u64)asked.block.x * asked.block.y * asked.block.z;
    const u64 blocks = (u64)asked.grid.x * asked.grid.y * asked.grid.z;
    if (threads == 0 || threads > 1024 || asked.block.z > 64)
        return {cudaErrorInvalidConfiguration, number(threads) + " threads a block; 1 to 1024 are allowed, at most 64 of them in z"};
    if (blocks == 0 || asked.grid.x > 0x7fffffff || asked.grid.y > 65535 || asked.grid.z > 65535)
        return {cudaErrorInvalidConfiguration, "a grid of " + number(asked.grid.x) + " x " + number(asked.grid.y) + " x " + number(asked.grid.z) +
                                                   " blocks; each is at least 1, y and z at most 65535"};
    if (asked.dynamic_shared_bytes > (size_t)allowed_dynamic_shared)
        return {cudaErrorInvalidValue, number(asked.dynamic_shared_bytes) + " bytes of dynamic shared memory, " +
                                           number(allowed_dynamic_shared) + " are allowed"};
    if (!asked.cooperative) return {};
    const u64 resident = (u64)kEmulatedProcessors * blocks_per_processor((u32)threads, asked.dynamic_shared_bytes);
    if (blocks <= resident) return {};
    return {cudaErrorCooperativeLaunchTooLarge, "a cooperative launch of " + number(blocks) + " blocks, " + number(resident) + " are resident at once"};
}

// The error of a launch that CUDA refuses, kept in mind for the report; 0 when it makes it.
int launch_error(const EmulatedLaunch& asked, void* pc) {
    const Refusal refused = refusal_of(asked);
    if (kChecked && refused.error) refused_launches.push_back({pc, asked.kernel, std::string(asked.kernel) + " with " + refused.why});
    return refused.error;
}

KernelCounts* counts_for(const EmulatedLaunch& asked, const std::string& name) {
    auto same = [](dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    for (KernelCounts& k : kernels)
        if (k.name == name && same(k.grid, asked.grid) && same(k.block, asked.block)) return &k;
    if (kernels.size() >= 4096) return &kernels.back();  // a candidate with ever new launch shapes
    kernels.push_back({name, asked.grid, asked.block});
    return &kernels.back();
}

// A launch that its kernel's bounds forbid does not count.
void forget_launch(u64 blocks, u64 threads, u64 traced_before) {
    kernel->launches--;
    kernel->blocks -= blocks;
    kernel->threads -= blocks * threads;
    kernel->warps -= blocks * ((threads + kWarpLanes - 1) / kWarpLanes);
    kernel->traced_blocks = traced_before;
    if (!kernel->launches) kernels.erase(kernels.begin() + (kernel - kernels.data()));
    kernel = nullptr;
    scheduler.idle.push_back(make_fiber(launch.refused->stack));
    delete launch.refused;
}

void run_launch(const EmulatedLaunch& asked, void (*thread)(void*), void* parameters, size_t parameter_bytes, void* pc) {
    if (sticky_error) return;
    if (int error = launch_error(asked, pc)) {
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
    launch.cooperative = launch.interleaved = asked.cooperative;
    launch.thread = thread;
    launch.pc = pc;
    launch.parameters = (char*)parameters;
    launch.parameter_bytes = parameter_bytes;
    host_hands_over();
    host_traffic.from_host += parameter_bytes + sizeof asked.grid + sizeof asked.block + kCommandBytes;
    launch.first = new_epoch();
    begin_operation(stream_number(asked.stream), launch.first, launch.kernel, pc);
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
    const u64 traced_before = kernel->traced_blocks;
    in_kernel = true;
    ignore(kOnHost);
    if (asked.cooperative)
        run_cooperative((u32)total);
    else
        run_one_by_one((u32)total);
    in_kernel = false;
    attend(kOnHost);
    if (launch.refused) forget_launch(total, threads, traced_before);
}
}  // namespace runtime
