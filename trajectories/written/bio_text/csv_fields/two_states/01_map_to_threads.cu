// CSV field ends: chunks summarised for both quote states, chained by one thread, then written.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kChunk = 256;  // bytes per thread

// What a chunk does: whether it switches the state, and its separators when it starts outside or inside of quotes.
struct Summary {
    int switches, outside, inside;
};

// Where a chunk starts: the state of the quotes and the number of field ends before it.
struct Start {
    int quoted, found;
};

__global__ void summarise(int n, int chunks, const uint8_t* text, Summary* summaries) {
    int chunk = blockIdx.x * blockDim.x + threadIdx.x;
    if (chunk >= chunks) return;
    int quoted = 0, found[2] = {0, 0};  // by the parity of the quotes since the start of the chunk
    for (int i = chunk * kChunk; i < min((chunk + 1) * kChunk, n); ++i) {
        if (text[i] == '"')
            quoted ^= 1;
        else if (text[i] == ',' || text[i] == '\n')
            ++found[quoted];
    }
    summaries[chunk] = {quoted, found[0], found[1]};
}

__global__ void chain(int chunks, const Summary* summaries, Start* starts, int* count) {
    Start start{0, 0};
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const Summary summary = summaries[chunk];
        starts[chunk] = start;
        start.found += start.quoted ? summary.inside : summary.outside;
        start.quoted ^= summary.switches;
    }
    count[0] = start.found;
}

__global__ void write(int n, int chunks, const uint8_t* text, const Start* starts, int* ends) {
    int chunk = blockIdx.x * blockDim.x + threadIdx.x;
    if (chunk >= chunks) return;
    Start start = starts[chunk];
    for (int i = chunk * kChunk; i < min((chunk + 1) * kChunk, n); ++i) {
        if (text[i] == '"')
            start.quoted ^= 1;
        else if (!start.quoted && (text[i] == ',' || text[i] == '\n'))
            ends[start.found++] = i;
    }
}

extern "C" void csv_fields(int n, const uint8_t* text, int* ends, int* count) {
    const int threads = 128, chunks = (n - 1) / kChunk + 1, blocks = (chunks - 1) / threads + 1;
    Summary* summaries = nullptr;
    cudaMalloc(&summaries, chunks * (sizeof(Summary) + sizeof(Start)));
    Start* starts = reinterpret_cast<Start*>(summaries + chunks);
    summarise<<<blocks, threads>>>(n, chunks, text, summaries);
    chain<<<1, 1>>>(chunks, summaries, starts, count);
    write<<<blocks, threads>>>(n, chunks, text, starts, ends);
    cudaFree(summaries);
}
