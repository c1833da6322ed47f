"""Memory of the application that CPU and GPU share, so that arrays stay on the device between one program and the next."""

SHARED_MEMORY = """\
// Large blocks of `new` in memory that CPU and GPU share: an array of a std::vector then stays on the device between calls, and is brought
// back only where the CPU looks at it. Without a CUDA device `new` is as ever. Made by regrapht.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <new>

namespace {
const std::size_t large = 1 << 16;
std::mutex held;
void** blocks = nullptr;
std::size_t count = 0, room = 0;
thread_local bool inside = false;  // CUDA itself may ask for memory

bool has_device() {
    static const bool known = [] {
        int devices = 0;
        if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) return true;
        cudaGetLastError();
        return false;
    }();
    return known;
}

bool keep(void* block) {
    std::lock_guard<std::mutex> lock(held);
    if (count == room) {
        void** more = static_cast<void**>(std::realloc(blocks, (2 * room + 16) * sizeof(void*)));
        if (!more) return false;
        blocks = more;
        room = 2 * room + 16;
    }
    blocks[count++] = block;
    return true;
}

bool forget(void* block) {
    if ((reinterpret_cast<std::size_t>(block) & 255) != 0) return false;  // CUDA's blocks begin at multiples of 256
    std::lock_guard<std::mutex> lock(held);
    for (std::size_t at = count; at-- > 0;)
        if (blocks[at] == block) {
            blocks[at] = blocks[--count];
            return true;
        }
    return false;
}

void* shared(std::size_t bytes) {
    if (bytes < large || inside) return nullptr;
    inside = true;
    void* block = nullptr;
    if (has_device() && cudaMallocManaged(&block, bytes) != cudaSuccess) {
        cudaGetLastError();  // then it is plain memory, which is copied at calls
        block = nullptr;
    }
    if (block && !keep(block)) {
        cudaFree(block);
        block = nullptr;
    }
    inside = false;
    return block;
}
}  // namespace

void* operator new(std::size_t bytes) {
    if (void* block = shared(bytes)) return block;
    while (true) {
        if (void* block = std::malloc(bytes ? bytes : 1)) return block;
        std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

void operator delete(void* block) noexcept {
    if (block && count && forget(block)) {
        cudaFree(block);  // at the program's end CUDA may be gone before, and its memory with it
        return;
    }
    std::free(block);
}

void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
"""
