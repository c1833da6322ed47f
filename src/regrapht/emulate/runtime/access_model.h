// What accesses would cost a memory system: the k-th execution of one instruction by the lanes of a warp is one request, which needs
// 32-byte sectors of global memory or passes over the 32 banks of shared memory. Blocks are sampled.
#pragma once
#include "code_places.h"

namespace runtime {
constexpr u32 kMaxRequestsPerSegment = 4096;  // of one site between two barriers; later ones are not counted
constexpr u32 kTracedPerLaunch = 16, kTracedPerKernel = 64;

enum class Space : u8 { kGlobal, kShared };
enum class AccessKind : u8 { kLoad, kStore, kAtomic };

struct SiteCounts {
    Space space;
    AccessKind kind;
    u32 size = 0;
    u64 requests = 0, transactions = 0, ideal = 0, lanes = 0, same_word = 0;
};
struct BlockCounts {
    u64 lanes = 0, warps = 0;  // executions by lanes; by warps, where a divergent part counts once for all
};
struct KernelCounts {  // all launches of one kernel with one shape
    std::string name;
    dim3 grid, block;
    u64 launches = 0, blocks = 0, threads = 0, warps = 0, traced_blocks = 0, barriers = 0;
    u64 busiest_warp = 0, all_warps = 0;  // basic blocks executed
    u64 shared_bytes = 0;                 // static and dynamic, the most that a traced block used
    std::vector<SiteCounts> sites;
    std::vector<BlockCounts> basic_blocks;
};
struct TransferCounts {
    u64 count = 0, host_bytes = 0, device_bytes = 0;  // across the host's link; read and written within the device
};
std::vector<KernelCounts> kernels;  // of the call in progress
TransferCounts transfers;           // likewise
KernelCounts* kernel = nullptr;

struct Request {
    u64 address[kWarpLanes];
    u32 lanes = 0;
};
struct SiteTrace {
    u32 executions[kWarpLanes] = {};
    std::vector<Request> requests;
};
struct WarpTrace {
    std::vector<SiteTrace> sites;
    std::vector<u32> executions;  // [basic block][lane]
};
std::vector<WarpTrace> warp_traces;

inline void trace_access(void* pc, u32 site, u64 address, u32 size, Space space, AccessKind kind) {
    if (!site) return;
    if (kernel->sites.size() <= site) kernel->sites.resize(site + 1);
    SiteCounts& counts = kernel->sites[site];
    if (!counts.size) counts = {space, kind, size};
    if (counts.space != space) return;  // a generic pointer that changes its space: the first one counts
    WarpTrace& warp = warp_traces[thread_index / kWarpLanes];
    if (warp.sites.size() <= site) warp.sites.resize(site + 1);
    SiteTrace& trace = warp.sites[site];
    const u32 lane = thread_index % kWarpLanes, execution = trace.executions[lane]++;
    if (execution >= kMaxRequestsPerSegment) return;
    if (execution >= trace.requests.size()) trace.requests.resize(execution + 1);
    trace.requests[execution].address[lane] = address;
    trace.requests[execution].lanes |= 1u << lane;
}

// A small set of numbers: a warp touches at most 32 lanes * 5 units of one kind.
struct Distinct {
    u64 seen[kWarpLanes * 5];
    u32 count = 0;
    void add(u64 x) {
        for (u32 i = count; i-- > 0;)  // most often it is the last one
            if (seen[i] == x) return;
        seen[count++] = x;
    }
};

inline void count_global(const Request& request, SiteCounts& site) {
    Distinct sectors;
    for (u32 lane = 0; lane < kWarpLanes; lane++)
        if (request.lanes >> lane & 1)
            for (u64 s = request.address[lane] >> 5; s <= (request.address[lane] + site.size - 1) >> 5; s++) sectors.add(s);
    site.transactions += sectors.count;
    site.ideal += (__builtin_popcount(request.lanes) * site.size + 31) / 32;
}

// 8-byte accesses are served by half warps, 16-byte accesses by quarter warps; distinct words of one bank need a pass each.
inline void count_shared(const Request& request, SiteCounts& site) {
    const u32 together = site.size <= 4 ? 32 : site.size == 8 ? 16 : 8;
    for (u32 first = 0; first < kWarpLanes; first += together) {
        Distinct words;
        for (u32 lane = first; lane < first + together; lane++)
            if (request.lanes >> lane & 1)
                for (u64 w = request.address[lane] >> 2; w <= (request.address[lane] + site.size - 1) >> 2; w++) words.add(w);
        u32 bank[32] = {}, passes = 0;
        for (u32 i = 0; i < words.count; i++) passes = std::max(passes, ++bank[words.seen[i] & 31]);
        site.transactions += passes;
        site.ideal += words.count != 0;
    }
}

inline u32 most_lanes_on_one_word(const Request& request) {
    u32 most = 0;
    u64 words[kWarpLanes];
    u32 lanes[kWarpLanes], count = 0;
    for (u32 lane = 0; lane < kWarpLanes; lane++) {
        if (!(request.lanes >> lane & 1)) continue;
        u32 i = 0;
        while (i < count && words[i] != request.address[lane]) i++;
        if (i == count) words[count] = request.address[lane], lanes[count++] = 0;
        most = std::max(most, ++lanes[i]);
    }
    return most;
}

// Counts what one warp has done since the last call; at barriers, so that the k-th executions of all lanes stay in step.
void count_warp(u32 warp) {
    WarpTrace& trace = warp_traces[warp];
    for (u32 s = 1; s < trace.sites.size(); s++) {
        SiteTrace& site_trace = trace.sites[s];
        if (site_trace.requests.empty()) continue;
        SiteCounts& site = kernel->sites[s];
        for (const Request& request : site_trace.requests) {
            if (!request.lanes) continue;
            site.requests++;
            site.lanes += __builtin_popcount(request.lanes);
            if (site.space == Space::kGlobal)
                count_global(request, site);
            else
                count_shared(request, site);
            if (site.kind == AccessKind::kAtomic) site.same_word += most_lanes_on_one_word(request);
        }
        site_trace.requests.clear();
        memset(site_trace.executions, 0, sizeof site_trace.executions);
    }
}

inline void trace_basic_block(void* pc) {
    const u32 number = basic_blocks.of(pc);
    if (!number) return;
    std::vector<u32>& executions = warp_traces[thread_index / kWarpLanes].executions;
    const size_t place = (size_t)number * kWarpLanes + thread_index % kWarpLanes;
    if (executions.size() <= place) executions.resize((number + 1) * kWarpLanes);
    executions[place]++;
}

void begin_block_trace(const Block* b, u32 blocks_total) {
    const u32 stride = (blocks_total + kTracedPerLaunch - 1) / kTracedPerLaunch;
    if (!kChecked || b->linear % stride || kernel->traced_blocks >= kTracedPerKernel) return;
    attend(kTracing);
    kernel->traced_blocks++;
    if (warp_traces.size() < b->warps) warp_traces.resize(b->warps);
    for (u32 w = 0; w < b->warps; w++) std::fill(warp_traces[w].executions.begin(), warp_traces[w].executions.end(), 0);
}

void end_block_trace(const Block* b) {
    if (!tracing()) return;
    ignore(kTracing);
    u64 busiest = 0;
    for (u32 w = 0; w < b->warps; w++) {
        count_warp(w);
        const std::vector<u32>& executions = warp_traces[w].executions;
        const size_t blocks = executions.size() / kWarpLanes;
        if (kernel->basic_blocks.size() < blocks) kernel->basic_blocks.resize(blocks);
        u64 work = 0;
        for (size_t i = 1; i < blocks; i++) {
            const u32* lanes = &executions[i * kWarpLanes];
            u32 most = 0;
            for (u32 lane = 0; lane < kWarpLanes; lane++) {
                kernel->basic_blocks[i].lanes += lanes[lane];
                most = std::max(most, lanes[lane]);
            }
            kernel->basic_blocks[i].warps += most;
            work += most;
        }
        busiest = std::max(busiest, work);
        kernel->all_warps += work;
    }
    kernel->busiest_warp += busiest * b->warps;
    u64 shared_bytes = launch.dynamic_shared_bytes;
    for (size_t slot = 0; slot < b->slot_offset.size(); slot++)
        if (b->slot_offset[slot]) shared_bytes += shared_slots[slot].bytes;
    kernel->shared_bytes = std::max(kernel->shared_bytes, shared_bytes);
}
}  // namespace runtime
