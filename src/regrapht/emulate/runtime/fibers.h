// One stack for each CUDA thread that has started and not finished; a hand-written switch between them (x86-64).
#pragma once
#include <sys/mman.h>
#include "state.h"

extern "C" void emulated_switch_stack(void** save, void* load);
asm(R"(.text
.globl emulated_switch_stack
emulated_switch_stack:
 pushq %rbp
 pushq %rbx
 pushq %r12
 pushq %r13
 pushq %r14
 pushq %r15
 movq %rsp,(%rdi)
 movq %rsi,%rsp
 popq %r15
 popq %r14
 popq %r13
 popq %r12
 popq %rbx
 popq %rbp
 ret
)");

namespace runtime {
constexpr u32 kStacksPerMapping = 64;
constexpr size_t kGuardBytes = 4096;
constexpr u32 kMaxGuardedStacks = 8192;  // each guard page costs the kernel a mapping, and those are limited
u32 stacks_made = 0;
void pending_write_done();
void look_at_built_in();

inline void start_turn() {
    scheduler.patience = scheduler.vain_reads = 0;
    scheduler.words_read = 0;
}

void back_to_scheduler() {
    pending_write_done();
    emulated_switch_stack(&current_thread().fiber->stack_pointer, scheduler.stack_pointer);
}

// The body of every fiber. A thread that finishes hands its stack to the next one of its warp that has not started, so kernels
// without synchronisation pay a call for each thread and no switch.
void fiber_body() {
    for (;;) {
        Fiber* const mine = current_thread().fiber;
        for (;;) {
            launch.thread(launch.parameters);
            pending_write_done();
            look_at_built_in();
            current_thread().state = ThreadState::kDone;
            scheduler.changed = true;
            block->exited++;
            block->exited_late += block->barrier != block->start;
            const u32 next = scheduler.position + 1, warp_start = thread_index / kWarpLanes * kWarpLanes;
            const u32 lanes = std::min(kWarpLanes, block->threads_total - warp_start);
            if (next >= lanes) break;
            const u32 successor = warp_start + scheduler.lane_order[next];
            if (block->threads[successor].state != ThreadState::kNew) break;
            scheduler.position = next;
            start_turn();
            block->threads[successor].state = ThreadState::kReady;
            block->threads[successor].fiber = mine;
            set_current_thread(block, successor);
        }
        scheduler.idle.push_back(mine);
        emulated_switch_stack(&mine->stack_pointer, scheduler.stack_pointer);
    }
}

Fiber* make_fiber(char* stack) {
    static u32 column = 0;  // staggered tops: equal offsets in every stack would share cache sets
    void** top = (void**)(stack + kStackBytes - column++ % 61 * 576);
    *--top = nullptr;
    *--top = (void*)fiber_body;
    for (int saved_register = 0; saved_register < 6; saved_register++) *--top = nullptr;
    return new Fiber{top, stack};
}

Fiber* take_fiber() {
    if (scheduler.idle.empty()) {
        char* stacks = (char*)mmap(nullptr, kStackBytes * kStacksPerMapping, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stacks == MAP_FAILED) _Exit(98);
        stacks_begin = std::min(stacks_begin, stacks);
        stacks_end = std::max(stacks_end, stacks + kStackBytes * kStacksPerMapping);
        for (u32 i = 0; i < kStacksPerMapping; i++) {
            char* stack = stacks + kStackBytes * i;
            if (stacks_made++ < kMaxGuardedStacks) mprotect(stack, kGuardBytes, PROT_NONE);
            scheduler.idle.push_back(make_fiber(stack));
        }
    }
    Fiber* fiber = scheduler.idle.back();
    scheduler.idle.pop_back();
    return fiber;
}

void resume(Block* b, u32 t) {
    Thread& thread = b->threads[t];
    if (thread.state == ThreadState::kNew) thread.fiber = take_fiber();
    thread.state = ThreadState::kReady;
    set_current_thread(b, t);
    start_turn();
    emulated_switch_stack(&scheduler.stack_pointer, thread.fiber->stack_pointer);
}

void abort_launch(int error) {
    sticky_error = error;
    launch.aborted = true;
    back_to_scheduler();
    __builtin_unreachable();  // an aborted launch is never resumed
}
}  // namespace runtime
