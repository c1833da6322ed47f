// Code addresses of the candidate as small numbers: one for each access instruction and one for each basic block.
#pragma once
#include <vector>
#include "state.h"

namespace runtime {
char *text_begin = nullptr, *text_end = nullptr, *library_base = nullptr;

// Numbers from 1 in order of first use; 0 for what lies outside the candidate's code or beyond the limit.
struct Numbering {
    std::vector<u16> number;  // by offset into the code
    std::vector<void*> places{nullptr};
    const u16* numbers = nullptr;  // the same without the vector's indirection: this is read at every access
    size_t covered = 0;
    u32 limit;
    explicit Numbering(u32 limit) : limit(limit) {}
    void cover(size_t bytes) {
        number.assign(bytes + 1, 0);
        numbers = number.data(), covered = number.size();
    }
    u32 known(void* pc) const {
        const size_t offset = (char*)pc - text_begin;
        return offset < covered ? numbers[offset] : 0;
    }
    u32 of(void* pc) {
        const size_t offset = (char*)pc - text_begin;
        if (offset >= number.size()) return 0;
        u16& known = number[offset];
        if (!known && places.size() < limit) {
            known = (u16)places.size();
            places.push_back(pc);
        }
        return known;
    }
};
Numbering sites(8191), basic_blocks(16383);
}  // namespace runtime
